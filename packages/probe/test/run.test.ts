import { cordonAnnotation, namespace, serverText } from "capz-windows-probe/objects";
import type { ProbeReport, ProbeRow } from "capz-windows-probe/model";
import { exitCode } from "capz-windows-probe/report";
import { probe, type ProbeOptions } from "capz-windows-probe/run";
import { factsOf } from "capz-windows-test-kit/recordedStacks";
import { FakeCluster, type Faults, nodes } from "./fakeCluster";

const facts = factsOf("onePoolEach");

const clusters: FakeCluster[] = [];
afterAll(() => {
  clusters.forEach((cluster) => {
    cluster.close();
  });
});

const lifetime = { aliveMs: 40, deletionSeconds: 5 };

function started(faults: Faults = {}, of = nodes): FakeCluster {
  const cluster = new FakeCluster(of, faults);
  clusters.push(cluster);
  return cluster;
}

/** As a run leaves a node, and as whoever has a node may write it. */
function cordoned(cluster: FakeCluster, name: string): void {
  const path = `/api/v1/nodes/${name}`;
  const node = cluster.objects.get(path)!;
  cluster.objects.set(path, {
    ...node,
    metadata: { ...node.metadata, annotations: { [cordonAnnotation]: "true" } },
    spec: { ...(node.spec as object), unschedulable: true },
  });
}

async function probed(
  cluster: FakeCluster,
  options: Partial<ProbeOptions> = {},
): Promise<{ report: ProbeReport; cluster: FakeCluster }> {
  const report = await probe({
    ...{ stack: "test", facts, send: cluster.send, lifetime, pollMs: 5 },
    ...{ signal: new AbortController().signal, say: () => undefined },
    fetchText: () => Promise.resolve(serverText),
    ...options,
  });
  return { report, cluster };
}

const not = (report: ProbeReport, verdict: ProbeRow["verdict"]): ProbeRow[] =>
  report.rows.filter((row) => row.verdict !== verdict);

const short = ({ check, where, expected, measured, verdict }: ProbeRow): string =>
  `${check} | ${where} | ${expected} | ${measured} | ${verdict}`;

it("measures everything on a cluster as planned, and leaves nothing", async () => {
  const { report, cluster } = await probed(started());
  expect(not(report, "as planned").map(short)).toEqual([]);
  expect([report.ended, exitCode(report)]).toEqual(["", 0]);
  expect(new Set(report.rows.map(({ check }) => check))).toEqual(
    new Set([
      ...["labels", "taints", "pods", "reserved", "mtu", "packets", "transfer", "dns", "metadata"],
      ...["service", "clock", "volume", "load-balancer", "start"],
    ]),
  );
  expect(report.rows.filter(({ check }) => check === "packets").map(({ where }) => where)).toEqual([
    "linux linux1000000 → windows win1000000",
    "linux test-control-plane-abcde → windows win1000000",
    "windows win1000000 → linux linux1000000",
    "windows win1000000 → windows win1000001",
    "windows win1000001 → linux linux1000000",
    "windows win1000001 → windows win1000000",
  ]);
  expect(report.rows.filter(({ check }) => check === "volume").map(short)).toEqual([
    "volume | pool linux1, first written on linux1000000 | written-for-linux1 | written-for-linux1 | as planned",
    "volume | pool linux1, then read on linux1000001 | written-for-linux1 | written-for-linux1 | as planned",
    "volume | pool win1, first written on win1000000 | written-for-win1 | written-for-win1 | as planned",
    "volume | pool win1, then read on win1000001 | written-for-win1 | written-for-win1 | as planned",
  ]);
  expect(cluster.left()).toEqual([]);
});

it.each<[string, unknown]>([
  ["null", null],
  ["a page", { message: "<html>" }],
  ["a list of nothing", { items: [null] }],
  ["a list without names", { items: [{ metadata: { labels: {} } }] }],
])("nodes that are %s end the run in words, and nothing stays", async (_, body) => {
  const cluster = started();
  const send: ProbeOptions["send"] = async (path, request) => {
    const answer = await cluster.send(path, request);
    return path.startsWith("/api/v1/nodes?") ? { ...answer, body } : answer;
  };
  await expect(probed(cluster, { send })).rejects.toThrow(
    /^GET \/api\/v1\/nodes: the answer is not that of an API server: HTTP 200/,
  );
  expect(cluster.left()).toEqual([]);
});

