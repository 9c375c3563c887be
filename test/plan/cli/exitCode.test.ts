import { compareStack } from "../../../plan/cli/compareStacks";
import { exitCode } from "../../../plan/cli/exitCode";
import type { StackComparison } from "../../../plan/impact/impact";
import type { Finding } from "capz-windows-kit/finding";
import { planOfResources, resourceOf } from "../../support/planDocuments";

describe("exit codes", () => {
  const one = planOfResources(resourceOf("t:t:T", "x", { a: 1 }));
  const other = planOfResources(resourceOf("t:t:T", "x", { a: 2 }));
  const side = (document = one) => ({ document });
  const failure = { failure: "Pulumi.s.yaml: 1 problem" };
  const compared: Readonly<Record<string, StackComparison>> = {
    same: compareStack("s", "x", side(), side()),
    changed: compareStack("s", "x", side(), side(other)),
    new: compareStack("s", "x", {}, side()),
    removed: compareStack("s", "x", side(), {}),
    failed: compareStack("s", "x", failure, side()),
    deleted: compareStack("s", "x", side(), side(planOfResources())),
    outputs: compareStack("s", "x", side(), side({ ...one, outputs: { mtu: 1500 } })),
  };

  it.each([
    ["same", "compared", 0, 0],
    ["changed", "compared", 2, 0],
    ["outputs", "compared", 2, 0],
    ["new", "new", 2, 0],
    ["removed", "removed", 3, 3],
    ["deleted", "compared", 3, 3],
    ["failed", "failed", 1, 1],
  ] as const)("%s: status %s, %i, and %i with --fail-on destructive", (name, status, any, destructive) => {
    const comparison = compared[name]!;
    expect(comparison.status).toBe(status);
    expect([exitCode([{ comparison }]), exitCode([{ comparison }], { gate: "destructive" })]).toEqual([
      any,
      destructive,
    ]);
  });

  it("are those of the worst stack, and a failure is worse than a deletion", () => {
    const of = (...names: readonly string[]) =>
      exitCode(names.map((name) => ({ comparison: compared[name]! })));
    expect(of("same", "changed")).toBe(2);
    expect(of("changed", "deleted", "same")).toBe(3);
    expect(of("deleted", "failed")).toBe(1);
  });

  const finding: Finding = {
    ...{
      id: "public-cluster",
      title: "Open to the Internet",
      level: "error",
      file: "Pulumi.s.yaml",
      line: 3,
    },
    ...{ path: "access.allowedCidrs", message: "0.0.0.0/0 is everybody" },
  };
  const accepted: Finding = { ...finding, accepted: { until: "2027-03-31", reason: "a test" } };
  const warning: Finding = { ...finding, level: "warning" };

  it.each([
    ["an error of a plan alone", [finding], undefined, 4, 0],
    ["an error of a stack that does not change", [warning, finding], "same", 4, 0],
    ["an error of a change that destroys", [finding], "deleted", 4, 3],
    ["an error where a side has no plan", [finding], "failed", 1, 1],
    ["an accepted error", [accepted], "changed", 2, 2],
    [
      "a problem of the stack file, which a plan alone shows",
      [{ ...finding, id: "stack-problem" }],
      undefined,
      0,
      0,
    ],
    ["a warning", [warning], undefined, 0, 0],
  ] as const)("%s", (_, findings, name, code, allowed) => {
    const reports = [{ findings, ...(name !== undefined && { comparison: compared[name]! }) }];
    expect(exitCode(reports)).toBe(code);
    expect(exitCode(reports, { gate: "destructive" })).toBe(code === 2 ? 0 : code);
    expect(exitCode(reports, { allowPolicyErrors: true })).toBe(allowed);
  });

  it("the reports of both sides are kept if neither can be planned, and one where they are the same", () => {
    expect(compareStack("s", "x", failure, { failure: "and this" })).toMatchObject({
      failure: "Pulumi.s.yaml: 1 problem\n\nand this",
      changes: [],
      impacts: [],
    });
    expect(compareStack("s", "x", failure, failure).failure).toBe(
      "Pulumi.s.yaml: 1 problem\n\nThe base has the same.",
    );
  });
});
