import { at, list, strings, texts, textAt, type Plain } from "capz-windows-kit/untyped";
import { kindOf } from "./rights";

/**
 * Network policies that leave the cluster's DNS nobody who may ask it, or no way out. What selects a pod denies all that no policy
 * allows. Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/,
 * https://docs.tigera.io/calico/latest/reference/resources/globalnetworkpolicy
 */

const directions = ["ingress", "egress"] as const;
export type PolicyDirection = (typeof directions)[number];

const isOf = (object: unknown, group: RegExp): boolean => group.test(textAt(object, "apiVersion"));
const isOfKubernetes = (object: unknown): boolean =>
  kindOf(object) === "NetworkPolicy" && isOf(object, /^networking\.k8s\.io\//);
const isOfCalico = (object: unknown): boolean =>
  /^(Global)?NetworkPolicy$/.test(kindOf(object)) && isOf(object, /^(crd\.)?projectcalico\.org\//);

const rulesOf = (policy: unknown, direction: PolicyDirection): Plain[] => list(at(policy, "spec", direction));
const isThere = (policy: unknown): boolean => textAt(policy, "metadata", "namespace") === "kube-system";

/** Whether a selector is for all pods, or for those with the label of kubeadm's DNS. Calico's other selectors are not read. */
const selectsDns = (selector: unknown): boolean =>
  typeof selector === "string"
    ? /^\s*(all\(\)\s*)?$/.test(selector)
    : list(at(selector, "matchExpressions")).length === 0 &&
      Object.entries(texts(at(selector, "matchLabels"))).every(
        ([key, value]) => key === "k8s-app" && value === "kube-dns",
      );

/** Whether a policy of Calico selects the DNS by labels alone, where policies usually count. */
const selectsDnsPlainly = (spec: unknown): boolean =>
  selectsDns(at(spec, "selector")) &&
  textAt(spec, "serviceAccountSelector") === "" &&
  at(spec, "doNotTrack") !== true &&
  at(spec, "preDNAT") !== true &&
  /^(default)?$/.test(textAt(spec, "tier"));

/** Whether a policy is for certain about the pods of the DNS. */
function isAboutDns(policy: unknown): boolean {
  const spec = at(policy, "spec");
  if (isOfKubernetes(policy)) {
    return isThere(policy) && selectsDns(at(spec, "podSelector"));
  }
  const isGlobal = kindOf(policy) === "GlobalNetworkPolicy" && selectsDns(at(spec, "namespaceSelector"));
  return isOfCalico(policy) && (isThere(policy) || isGlobal) && selectsDnsPlainly(spec);
}

/** Whether what a policy selects gets only what is allowed. Without types, ingress counts, for Calico only where egress has no rules. */
function isolates(policy: unknown, direction: PolicyDirection): boolean {
  const types = strings(at(policy, "spec", "policyTypes") ?? at(policy, "spec", "types"));
  if (types.length > 0) {
    return types.some((type) => type.toLowerCase() === direction);
  }
  const hasRules = rulesOf(policy, direction).length > 0;
  return (
    hasRules ||
    (direction === "ingress" && (isOfKubernetes(policy) || rulesOf(policy, "egress").length === 0))
  );
}

/** Whether a rule may let through what the DNS gets or asks. Ports with a name, or up to another, may be its own. */
const mayAllow = (rule: Plain, direction: PolicyDirection): boolean =>
  rule.action !== "Deny" &&
  (direction === "egress" ||
    list(rule.ports).length === 0 ||
    list(rule.ports).some(
      ({ port, endPort }) => endPort !== undefined || !(Number(port) > 0 && Number(port) !== 53),
    ));

/** Whether a policy may be about the pods of the DNS. Those of other kinds may all be. */
function mayBeAboutDns(policy: unknown): boolean {
  if (isOfKubernetes(policy)) {
    return (
      isAboutDns(policy) ||
      (isThere(policy) && list(at(policy, "spec", "podSelector", "matchExpressions")).length > 0)
    );
  }
  return isThere(policy) || kindOf(policy) !== "NetworkPolicy";
}

/** Whether a policy may let the DNS work. */
const mayOpen = (policy: unknown, direction: PolicyDirection): boolean =>
  kindOf(policy).endsWith("NetworkPolicy") &&
  mayBeAboutDns(policy) &&
  ((!isOfKubernetes(policy) && !isOfCalico(policy)) ||
    rulesOf(policy, direction).some((rule) => mayAllow(rule, direction)));

/** The directions that a policy among all objects may leave open. */
export const openedDirections = (all: readonly unknown[]): ReadonlySet<PolicyDirection> =>
  new Set(directions.filter((direction) => all.some((one) => mayOpen(one, direction))));

const words = {
  ingress: "lets nobody ask the DNS of the cluster",
  egress: "lets the DNS of the cluster ask nobody",
} as const;

/** What a policy closes for certain, where none may leave it open; `undefined` for nothing. */
export function closedDns(policy: unknown, open: ReadonlySet<PolicyDirection>): string | undefined {
  const closed = directions.filter(
    (direction) => isAboutDns(policy) && isolates(policy, direction) && !open.has(direction),
  );
  return closed.length === 0 ? undefined : closed.map((one) => words[one]).join(", and ");
}
