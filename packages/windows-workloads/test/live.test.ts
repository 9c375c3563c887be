import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Get } from "capz-windows-doctor/cluster/answers";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { run } from "windows-workloads/cli";
import { ApiServerStandIn } from "capz-windows-test-kit/apiServerStandIn";
import { said } from "capz-windows-test-kit/said";
import { deployment, kinds, node, nodes, object, windows } from "./cluster";
import "./support";

/** Checks the workloads of a running cluster, with a fake API server that answers lists. */

const claims = (...names: readonly string[]) => ({
  volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

const claim = (name: string, spec: object, phase = "Pending") =>
  object("v1", "PersistentVolumeClaim", name, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    status: { phase },
  });

const storageClass = (name: string, more: object): KubeObject => ({
  ...object("storage.k8s.io/v1", "StorageClass", name, { provisioner: "disk.csi.azure.com", ...more }),
  metadata: { name },
});

let dir: string;
const servers: ApiServerStandIn[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "capz-windows-live-"));
});

afterAll(() => {
  rmSync(dir, { recursive: true });
  servers.forEach((server) => {
    server.close();
  });
});

/** Reads from an API server like `connect`, without a login. */
const asks =
  (endpoint: string): Get =>
  async (path) => {
    const answer = await fetch(`${endpoint}${path}`);
    return { status: answer.status, body: await answer.json() };
  };

async function live(
  objects: readonly KubeObject[],
  args: readonly string[] = [],
  refuse?: ConstructorParameters<typeof ApiServerStandIn>[2],
): Promise<{ code: number; out: string; err: string }> {
  const server = new ApiServerStandIn(kinds, objects, refuse);
  servers.push(server);
  const endpoint = await server.listen();
  const found = await said(() =>
    run(["--kubeconfig", "default", "--offline", ...args], {
      projectDir: dir,
      connect: () => Promise.resolve(asks(endpoint)),
    }),
  );
  expect(server.asked.filter((asked) => !asked.startsWith("GET ") || asked.includes("secrets"))).toEqual([]);
  return found;
}

it("names no image for nodes whose build is of no known release", async () => {
  const { code, out } = await live([
    node("win1000000", { ...windows, "node.kubernetes.io/windows-build": "10.0.26200" }),
    deployment("old", {}, "mcr.microsoft.com/windows/servercore:ltsc2019"),
    deployment("moved", {}, "microsoft/iis"),
  ]);
  expect(code).toBe(2);
  expect(out.split("\n").filter((line) => line.startsWith("  win1 "))).toEqual([
    "  win1  scheduled, but fails to start: the image mcr.microsoft.com/windows/servercore:ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows build 26200 starts builds 20348 to 26200 only; container web: its image starts cmd.exe, which ends at once: write command, of a program that stays",
    "  win1  scheduled, but fails to start: the image microsoft/iis has no build for Windows Server 2019 or later, because Microsoft no longer publishes to Docker Hub",
  ]);
});

it("checks a cluster's workloads against its nodes, without those of add-ons", async () => {
  const { code, out } = await live([
    ...nodes,
    deployment("old", {}, "r.example/app:1-ltsc2019"),
    deployment("fine", {}),
    deployment("large", {
      containers: [
        { name: "c", image: "r.example/app:1-ltsc2022", resources: { requests: { memory: "7Gi" } } },
      ],
    }),
    deployment("cloud-node-manager", {}, "r.example/cnm:1", "kube-system"),
  ]);
  expect(code).toBe(2);
  expect(out.split("\n").filter((line) => !/ (linux1|control plane) /.test(line))).toEqual([
    "Deployment shop/old (in the cluster)",
    "  win1           scheduled, but fails to start: the image r.example/app:1-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2022 starts build 20348 only: use an image for Windows Server 2022, if its publisher has one, or build it for that",
    "",
    "Deployment shop/fine (in the cluster)",
    "  win1           runs",
    "",
    "Deployment shop/large (in the cluster)",
    "  error          its pods stay pending: they can be scheduled to no pool",
    "  win1           not scheduled: its requests: 7 GiB of memory, of which a node (Standard_D2s_v5) leaves 6 GiB to pods",
    "",
    "3 workloads: 1 runs wherever its pods may be scheduled (if the API server takes them, their images can be pulled and their programs start), 2 do not",
    "",
  ]);
  expect(out).toContain(
    "  linux1         not scheduled: the nodeSelector kubernetes.io/os: windows (here linux)",
  );
});

it("reads one namespace, and checks against the pools of a stack", async () => {
  const objects = [...nodes, deployment("cni", {}, "r.example/cni:1-ltsc2022", "kube-system")];
  const one = await live(objects, ["--namespace", "kube-system"]);
  expect(one.out).toContain("Deployment kube-system/cni");
  const stack = await live([...nodes, deployment("fine", {})], ["--stack", "prod"]);
  expect(stack.out).toMatch(/^ {2}win2022 +runs\n {2}win2025 +(?:runs|scheduled)/m);
});

it("a pod on the node that it names is judged there only, whatever its taints", async () => {
  const spec = { containers: [{ name: "web", image: "r.example/app:1-ltsc2022" }] };
  const pod = object("v1", "Pod", "debug", { spec: { ...spec, nodeName: "win1000001" } });
  const found = await live([...nodes.slice(1), pod]);
  expect(found.out).toMatch(/win1 +runs\n/);
  expect(found.out).toContain("not scheduled: the nodeName win1000001, which is no node here");
  expect(found.code).toBe(0);
});

describe("claims", () => {
  const classes = [storageClass("disks", {})];
  it("are not needed for volumes of a driver that the cluster has", async () => {
    const driver = object("storage.k8s.io/v1", "CSIDriver", "secrets-store.csi.k8s.io", {});
    const pods = deployment("web", { volumes: [{ name: "s", csi: { driver: driver.metadata.name } }] });
    expect((await live([...nodes, pods, { ...driver, metadata: { name: driver.metadata.name } }])).code).toBe(
      0,
    );
    expect((await live([...nodes, pods])).out).toContain(
      "volume s: the cluster does not have the driver secrets-store.csi.k8s.io (it has none)\n",
    );
  });

  it("that are bound, or have an existing or the default class, cause no finding", async () => {
    const byDefault = {
      ...storageClass("standard", {}),
      metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    };
    const { code, out } = await live([
      ...nodes,
      ...classes,
      byDefault,
      claim("bound", { storageClassName: "gone" }, "Bound"),
      claim("disk", { storageClassName: "disks" }),
      claim("plain", {}),
      deployment("web", claims("bound", "disk", "plain")),
    ]);
    expect(out).not.toContain("claim ");
    expect(code).toBe(0);
  });

  it("of no class need a default one", async () => {
    const { code, out } = await live([
      ...nodes,
      ...classes,
      claim("data", {}),
      deployment("web", claims("data")),
    ]);
    expect(out).toContain(
      "error          claim data: it names no storage class and the cluster has no default one (it has disks)\n",
    );
    expect(code).toBe(2);
  });

  it("that are not among the objects are named", async () => {
    const { out } = await live([...nodes, deployment("web", claims("elsewhere"))]);
    expect(out).toContain("not checked    claim elsewhere: it is not among the manifests\n");
  });
});

it("a kind without permission to read is named", async () => {
  const { code, err } = await live([...nodes, deployment("web", {})], [], (path) =>
    path.endsWith("/deployments") ? { status: 403, message: "deployments.apps is forbidden" } : undefined,
  );
  expect(err).toBe("Deployment of the cluster cannot be read: deployments.apps is forbidden\n");
  expect(code).toBe(1);
});
