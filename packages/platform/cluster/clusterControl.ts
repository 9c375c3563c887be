import { grouped } from "capz-windows-kit/grouped";
import { present } from "capz-windows-kit/present";
import { someNames } from "capz-windows-kit/someNames";
import { at, list, strings, texts, textAt, type Plain } from "capz-windows-kit/untyped";
import { addonNamespaces } from "./addonNamespaces";
import { systemNamespaces } from "./providerNamespaces";
import { flat, kindOf, nameOf, type OpenRight, type Placed } from "./rights";

/** Objects that programs of the cluster take as their own configuration, or that decide about the cluster's own objects. */

const ofCalico = (name: string): boolean => /calico|tigera/.test(name);

/** Kinds that programs of the cluster read as their configuration, or that make pods, which Services there choose by labels. */
const readThere =
  /^(ConfigMap|Namespace|Pod|Deployment|DaemonSet|StatefulSet|ReplicaSet|ReplicationController|Job|CronJob)$/;

/** Calico's configuration of itself. What policies say is read elsewhere. */
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

/** Whether a selector does not select a system namespace, which has no other label that counts. */
function leavesOut(selector: unknown, namespace: string): boolean {
  const isName = (key: unknown): boolean => key === "kubernetes.io/metadata.name";
  const isTrue = ({ key, operator, values }: Plain): boolean => {
    const isIn = isName(key) && strings(values).includes(namespace);
    return (
      (operator === "In" && isIn) ||
      (operator === "NotIn" && !isIn) ||
      (operator === "Exists" && isName(key)) ||
      (operator === "DoesNotExist" && !isName(key))
    );
  };
  return (
    Object.entries(texts(at(selector, "matchLabels"))).some(
      ([key, value]) => !isName(key) || value !== namespace,
    ) || !list(at(selector, "matchExpressions")).every(isTrue)
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
function reached(rules: readonly Plain[], constraints: readonly unknown[], namespaces: readonly string[]) {
  const own = rules.filter(({ apiGroups }) => strings(apiGroups).some((group) => builtIn.test(group)));
  const wide = own
    .filter(({ scope }) => scope !== "Namespaced")
    .flatMap(({ resources }) => strings(resources))
    .filter((one) => ofWholeCluster.test(one));
  const isInside = own.flatMap(({ resources }) => strings(resources)).some((one) => writtenInside.test(one));
  return constraints.some((one) => asksForLabel(at(one, "objectSelector")))
    ? []
    : [
        ...wide.map((one) => (one.startsWith("*") ? "objects without a namespace" : one)),
        ...namespaces.filter(
          (name) => isInside && !constraints.some((one) => leavesOut(at(one, "namespaceSelector"), name)),
        ),
      ];
}

/** The same of a policy in CEL, which has an effect only where bindings of it say so. */
function reachedByPolicy(policy: unknown, all: readonly unknown[], namespaces: readonly string[]): string[] {
  const constraint = at(policy, "spec", "matchConstraints");
  const bindings = all.filter(
    (one) =>
      kindOf(one) === `${kindOf(policy)}Binding` && textAt(one, "spec", "policyName") === nameOf(policy),
  );
  const isAsked = (binding: unknown): boolean =>
    kindOf(binding) === "MutatingAdmissionPolicyBinding" ||
    strings(at(binding, "spec", "validationActions")).includes("Deny");
  return bindings
    .filter(isAsked)
    .map((binding) => at(binding, "spec", "matchResources"))
    .flatMap((more) => reached(list(at(constraint, "resourceRules")), [constraint, more], namespaces));
}

/** Whether a namespace of the program's add-ons is in the cluster. @param withCalico - whether the program installs Calico */
const isInstalled = (name: string, withCalico: boolean): boolean => withCalico || !ofCalico(name);

/** What a webhook, a policy in CEL or a FlowSchema decides about the cluster's own objects; `undefined` where it decides nothing. */
function admissionOf(object: unknown, withCalico: boolean, all: readonly unknown[]): string | undefined {
  const kind = kindOf(object);
  if (kind === "FlowSchema" && textAt(object, "spec", "priorityLevelConfiguration", "name") === "exempt") {
    return "lets requests through without a limit";
  }
  if (!/^(Mutating|Validating)(WebhookConfiguration|AdmissionPolicy)$/.test(kind)) {
    return undefined;
  }
  const namespaces = systemNamespaces.filter((name) => isInstalled(name, withCalico));
  const found = kind.endsWith("AdmissionPolicy")
    ? reachedByPolicy(object, all, namespaces)
    : list(at(object, "webhooks")).flatMap((hook) => reached(list(hook.rules), [hook], namespaces));
  const hasConditions = [object, ...list(at(object, "webhooks"))].some(
    (one) => list(at(one, "matchConditions") ?? at(one, "spec", "matchConditions")).length > 0,
  );
  const names = someNames([...new Set(found)], 10);
  return found.length === 0 ? undefined : `${hasConditions ? "may decide" : "decides"} about ${names}`;
}

/** What an object changes of the cluster's programs; `undefined` for what is only one's own. */
function controlOf(object: unknown, withCalico: boolean): string | undefined {
  const kind = kindOf(object);
  const [group = ""] = textAt(object, "apiVersion").split("/");
  const place = kind === "Namespace" ? nameOf(object) : textAt(object, "metadata", "namespace");
  const served = textAt(object, "spec", "group");
  if (kind === "APIService" && at(object, "spec", "service") !== undefined) {
    return builtIn.test(served) ? `takes the API group ${served === "" ? "core" : served} over` : undefined;
  }
  if (withCalico && ofCalico(group) && ownOfCalico.test(kind)) {
    return "configuration of Calico decides whether network policies count";
  }
  return addonNamespaces.includes(place) && isInstalled(place, withCalico) && readThere.test(kind)
    ? "programs of the cluster read what is in this namespace, and Services there choose pods by labels"
    : undefined;
}

const fullName = (object: unknown): string =>
  [kindOf(object), [textAt(object, "metadata", "namespace"), nameOf(object)].filter(Boolean).join("/")].join(
    " ",
  );

/** What each object does, the same of several objects of a file at once. */
function findings(written: readonly Placed[], withCalico: boolean, whatOf: typeof admissionOf): OpenRight[] {
  const placed = flat(written);
  const all = placed.map(({ object }) => object);
  const found = placed.flatMap(({ path, object }) => {
    const what = whatOf(object, withCalico, all);
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
