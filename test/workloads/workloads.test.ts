import { windowsDeployment, windowsStatefulSet } from "../../platform/workloads/windowsObjects";
import { on2022, onWindows, podYaml, workloads } from "./support";

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
        "  error          container iis: requests.memory 300m is 0.3 bytes, because m means thousandths: write 300Mi",
        "  error          container iis: limits.memory 800m is 0.8 bytes, because m means thousandths: write 800Mi",
        "  win2022        scheduled, but fails to start: the image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2022 starts build 20348 only: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        "  win2025        scheduled, but fails to start: the image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019 is for Windows Server 2019 (build 17763) (by its tag), and Windows Server 2025 starts builds 20348 to 26100 only: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025",
        "  linux1         not scheduled: the nodeSelector kubernetes.io/os: windows (here linux)",
        "  control plane  not scheduled: the nodeSelector kubernetes.io/os: windows (here linux); the taint node-role.kubernetes.io/control-plane:NoSchedule, which it does not tolerate",
        "",
        "1 workload: 0 run wherever their pods may be scheduled, 1 does not",
        "",
      ].join("\n"),
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
      "  win2022        runs\n  win2025        not scheduled: the nodeSelector node.kubernetes.io/windows-build: 10.0.20348 (here 10.0.26100)",
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

  it("show which of them another release of Windows Server breaks, before a pool is changed", async () => {
    const pod = podYaml({ nodeSelector: onWindows });
    expect((await workloads({ "m.yaml": pod })).code).toBe(0);
    const { code, out } = await workloads({ "m.yaml": pod }, [
      "--offline",
      "--windows-server",
      "win2022=2019",
    ]);
    expect(code).toBe(2);
    expect(out).toContain("and Windows Server 2019 starts build 17763 only: use r.example/app:1-ltsc2019");
  });

  it("without an operating system are an error if both are possible, unless the image is for both", async () => {
    const pod = podYaml({ nodeSelector: {} }, "r.example/app:1");
    const wrong = await workloads({ "m.yaml": pod });
    expect(wrong.code).toBe(2);
    expect(wrong.out).toContain("its pods may be scheduled to Linux and to Windows nodes");
    expect(wrong.out).toContain(
      "  win2022        runs, if the image r.example/app:1 has a variant for Windows Server 2022\n",
    );
    const unknown = await workloads({ "m.yaml": podYaml({}, "r.example/app:1") });
    expect(unknown.out).toContain(
      "1 workload: all of them run wherever their pods may be scheduled, if their images have the variants named above\n",
    );
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
      ...{ version: 1, stack: "prod" },
      workloads: [
        {
          workload: "Pod default/p",
          fine: true,
          verdicts: [{ pool: "win2022", result: "runs" }, {}, {}, {}],
        },
      ],
    });
  });
});

