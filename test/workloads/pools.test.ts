import { on2022, podYaml, workloads } from "./support";

it("workloads are checked against the labels and taints of pools in the stack file", async () => {
  const spec = { nodeSelector: { ...on2022, "example.org/team": "web" } };
  const taint = "the taint example.org/dedicated=web:NoSchedule, which it does not tolerate";
  const on = (out: string): string[] => out.split("\n").filter((line) => line.startsWith("  win1 "));
  const refused = await workloads({ "m.yaml": podYaml(spec) }, ["--offline"], {}, "pools");
  expect(on(refused.out)).toEqual([expect.stringContaining(taint)]);
  expect(on(refused.out)[0]).not.toContain("example.org/team");
  const tolerations = [{ key: "example.org/dedicated", operator: "Exists" }];
  const accepted = await workloads(
    { "m.yaml": podYaml({ ...spec, tolerations }) },
    ["--offline"],
    {},
    "pools",
  );
  expect(on(accepted.out).map((line) => line.trim().split(/ +/).slice(0, 2).join(" "))).toEqual([
    "win1 runs",
  ]);
});
