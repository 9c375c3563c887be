import { present } from "../../tools/present";
import { at, list, strings, textAt, texts } from "../../tools/untyped";
import type { Workload, WorkloadManifest } from "./types";

/**
 * Rules of network policies that Calico leaves out on Windows, because the host network service cannot say them. Source: Calico
 * v3.32 felix/dataplane/windows/policysets/policysets.go, protoRuleToHnsRules and ruleHasNegativeMatches.
 */

const isName = (port: unknown): boolean => typeof port === "string" && !/^\d+(:\d+)?$/.test(port);

/** What a rule of networking.k8s.io has that is left out. */
function kubernetesFault(rule: unknown, peers: "from" | "to"): string | undefined {
  if (list(at(rule, peers)).some((peer) => list(at(peer, "ipBlock", "except")).length > 0)) {
    return "except";
  }
  return list(at(rule, "ports")).some((port) => isName(at(port, "port"))) ? "a named port" : undefined;
}

/** What a rule of projectcalico.org has that is left out. */
function calicoFault(rule: unknown): string | undefined {
  const ends = [at(rule, "source"), at(rule, "destination")];
  for (const key of ["notNets", "notPorts", "notSelector"]) {
    if (ends.some((end) => at(end, key) !== undefined)) {
      return key;
    }
  }
  for (const key of ["notProtocol", "notICMP", "icmp"]) {
    if (at(rule, key) !== undefined) {
      return key;
    }
  }
  if (textAt(rule, "action") === "Log") {
    return "the action Log";
  }
  return ends.some((end) => list(at(end, "ports")).some(isName)) ? "a named port" : undefined;
}

/** Whether a policy of Kubernetes may select a workload's pods; expressions are not evaluated. */
function mayBeSelected(
  { namespace, podLabels }: Workload,
  { namespace: its, object }: WorkloadManifest,
): boolean {
  const labels = Object.entries(texts(at(object, "spec", "podSelector", "matchLabels")));
  return namespace === its && labels.every(([key, value]) => podLabels[key] === value);
}

function leftOut({ object }: WorkloadManifest, isCalico: boolean): string[] {
  return (["ingress", "egress"] as const).flatMap((direction) =>
    list(at(object, "spec", direction)).flatMap((rule, index) => {
      const peers = direction === "ingress" ? "from" : "to";
      const fault = isCalico ? calicoFault(rule) : kubernetesFault(rule, peers);
      return fault === undefined ? [] : [`${direction} rule ${index + 1} (${fault})`];
    }),
  );
}

/** Notes about policies whose rules do not hold for a workload's pods on Windows nodes. */
export function networkPolicyNotes(workload: Workload, manifests: readonly WorkloadManifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const { kind, name, namespace, object } = manifest;
    const isCalico = textAt(object, "apiVersion").includes("projectcalico.org/");
    const isPolicy = kind === "NetworkPolicy" || (isCalico && kind === "GlobalNetworkPolicy");
    const applies = isCalico
      ? kind === "GlobalNetworkPolicy" || namespace === workload.namespace
      : isPolicy && mayBeSelected(workload, manifest);
    const rules = isPolicy && applies ? leftOut(manifest, isCalico) : [];
    const whether = isCalico ? ", if it selects these pods" : "";
    return rules.length === 0
      ? []
      : [
          `${kind} ${name}: Calico leaves out ${rules.join(", ")} on Windows nodes${whether}: what it allows is shut, and what it denies is open`,
        ];
  });
}

/**
 * Notes about fields that Windows nodes do not support, in the Services that select a workload's pods (Kubernetes
 * documentation, "Networking on Windows").
 */
export function serviceNotes(workload: Workload, manifests: readonly WorkloadManifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === "Service")
    .filter(({ namespace, object }) => {
      const selector = Object.entries(texts(at(object, "spec", "selector")));
      return (
        namespace === workload.namespace &&
        selector.length > 0 &&
        selector.every(([key, value]) => workload.podLabels[key] === value)
      );
    })
    .flatMap(({ name, object }) => {
      const ports = list(at(object, "spec", "ports"));
      return present(
        ports.some((port) => textAt(port, "protocol") === "SCTP") &&
          `Service ${name}: Windows nodes do not support SCTP`,
        strings(at(object, "spec", "ipFamilies")).includes("IPv6") &&
          `Service ${name}: Windows nodes do not support IPv6 in a network with VXLAN`,
        ["PreferDualStack", "RequireDualStack"].includes(textAt(object, "spec", "ipFamilyPolicy")) &&
          `Service ${name}: Windows nodes support only one address family in a network with VXLAN`,
        textAt(object, "spec", "sessionAffinity") === "ClientIP" &&
          at(object, "spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds") !== undefined &&
          `Service ${name}: kube-proxy on Windows ignores sessionAffinityConfig.clientIP.timeoutSeconds`,
        textAt(object, "spec", "externalTrafficPolicy") === "Local" &&
          `Service ${name}: with externalTrafficPolicy: Local, Azure asks a port of kube-proxy that nothing opens in the firewall of Windows nodes, so they may get no traffic: write Cluster`,
      );
    });
}
