import { authoredChanges } from "../../../plan/compare/authored";
import { diffPlans } from "../../../plan/compare/diffPlans";
import type { ChangeKind } from "../../../plan/compare/stackDiff";
import type { PlanDocument, PlanResource } from "capz-windows-contract";
import { planOfResources, resourceOf } from "../../support/planDocuments";

type Inputs = PlanResource["inputs"];

const changes = (before: readonly PlanResource[], after: readonly PlanResource[]) =>
  diffPlans(planOfResources(...before), planOfResources(...after)).changes;

/** The changes in short: kind and name. */
const named = (before: readonly PlanResource[], after: readonly PlanResource[]) =>
  changes(before, after).map(({ kind, name }) => `${kind} ${name}`);

const kindOf = (
  type: string,
  before: Inputs,
  after: Inputs,
  more: Partial<PlanResource> = {},
): ChangeKind | undefined =>
  changes([resourceOf(type, "x", before, more)], [resourceOf(type, "x", after, more)])[0]?.kind;

describe("a changed resource is", () => {
  const aks = "azure-native:containerservice:ManagedCluster";
  const meta = (name: string, spec: unknown) => ({ metadata: { name, namespace: "n" }, spec });
  it.each<[ChangeKind, string, (value: string) => Inputs]>([
    ["update", "kubernetes:cluster.x-k8s.io/v1beta2:MachinePool", (value) => meta("a", { replicas: value })],
    [
      "replace",
      "kubernetes:bootstrap.cluster.x-k8s.io/v1beta2:KubeadmConfig",
      (value) => meta(value, { value }),
    ],
    ["replace", "kubernetes:core/v1:Secret", (value) => ({ data: { a: value } })],
    ["replace", "kubernetes:core/v1:ConfigMap", (value) => ({ data: { a: value } })],
    ["update", "kubernetes:helm.sh/v3:Release", (version) => ({ version })],
    ["replace", "kubernetes:helm.sh/v3:Release", (namespace) => ({ namespace })],
    ["replace", "azure-native:resources:ResourceGroup", (location) => ({ location })],
    ["update", "azure-native:resources:ResourceGroup", (value) => ({ tags: { a: value } })],
    ["replace", "azure-native:network:PublicIPAddress", (name) => ({ sku: { name } })],
    ["update", "azure-native:network:NetworkSecurityGroup", (location) => ({ location })],
    ["replace", aks, (podCidr) => ({ networkProfile: { podCidr } })],
    ["update", aks, (loadBalancerSku) => ({ networkProfile: { loadBalancerSku } })],
    ["replace", "pulumi:providers:kubernetes", (clusterIdentifier) => ({ clusterIdentifier })],
    ["update", "pulumi:providers:kubernetes", (other) => ({ other })],
  ])("%s: %s %s", (kind, type, inputs) => {
    expect(kindOf(type, inputs("a"), inputs("b"))).toBe(kind);
  });

  it("also a component, like in Pulumi; property changes of our own components are shown by their children only", () => {
    const side = (type: string, size: number) => [resourceOf(type, "x", { size }, { custom: false })];
    const changeOf = (type: string) => changes(side(type, 1), side(type, 2))[0];
    expect(changeOf("capz-windows:index:WindowsPool")).toMatchObject({ kind: "update", properties: [] });
    expect(changeOf("kubernetes:helm.sh/v4:Chart")).toMatchObject({
      kind: "update",
      properties: [{ path: "size", before: 1, after: 2 }],
    });
  });

  it("updated if it is a ConfigMap and its provider lets ConfigMaps change, and replaced if it is immutable", () => {
    const provider = resourceOf("pulumi:providers:kubernetes", "k", { enableConfigMapMutable: "true" });
    const map = (value: string, immutable?: boolean) =>
      resourceOf(
        "kubernetes:core/v1:ConfigMap",
        "m",
        { data: { a: value }, ...(immutable ? { immutable } : {}) },
        { provider: provider.urn },
      );
    expect(changes([provider, map("1")], [provider, map("2")])[0]?.kind).toBe("update");
    expect(changes([provider, map("1", true)], [provider, map("2", true)])[0]?.kind).toBe("replace");
  });

  it("replaced if the program sets replaceOnChanges", () => {
    const options = { replaceOnChanges: ["spec.a"] };
    expect(kindOf("kubernetes:x/v1:Thing", { spec: { a: 1 } }, { spec: { a: 2 } }, { options })).toBe(
      "replace",
    );
    expect(kindOf("kubernetes:x/v1:Thing", { spec: { ab: 1 } }, { spec: { ab: 2 } }, { options })).toBe(
      "update",
    );
  });

  it("unchanged if only ignored properties differ", () => {
    const options = { ignoreChanges: ["securityRules"] };
    expect(
      kindOf("azure-native:network:NetworkSecurityGroup", { securityRules: [1] }, {}, { options }),
    ).toBeUndefined();
  });

  it("replaced with its provider, and with its resource group", () => {
    const provider = (id: string) =>
      resourceOf("pulumi:providers:kubernetes", "k", { clusterIdentifier: id });
    const pod = resourceOf("kubernetes:core/v1:Namespace", "n", {}, { provider: provider("a").urn });
    expect(changes([provider("a"), pod], [provider("b"), pod])).toMatchObject([
      { kind: "replace", name: "n", properties: [] },
      { kind: "replace", name: "k" },
    ]);
    const group = (location: string) => resourceOf("azure-native:resources:ResourceGroup", "g", { location });
    const nsg = resourceOf(
      "azure-native:network:NetworkSecurityGroup",
      "s",
      { resourceGroupName: "g" },
      { dependencies: [group("a").urn] },
    );
    expect(named([group("a"), nsg], [group("b"), nsg]).sort()).toEqual(["replace g", "replace s"]);
  });
});

