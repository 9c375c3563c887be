import { formatResults } from "windows-workloads/report";
import { windowsDeployment, windowsStatefulSet } from "capz-windows-platform/workloads/windowsObjects";
import { podYaml, pods, workloads } from "./support";

/** The example of CAPZ's documentation, which has been copied for years. */
const iis = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: iis-1809
spec:
  selector: {matchLabels: {app: iis-1809}}
  template:
    metadata: {labels: {app: iis-1809}}
    spec:
      containers:
      - name: iis
        image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019
        resources: {limits: {cpu: 1, memory: 800m}, requests: {cpu: .1, memory: 300m}}
      nodeSelector: {"kubernetes.io/os": windows}
`;

describe("the workloads of manifests", () => {
  it("are checked for each pool, with the reason and what to write", async () => {
    const { code, out } = await workloads({ "m.yaml": iis });
    expect(code).toBe(2);
    expect(out).toBe(
      [
        "Deployment default/iis-1809 (/m.yaml, document 1)",
        "  win2022        scheduled, but fails to start: the image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2022 starts build 20348 only: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        "  win2025        scheduled, but fails to start: the image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2025 starts builds 20348 to 26100 only: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025",
        "  linux1         not scheduled: the nodeSelector kubernetes.io/os: windows (here linux)",
        "  control plane  not scheduled: the nodeSelector kubernetes.io/os: windows (here linux); the taint node-role.kubernetes.io/control-plane:NoSchedule, which it does not tolerate",
        "  not checked    limits.memory 800m, which is 0.8 bytes, because m means thousandths: write 800Mi",
        "  not checked    requests.memory 300m, which is 0.3 bytes, because m means thousandths: write 300Mi",
        "",
        "1 workload: 0 run wherever their pods may be scheduled, 1 does not",
        "",
      ].join("\n"),
    );
  });

  it("that are too large and of a wrong image are told both at once", async () => {
    const { out } = await workloads({ "m.yaml": iis.replaceAll(/: [38]00m/g, ": 24Gi") });
    expect(out).toContain(
      "  win2022        not scheduled: its requests: 24 GiB of memory, of which a node (Standard_D4s_v5) leaves 14 GiB to pods; the image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2022 starts build 20348 only: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022\n",
    );
  });

  it("of our builders run, on the pools of their release only", async () => {
    const args = { name: "shop", image: "r.example/shop:1-ltsc2022", ports: [80] };
    const disk = { name: "data", mountPath: "C:\\data", storageClass: "managed-csi", sizeGiB: 4 };
    const stream = [windowsDeployment(args), windowsStatefulSet({ ...args, volumes: [disk] })];
    const { code, out } = await workloads({
      "m.yaml": stream.map((each) => JSON.stringify(each)).join("\n---\n"),
    });
    expect(out).toContain(
      "  win2022        runs if the API server takes it\n  win2025        not scheduled: the nodeSelector node.kubernetes.io/windows-build: 10.0.20348 (here 10.0.26100)",
    );
    expect(out).toContain("2 workloads: all of them run wherever their pods may be scheduled");
    expect(code).toBe(0);
  });

  it("may be in a List, from standard input, beside objects without pods and pods of controllers", async () => {
    const made = { ...(JSON.parse(podYaml({})) as object), metadata: { name: "q", ownerReferences: [{}] } };
    const items = [
      JSON.parse(podYaml({})) as object,
      made,
      { apiVersion: "v1", kind: "ConfigMap", metadata: {} },
    ];
    const stdin = () => JSON.stringify({ apiVersion: "v1", kind: "List", items });
    const { code, out } = await workloads({ "m.yaml": "# a chart's comment\n---\n" }, ["--offline", "-"], {
      stdin,
    });
    expect(out).toContain("Pod default/p (standard input, document 1)");
    expect(out).toContain("1 workload: all of them run");
    expect(code).toBe(0);
  });

  it("without an operating system are an error if both are possible, unless the image is for both", async () => {
    const pod = podYaml({ nodeSelector: {} }, "r.example/app:1");
    const wrong = await workloads({ "m.yaml": pod });
    expect(wrong.code).toBe(2);
    expect(wrong.out).toContain("its pods may be scheduled to Linux and to Windows nodes");
    expect(wrong.out).toContain(
      "  win2022        no further fault found, not checked in full: whether the image r.example/app:1 has a variant for Windows Server 2022\n",
    );
    const unknown = await workloads({ "m.yaml": podYaml({}, "r.example/app:1") });
    expect(unknown.out).toContain(
      "1 workload: 0 run wherever their pods may be scheduled, 1 was not checked in full\n",
    );
    expect(unknown.code).toBe(0);
    const platforms = [
      { os: "linux", architecture: "amd64" },
      { os: "windows", architecture: "amd64", "os.version": "10.0.20348.1" },
    ];
    const right = await workloads({ "m.yaml": pod }, [], {
      ask: () =>
        Promise.resolve(
          platforms.map(({ "os.version": osVersion, ...own }) => ({
            ...own,
            ...(osVersion === undefined ? {} : { osVersion }),
          })),
        ),
    });
    expect(right.code).toBe(0);
  });

  it("are reported as JSON with --json", async () => {
    const { out } = await workloads({ "m.yaml": podYaml({}) }, ["--offline", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      ...{ version: 2, stack: "prod" },
      workloads: [
        {
          workload: "Pod default/p",
          ...{ verdict: "yes", notChecked: [] },
          verdicts: [{ pool: "win2022", result: "runs" }, {}, {}, {}],
        },
      ],
    });
  });
});

describe("a pod", () => {
  it.each(pods)("$what", async ({ manifest, stack, said, unsaid, refused, code }) => {
    const { code: found, out } = await workloads({ "m.yaml": manifest }, ["--offline"], {}, stack);
    for (const text of said) {
      expect(out).toContain(text);
    }
    for (const text of unsaid) {
      expect(out).not.toContain(text);
    }
    if (refused) {
      expect(out).not.toMatch(/ {2}(runs|scheduled|not scheduled)/);
    }
    expect(found).toBe(code ?? found);
  });
});

it("manifests without pods are not said to be right: their other objects are not checked", () => {
  expect(formatResults({ found: [] })).toBe(
    "no workloads: nothing in the manifests has a pod template that this knows, and other objects, such as Services, are not checked",
  );
});
