import { grouped } from "capz-windows-kit/grouped";
import { present } from "capz-windows-kit/present";
import { someNames } from "capz-windows-kit/someNames";
import { at, list, strings, texts, textAt, type Plain } from "capz-windows-kit/untyped";
import { addonNamespaces } from "./addonNamespaces";
import { closedDns, openedDirections, type PolicyDirection } from "./closedDns";
import { accountOfKubernetes } from "./handedOver";
import {
  closesNamespace,
  isMadeByKubernetes,
  type GivenLabels,
  labelsOfNamespace,
  passesForOwn,
} from "./madeByKubernetes";
import { opensControlPlane, servicesOfControlPlane } from "./openedControlPlane";
import { podParts } from "./podPrivileges";
import { systemNamespaces } from "./providerNamespaces";
import { flat, kindOf, nameOf, type OpenRight, type Placed } from "./rights";

/** Objects that programs of the cluster take as their own configuration, or that decide about the cluster's own objects. */

const ofCalico = (name: string): boolean => /calico|tigera/.test(name);

/** Kinds that programs of the cluster read as their configuration, or that make pods, which Services there choose by labels. */
const readThere =
  /^(ConfigMap|Pod|Deployment|DaemonSet|StatefulSet|ReplicaSet|ReplicationController|Job|CronJob)$/;

/** Calico's configuration of itself. */
const ownOfCalico =
  /^(Installation|APIServer|ImageSet|FelixConfiguration|KubeControllersConfiguration|ClusterInformation|Profile)$/;

const builtIn =
  /^(\*|[^.]*|(admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage)\.k8s\.io)$/;

/** What nodes and controllers write outside of namespaces: no selector of namespaces leaves it out. */
const ofWholeCluster =
  /^(\*|nodes|persistentvolumes|clusterroles|clusterrolebindings|certificatesigningrequests|csinodes|volumeattachments|tokenreviews|subjectaccessreviews|customresourcedefinitions|apiservices|priorityclasses|storageclasses)(\/|$)/;

/** What programs in the system namespaces write: a webhook for other kinds does not stop them. */
const writtenInside =
  /^(\*|pods|deployments|replicasets|daemonsets|statefulsets|controllerrevisions|services|endpoints|endpointslices|configmaps|secrets|serviceaccounts|leases|events|roles|rolebindings|poddisruptionbudgets)(\/|$)/;

/** What people ask of pods: no program of the cluster needs it. */
const ofPeople = /^pods\/(exec|attach|portforward|log|proxy)$/;

/** What follows from all objects of the manifests together, computed once. */
interface World {
  /** Whether a namespace of the program's add-ons is in the cluster. */
  readonly isInstalled: (namespace: string) => boolean;
  readonly withCalico: boolean;
  /** System namespaces with their labels. */
  readonly namespaces: ReadonlyMap<string, GivenLabels>;
  /** By the name of their policy. */
  readonly bindings: ReadonlyMap<string, readonly unknown[]>;
  /** Services that lead to the control plane. */
  readonly ofControlPlane: ReadonlySet<string>;
  /** What policies leave open to the DNS. */
  readonly open: ReadonlySet<PolicyDirection>;
}

/** @param withCalico - whether the program installs Calico */
function worldOf(all: readonly unknown[], withCalico: boolean): World {
  const isInstalled = (name: string): boolean => withCalico || !ofCalico(name);
  const bindings = all.filter((one) => /^(Mutating|Validating)AdmissionPolicyBinding$/.test(kindOf(one)));
  return {
    isInstalled,
    withCalico,
    namespaces: new Map(
      systemNamespaces.filter(isInstalled).map((name) => [name, labelsOfNamespace(name, all)]),
    ),
    bindings: grouped(bindings, (one) => `${kindOf(one)} ${textAt(one, "spec", "policyName")}`),
    ofControlPlane: servicesOfControlPlane(all),
    open: openedDirections(all),
  };
}

/** Whether a selector does not select a namespace with these labels. */
function leavesOut(selector: unknown, labels: GivenLabels): boolean {
  const isTrue = ({ key, operator, values }: Plain): boolean => {
    const value = labels[String(key)];
    const isIn = value !== undefined && strings(values).includes(value);
    return (
      (operator === "In" && isIn) ||
      (operator === "NotIn" && !isIn) ||
      (operator === "Exists" && value !== undefined) ||
      (operator === "DoesNotExist" && value === undefined)
    );
  };
  return (
    Object.entries(texts(at(selector, "matchLabels"))).some(([key, value]) => labels[key] !== value) ||
    !list(at(selector, "matchExpressions")).every(isTrue)
  );
}