describe("renames", () => {
  const component = (name: string, options = {}) =>
    resourceOf("p:index:Pool", name, {}, { custom: false, options });
  const child = (parent: PlanResource, name: string, more: Partial<PlanResource> = {}) =>
    resourceOf(
      "kubernetes:x/v1:Thing",
      name,
      { metadata: { name: "x" } },
      {
        urn: `urn:pulumi:s::p::p:index:Pool$kubernetes:x/v1:Thing::${name}`,
        parent: parent.urn,
        ...more,
      },
    );

  it("by an alias are not a deletion and a creation", () => {
    const old = resourceOf("t:t:T", "old");
    for (const aliases of [[old.urn], [{ name: "old" }]]) {
      expect(changes([old], [resourceOf("t:t:T", "new", {}, { options: { aliases } })])).toEqual([]);
    }
    expect(named([old], [resourceOf("t:t:T", "new")])).toEqual(["delete old", "create new"]);
  });

  it("of a component take its children along, whose names begin with its own", () => {
    const [old, fresh] = [component("a"), component("b", { aliases: [{ name: "a" }] })];
    const before = [old, child(old, "a-x"), child(old, "other")];
    expect(changes(before, [fresh, child(fresh, "b-x"), child(fresh, "other")])).toEqual([]);
  });

  it("into a component by an alias without a parent", () => {
    const old = resourceOf("kubernetes:x/v1:Thing", "x", { metadata: { name: "x" } });
    const parent = component("a");
    const moved = child(parent, "x", { options: { aliases: [{ parent: "none" }] } });
    expect(named([old], [parent, moved])).toEqual(["create a"]);
  });

  it("still show what else changes, and the former URN; options that name it follow", () => {
    const old = resourceOf("t:t:T", "old", { a: 1 });
    const other = (urn: string) => resourceOf("t:t:T", "other", {}, { options: { deletedWith: urn } });
    const fresh = resourceOf("t:t:T", "new", { a: 2 }, { options: { aliases: [{ name: "old" }] } });
    expect(changes([old, other(old.urn)], [fresh, other(fresh.urn)])).toMatchObject([
      {
        kind: "update",
        urn: fresh.urn,
        formerUrn: old.urn,
        properties: [{ path: "a", before: 1, after: 2 }],
      },
    ]);
  });

  it("never claim a resource that keeps its URN", () => {
    const a = resourceOf("t:t:T", "a");
    const b = resourceOf("t:t:T", "b", {}, { options: { aliases: [{ name: "a" }] } });
    expect(named([a], [b, a])).toEqual(["create b"]);
  });
});

it("options are reported separately from properties; versions, aliases and dependencies are no change", () => {
  const thing = (options: Record<string, unknown>, dependencies: string[] = []) =>
    resourceOf("t:t:T", "x", {}, { options, dependencies });
  expect(changes([thing({ version: "1" })], [thing({ version: "2", aliases: ["u"] }, ["y"])])).toEqual([]);
  expect(changes([thing({})], [thing({ protect: true })])).toMatchObject([
    { kind: "update", properties: [], options: [{ path: "protect", after: true }] },
  ]);
});

