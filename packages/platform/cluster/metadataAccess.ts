import ipaddr from "ipaddr.js";
import { present } from "capz-windows-kit/present";
import { at, list, numberAt, strings, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { flat, type OpenRight, type Placed } from "./rights";

/**
 * Policies by which pods reach what the program's tier denies them. Calico asks tier after tier, and the first policy that
 * allows or denies decides. Source: https://docs.tigera.io/calico/latest/reference/resources/tier
 */

export const metadataTier = { name: "capz-windows", order: 2_000_000 } as const;

/** Azure's wire server and metadata service, with their TCP ports. */
export const metadataServers = [
  { address: "168.63.129.16", ports: [80, 32_526] },
  { address: "169.254.169.254", ports: [80] },
] as const;

interface Target {
  readonly address: string;
  readonly port: number;
}

const targets: readonly Target[] = metadataServers.flatMap(({ address, ports }) =>
  ports.map((port) => ({ address, port })),
);

const calico = /^(crd\.)?projectcalico\.org\//;

/** Tiers of Kubernetes' own policies that come after. */
const lateTiers = ["kube-baseline", "baselineadminnetworkpolicy"];

/** A policy without a tier is in `default`. */
const earlyTiers = ["", "default", "kube-admin", "adminnetworkpolicy", metadataTier.name];

/** Calico takes host bits, and an address alone. */
function hasAddress(network: string, address: string): boolean {
  const [first = "", bits = "32"] = network.split("/");
  return (
    ipaddr.IPv4.isValidFourPartDecimal(first) &&
    /^(\d|[12]\d|3[012])$/.test(bits) &&
    ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parse(first), Number(bits))
  );
}

/** A named port is one of a pod. */
function hasPort(range: string, port: number): boolean {
  const [first = "", last = first] = range.split(":");
  return Number(first) <= port && port <= Number(last);
}

const isTcp = (protocol: unknown): boolean => /^(tcp|6)$/i.test(String(protocol));

/** Fields with which a rule is about pods and sets of networks, not about addresses. */
const ofMembers = ["selector", "namespaceSelector", "serviceAccounts", "services", "domains"];

const sureFields: readonly string[] = ["action", "protocol", "destination", "metadata"];
const sureDestination: readonly string[] = ["nets", "ports"];

/** Whether a rule of Calico is about a connection: "maybe" where it depends on the pod or on what is not known here. */
function isAbout(rule: Plain, { address, port }: Target, inSets: ReadonlySet<string>) {
  const to = rule.destination;
  const [nets, ports] = [strings(at(to, "nets")), strings(at(to, "ports"))];
  const isOther =
    (rule.protocol !== undefined && !isTcp(rule.protocol)) ||
    isTcp(rule.notProtocol) ||
    rule.ipVersion === 6 ||
    (nets.length > 0 && !nets.some((net) => hasAddress(net, address))) ||
    strings(at(to, "notNets")).some((net) => hasAddress(net, address)) ||
    (ports.length > 0 && !ports.some((range) => hasPort(range, port))) ||
    strings(at(to, "notPorts")).some((range) => hasPort(range, port)) ||
    (nets.length === 0 && ofMembers.some((field) => at(to, field) !== undefined) && !inSets.has(address));
  if (isOther) {
    return "no";
  }
  const isSure =
    Object.keys(rule).every((field) => sureFields.includes(field)) &&
    Object.keys((to ?? {}) as Plain).every((field) => sureDestination.includes(field));
  return isSure ? "yes" : "maybe";
}

/** A rule of Kubernetes' NetworkPolicy as rules of Calico. */
function ofKubernetes(rule: Plain): Plain[] {
  const peers = Array.isArray(rule.to) && rule.to.length > 0 ? list(rule.to) : [undefined];
  const ports = list(rule.ports).map((one) => ({
    protocol: one.protocol ?? "TCP",
    ports: strings([one.port ?? {}]).map((port) => `${port}:${strings([one.endPort ?? port]).join("")}`),
  }));
  return peers.flatMap((peer) => {
    const [cidr, notNets] = [textAt(peer, "ipBlock", "cidr"), strings(at(peer, "ipBlock", "except"))];
    const isPods = peer !== undefined && cidr === "";
    const nets = present(cidr !== "" && cidr);
    return isPods
      ? []
      : (ports.length === 0 ? [{}] : ports).map(({ protocol, ...more }: Plain) => ({
          action: "Allow",
          destination: { nets, notNets, ...more },
          ...(protocol === undefined ? {} : { protocol }),
        }));
  });
}