/** Whether a selector asks for a label of somebody's own domain, which no object of the cluster has. */
const asksForLabel = (selector: unknown): boolean =>
  [
    ...Object.keys(texts(at(selector, "matchLabels"))),
    ...list(at(selector, "matchExpressions"))
      .filter(({ operator }) => operator === "In" || operator === "Exists")
      .map((one) => textAt(one, "key")),
  ].some((key) => key.includes("/") && !/(^|\.)(kubernetes|k8s|projectcalico|tigera)\.(io|org)\//.test(key));

/**
 * What of the cluster itself rules are about.
 * @param constraints - each narrows the objects down by selectors
 */
function reached(rules: readonly Plain[], constraints: readonly unknown[], { namespaces }: World): string[] {
  const own = rules.filter(({ apiGroups }) => strings(apiGroups).some((group) => builtIn.test(group)));
  const resources = (otherScope: string): string[] =>
    own
      .filter(({ scope }) => scope !== otherScope)
      .flatMap((rule) => strings(rule.resources))
      .filter((one) => !ofPeople.test(one));
  const wide = resources("Namespaced").filter((one) => ofWholeCluster.test(one));
  const isInside = resources("Cluster").some((one) => writtenInside.test(one));
  const inside = [...namespaces].filter(
    ([, labels]) => isInside && !constraints.some((one) => leavesOut(at(one, "namespaceSelector"), labels)),
  );
  return constraints.some((one) => asksForLabel(at(one, "objectSelector")))
    ? []
    : [
        ...wide.map((one) => (one.startsWith("*") ? "objects without a namespace" : one)),
        ...inside.map(([name]) => name),
      ];
}

/** Whether a list has all that another one names, or one of these stars. */
function hasAll(excluding: unknown, named: unknown, ...stars: readonly string[]): boolean {
  const [all, wanted] = [strings(excluding), strings(named)];
  return (
    all.some((one) => stars.includes(one)) || (wanted.length > 0 && wanted.every((one) => all.includes(one)))
  );
}

/** Whether rules take one resource out of a rule, for all of its names and operations. */
const isExcluded = (rule: Plain, resource: string, excluding: readonly Plain[]): boolean =>
  excluding.some(
    (one) =>
      strings(one.resourceNames).length === 0 &&
      (one.scope === undefined || one.scope === "*" || one.scope === rule.scope) &&
      hasAll(one.apiGroups, rule.apiGroups, "*") &&
      hasAll(one.apiVersions, rule.apiVersions, "*") &&
      hasAll(one.operations, rule.operations, "*") &&
      hasAll(one.resources, [resource], "*/*", ...(resource.includes("/") ? [] : ["*"])),
  );

/** The rules without what `excludeResourceRules` leave out; one that takes out a part alone is none that helps. */
function withoutExcluded(constraint: unknown, others: unknown): Plain[] {
  const excluding = [constraint, others].flatMap((one) => list(at(one, "excludeResourceRules")));
  return list(at(constraint, "resourceRules")).map((rule) => ({
    ...rule,
    resources: strings(rule.resources).filter((resource) => !isExcluded(rule, resource, excluding)),
  }));
}

/** The same of a policy in CEL, which has an effect only where bindings of it say so. */
function reachedByPolicy(policy: unknown, world: World): string[] {
  const constraint = at(policy, "spec", "matchConstraints");
  const isAsked = (binding: unknown): boolean =>
    kindOf(binding) === "MutatingAdmissionPolicyBinding" ||
    strings(at(binding, "spec", "validationActions")).includes("Deny");
  return (world.bindings.get(`${kindOf(policy)}Binding ${nameOf(policy)}`) ?? [])
    .filter(isAsked)
    .map((binding) => at(binding, "spec", "matchResources"))
    .flatMap((more) => reached(withoutExcluded(constraint, more), [constraint, more], world));
}

/** What a webhook, a policy in CEL, a quota or a FlowSchema decides about the cluster's own objects; `undefined` for nothing. */
function admissionOf(object: unknown, world: World): string | undefined {
  const kind = kindOf(object);
  if (kind === "FlowSchema" && textAt(object, "spec", "priorityLevelConfiguration", "name") === "exempt") {
    return "lets requests through without a limit";
  }
  const place = textAt(object, "metadata", "namespace");
  if (/^(ResourceQuota|LimitRange)$/.test(kind) && world.namespaces.has(place)) {
    return `limits the pods of ${place}`;
  }
  if (!/^(Mutating|Validating)(WebhookConfiguration|AdmissionPolicy)$/.test(kind)) {
    return undefined;
  }
  const found = kind.endsWith("AdmissionPolicy")
    ? reachedByPolicy(object, world)
    : list(at(object, "webhooks")).flatMap((hook) => reached(list(hook.rules), [hook], world));
  const hasConditions = [object, ...list(at(object, "webhooks"))].some(
    (one) => list(at(one, "matchConditions") ?? at(one, "spec", "matchConditions")).length > 0,
  );
  const names = someNames([...new Set(found)], 10);
  return found.length === 0 ? undefined : `${hasConditions ? "may decide" : "decides"} about ${names}`;
}

/** What an object changes in a namespace of the cluster. People have programs of their own in kube-system, too. */
function placeControlOf(object: unknown, { isInstalled }: World): string | undefined {
  const place = textAt(object, "metadata", "namespace");
  if (!addonNamespaces.includes(place) || !isInstalled(place)) {
    return undefined;
  }
  if (
    !readThere.test(kindOf(object)) &&
    !podParts(object).some(({ containers }) => Array.isArray(containers))
  ) {
    return undefined;
  }
  if (place !== "kube-system" && place !== "kube-public") {
    return "programs of the cluster read what is in this namespace, and Services there choose pods by labels";
  }
  if (passesForOwn(object)) {
    return "its pods have labels by which the cluster finds its own";
  }
  const account = accountOfKubernetes(object);
  return account && `its pods run with the service account ${account} of Kubernetes itself`;
}

/** What an object changes of the cluster's programs; `undefined` for what is only one's own. */
function controlOf(object: unknown, world: World): string | undefined {
  const kind = kindOf(object);
  const [group = ""] = textAt(object, "apiVersion").split("/");
  const served = textAt(object, "spec", "group");
  if (kind === "APIService" && at(object, "spec", "service") !== undefined) {
    return builtIn.test(served) ? `takes the API group ${served === "" ? "core" : served} over` : undefined;
  }
  if (world.withCalico && ofCalico(group) && ownOfCalico.test(kind)) {
    return "configuration of Calico decides whether network policies count";
  }
  if (isMadeByKubernetes(object)) {
    return "replaces what kubeadm or Kubernetes makes, and the cluster runs by";
  }
  if (closesNamespace(object) && world.isInstalled(nameOf(object))) {
    return "has the API server refuse pods of the cluster";
  }
  return (
    placeControlOf(object, world) ??
    opensControlPlane(object, world.ofControlPlane) ??
    closedDns(object, world.open)
  );
}

const fullName = (object: unknown): string =>
  [kindOf(object), [textAt(object, "metadata", "namespace"), nameOf(object)].filter(Boolean).join("/")].join(
    " ",
  );

/** What each object does, the same of several objects of a file at once. */
function findings(written: readonly Placed[], withCalico: boolean, whatOf: typeof controlOf): OpenRight[] {
  const placed = flat(written);
  const world = worldOf(
    placed.map(({ object }) => object),
    withCalico,
  );
  const found = placed.flatMap(({ path, object }) => {
    const what = whatOf(object, world);
    return present(what !== undefined && { path, what, name: fullName(object) });
  });
  return [...grouped(found, ({ path, what }) => JSON.stringify([path, what])).values()].flatMap((same) => {
    const [first] = same;
    const names = someNames(
      same.map(({ name }) => name),
      5,
    );
    return present(first !== undefined && { path: first.path, message: `${names}: ${first.what}` });
  });
}

/**
 * What a manifest changes of the cluster itself.
 * @param withCalico - whether the program installs Calico
 */
export const clusterControl = (written: readonly Placed[], withCalico: boolean): OpenRight[] =>
  findings(written, withCalico, controlOf);

/** What a manifest decides about the cluster's own objects and requests. @param withCalico - as above */
export const admissionControl = (written: readonly Placed[], withCalico: boolean): OpenRight[] =>
  findings(written, withCalico, admissionOf);
