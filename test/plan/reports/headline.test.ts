import fc from "fast-check";
import { severities, type Impact, type StackComparison } from "../../../plan/impact/impact";
import type { PoolWork } from "../../../plan/impact/scheduleSchema";
import type { ClusterModel } from "../../../plan/model/cluster/types";
import { headline } from "../../../plan/reports/headline";
import { whatHappens, type StackReport } from "../../../plan/reports/stackReport";
import type { Finding } from "capz-windows-kit/finding";
import { example, unchanged } from "./comparisons";

/** The first line of every report: the worst first. */

const pool = (name: string, replicas: number, autoscale?: { min: number; max: number }) => ({
  ...{ name, os: "windows", replicas, members: { machines: name, infrastructure: `azure-${name}` } },
  ...(autoscale && { autoscale }),
});

const base = {
  controlPlane: { replicas: 3 },
  pools: [pool("one", 1), pool("win1", 3), pool("win2", 2), pool("auto", 2, { min: 2, max: 10 })],
} as unknown as ClusterModel;

const impact = (severity: Impact["severity"], rule: string, what: string, nodes = 0): Impact => ({
  ...{ severity, rule, what, nodes, why: "because", source: "project", urns: ["urn"] },
});

const work = (who: string, kind: PoolWork["work"], least: number, most = least, extra = 16): PoolWork => ({
  ...{ who, work: kind, machines: { least, most }, together: 1, minutes: { least: 16.2 }, missing: 0 },
  extra: { quota: "DSv5", vcpus: extra },
});

const [change] = example.changes;

const changed = (impacts: readonly Impact[], pools?: readonly PoolWork[]): StackComparison => ({
  ...unchanged,
  changes: [change!],
  impacts,
  ...(pools && { schedule: { pools, risks: [], source: "estimates" } }),
});

const rolls = impact("rolls", "pool-rolls", "Windows pool win1 rolls", 1);
const deletes = impact("destroys", "pool-deleted", "Windows pool win1 is deleted with its 3 nodes", 3);
const mtu = impact("changes", "calico-mtu", "Pods that start get an MTU of 1340");