it("what is deleted with a replaced resource is replaced, components and what is deleted with them too", () => {
  const provider = (clusterIdentifier: string) =>
    resourceOf("pulumi:providers:kubernetes", "k", { clusterIdentifier });
  const all = (clusterIdentifier: string) => {
    const own = provider(clusterIdentifier);
    const cluster = resourceOf("t:t:T", "cluster", {}, { provider: own.urn });
    const order = resourceOf(...(["capz-windows:index:UpgradeOrder", "order", {}] as const), {
      options: { deletedWith: cluster.urn },
    });
    const last = resourceOf(
      "capz-windows:index:SampleWorkload",
      "last",
      {},
      { options: { deletedWith: order.urn } },
    );
    return [own, cluster, order, last, resourceOf("t:t:T", "other")];
  };
  expect(named(all("a"), all("b"))).toEqual([
    ...["replace last", "replace order", "replace k", "replace cluster"],
  ]);
});

it("the order of resources makes no difference; changes are sorted by kind and URN", () => {
  const all = ["a", "b", "c", "d"].map((name) => resourceOf("t:t:T", name, { a: 1 }));
  expect(changes(all, [...all].reverse())).toEqual([]);
  const thing = (name: string, a: number) => resourceOf("t:t:T", name, { a });
  const after = [thing("e", 1), thing("d", 2), all[1]!, thing("a", 3)];
  expect(named(all, after)).toEqual(["delete c", "update a", "update d", "create e"]);
});

const planWith = (more: Partial<PlanDocument>): PlanDocument => ({ ...planOfResources(), ...more });

it("a warning about several keys is new only for the keys that are added to it", () => {
  const plan = (...pools: string[]) =>
    planWith({ warnings: [`${pools.map((pool) => `windowsPools.${pool}.image`).join(", ")}: old`, "text"] });
  expect(diffPlans(plan("a", "b"), plan("a", "c", "d"))).toMatchObject({
    warnings: ["windowsPools.c.image, windowsPools.d.image: old"],
    fixedWarnings: ["windowsPools.b.image: old"],
  });
});

it("outputs, user data and warnings are compared too; user data only if both sides have it", () => {
  const first: PlanDocument = {
    ...{ version: 1, project: "p", stack: "s", resources: [], outputs: { a: 1 }, warnings: ["x", "y"] },
  };
  const before: PlanDocument = { ...first, version: 2, nodes: { "w/user-data.txt": "a\n" } };
  const after = planWith({ outputs: { a: 2 }, nodes: { "w/user-data.txt": "b\n" }, warnings: ["y", "z"] });
  expect(diffPlans(before, after)).toMatchObject({
    outputs: [{ path: "a", before: 1, after: 2 }],
    nodes: [{ path: "w/user-data.txt", text: ["@@ -1,1 +1,1 @@", "-a", "+b"] }],
    warnings: ["z"],
    fixedWarnings: ["x"],
  });
  expect(diffPlans(first, after).nodes).toEqual([]);
});

describe("what the author changed", () => {
  const plan = (config?: Record<string, string>, program = "0.1.0"): PlanDocument => ({
    ...{ version: 2, project: "p", stack: "s", resources: [], outputs: {}, warnings: [], program },
    ...(config === undefined ? {} : { config }),
  });

  it("is the keys of the stack file, value by value, and the version of the program", () => {
    const base = plan({
      "p:clusterName": "blue",
      "p:windowsPools": '{"win1":{"replicas":3},"win2":{}}',
      "p:token": "[secret]",
    });
    const head = plan({ "p:clusterName": "blue", "p:windowsPools": '{"win1":{"replicas":5}}' }, "0.2.0");
    expect(authoredChanges(base, head)).toEqual({
      config: [
        { path: "token", before: "[secret]" },
        { path: "windowsPools.win1.replicas", before: 3, after: 5 },
        { path: "windowsPools.win2", before: {} },
      ],
      program: { before: "0.1.0", after: "0.2.0" },
    });
  });

  it("is unknown where a side was planned by an older release", () => {
    expect(authoredChanges(plan(), plan({ "p:a": "b" }))).toBeUndefined();
  });
});
