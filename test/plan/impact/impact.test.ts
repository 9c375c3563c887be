import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { at } from "capz-windows-kit/untyped";
import { diffPlans } from "../../../plan/compare/diffPlans";
import type { Impact } from "../../../plan/impact/impact";
import type { PlanDocument } from "capz-windows-contract";
import { impactsOf } from "../../../plan/impact/impacts";
import { fallbackRule, impactRules } from "../../../plan/impact/allRules";
import { updateInline } from "../../support/inlinePlans";
import { documentOf, withInput, without, withText } from "../../support/planDocuments";
import { type Case, cases } from "./cases";
import type { PlanName } from "./plans";
import { alsoReported, plans } from "./plans";

const documents = new Map<PlanName, Promise<PlanDocument>>();

/** A plan by its name. Each is planned once. */
function planned(name: PlanName): Promise<PlanDocument> {
  const known = documents.get(name) ?? updateInline(plans[name]).then(documentOf);
  documents.set(name, known);
  return known;
}

const same = (document: PlanDocument): PlanDocument => document;

async function compared({ from = "base", to = "base", edit = same, editBefore = same }: Partial<Case>) {
  const [base, head] = [editBefore(await planned(from)), edit(await planned(to))];
  const diff = diffPlans(base, head);
  return { base, head, diff, found: impactsOf({ base, head, diff }) };
}

const comparisons = new Map<unknown, ReturnType<typeof compared>>();

/** Both sides of a case, their difference and its impacts. Each is compared once, and two plans as they are, too. */
function sides(each: Partial<Case>): ReturnType<typeof compared> {
  const { from = "base", to = "base", edit, editBefore } = each;
  const key = (edit ?? editBefore) ? each : `${from} ${to}`;
  const known = comparisons.get(key) ?? compared(each);
  comparisons.set(key, known);
  return known;
}

const impacts = async (each: Partial<Case>): Promise<Impact[]> => (await sides(each)).found;

const rulesOf = (found: readonly Impact[]): string[] => [...new Set(found.map(({ rule }) => rule))].sort();

/** Rules about one side alone have tests of their own below. */
const ofOneSide = ["stack-new", "stack-removed"];

it("every rule has a case for each thing that it says, and its id is unique", () => {
  const rules = [...impactRules, fallbackRule].map(({ id }) => id);
  expect(new Set(rules).size).toBe(rules.length);
  expect([...new Set([...cases.map(({ rule }) => rule), ...ofOneSide])].sort()).toEqual([...rules].sort());
});

it("every rule has a source", () => {
  expect(impactRules.filter(({ source }) => source.length < 7)).toEqual([]);
});

describe("the rule", () => {
  it.each(cases.map((each) => [each.rule, each] as const))("%s", async (rule, each) => {
    const found = await impacts(each);
    const own = found.filter((impact) => impact.rule === rule);
    const { severity, what, nodes, instead, commands } = each;
    const fits = own.find((impact) => impact.what === what);
    expect(fits ?? own).toMatchObject({ rule, severity, what, nodes });
    expect(fits?.instead === undefined).toBe(instead === undefined);
    expect(fits?.instead ?? "").toContain(instead ?? "");
    if (commands.length > 0) {
      expect(fits?.commands).toEqual(commands);
    }
    expect(fits?.urns.length).toBeGreaterThan(0);
    if (each.edit ?? each.editBefore) {
      expect(rulesOf(found)).toEqual([rule, ...each.also].sort());
    }
  });

  const pairs = [
    ...new Set(
      cases.flatMap(({ edit, editBefore, from, to }) =>
        (edit ?? editBefore) ? [] : [`${from} ${to}` as const],
      ),
    ),
  ];

  it.each(pairs)("no other rule applies to %s", async (pair) => {
    const [from, to] = pair.split(" ") as [PlanName, PlanName];
    const own = cases.filter(
      (each) => !(each.edit ?? each.editBefore) && each.from === from && each.to === to,
    );
    const expected = new Set([...own.map(({ rule }) => rule), ...(alsoReported[pair] ?? [])]);
    expect(rulesOf(await impacts({ from, to }))).toEqual([...expected].sort());
  });
});

it("every difference belongs to an impact", async () => {
  for (const each of cases) {
    const { base, head, diff, found } = await sides(each);
    const explained = new Set(found.flatMap(({ urns }) => urns));
    const custom = [...base.resources, ...head.resources].filter((resource) => resource.custom);
    const silent = diff.changes.filter(
      ({ urn }) => custom.some((resource) => resource.urn === urn) && !explained.has(urn),
    );
    expect({ rule: each.rule, silent: silent.map(({ name }) => name) }).toEqual({
      rule: each.rule,
      silent: [],
    });
  }
});