it("an address that is none reaches no other pod", async () => {
  const cluster = started();
  const made: unknown[] = [];
  const send: ProbeOptions["send"] = async (path, request) => {
    made.push(request.body);
    const answer = await cluster.send(path, request);
    const body = JSON.parse(
      JSON.stringify(answer.body).replaceAll(/"10\.10\.128\.\d"/g, '"1.2.3;restart"'),
    ) as unknown;
    return request.method === "GET" ? { ...answer, body } : answer;
  };
  await probed(cluster, { send });
  expect(JSON.stringify(made)).toContain("names kubernetes.default");
  expect(JSON.stringify(made)).not.toContain("1.2.3;restart");
});

const nested = '{"value":'.repeat(9_000) + "1" + "}".repeat(9_000);

it.each([
  ["values in values", `"ip":${nested}`],
  ["lists in lists", `"ip":[{"ifname":"eth0","mtu":${"[".repeat(9_000)}${"]".repeat(9_000)}}]`],
])("a node that writes %s is not measured, and the others are", async (_, fields) => {
  const cluster = started();
  const send: ProbeOptions["send"] = async (path, request) => {
    const answer = await cluster.send(path, request);
    return path.includes("host-1-0/log")
      ? { ...answer, text: `{"step":"adapters","argument":"",${fields}}\n` }
      : answer;
  };
  const { report } = await probed(cluster, { send });
  expect(not(report, "as planned").map(short)).toEqual([
    "mtu | test-control-plane-abcde |  | the pod wrote no result | not measured",
  ]);
});

it.each([
  ["nothing, because it has no ip", "host", `"ip":null`],
  ["nothing in a pod", "pod", `"ip":null`],
  ["no adapter", "pod", `"adapters":[]`],
  ["only adapters that are down", "pod", `"ip":[{"ifname":"eth0","mtu":1350,"operstate":"DOWN"}]`],
  ["only adapters of its pods", "host", `"ip":[{"ifname":"cali0","mtu":1350,"operstate":"UP"}]`],
])("MTUs of which a node reads %s are not measured", async (_, place, fields) => {
  const cluster = started();
  const send: ProbeOptions["send"] = async (path, request) => {
    const answer = await cluster.send(path, request);
    const text = answer.text.replace(/(?<="step":"adapters","argument":"",).*(?=\})/, fields);
    return path.includes(`${place}-1-0/log`) ? { ...answer, text } : answer;
  };
  const { report } = await probed(cluster, { send });
  expect(not(report, "as planned").map(short)).toEqual([
    `mtu | linux ${place} test-control-plane-abcde |  | the pod read no adapter of the ${place} | not measured`,
  ]);
  expect(exitCode(report)).toBe(2);
});

