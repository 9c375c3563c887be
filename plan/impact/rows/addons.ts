import { parseAllDocuments } from "yaml";
import { refusedChanges } from "../../../domain/capi/refusedChanges";
import { at, textAt } from "../../model/untyped";
import type { PlanResource } from "../../model/planDocument";
import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, coming, find } from "../row";
import { arrow, listed } from "../words";

/** What ClusterResourceSets deliver to the workload cluster. */

const reconcile = "CAPI v1.13 internal/controllers/clusterresourceset (strategy Reconcile)";
const data = about("ConfigMap", /^data\b/);
const set = "ClusterResourceSet";

type Objects = ReadonlyMap<string, unknown>;

/** Several rows ask for the same ConfigMaps. */
const parsed = new WeakMap<PlanResource, Objects>();

/** "DaemonSet kube-proxy-windows" → the object, of all streams of a ConfigMap. */
function objectsOf(configMap: PlanResource): Objects {
  const known = parsed.get(configMap);
  if (known) {
    return known;
  }
  const found = new Map<string, unknown>();
  const texts = Object.values((configMap.inputs.data ?? {}) as Record<string, unknown>);
  for (const text of texts.filter((value) => typeof value === "string")) {
    const documents = parseAllDocuments(text);
    for (const document of "empty" in documents ? [] : documents) {
      const object: unknown = document.errors.length > 0 ? null : document.toJS();
      if (object !== null) {
        found.set(`${textAt(object, "kind")} ${textAt(object, "metadata", "name")}`, object);
      }
    }
  }
  parsed.set(configMap, found);
  return found;
}

/** The streams of an add-on on both sides; a ConfigMap that comes or goes is a side of nothing. */
function sidesOf(facts: readonly Fact[]): readonly [before: Objects, after: Objects] {
  const configMaps = [...new Map(facts.map((fact) => [fact.resource.urn, fact])).values()];
  const objects = (side: "before" | "after"): Objects =>
    new Map(configMaps.flatMap((fact) => (fact[side] ? [...objectsOf(fact[side])] : [])));
  return [objects("before"), objects("after")];
}

const isContent = (fact: Fact): boolean =>
  data(fact) || coming("create", "ConfigMap")(fact) || coming("delete", "ConfigMap")(fact);

const selectorOf = (object: unknown): string => JSON.stringify(at(object, "spec", "selector") ?? null);

const podMtu = (objects: Objects): unknown =>
  [...objects]
    .map(([, object]) => at(object, "spec", "calicoNetwork", "mtu"))
    .find((mtu) => mtu !== undefined);

export const addonRows: readonly Row[] = [
  {
    rule: "addon-removed",
    severity: "changes",
    source: `${reconcile}: it applies, and deletes nothing in the workload cluster`,
    match: coming("delete", set),
    claims: () => true,
    tell: ([{ subject }]) => ({
      what: `Add-on ${subject} is no longer delivered; what it brought stays in the workload cluster`,
      why: "a ClusterResourceSet takes nothing back",
      instead: "delete its objects in the workload cluster by hand, once nothing needs them",
    }),
  },
  {
    rule: "addon-created",
    severity: "changes",
    source: reconcile,
    match: coming("create", set),
    claims: () => true,
    tell: ([{ subject }]) => ({
      what: `Add-on ${subject} is delivered to the workload cluster`,
      why: "its ClusterResourceSet selects the cluster by a label",
    }),
  },
  {
    rule: "addon-set-immutable",
    severity: "refused",
    source: "CAPI v1.13 core/webhooks/admission/clusterresourceset.go",
    match: about(set, /^spec\.(strategy|clusterSelector)\b/),
    tell: (facts) => ({
      what: `ClusterResourceSet ${facts[0].subject} cannot change ${listed(facts.map(({ path }) => path))}`,
      why: "Cluster API refuses it: both are immutable",
      instead: "give the set another name",
    }),
  },
  {
    rule: "addon-selector-immutable",
    severity: "refused",
    source: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#label-selector-updates",
    match: isContent,
    adds: true,
    tell: (facts) => {
      const [before, after] = sidesOf(facts);
      const wrong = [...after].filter(
        ([name, object]) =>
          /^(DaemonSet|Deployment|StatefulSet) /.test(name) &&
          before.has(name) &&
          selectorOf(before.get(name)) !== selectorOf(object),
      );
      return wrong.length === 0
        ? undefined
        : {
            what: `${listed(wrong.map(([name]) => name))} cannot change its selector`,
            why: "the workload cluster refuses it, and the ClusterResourceSet stops there",
            instead: "delete the object in the workload cluster first, or give it another name",
          };
    },
  },
  {
    rule: "addon-object-left-behind",
    severity: "changes",
    source: `${reconcile}: it applies, and deletes nothing in the workload cluster`,
    match: isContent,
    adds: true,
    tell: (facts) => {
      const [before, after] = sidesOf(facts);
      const gone = [...before.keys()].filter((name) => !after.has(name));
      return gone.length === 0
        ? undefined
        : {
            what: `${listed(gone)} of add-on ${facts[0].subject} stay${gone.length === 1 ? "s" : ""} in the workload cluster`,
            why: "a ClusterResourceSet takes nothing back that it no longer has",
            instead: "delete it there by hand",
          };
    },
  },
  {
    rule: "pod-mtu",
    severity: "changes",
    source: "https://docs.tigera.io/calico/latest/networking/configuring/mtu; CAPZ #1335, #1353",
    match: isContent,
    adds: true,
    tell: (facts) => {
      const [before, after] = sidesOf(facts).map(podMtu);
      return before === undefined || after === undefined || before === after
        ? undefined
        : {
            what: `Pods get another MTU: ${arrow(before, after)}`,
            why: "pods that run keep theirs until they are made again; between both sizes large packets may be lost",
            instead: "restart the workloads of each node afterwards, Linux and Windows alike",
          };
    },
  },
  {
    rule: "addon-changes",
    severity: "changes",
    source: reconcile,
    match: (fact) => isContent(fact) || about(set, /^spec\.resources\b/)(fact),
    tell: (facts) => {
      const [before, after] = sidesOf(facts.filter(isContent));
      const changed = [...after].filter(
        ([name, object]) => JSON.stringify(before.get(name)) !== JSON.stringify(object),
      );
      const names = changed.map(([name]) => name);
      const restarts = names.some((name) => /^(DaemonSet|Deployment|StatefulSet) /.test(name));
      return {
        what: `Add-on ${facts[0].subject} is applied again in the workload cluster${names.length > 0 ? `: ${listed(names)}` : ""}`,
        why: `strategy Reconcile applies what changed, at once and on every node${restarts ? "; pods of these workloads restart" : ""}`,
      };
    },
  },
  {
    rule: "addon-labels",
    severity: "changes",
    source: "CAPI v1.13 ClusterResourceSet.spec.clusterSelector; domain/capi/refusedChanges.ts",
    match: about("Cluster", /^metadata\.labels\b/),
    tell: (facts) => {
      const [{ before: old, after: fresh }] = facts;
      const { before, after } = find(facts, /labels/) ?? {};
      const refused = refusedChanges(old?.inputs, fresh?.inputs).some((text) =>
        text.startsWith("metadata.labels"),
      );
      return {
        ...(refused ? { severity: "refused" } : {}),
        what: refused
          ? `The cluster cannot change what delivers its network: label ${arrow(before, after)}`
          : `The cluster's labels change: ${arrow(before, after)}`,
        why: "by these labels ClusterResourceSets find the clusters that get their add-ons",
      };
    },
  },
];