it.each<[string, StackComparison, string]>([
  ["nothing", unchanged, "no change"],
  [
    "a failure",
    { ...unchanged, status: "failed", failure: "\n  Pulumi.prod.yaml: 1 problem\n\n    network.mtu" },
    "could not be planned: Pulumi.prod.yaml: 1 problem",
  ],
  [
    "one node of a pool",
    changed([mtu, rolls], [work("Windows pool win1", "replaced", 1)]),
    "rolls 1 of 3 nodes of win1, 17 min or more, +16 vCPUs DSv5",
  ],
  [
    "one node whose drain has a limit",
    changed([rolls], [{ ...work("Windows pool win1", "replaced", 1), minutes: { least: 16.2, most: 50 } }]),
    "rolls 1 of 3 nodes of win1, 17 to 50 min, +16 vCPUs DSv5",
  ],
  [
    "a pool that keeps old machines beside new ones",
    changed(
      [
        {
          ...impact("rolls", "pool-partly-renewed", "Windows pool win1 is only partly replaced: 2 stay", 1),
          urns: ["azure-win1"],
        },
      ],
      [work("Windows pool win1", "replaced", 1)],
    ),
    "Windows pool win1 is only partly replaced: 2 stay, 17 min or more, +16 vCPUs DSv5",
  ],
  [
    "what an add-on brings",
    changed([impact("changes", "addon-changes", "Add-on calico is applied again"), mtu], []),
    "Pods that start get an MTU of 1340, and 1 more change, no machine is replaced",
  ],
  [
    "what is protected and cannot change anyway",
    changed([
      impact("refused", "protected", "Pulumi refuses to delete protected resources: vnet"),
      impact("refused", "location", "The cluster cannot change its region"),
    ]),
    "refused: The cluster cannot change its region; Pulumi refuses to delete protected resources: vnet",
  ],
  [
    "the control plane and pools",
    changed(
      [rolls],
      [
        work("control plane", "replaced", 3),
        work("Windows pool win1", "replaced", 3),
        work("Windows pool auto", "replaced", 2, 10, 4),
      ],
    ),
    "rolls all 3 machines of the control plane, all 3 nodes of win1 and 2 to 10 nodes of auto, 17 min or more, up to +36 vCPUs DSv5",
  ],
  [
    "five pools, and by name what is not counted",
    changed(
      [rolls],
      ["one", "win1", "win2", "auto", "web"].map((name) => work(`Windows pool ${name}`, "replaced", 1, 1, 2)),
    ),
    "rolls the only node of one, 1 of 3 nodes of win1, 1 of 2 nodes of win2 and 2 more pools (auto and Windows pool web), 17 min or more, up to +10 vCPUs DSv5",
  ],
  [
    "an autoscaled pool that may be empty, and one of two nodes",
    changed(
      [
        { ...rolls, nodes: 0, nodesAtMost: 4 },
        { ...rolls, nodes: 2 },
      ],
      [work("Windows pool auto", "replaced", 0, 4), work("Windows pool win2", "replaced", 2)],
    ),
    "rolls 0 to 4 nodes of auto and both nodes of win2, 17 min or more, up to +32 vCPUs DSv5",
  ],
  [
    "a node that is alone",
    changed([{ ...rolls, nodes: 1 }], [work("Windows pool one", "replaced", 1)]),
    "rolls the only node of one, 17 min or more, +16 vCPUs DSv5",
  ],
  [
    "a pool that shrinks, and another one that grows",
    changed(
      [
        impact("rolls", "pool-scales-down", "Windows pool win1 loses 2 of 3 nodes", 2),
        impact("changes", "pool-scales-up", "Windows pool win2 grows"),
      ],
      [work("Windows pool win1", "deleted", 2), work("Windows pool win2", "created", 4)],
    ),
    "deletes 2 of 3 nodes of win1, adds 4 nodes to win2, 17 min or more, up to +32 vCPUs DSv5",
  ],
  [
    "a pool that is removed",
    changed([deletes, mtu], [work("Windows pool win1", "deleted", 3)]),
    "destroys: Windows pool win1 is deleted with its 3 nodes",
  ],
  [
    "nodes of the management cluster, which no schedule has",
    changed([impact("rolls", "aks-upgrade", "AKS upgrades 3 nodes", 3), mtu]),
    "AKS upgrades 3 nodes",
  ],
  [
    "what no machine notices",
    changed([mtu, { ...mtu, what: "Other" }], []),
    "Pods that start get an MTU of 1340, and 1 more change, no machine is replaced",
  ],
  [
    "a refusal, without what it keeps from happening",
    changed([impact("refused", "pods", "The pod network cannot change"), deletes]),
    "refused: The pod network cannot change",
  ],
  [
    "what the cluster refuses later, with what happens before",
    changed(
      [{ ...impact("refused", "selector", "The selector cannot change"), later: true }, rolls],
      [work("Windows pool win1", "replaced", 1)],
    ),
    "refused: The selector cannot change, rolls 1 of 3 nodes of win1, 17 min or more, +16 vCPUs DSv5",
  ],
  [
    "a stack file that is gone",
    { ...changed([impact("destroys", "stack-removed", "The stack file is removed", 9)]), status: "removed" },
    "destroys: The stack file is removed",
  ],
  [
    "what people must know whatever happens to machines",
    changed(
      [impact("changes", "protect-off", "Deletion protection ends"), { ...rolls, nodes: 1 }],
      [work("Windows pool win1", "replaced", 1)],
    ),
    "Deletion protection ends; rolls 1 of 3 nodes of win1, 17 min or more, +16 vCPUs DSv5",
  ],
  [
    "what they must know beside something worse",
    changed(
      [impact("changes", "mirror-alone", "Images come from a mirror"), deletes],
      [work("Windows pool win1", "deleted", 3)],
    ),
    "destroys: Windows pool win1 is deleted with its 3 nodes; Images come from a mirror",
  ],
  [
    "a long sentence, up to the end of a part",
    changed([impact("destroys", "pool-deleted", `${"a".repeat(140)}; where ${"b".repeat(80)}`)], []),
    `destroys: ${"a".repeat(140)}…`,
  ],
  [
    "a long sentence in one part",
    changed([impact("destroys", "pool-deleted", "a".repeat(220))], []),
    `destroys: ${"a".repeat(199)}…`,
  ],
  [
    "new warnings",
    { ...changed([mtu], []), warnings: ["kube-proxy panics"] },
    "Pods that start get an MTU of 1340, no machine is replaced; 1 new warning",
  ],
  ["an output alone", { ...unchanged, outputs: example.outputs }, "no resource changes, only outputs"],
  [
    "a secret and user data",
    {
      ...{ ...unchanged, nodes: example.nodes },
      authored: { config: [{ path: "a", before: "[secret 1]", after: "[secret 2]" }] },
    },
    "no resource changes, only secrets and user data",
  ],
  [
    "resources of which no rule says anything",
    { ...changed([]), nodes: example.nodes },
    "resources: 1 replaced, 53 unchanged",
  ],
])("%s", (_, comparison, text) => {
  expect(headline({ stack: "prod", comparison, base })).toBe(text);
});