it("a node that writes mappings for numbers and texts does not end the run", async () => {
  const cluster = started();
  const none = '{"toString":1,"valueOf":2}';
  const send: ProbeOptions["send"] = async (path, request) => {
    const answer = await cluster.send(path, request);
    const hostile = answer.text.replaceAll(/(?<=[:[])\d+(?=[,}])|(?<=:\[)"[^"]*"(?=\])/g, none);
    return /(?:host|pod)-1-0\/log/.test(path) ? { ...answer, text: hostile } : answer;
  };
  const { report } = await probed(cluster, { send });
  expect(not(report, "as planned").map(short)).toEqual([
    "clock | test-control-plane-abcde | at most 2 s | the API server did not answer | not measured",
    "mtu | linux host test-control-plane-abcde, eth0 | 1500 | NaN | finding",
    "mtu | linux pod test-control-plane-abcde, eth0 | 1350 | NaN | finding",
    "packets | linux test-control-plane-abcde → windows win1000000 | 1350 | NaN | finding",
  ]);
});

it("asks nothing of an address of the Service that is none", async () => {
  const cluster = started();
  const ip = "user:pw@127.0.0.1:16555/latest/meta-data?x=";
  const asked: string[] = [];
  const send: ProbeOptions["send"] = async (path, request) => {
    const answer = await cluster.send(path, request);
    const body = { ...(answer.body as object), status: { loadBalancer: { ingress: [{ ip }] } } };
    return request.method === "GET" && path.endsWith("/services/probe") ? { ...answer, body } : answer;
  };
  const fetchText = (url: string) => {
    asked.push(url);
    return Promise.resolve(serverText);
  };
  const { report } = await probed(cluster, { send, fetchText });
  expect([not(report, "as planned").map(short), asked]).toEqual([
    [`load-balancer | Azure | an address | ${ip} | finding`],
    [],
  ]);
});

describe("findings", () => {
  const found = async (faults: Faults, of = nodes): Promise<string[]> =>
    not((await probed(started(faults, of))).report, "as planned").map(short);

  it("pods with the MTU that HNS gives them", async () => {
    const lost = "1350 | 1350, larger ones are lost without an answer | finding";
    expect(await found({ podMtu: { win1000000: 1450 } })).toEqual([
      "mtu | windows pod win1000000, vEthernet (Ethernet) | 1350 | 1450 | finding",
      `packets | windows win1000000 → linux linux1000000 | ${lost}`,
      `packets | windows win1000000 → windows win1000001 | ${lost}`,
    ]);
  });

  it("a path that carries less than its adapters", async () => {
    const rows = await found({ path: 1300 });
    expect(rows).toHaveLength(6);
    expect(rows[0]).toBe(
      "packets | linux linux1000000 → windows win1000000 | 1350 | 1300, larger ones are lost without an answer | finding",
    );
  });

  it("pods that answer no ping are not measured, because TCP tells whether they are reached", async () => {
    const rows = await found({ path: 500 });
    expect(rows).toHaveLength(6);
    expect(rows[0]).toBe(
      "packets | linux linux1000000 → windows win1000000 | 1350 | pings of 576 bytes are not answered: TimedOut | not measured",
    );
  });

  it("pods that reach the wireserver", async () => {
    const rows = await found({ open: true });
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe("metadata | pod on linux1000000, 168.63.129.16:32526 | refused | open | finding");
  });

  it("what the plan does not deny is no finding", async () => {
    const { report } = await probed(started({ open: true }), {
      facts: {
        ...facts,
        addons: { ...facts.addons, azureMetadata: { blocked: false, allowedNamespaces: [] } },
      },
    });
    const rows = not(report, "as planned").map(short);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe(
      "metadata | pod on linux1000000, 168.63.129.16:32526 |  | addons.azureMetadata does not deny them to these pods | not measured",
    );
  });

  it("a disk that is empty on the other node", async () => {
    expect(await found({ losesDisks: true })).toEqual([
      "volume | pool linux1, then read on linux1000001 | written-for-linux1 | nothing | finding",
      "volume | pool win1, then read on win1000001 | written-for-win1 | nothing | finding",
    ]);
  });

  it("a node that has another system, taint or label than planned", async () => {
    const other = nodes.map((node) => (node.name === "win1000000" ? { ...node, taints: [] } : node));
    expect(await found({}, other)).toEqual([
      "taints | win1000000 | example.org/dedicated=iis:NoSchedule | none | finding",
    ]);
  });

  it("what the API server refuses is reported in its words", async () => {
    const refuse = (method: string, path: string) =>
      method === "POST" && path.endsWith("/services") ? "services are forbidden" : undefined;
    const { report, cluster } = await probed(started({ refuse }));
    expect(report.ended).toBe(`POST /api/v1/namespaces/${namespace}/services: services are forbidden`);
    expect(exitCode(report)).toBe(1);
    expect(cluster.left()).toEqual([]);
  });
});

it("says what it cannot measure: pools without ready nodes, a single node with Windows, no networks that may enter", async () => {
  const few = nodes.filter(({ name }) => !["win1000001", "linux1000001", "linux1000000"].includes(name));
  const closed = { ...facts, network: { ...facts.network, allowedCidrs: [] } };
  const { report } = await probed(started({}, few), { facts: closed });
  expect(not(report, "as planned").map(short)).toEqual([
    "load-balancer | from this machine |  | access.allowedCidrs is empty, so the address is one of the VNET | not measured",
    "node | pool linux1 |  | no node of the pool is ready | not measured",
    "packets | windows → windows |  | there are no two ready nodes with Windows | not measured",
    "volume | pool win1 |  | the pool has no two ready nodes in one zone | not measured",
  ]);
  expect(exitCode(report)).toBe(2);
});

describe("its end", () => {
  it("is clean when it is aborted while pods hang, and its rows are kept", async () => {
    const controller = new AbortController();
    const cluster = started({ hangs: ["win1000000"] });
    setTimeout(() => {
      controller.abort("the time limit of 1 minutes is over.");
    }, 700);
    const { report } = await probed(cluster, { signal: controller.signal });
    expect(report.ended).toBe("the time limit of 1 minutes is over.");
    expect(report.rows.filter(({ check }) => ["mtu", "start"].includes(check)).map(short)).toEqual([
      ...["linux1000000", "test-control-plane-abcde"].map(
        (name) => `mtu | linux host ${name}, eth0 | 1500 | 1500 | as planned`,
      ),
      "mtu | windows host win1000001, vEthernet (Ethernet) | 1400 | 1400 | as planned",
      ...["host-2-0", "server-2-0"].map(
        (name) =>
          `start | pod ${name} on win1000000 | runs to its end | had not ended when the run ended | finding`,
      ),
    ]);
    expect(cluster.left()).toEqual([]);
  });

  it("removes what a killed run has left, and takes its cordon away", async () => {
    const cluster = started();
    const path = `/api/v1/namespaces/${namespace}`;
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "old" }, spec: {} };
    cluster.objects.set(path, {
      ...{ apiVersion: "v1", kind: "Namespace" },
      metadata: {
        name: namespace,
        annotations: { "capz-windows.probe/alive": "7", [cordonAnnotation]: "win1000001" },
      },
    });
    cluster.objects.set(`${path}/pods/old`, pod);
    cordoned(cluster, "win1000001");
    const { report } = await probed(cluster);
    expect(report.ended).toBe("");
    expect(cluster.left()).toEqual([]);
    const after = cluster.objects.get("/api/v1/nodes/win1000001");
    expect(after?.metadata.annotations).toEqual({});
    expect(after?.spec).not.toHaveProperty("unschedulable");
  });

  it("leaves the cordon of a node that only the node itself says to be of a run", async () => {
    const cluster = started();
    const path = "/api/v1/nodes/win1000001";
    cordoned(cluster, "win1000001");
    await probed(cluster);
    expect(cluster.left()).toEqual([]);
    expect(cluster.objects.get(path)?.spec).toHaveProperty("unschedulable", true);
    expect(cluster.asked.filter((one) => one.startsWith("PATCH") && one.includes(path))).toEqual([]);
  });

  it("does not disturb a run that is alive", async () => {
    const pair = started({ hangs: nodes.map(({ name }) => name) });
    const controller = new AbortController();
    const other = probed(pair, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(probed(pair)).rejects.toThrow(
      `Another run is measuring this cluster: it writes to the namespace ${namespace}. Wait for its end.`,
    );
    expect(pair.left().length).toBeGreaterThan(1);
    controller.abort("enough.");
    await other;
    expect(pair.left()).toEqual([]);
  });
});

