import { present } from "../../tools/present";
import { at, list, strings, textAt, texts } from "../../tools/untyped";
import { ofCluster, type Workload, type WorkloadManifest, type WorkloadResult } from "./types";

/** What Services and network policies of a workload do not do on Windows nodes. */

/** Whether a policy or Service may select the pods; expressions are not evaluated. */
const selects = ({ podLabels }: Workload, selector: unknown): boolean =>
  Object.entries(texts(selector)).every(([key, value]) => podLabels[key] === value);

const isName = (port: unknown): boolean => typeof port === "string" && !/^\d+(:\d+)?$/.test(port);

/**
 * What a rule has for which Calico leaves it out on Windows, because the host network service cannot say it. Source: Calico v3.32
 * felix/dataplane/windows/policysets/policysets.go, protoRuleToHnsRules and ruleHasNegativeMatches.
 */
function leftOutFor(rule: unknown): string | undefined {
  const ends = [at(rule, "source"), at(rule, "destination")];
  const peers = [...list(at(rule, "from")), ...list(at(rule, "to"))];
  const ports = [
    ...list(at(rule, "ports")).map(({ port }) => port),
    ...ends.flatMap((end) => list(at(end, "ports")) as unknown[]),
  ];
  return [
    peers.some((peer) => list(at(peer, "ipBlock", "except")).length > 0) && "except",
    ...["notNets", "notPorts", "notSelector"].map(
      (key) => ends.some((end) => at(end, key) !== undefined) && key,
    ),
    ...["notProtocol", "notICMP", "icmp"].map((key) => at(rule, key) !== undefined && key),
    textAt(rule, "action") === "Log" && "the action Log",
    ports.some(isName) && "a named port",
  ].find((fault) => fault !== false);
}

/** Notes about policies whose rules do not hold for a workload's pods on Windows nodes. */
export function networkPolicyNotes(workload: Workload, manifests: readonly WorkloadManifest[]): string[] {
  return manifests.flatMap(({ kind, name, namespace, object }) => {
    const isCalico = textAt(object, "apiVersion").includes("projectcalico.org/");
    const isGlobal = isCalico && kind === "GlobalNetworkPolicy";
    const isHere = isGlobal || (kind === "NetworkPolicy" && namespace === workload.namespace);
    if (!isHere || !(isCalico || selects(workload, at(object, "spec", "podSelector", "matchLabels")))) {
      return [];
    }
    const rules = ["ingress", "egress"].flatMap((direction) =>
      list(at(object, "spec", direction)).flatMap((rule, index) => {
        const fault = leftOutFor(rule);
        return fault === undefined ? [] : [`${direction} rule ${index + 1} (${fault})`];
      }),
    );
    const whether = isCalico ? ", if it selects these pods" : "";
    return present(
      rules.length > 0 &&
        `${kind} ${name}: Calico leaves out ${rules.join(", ")} on Windows nodes${whether}: what it allows is shut, and what it denies is open`,
    );
  });
}

/** Services whose selector fits no workload, unless its pods are elsewhere. */
export const lonelyServices = (
  manifests: readonly WorkloadManifest[],
  workloads: readonly Workload[],
): WorkloadResult[] =>
  manifests.flatMap(({ kind, namespace, name, object, source }) => {
    const selector = Object.entries(texts(at(object, "spec", "selector")));
    const isLonely =
      kind === "Service" &&
      source !== ofCluster &&
      selector.length > 0 &&
      !workloads.some((one) => one.namespace === namespace && selects(one, at(object, "spec", "selector")));
    const labels = selector.map(([key, value]) => `${key}=${value}`).join(", ");
    return isLonely
      ? [
          {
            ...{ workload: `${kind} ${namespace}/${name}`, source, verdicts: [], errors: [], notes: [] },
            notChecked: [`no workload here has pods with its selector ${labels}`],
          },
        ]
      : [];
  });

/** Notes about fields of Services that Windows nodes do not support (Kubernetes documentation, "Networking on Windows"). */
export function serviceNotes(workload: Workload, manifests: readonly WorkloadManifest[]): string[] {
  return manifests.flatMap(({ kind, name, namespace, object }) => {
    const spec = at(object, "spec");
    const hasSelector = Object.keys(texts(at(spec, "selector"))).length > 0;
    if (
      !(kind === "Service" && namespace === workload.namespace) ||
      !(hasSelector && selects(workload, at(spec, "selector")))
    ) {
      return [];
    }
    return present(
      list(at(spec, "ports")).some((port) => textAt(port, "protocol") === "SCTP") &&
        "Windows nodes do not support SCTP",
      strings(at(spec, "ipFamilies")).includes("IPv6") &&
        "Windows nodes do not support IPv6 in a network with VXLAN",
      textAt(spec, "ipFamilyPolicy").endsWith("DualStack") &&
        "Windows nodes support only one address family in a network with VXLAN",
      textAt(spec, "sessionAffinity") === "ClientIP" &&
        at(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds") !== undefined &&
        "kube-proxy on Windows ignores sessionAffinityConfig.clientIP.timeoutSeconds",
      textAt(spec, "externalTrafficPolicy") === "Local" &&
        "with externalTrafficPolicy: Local, Azure asks a port of kube-proxy that nothing opens in the firewall of Windows nodes, so they may get no traffic: write Cluster",
    ).map((note) => `Service ${name}: ${note}`);
  });
}