/** A rule of an AdminNetworkPolicy, or of a ClusterNetworkPolicy, whose `protocols` are not read. */
function ofAdmins({ action, to, ports, protocols }: Plain): Plain[] {
  const nets = list(to).flatMap(({ networks }) => strings(networks));
  const rule = { action: action === "Accept" ? "Allow" : action, destination: { nets } };
  const unsure = { ...rule, source: {} };
  if (nets.length === 0) {
    return [];
  }
  if (protocols !== undefined) {
    return [unsure];
  }
  const connections = list(ports).map(({ portNumber, portRange }) => {
    const first = at(portNumber, "port") ?? at(portRange, "start");
    const range = strings([first, at(portRange, "end") ?? first]).join(":");
    const protocol = at(portNumber ?? portRange, "protocol") ?? "TCP";
    return first === undefined ? unsure : { ...rule, protocol, destination: { nets, ports: [range] } };
  });
  return connections.length === 0 ? [rule] : connections;
}

/** The rules of a policy that come before those of the program. */
function rulesOf(object: unknown, late: ReadonlySet<string>): Plain[] {
  const egress = list(at(object, "spec", "egress"));
  const tier = textAt(object, "spec", "tier");
  const ofCalico = late.has(tier) ? [] : egress;
  switch (textAt(object, "kind")) {
    case "GlobalNetworkPolicy":
      return ofCalico;
    case "NetworkPolicy":
      return calico.test(textAt(object, "apiVersion")) ? ofCalico : egress.flatMap(ofKubernetes);
    case "AdminNetworkPolicy":
      return egress.flatMap(ofAdmins);
    case "ClusterNetworkPolicy":
      return tier === "Baseline" ? [] : egress.flatMap(ofAdmins);
    default:
      return [];
  }
}

/** @param opening - actions after which the program's policy is not asked */
function allows(
  rules: readonly Plain[],
  target: Target,
  inSets: ReadonlySet<string>,
  opening: readonly string[],
): boolean {
  for (const rule of rules) {
    const about = isAbout(rule, target, inSets);
    const action = text(rule.action).toLowerCase();
    if (about !== "no" && opening.includes(action)) {
      return true;
    }
    if (about === "yes" && action !== "log") {
      return false;
    }
  }
  return false;
}

/** Tiers that surely come after the program's. Nobody moves those that are there before. */
function lateTiersOf(tiers: readonly unknown[]): Set<string> {
  const known = tiers.filter((tier) => calico.test(textAt(tier, "apiVersion")));
  const isLate = (tier: unknown): boolean =>
    (numberAt(tier, "spec", "order") ?? Infinity) > metadataTier.order;
  const nameOf = (tier: unknown): string => textAt(tier, "metadata", "name");
  const early = new Set([...earlyTiers, ...known.filter((tier) => !isLate(tier)).map(nameOf)]);
  return new Set([...lateTiers, ...known.filter(isLate).map(nameOf)].filter((name) => !early.has(name)));
}

/** Policies that let pods of other namespaces than these reach the servers, before the program's policy is asked. */
export function openedMetadata(
  written: readonly Placed[],
  allowedNamespaces: readonly string[],
): OpenRight[] {
  const all = flat(written);
  const ofKind = (...kinds: readonly string[]) =>
    all.map(({ object }) => object).filter((object) => kinds.includes(textAt(object, "kind")));
  const late = lateTiersOf(ofKind("Tier"));
  const nets = ofKind("GlobalNetworkSet", "NetworkSet").flatMap((set) => strings(at(set, "spec", "nets")));
  const inSets = new Set(
    metadataServers
      .map(({ address }) => address)
      .filter((address) => nets.some((net) => hasAddress(net, address))),
  );
  return all.flatMap(({ path, object }) => {
    // The API server drops the namespace of the other kinds.
    const namespace =
      textAt(object, "kind") === "NetworkPolicy" ? textAt(object, "metadata", "namespace") : "";
    const rules = allowedNamespaces.includes(namespace) ? [] : rulesOf(object, late);
    const opening = textAt(object, "spec", "tier") === metadataTier.name ? ["allow", "pass"] : ["allow"];
    const open = targets
      .filter((target) => allows(rules, target, inSets, opening))
      .map(({ address }) => address);
    const title = [namespace, textAt(object, "metadata", "name")].filter((part) => part !== "").join("/");
    return present(
      open.length > 0 && {
        path,
        message: `${textAt(object, "kind")} ${title} lets pods reach ${[...new Set(open)].join(" and ")}: Calico asks it before the policy of the program that denies it`,
      },
    );
  });
}
