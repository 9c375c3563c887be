import { at, list, textAt, texts } from "capz-windows-kit/untyped";
import type { Manifests, Workload } from "./types";

/** What Services and network policies of a workload do not do on Windows nodes. */

/** Whether a policy or Service may select the pods; expressions are not evaluated. */
const selects = ({ podLabels }: Workload, selector: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([key, value]) => podLabels[key] === value);

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

/** What is to be said of the workloads that a policy or Service selects. */
export interface NetworkNote {
  /** `undefined`: all. */
  readonly namespace: string | undefined;
  readonly selector: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Policies whose rules do not hold on Windows nodes. */
const policyNotes = (manifests: Manifests): NetworkNote[] =>
  ["NetworkPolicy", "GlobalNetworkPolicy"]
    .flatMap((kind) => manifests.ofKind(kind))
    .flatMap(({ kind, name, namespace, object }) => {
      const isCalico = textAt(object, "apiVersion").includes("projectcalico.org/");
      if (kind === "GlobalNetworkPolicy" && !isCalico) {
        return [];
      }
      const rules = ["ingress", "egress"].flatMap((direction) =>
        list(at(object, "spec", direction)).flatMap((rule, index) => {
          const fault = leftOutFor(rule);
          return fault === undefined ? [] : [`${direction} rule ${index + 1} (${fault})`];
        }),
      );
      const isOpen = isCalico || list(at(object, "spec", "podSelector", "matchExpressions")).length > 0;
      const whether = isOpen ? ", if it selects these pods" : "";
      const note = `${kind} ${name}: Calico leaves out ${rules.join(", ")} on Windows nodes${whether}: what it allows is shut, and what it denies is open`;
      return {
        namespace: kind === "GlobalNetworkPolicy" ? undefined : namespace,
        selector: isCalico ? {} : texts(at(object, "spec", "podSelector", "matchLabels")),
        notes: rules.length > 0 ? [note] : [],
      };
    });

/** Services whose load balancer may send nothing to Windows nodes. */
const serviceNotes = (manifests: Manifests): NetworkNote[] =>
  manifests.ofKind("Service").flatMap(({ name, namespace, object }) => {
    const selector = texts(at(object, "spec", "selector"));
    const isLocal = textAt(object, "spec", "externalTrafficPolicy") === "Local";
    const note = `Service ${name}: with externalTrafficPolicy: Local, Azure asks a port of kube-proxy that nothing opens in the firewall of Windows nodes, so they may get no traffic: write Cluster`;
    return isLocal && Object.keys(selector).length > 0 ? { namespace, selector, notes: [note] } : [];
  });

/** What Windows nodes do not do of Services and policies, said of each once. */
export const networkFacts = (manifests: Manifests): NetworkNote[] =>
  [...serviceNotes(manifests), ...policyNotes(manifests)].filter(({ notes }) => notes.length > 0);

export const networkNotes = (workload: Workload, facts: readonly NetworkNote[]): string[] =>
  facts
    .filter(({ namespace }) => namespace === undefined || namespace === workload.namespace)
    .flatMap(({ selector, notes }) => (selects(workload, selector) ? notes : []));
