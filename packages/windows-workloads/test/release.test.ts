import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "windows-workloads/cli";
import { said } from "capz-windows-test-kit/said";
import { on2022, onWindows, podYaml } from "./support";

/** Nodes of which only the release of Windows is known. */

/** A folder without a stack. */
const projectDir = mkdtempSync(join(tmpdir(), "capz-windows-release-"));
afterAll(() => {
  rmSync(projectDir, { recursive: true, force: true });
});

const judged = (manifest: string, release = "2022", ...args: readonly string[]) =>
  said(() => run(["--release", release, "--offline", "-", ...args], { projectDir, stdin: () => manifest }));

const everyTaint = { tolerations: [{ operator: "Exists" }] };

const container = (image: string, more: object = {}) => ({ containers: [{ name: "c", image, ...more }] });

it("says that a pod runs only where no label, taint or size decides", async () => {
  const { code, out } = await judged(podYaml(everyTaint));
  expect(out).toContain("  Windows Server 2022  runs if the API server takes it\n");
  expect(out).toContain("1 workload: all of them run");
  expect(code).toBe(0);
});

it("says that a pod does not run for what the release decides", async () => {
  const { code, out } = await judged(podYaml({ nodeSelector: onWindows }), "2019");
  expect(out).toContain(
    "  Windows Server 2019  scheduled, but fails to start: the image r.example/app:1-ltsc2022",
  );
  expect(code).toBe(2);
});

const open = (reason: string) =>
  new RegExp(`Windows Server 2022  no fault found, not checked in full: .*${reason}`);

it.each<[what: string, spec: object, said: RegExp]>([
  ["a taint", {}, open("whether it tolerates the taints of the nodes")],
  [
    "a taint that only one toleration knows",
    { tolerations: [{ key: "os", operator: "Exists" }] },
    open("whether it tolerates the taints"),
  ],
  ["a label", { nodeSelector: { ...on2022, pool: "web" } }, open("whether a node has the label pool: web")],
  [
    "a node affinity",
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "gpu", operator: "Exists" }] }],
          },
        },
      },
    },
    open("whether a node meets its node affinity: gpu Exists"),
  ],
  [
    "the size of the node",
    container("r.example/app:1-ltsc2022", { resources: { requests: { cpu: "64", memory: "1Ti" } } }),
    open("whether a node has so many CPUs; whether a node has so much memory"),
  ],
  [
    "a RuntimeClass",
    { runtimeClassName: "windows-2022" },
    /not checked +whether there is a RuntimeClass windows-2022, and which nodes it selects/,
  ],
  [
    "a RuntimeClass with an image of another release, because it may ask for Hyper-V isolation",
    { runtimeClassName: "other", ...container("r.example/app:1-ltsc2019") },
    /fails to start if its RuntimeClass other places it there in process isolation: the image/,
  ],
  [
    "a storage class",
    {
      volumes: [
        {
          name: "v",
          ephemeral: {
            volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast" } },
          },
        },
      ],
    },
    /claim v: whether there is a storage class fast, and Windows nodes mount its volumes/,
  ],
  [
    "the driver of a volume",
    { volumes: [{ name: "v", csi: { driver: "file.csi.azure.com" } }] },
    /volume v: whether the driver file\.csi\.azure\.com runs/,
  ],
  [
    "a gMSA webhook",
    { securityContext: { windowsOptions: { gmsaCredentialSpecName: "web" } } },
    /whether a gMSA webhook puts the credential spec web into pods/,
  ],
])("does not check %s, and says so", async (_, spec, expected) => {
  const { code, out } = await judged(podYaml(spec));
  expect(out).toMatch(expected);
  expect(out).toContain("1 was not checked in full");
  expect(code).toBe(0);
});

it("judges no pod that may go to Linux nodes as one for Windows", async () => {
  const { code, out } = await judged(podYaml({ nodeSelector: {} }, "r.example/app:1-ltsc2019"));
  expect(out).toContain("fails to start if it is scheduled there: the image r.example/app:1-ltsc2019");
  expect(out).toContain("whether its pods go to Linux nodes instead");
  expect(code).toBe(0);
});

it("does not call a pod for Linux pending", async () => {
  const { code, out } = await judged(podYaml({ nodeSelector: { "kubernetes.io/os": "linux" } }));
  expect(out).toContain("not scheduled: the nodeSelector kubernetes.io/os: linux (here windows)");
  expect(out).toContain("other nodes than those of Windows Server 2022");
  expect(out).not.toContain("stay pending");
  expect(code).toBe(0);
});

it.each([
  [["--release", "2016", "-"], "--release 2016: write one of 2019, 2022, 2025."],
  [["--release", "2022", "--stack", "prod", "-"], "cannot be used with option '-s, --stack"],
  [["--release", "2022", "--kubeconfig", "f", "-"], "cannot be used with option '--kubeconfig"],
])("refuses %j", async (args, message) => {
  const { code, err } = await said(() => run(args, { projectDir, stdin: () => "" }));
  expect(err).toContain(message);
  expect(code).toBe(64);
});

it("names the ways to nodes where the folder has no stack", async () => {
  const { code, err } = await said(() => run(["-"], { projectDir, stdin: () => "" }));
  expect(err).toContain("Name the nodes: --release YEAR");
  expect(code).toBe(64);
});

it("names the release in its JSON", async () => {
  const { out } = await judged(podYaml(everyTaint), "2025", "--json");
  expect(JSON.parse(out)).toMatchObject({ version: 2, release: "2025" });
});

const ofBuild = (operator: string, values?: readonly string[]) => ({
  ...everyTaint,
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: "node.kubernetes.io/windows-build", operator, values }] },
        ],
      },
    },
  },
});

it("knows that Linux nodes have no label of a Windows build", async () => {
  const linux = { ...container("docker.io/library/nginx:1.29"), ...ofBuild("NotIn", ["10.0.17763"]) };
  expect((await judged(podYaml(linux))).code).not.toBe(2);
  const { out } = await judged(podYaml({ ...linux, ...ofBuild("Exists") }));
  expect(out).not.toContain("Linux nodes instead");
});