describe("--reboot", () => {
  it("measures everything again after the restart of a node", async () => {
    const { report, cluster } = await probed(started(), { reboot: "win1000001" });
    expect(not(report, "as planned").map(short)).toEqual([]);
    const again = report.rows.filter(({ afterRestartOf }) => afterRestartOf === "win1000001");
    expect(again.filter(({ check }) => check === "restart")).toHaveLength(1);
    expect(again.filter(({ check }) => check === "mtu")).toEqual(
      report.rows
        .filter(({ check, afterRestartOf }) => check === "mtu" && afterRestartOf === undefined)
        .map((row) => ({ ...row, afterRestartOf: "win1000001" })),
    );
    expect(cluster.objects.get("/api/v1/nodes/win1000001")?.spec).not.toHaveProperty("unschedulable");
    expect(cluster.asked.filter((asked) => asked === "PATCH /api/v1/nodes/win1000001")).toHaveLength(2);
    expect(cluster.left()).toEqual([]);
  });

  it.each([
    ["linux1000000", "the node does not run Windows, and the probe restarts only those"],
    ["win9", "the cluster has no such node"],
  ])("refuses %s", async (reboot, why) => {
    const cluster = started();
    await expect(probed(cluster, { reboot })).rejects.toThrow(
      `--reboot ${reboot}: ${why}; there are win1000000, win1000001.`,
    );
    expect(cluster.asked).toEqual(["GET /api/v1/nodes"]);
  });
});