it.each([
  ...["trust-removed", "pod-security-enforced", "windows-pods-unpinned", "pool-zones", "cni-left"],
  ...["kubelet-certificates", "default-storage-class"],
])("names %s beside a rollout", (rule) => {
  const comparison = changed(
    [impact("changes", rule, "Pods are refused"), { ...rolls, nodes: 1 }],
    [work("Windows pool win1", "replaced", 1)],
  );
  expect(headline({ stack: "prod", comparison, base })).toBe(
    "Pods are refused; rolls 1 of 3 nodes of win1, 17 min or more, +16 vCPUs DSv5",
  );
});

it("counts errors of policies first, and not what is accepted", () => {
  const error: Finding = {
    ...{ id: "public-cluster", title: "Open", level: "error", file: "Pulumi.s.yaml", line: 3 },
    ...{ path: "access.allowedCidrs", message: "open" },
  };
  const accepted: Finding = { ...error, accepted: { until: "2027-03-31", reason: "a test" } };
  expect(headline({ stack: "a", comparison: unchanged, findings: [error, error, accepted] })).toBe(
    "2 policy errors – no change",
  );
  expect(headline({ stack: "a", comparison: unchanged, findings: [error] })).toBe(
    "policy error: Open – no change",
  );
  expect(headline({ stack: "a", comparison: unchanged, findings: [accepted] })).toBe("no change");
});

it("is kept by a report that is read again without its plans", () => {
  const report: StackReport = { stack: "a", comparison: example, headline: "as it was written" };
  expect(headline(report)).toBe("as it was written");
});

const machineRules = [
  "pool-rolls",
  "pool-deleted",
  "pool-scales-down",
  "pool-scales-up",
  "control-plane-rolls",
];

const anyWork = fc.record({
  who: fc.constantFrom("control plane", "Windows pool win1", "Windows pool win2", "Windows pool auto"),
  work: fc.constantFrom("replaced", "deleted", "created"),
  machines: fc.record({ least: fc.nat(3), most: fc.integer({ min: 3, max: 9 }) }),
  together: fc.constant(1),
  minutes: fc.record({ least: fc.nat(99) }),
  missing: fc.nat(3),
}) as fc.Arbitrary<PoolWork>;

const anyImpact = fc.record({
  severity: fc.constantFrom(...severities),
  rule: fc.constantFrom(...machineRules, "other"),
  what: fc.string({ minLength: 1, maxLength: 200 }),
  why: fc.constant("because"),
  nodes: fc.nat(3),
  source: fc.constant("project"),
  urns: fc.constant(["urn"]),
}) as fc.Arbitrary<Impact>;

const verbs = { replaced: "rolls ", deleted: "deletes ", created: "adds " };

it("always has the worst: a sentence of it, or what it does to machines", () => {
  fc.assert(
    fc.property(
      fc.array(anyImpact, { minLength: 1, maxLength: 6 }),
      fc.option(fc.array(anyWork, { maxLength: 4 }), { nil: undefined }),
      (impacts, pools) => {
        const comparison = changed(impacts, pools);
        const text = headline({ stack: "prod", comparison, base });
        const severity = severities.find((one) => impacts.some((each) => each.severity === one));
        const worst = whatHappens(comparison).impacts.filter((each) => each.severity === severity);
        const said = worst.some(({ what }) => text.includes(what.slice(0, 150)));
        const done = (pools ?? []).some((one) => text.includes(verbs[one.work]));
        expect(said || (["rolls", "changes"].includes(severity ?? "") && done)).toBe(true);
        if (severity === "refused" || severity === "destroys" || severity === "replaces") {
          expect(text.startsWith(`${severity}: `)).toBe(true);
        }
      },
    ),
  );
});

it("the way out of protection is left out where another reason refuses the change as well", () => {
  const kept = { ...impact("refused", "protected", "The VNET is protected"), instead: "protect: false" };
  const { instead, ...rest } = kept;
  expect(instead).toBe("protect: false");
  expect(whatHappens(changed([kept])).impacts).toEqual([kept]);
  const fixed = impact("refused", "location", "The region is fixed");
  expect(whatHappens(changed([kept, fixed])).impacts).toEqual([fixed, rest]);
});

it("says that a change accepts its own errors, and nothing of exceptions that were there", () => {
  const accepted: Finding = {
    ...{ id: "public-cluster", title: "Open", level: "error", path: "access", message: "open" },
    ...{ file: "Pulumi.prod.yaml", line: 1, accepted: { until: "2027-01-01", reason: "because" } },
  };
  const of = (path: string, findings: readonly Finding[]) =>
    headline({
      ...{ stack: "prod", base, findings },
      comparison: { ...changed([mtu]), authored: { config: [{ path, after: "x" }] } },
    });
  const text = "Pods that start get an MTU of 1340";
  expect(of("policyExceptions[0]", [accepted, accepted])).toBe(`accepts 2 policy errors itself – ${text}`);
  expect(of("network.mtu", [accepted])).toBe(text);
  expect(of("policyExceptions", [{ ...accepted, level: "warning" }])).toBe(text);
});
