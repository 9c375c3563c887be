import { run } from "../../commands/explain/cli";
import { said } from "capz-windows-test-kit/said";

it("prints a key as a person reads it", async () => {
  expect(await said(() => run(["windowsPools.win1.replicas"]))).toEqual({
    code: 0,
    err: "",
    out: `windowsPools.win1.replicas

Number of nodes; with autoscale, the autoscaler sets it, starting from min

type      whole number
default   2
allowed   a whole number from 0 to 1000
change    replaces no machine
example   config:
            capz-windows:windowsPools:
              win1:
                replicas: 2
page      docs/config.md#linuxpools-and-windowspools
`,
  });
});

it("prints the keys of a mapping, and of the whole file, without the links of documents", async () => {
  const { out } = await said(() => run(["windowsPools.NAME.autoscale"]));
  expect(out).toContain("\nkeys\n  min  Minimum number of nodes\n  max  Maximum number of nodes\npage ");
  const whole = (await said(() => run([]))).out;
  expect(whole).toMatch(
    /^The keys of a stack file, below config: and with the prefix capz-windows:\n\n {2}clusterName {15}Name of /,
  );
  expect(whole).toMatch(/\n {2}wait .*\n(?:.*\n)*\nnpm run explain -- KEY explains one of them\.\n$/);
  expect(whole).not.toContain("](");
});

it("is JSON on request, and refuses what is no key", async () => {
  const { out } = await said(() => run(["windowsPools.a.replicas", "--json"]));
  expect(JSON.parse(out)).toMatchObject({ version: 1, path: "windowsPools.a.replicas", default: 2 });
  expect(await said(() => run(["windowsPools.a.replica"]))).toEqual({
    code: 64,
    out: "",
    err: "There is no key windowsPools.a.replica. Do you mean windowsPools.a.replicas?\nAll options: npm run explain -- --help\n",
  });
});

it("prints a component with its program, args, outputs and what it may destroy", async () => {
  const { code, out } = await said(() => run(["WindowsPool"]));
  expect(code).toBe(0);
  expect(out).toMatch(
    /^WindowsPool, type token capz-windows:index:WindowsPool\n\nA named pool of Windows nodes/,
  );
  const headings = out.split("\n").filter((line) => /^\w.* .*|^\w+$/.test(line));
  expect(headings).toEqual(
    expect.arrayContaining(["program in TypeScript", "program in Pulumi YAML", "args", "outputs", "costs"]),
  );
  expect(out).toContain('\n  const win2022 = new WindowsPool("win2022", {\n    poolName: "win2022",\n');
  expect(out).toContain("\n    win2022:\n      type: capz-windows:WindowsPool\n");
  expect(out).toContain("\n  - api is a ClusterApi\n");
  expect(out).toContain("\n  1 kubernetes:cluster.x-k8s.io/v1beta2:MachinePool\n");
  expect(out).toContain(
    "\n  windowsServer: 2019 | 2022 | 2025 (default: 2022)\n      Windows Server release of the nodes.\n",
  );
  expect(out).toContain("\n  poolName: string (required)\n");
  expect(out).toContain("\n  hybridBenefit: boolean (default: false)\n");
  expect(out).toContain("\n  contentHash: string\n");
  expect(out).toContain("\n  TrustedLaunchArgs\n");
});

it("prints a type of an arg, and both as JSON", async () => {
  const { out } = await said(() => run(["TrustedLaunchArgs"]));
  expect(out).toMatch(/^TrustedLaunchArgs\n\n(?:.*\n)*fields\n {2}\w+: boolean/);
  const component = (await said(() => run(["WindowsPool", "--json"]))).out;
  expect(JSON.parse(component)).toMatchObject({
    ...{ version: 1, name: "WindowsPool", token: "capz-windows:index:WindowsPool" },
    args: { poolName: { type: "string", required: true, output: false } },
  });
  const type = (await said(() => run(["TrustedLaunchArgs", "--json"]))).out;
  expect(JSON.parse(type)).toMatchObject({ version: 1, name: "TrustedLaunchArgs", fields: {} });
});

it.each([
  ["WindowPool", "WindowsPool"],
  ["Virtualnetwork", "VirtualNetwork"],
  ["TrustedLaunch", "TrustedLaunchArgs"],
])("%s is no component", async (asked, meant) => {
  expect(await said(() => run([asked]))).toEqual({
    ...{ code: 64, out: "" },
    err: `There is no component or type "${asked}". Do you mean ${meant}? docs/components.md has all components.\nAll options: npm run explain -- --help\n`,
  });
});
