import { stepsOf } from "capz-windows-probe/checks";
import { expectedNode, outsideName } from "capz-windows-probe/expected";
import type { ProbeReport } from "capz-windows-probe/model";
import { chosenNodes, nodesOf, pairOf } from "capz-windows-probe/nodes";
import { imageOf } from "capz-windows-probe/objects";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { readArguments } from "capz-windows-probe/cli";
import { format } from "capz-windows-probe/report";
import { factsOf } from "capz-windows-test-kit/recordedStacks";
import { named, nodeObject } from "./nodeObjects";

/** What the probe expects of a stack, and which nodes it chooses. */

describe("what the plan says", () => {
  it("pools: labels, taints, pods and memory of its own", () => {
    const facts = factsOf("pools");
    expect(expectedNode(facts, "win1")).toEqual({
      labels: {
        ...{ "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348" },
        ...{ "example.org/team": "web", "node.cluster.x-k8s.io/pool": "web" },
      },
      taints: ["example.org/dedicated=web:NoSchedule"],
      maxPods: 60,
      reservedMemory: "3Gi",
    });
    expect(expectedNode(facts, "nothing")).toBeUndefined();
  });

  it("a registry of one's own is the name outside the cluster", () => {
    const facts = factsOf("smallest");
    expect(outsideName({ ...facts, registryMirror: "https://mirror.example.com/x" })).toBe(
      "mirror.example.com",
    );
    expect(outsideName(facts)).toBe("mcr.microsoft.com");
  });
});

describe("the nodes that are measured", () => {
  const facts = factsOf("similarNames");
  const objects = [
    nodeObject("test-control-plane-x", "linux", "1", "True", { "node-role.kubernetes.io/control-plane": "" }),
    nodeObject("web000000", "linux", "1"),
    nodeObject("web2000000", "windows", "1"),
    nodeObject("win1000000", "windows", "1", "False"),
    nodeObject("win1000001", "windows", "1"),
    nodeObject("win1000002", "windows", "2"),
    nodeObject("win1000003", "windows", "1"),
    nodeObject("other-cluster", "linux", "1"),
  ];
  const nodes = nodesOf(facts, objects);

  it("are one of each pool in each zone, of those that are ready", () => {
    expect(named(chosenNodes(nodes))).toEqual([
      "control-plane: test-control-plane-x",
      "web: web000000",
      "web2: web2000000",
      "win1: win1000001",
      "win1: win1000002",
    ]);
  });

  it("include the one that is to be restarted", () => {
    expect(named(chosenNodes(nodes, "win1000003"))).toContain("win1: win1000003");
    expect(named(chosenNodes(nodes, "win1000003"))).not.toContain("win1: win1000001");
  });

  it("include a second one with Windows where the pools and zones have only one", () => {
    const few = nodes.filter(({ name }) => /^win1.*[13]$/.test(name));
    expect(named(chosenNodes(few))).toEqual(["win1: win1000001", "win1: win1000003"]);
  });

  it("for a disk are two in one zone", () => {
    expect(pairOf(nodes, "win1")?.map(({ name }) => name)).toEqual(["win1000001", "win1000003"]);
    expect(pairOf(nodes, "web")).toBeUndefined();
  });

  it("get the steps that their system has", () => {
    const windows = nodes.find(({ name }) => name === "win1000001")!;
    const world = {
      ...{
        facts,
        nodes,
        servers: new Map([
          ["web000000", "192.168.1.2"],
          ["win1000002", "192.168.2.2"],
        ]),
      },
      service: { clusterIp: "10.96.0.77", nodePort: 30_080 },
    };
    expect(stepsOf("host", windows, world)).toBe("adapters");
    expect(stepsOf("pod", windows, world).split(";")).toEqual([
      "adapters 15",
      "packets 192.168.2.2",
      "packets 192.168.1.2",
      "transfer http://192.168.2.2:8080",
      "names kubernetes.default.svc.cluster.local",
      "names mcr.microsoft.com",
      "refused 168.63.129.16:80",
      "refused 168.63.129.16:32526",
      "refused 169.254.169.254:80",
      "service http://10.96.0.77:80/",
      "service http://10.10.128.4:30080/",
      "service http://10.10.128.4:30080/",
      "clock https://10.96.0.1:443/livez",
    ]);
  });

  it("have images that the stack pins", () => {
    const [control, , windows] = nodes;
    expect([imageOf(facts, control!, "pod"), imageOf(facts, windows!, "host")]).toEqual([
      "registry.k8s.io/kube-proxy:v1.35.6",
      "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0",
    ]);
    expect(imageOf(facts, windows!, "pod")).toBe(
      "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
    );
  });
});

describe("the report", () => {
  const report: ProbeReport = {
    ...{ version: 1, stack: "dev", cluster: "dev", kubernetesVersion: "v1.35.6", ended: "" },
    ...{ startedAt: "2026-11-23T12:00:00Z", endedAt: "2026-11-23T12:20:00Z", nodes: [] },
    rows: [
      { check: "dns", where: "a", expected: "10.96.0.1", measured: "10.96.0.1", verdict: "as planned" },
      {
        ...{ check: "mtu", where: "b", expected: "1350", measured: "1450 | *", verdict: "finding" },
        ...{ remedy: "Fix it.", afterRestartOf: "win1000000" },
      },
    ],
  };

  it("as text has findings first", () => {
    expect(format(report, "text")).toBe(
      [
        "Stack dev, cluster dev, Kubernetes v1.35.6; 0 nodes measured from 2026-11-23T12:00:00Z to 2026-11-23T12:20:00Z.",
        "",
        "check  where                                  expected   measured   verdict",
        "mtu    b (after the restart of win1000000)  1350       1450 | *   finding",
        "dns    a                                    10.96.0.1  10.96.0.1  as planned",
        "",
        "What to do:",
        "  mtu: Fix it.",
        "",
        "1 as planned, 1 findings, 0 not measured.",
        "",
      ]
        .join("\n")
        .replace("where                                  ", "where                                "),
    );
  });

  it("as Markdown is one table, whatever the cluster says", () => {
    expect(format(report, "markdown")).toContain(
      String.raw`| mtu | b \(after the restart of win1000000\) | 1350 | 1450 \| \* | finding |`,
    );
  });

  it("as JSON is all of it", () => {
    expect(JSON.parse(format(report, "json"))).toEqual(report);
  });
});

it.each([
  [
    ["--stack", "dev", "--timeout", "soon"],
    "error: option '--timeout <MIN>' argument 'soon' is invalid. Allowed are minutes up to 10080.",
  ],
  [
    ["--stack", "dev", "--format", "html"],
    "error: option '--format <FORMAT>' argument 'html' is invalid. Allowed choices are text, markdown, json.",
  ],
  [
    ["--stack", "dev", "--report", "x.pdf"],
    "error: option '--report <FILE>' argument 'x.pdf' is invalid. Allowed extensions are .txt, .md, .json.",
  ],
  [
    ["--stack", "dev", "--json", "--format", "text"],
    "error: option '--json' cannot be used with option '--format <FORMAT>'",
  ],
])("refuses the arguments %j", (args, message) => {
  expect(() => readArguments(args)).toThrow(new UsageError(message));
});