describe("a pod", () => {
  const reasons = async (spec: object, image?: string) =>
    (await workloads({ "m.yaml": podYaml(spec, image) })).out;
  const container = (own: object) => ({
    containers: [{ name: "c", image: "r.example/app:1-ltsc2022", ...own }],
  });
  const hostProcess = { securityContext: { windowsOptions: { hostProcess: true } } };

  it.each([
    [
      "with a class of the cluster",
      { nodeSelector: {}, runtimeClassName: "windows-2022" },
      "win2022        runs",
    ],
    [
      "with a class that nobody made",
      { runtimeClassName: "gvisor" },
      "the API server refuses its pods: there is no RuntimeClass gvisor; the cluster has windows-2022, windows-2025",
    ],
    [
      "with a selector against its class",
      { runtimeClassName: "windows-2025" },
      "the API server refuses it: nodeSelector node.kubernetes.io/windows-build is 10.0.20348, and 10.0.26100 in its RuntimeClass",
    ],
    [
      "with requests that no node has",
      container({ resources: { requests: { cpu: "5", memory: "15Gi" } } }),
      "its requests: 5 CPUs, of which a node (Standard_D4s_v5) has 4; its requests: 15 GiB of memory, of which a node (Standard_D4s_v5) leaves 14 GiB to pods",
    ],
    [
      "with an affinity",
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: "disk", operator: "Exists" }] },
                { matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }] },
              ],
            },
          },
        },
      },
      "its node affinity: disk Exists, or kubernetes.io/arch In arm64",
    ],
    [
      "with a label that no node has",
      { nodeSelector: { ...on2022, team: "a" } },
      "the nodeSelector team: a, a label that no node has here",
    ],
    ["on a foreign system", { os: { name: "linux" } }, "the kubelet refuses a pod with os.name: linux"],
    [
      "with fields of Linux",
      { securityContext: { runAsUser: 1000, fsGroup: 1 }, hostPID: true },
      "Windows ignores hostPID, securityContext.fsGroup, securityContext.runAsUser",
    ],
    [
      "with fields of Linux, though it says that it is for Windows",
      {
        os: { name: "windows" },
        ...container({ securityContext: { privileged: true, readOnlyRootFilesystem: true } }),
      },
      "the API server refuses it: a pod with os.name: windows may not have containers.c.securityContext.privileged, containers.c.securityContext.readOnlyRootFilesystem",
    ],
    [
      "with the network of its host",
      { hostNetwork: true },
      "hostNetwork: Windows supports it for HostProcess pods only",
    ],
    [
      "that is HostProcess without it",
      hostProcess,
      "the API server refuses it: a HostProcess pod needs hostNetwork: true",
    ],
    [
      "that is partly HostProcess",
      {
        hostNetwork: true,
        ...container(hostProcess),
        initContainers: [{ name: "i", image: "r.example/i:ltsc2022" }],
      },
      "  error          the API server refuses it: either all containers of a pod are HostProcess, or none is\n  win2022        would run\n",
    ],
    [
      "with volumes of Linux",
      {
        volumes: [
          { name: "n", nfs: { server: "s", path: "/" } },
          { name: "m", emptyDir: { medium: "Memory" } },
          { name: "h", hostPath: { path: "data" } },
        ],
      },
      "volume n: Windows nodes have no nfs; use disk.csi.azure.com or file.csi.azure.com (SMB); volume m: Windows has no volumes in memory (emptyDir.medium); volume h: hostPath data names no drive; write it as C:\\data or C:/data",
    ],
    [
      "with volumes of drivers that no Windows node has",
      {
        volumes: [
          { name: "f", flexVolume: { driver: "microsoft.com/smb" } },
          { name: "g", gitRepo: { repository: "https://example.org/a.git" } },
        ],
      },
      "win2022        scheduled, but fails to start: volume f: the images of Windows nodes have no drivers for flexVolume; use disk.csi.azure.com or file.csi.azure.com (SMB); volume g: Windows nodes have no git, and Kubernetes no gitRepo since 1.33; clone in an init container to an emptyDir\n",
    ],
    [
      "with a share of Azure Files, by the name that it had before CSI",
      { volumes: [{ name: "s", azureFile: { shareName: "web", secretName: "web" } }] },
      "error          volume s: the cluster does not have the driver file.csi.azure.com (addons.azureFile.enabled: true)\n",
    ],
    [
      "with a volume of a driver that the cluster does not have",
      { volumes: [{ name: "s", csi: { driver: "secrets-store.csi.k8s.io" } }] },
      "error          volume s: the cluster does not have the driver secrets-store.csi.k8s.io (it has disk.csi.azure.com)\n",
    ],
    [
      "with the folder of the node's user data",
      { volumes: [{ name: "a", hostPath: { path: "C:\\AzureData\\" } }] },
      "note           volume a: hostPath C:\\AzureData\\ has the user data of the node, with its bootstrap token and all its files: mount another folder\n",
    ],
    [
      "with mounts that are none",
      container({
        volumeMounts: [{ name: "v", mountPath: "C:data" }],
        volumeDevices: [{ name: "d", devicePath: "/x" }],
      }),
      "container c: Windows has no raw block devices (volumeDevices); container c: mountPath C:data is relative to a folder of C:; write C:\\ before the rest",
    ],
    [
      "with programs of Unix",
      container({
        command: ["/bin/sh", "-c", "x"],
        livenessProbe: { exec: { command: ["cat", "/tmp/ok"] } },
      }),
      "container c: command starts /bin/sh, which Windows images do not have; container c: livenessProbe starts cat, which Windows images do not have",
    ],
    [
      "with a probe that is too short for PowerShell",
      container({ readinessProbe: { exec: { command: ["powershell.exe", "exit 0"] } } }),
      "container c: readinessProbe starts powershell.exe with a timeout of 1 s; starting PowerShell alone takes that long, so write timeoutSeconds: 10",
    ],
    [
      "with a single file of a volume",
      container({ volumeMounts: [{ name: "v", mountPath: "C:/a", subPath: "a.txt" }] }),
      "container c: subPath a.txt must be a folder, because Windows cannot mount single files",
    ],
  ])("%s", async (_what, spec, expected) => {
    expect(await reasons(spec)).toContain(expected);
  });

  it("with paths that Windows and Kubernetes accept causes no finding", async () => {
    const out = await reasons({
      volumes: [
        { name: "pipe", hostPath: { path: "\\\\.\\pipe\\containerd" } },
        { name: "k", hostPath: { path: "/var/log" } },
        { name: "c", hostPath: { path: "C:\\ProgramData" } },
      ],
      ...container({
        volumeMounts: [
          { name: "c", mountPath: "/cache" },
          { name: "k", mountPath: "C:/logs" },
        ],
      }),
    });
    expect(out).toContain("win2022        runs\n");
    expect(out).not.toContain("note");
  });

  it("behind a Service that Windows does not support gets a finding", async () => {
    const service = {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: "s" } },
      spec: { selector: { app: "a" }, ipFamilies: ["IPv6"], ports: [{ port: 1, protocol: "SCTP" }] },
    };
    const pod = {
      ...(JSON.parse(podYaml({})) as object),
      metadata: { name: "p", labels: { app: "a", x: "y" } },
    };
    const { out } = await workloads({
      "m.yaml": [service, pod].map((each) => JSON.stringify(each)).join("\n---\n"),
    });
    expect(out).toContain("note           Service s: Windows nodes do not support SCTP");
    expect(out).toContain(
      "note           Service s: Windows nodes do not support IPv6 in a network with VXLAN",
    );
  });
});