it("the same zones in another order replace a part of a pool: CAPZ compares them in order", async () => {
  const edit = (document: PlanDocument) =>
    withInput(document, "pool-lin1-pool", ["spec", "failureDomains"], ["2", "1"]);
  expect(await impacts({ edit })).toMatchObject([
    {
      rule: "pool-partly-renewed",
      severity: "rolls",
      what: "Linux pool lin1 is only partly replaced: zones change for 1 node, 3 stay as they are",
    },
  ]);
});

const drained =
  ", after all are drained at once; where a PodDisruptionBudget holds one for an hour, `up` fails and the pool stays";

const size = "VM size Standard_D4s_v5 → Standard_D8s_v5";

it("changes of pools are explained as Cluster API and CAPZ apply them", async () => {
  const found = await impacts({ from: "pools", to: "otherPools" });
  expect(found.map(({ severity, nodes, what }) => `${severity} ${nodes}: ${what}`)).toEqual([
    "destroys 3: Windows pool backends-blue has the scale set of pool frontend-blue, win--blue, and loses it when that pool is deleted",
    `destroys 3: Windows pool frontend-blue is deleted: 3 nodes and their disks are lost${drained}`,
    `destroys 2: Linux pool win-green is deleted: 2 nodes and their disks are lost${drained}`,
    "destroys 2: Windows pool backends-green has the scale set of pool win-green, win-green, and loses it when that pool is deleted",
    "destroys 1: Windows pool empty is no longer autoscaled and gets 0 nodes, 1 to 2 fewer",
    "rolls 3: Windows pool shrinks loses 3 of 6 nodes",
    "rolls 3: Windows pool surges loses 3 of 6 nodes",
    "rolls 2: Windows pool begins is autoscaled from now on, from 1 to 2 nodes, and goes from 4 to 2 nodes at once",
    "rolls 2: Windows pool ends is no longer autoscaled and gets 4 nodes, 2 to 5 fewer",
    `rolls 1: Windows pool swells is only partly replaced: ${size} for 3 nodes, 1 stays as it is`,
    `rolls 0: Windows pool told is only partly replaced: ${size} for 0 to 1 node, 0 to 1 stay as they are (autoscaled)`,
    "changes 0: Windows pool fits is autoscaled from now on, from 1 to 9 nodes",
    "changes 0: Windows pool grows is autoscaled from now on, from 6 to 9 nodes, and goes from 4 to 6 nodes at once",
    `changes 0: Windows pool newest is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    `changes 0: Windows pool shrinks is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    "changes 0: Windows pool surges changes how it rolls: maxSurge 1 → 3",
    `changes 0: Windows pool surges is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    "changes 0: Windows pool swells grows by 2 nodes to 4",
    "changes 0: Windows pool told: the autoscaler reckons with nodes of another size (Standard_D4s_v5 → Standard_D8s_v5)",
    "metadata 0: What `pulumi up` waits for changes: upgrade-win-green",
    "metadata 0: Windows pool same names the same image in another form",
  ]);
});

it("a control plane that rolls because of an unnamed change does not print an empty list", async () => {
  const rolls = (await impacts({ to: "regrouped" })).find(({ rule }) => rule === "control-plane-rolls");
  expect(rolls?.why).toContain("what changes is part of each machine");
});

it("what is refused or destroyed comes first, and among equals that with the most machines", async () => {
  const found = await impacts({ to: "less" });
  const tier = { refused: 0, destroys: 1, replaces: 2, rolls: 2, changes: 2, metadata: 3 } as const;
  const order = found.map(({ severity }) => tier[severity]);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  const destroyed = found.filter(({ severity }) => severity === "destroys").map(({ nodes }) => nodes);
  expect(destroyed).toEqual([3, 2]);
});

const input = (document: PlanDocument, urn: string) =>
  document.resources.find((resource) => resource.urn === urn)?.inputs;

it("a change that the program's own hooks refuse is reported as refused", async () => {
  for (const each of cases) {
    const { base, head, diff, found } = await sides(each);
    const refused = diff.changes
      .filter(({ kind }) => kind === "update")
      .flatMap(({ urn }) => refusedChanges(input(base, urn), input(head, urn)));
    const reported = found.some(({ severity }) => severity === "refused");
    expect({ rule: each.rule, missing: reported ? [] : refused }).toEqual({ rule: each.rule, missing: [] });
  }
});

/** Who stops `pulumi up` where the program's own hooks do not. */
const stoppedBy: Readonly<Record<string, string>> = {
  protected: "Pulumi",
  "vnet-address-space": "Azure, if the hook has not",
  "subnet-range": "Azure, if the hook has not",
  "pool-subnets": "Azure",
  "bastion-subnet": "Azure",
  "peering-renamed": "Azure",
  "aks-downgrade": "Azure",
  "aks-skips-minor": "Azure",
  "aks-node-pool-fixed": "Azure",
  "aks-private-fixed": "Azure",
  "aks-entra-kept": "Azure",
  "control-plane-immutable-field": "the webhook of KubeadmControlPlane",
  "azure-cluster-immutable-field": "the webhook of AzureCluster",
  "addon-set-immutable": "the webhook of ClusterResourceSet",
  "pool-changes-system": "the API server: the objects exist",
};

it("what is reported as refused stops `pulumi up`, or says that it does not", async () => {
  const silent: string[] = [];
  for (const each of cases.filter(({ severity }) => severity === "refused")) {
    const { base, head, diff, found } = await sides(each);
    const reported = found.find(({ rule }) => rule === each.rule);
    const hooked = diff.changes.filter(
      ({ kind, urn }) =>
        kind === "update" &&
        reported?.urns.includes(urn) === true &&
        at(head.resources.find((resource) => resource.urn === urn)?.options, "hooks", "beforeUpdate") !==
          undefined &&
        refusedChanges(input(base, urn), input(head, urn)).length > 0,
    );
    if (hooked.length === 0 && stoppedBy[each.rule] === undefined && reported?.later !== true) {
      silent.push(each.rule);
    }
  }
  expect(silent).toEqual([]);
});

it("a newer Calico is an upgrade of the add-on", async () => {
  const edit = (document: PlanDocument) =>
    withText(document, "calico-part-1", "tigera-operator v3.32.1:", "tigera-operator v3.33.0:");
  expect(rulesOf(await impacts({ edit }))).toEqual(["addon-changes", "calico-upgrade"]);
});

it("the same plan has no impact", async () => {
  expect(await impacts({})).toEqual([]);
});

it("a new stack, and one whose file is gone, have one impact each", async () => {
  const there = await planned("base");
  const none = { ...there, resources: [], outputs: {}, nodes: {} };
  const created = impactsOf({ head: there, diff: diffPlans(none, there) });
  expect(created).toMatchObject([
    { rule: "stack-new", severity: "changes", nodes: 0, what: "A new stack is created" },
  ]);
  const removed = impactsOf({ base: there, diff: diffPlans(there, none) });
  expect(removed).toMatchObject([{ rule: "stack-removed", severity: "destroys", nodes: 18 }]);
});

it("unprotecting and replacing in one run is not refused, as Pulumi allows it; deleting is", async () => {
  const both = await impacts({ from: "renamed", to: "base" });
  expect(rulesOf(both)).toEqual(["another-cluster"]);
  const deleted = await impacts({
    from: "protected",
    to: "protected",
    edit: (document) => without(document, ({ name }) => name === "cluster-cluster"),
  });
  expect(deleted.map(({ rule }) => rule)).toEqual(["protected", "cluster-deleted"]);
});

it("a pool whose number of nodes is known only as the autoscaler's minimum says so", async () => {
  const [impact] = await impacts({
    edit: (document) =>
      withInput(document, "pool-win2-azure", ["spec", "template", "image", "computeGallery", "version"], "1"),
  });
  expect(impact).toMatchObject({
    rule: "pool-rolls",
    nodes: 2,
    what: "Windows pool win2 rolls: 2 to 6 nodes (autoscaled) replaced, surge 1",
    why: 'its image changes (1.35.6 → 1), and CAPZ replaces every node that runs another image; old nodes that were created within the same second may all be drained at once (docs/operations.md, "Replace nodes")',
  });
});

it.each<[string, unknown, string]>([
  [
    "an own gallery, by its id",
    { id: "/subscriptions/1/resourceGroups/g/providers/Microsoft.Compute/galleries/own/images/w/versions/7" },
    "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-win-2022-containerd/1.35.6 → /subscriptions/1/resourceGroups/g/providers/Microsoft.Compute/galleries/own/images/w/versions/7",
  ],
  [
    "an own gallery",
    { computeGallery: { gallery: "own", name: "w", version: "7", subscriptionID: "1", resourceGroup: "g" } },
    "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-win-2022-containerd/1.35.6 → own/w/7",
  ],
])("another image of %s is named, with the one before", async (_what, image, change) => {
  const [impact] = await impacts({
    edit: (document) => withInput(document, "pool-win2-azure", ["spec", "template", "image"], image),
  });
  expect(impact?.why).toMatch(/^its image changes \([^)]*\), and CAPZ replaces/);
  expect(impact?.why).toContain(`(${change})`);
});

it.each([
  [1, "scale to three machines first if the API server must stay available while etcd moves"],
  [3, undefined],
])("a control plane of %i machines that rolls: %s", async (machines, instead) => {
  const sized = (document: PlanDocument): PlanDocument =>
    withInput(document, "control-plane-kubeadm", ["spec", "replicas"], machines);
  const files = ["spec", "kubeadmConfigSpec", "verbosity"];
  const found = await impacts({
    editBefore: sized,
    edit: (document) => withInput(sized(document), "control-plane-kubeadm", files, 5),
  });
  const [rolls] = found.filter(({ rule }) => rule === "control-plane-rolls");
  expect({ nodes: rolls?.nodes, instead: rolls?.instead }).toEqual({ nodes: machines, instead });
});

it("a smaller scale set says which nodes go, and asks for nothing", async () => {
  const [impact] = (await impacts({ to: "less" })).filter(({ rule }) => rule === "pool-scales-down");
  expect(impact).toMatchObject({
    what: "Windows pool win3 loses 1 of 5 nodes",
    why: "only these are cordoned, drained and deleted: first Machines with the annotation cluster.x-k8s.io/delete-machine, then unready ones, then by the pool's deletePolicy; data on their disks is lost",
  });
  expect(Object.keys(impact ?? {})).not.toContain("instead");
  expect(Object.keys(impact ?? {})).not.toContain("commands");
});

it("an audit log rolls the control plane, and says that it is the reason", async () => {
  const withAudit = (audit: object | undefined) =>
    updateInline({ ...plans.base, controlPlane: { audit } }).then(documentOf);
  const why = async (before: object | undefined, after: object | undefined) => {
    const [base, head] = await Promise.all([withAudit(before), withAudit(after)]);
    return impactsOf({ base, head, diff: diffPlans(base, head) }).map((impact) => [
      impact.rule,
      impact.nodes,
      /what changes \((.*)\) is part/.exec(impact.why)?.[1],
    ]);
  };
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };
  const rolls = [["control-plane-rolls", 3, "audit log"]];
  expect(await why(undefined, {})).toEqual(rolls);
  expect(await why({}, { policy })).toEqual(rolls);
  expect(await why({ policy }, { policy, maxBackups: 20 })).toEqual(rolls);
  expect(await why({ maxAgeDays: 30 }, {})).toEqual([]);
});

it("certificates of kubelets roll the control plane, and what is verified before it is there is said first", async () => {
  const rules = async (from: PlanName, to: PlanName) =>
    (await impacts({ from, to }))
      .filter(({ rule }) => /kubelet-certificates|control-plane-rolls/.test(rule))
      .map(({ rule, why, instead }) =>
        rule === "control-plane-rolls" ? /\((.*)\)/.exec(why)?.[1] : instead,
      );
  const rolls = "certificates of kubelets";
  expect(await rules("base", "issued")).toEqual([
    rolls,
    "when the control plane has rolled, replace the nodes of all pools, and then set kubeletCertificates: verified",
  ]);
  expect(await rules("issued", "verified")).toEqual([
    rolls,
    "before `pulumi up`, see that every node has one",
  ]);
  expect(await rules("base", "verified")).toEqual([
    rolls,
    "set kubeletCertificates: issued first, replace the nodes of all pools, and then set kubeletCertificates: verified",
  ]);
  expect(await rules("verified", "base")).toEqual([rolls]);
  const pools = (await impacts({ from: "base", to: "issued" })).filter(
    ({ rule }) => rule === "pool-bootstrap-new-nodes-only",
  );
  expect(pools).toHaveLength(5);
});

it("a role that is only removed is no replacement, and its identity loses what it allowed", async () => {
  const name = "cluster-api-identity-controllers-role";
  const edit = (document: PlanDocument) => without(document, (resource) => resource.name === name);
  expect(await impacts({ edit })).toMatchObject([
    { rule: "roles", severity: "changes", what: "Roles are removed: Contributor on blue" },
  ]);
});

it("a taint of a scale set is named, because only new nodes get it", async () => {
  const what = async (from: PlanName, to: PlanName) =>
    (await impacts({ from, to })).map((impact) => impact.what).filter((text) => text.includes("pool lin1"));
  expect(await what("base", "places")).toEqual([
    "Linux pool lin1 gets new bootstrap data with the taint example.org/own:NoSchedule for new nodes; 4 nodes already running keep theirs",
  ]);
  expect(await what("places", "base")).toEqual([
    "Linux pool lin1 gets new bootstrap data without the taint example.org/own:NoSchedule for new nodes; 4 nodes already running keep theirs",
  ]);
});

it("Pod Security rolls the control plane, and only a level that allows less refuses pods", async () => {
  const rolls = { rule: "control-plane-rolls", why: expect.stringContaining("(Pod Security)") as string };
  const refused = { rule: "pod-security-enforced" };
  expect(await impacts({ to: "secure" })).toMatchObject([{ ...rolls, nodes: 3 }, refused]);
  expect(await impacts({ from: "secure" })).toMatchObject([rolls]);
});
