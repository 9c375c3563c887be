import { present } from "capz-windows-kit/present";
import { apiServerPort } from "../cluster/naming";
import { collapseCidrs } from "../network/addressing";
import type { ExistingNetworkIds } from "./existingNetwork";
import type { EgressTarget } from "./noProxy";

/** The security rules that a VNET of others must have. */

/** The args of a VNET of others, once Pulumi knows them. */
export interface NetworkNeeds {
  readonly existing: ExistingNetworkIds;
  readonly privateApiServer?: boolean | undefined;
  readonly privateSsh?: boolean | undefined;
  readonly location: string;
  readonly addresses?: Readonly<Record<string, number>> | undefined;
  readonly vnetCidr?: string | undefined;
  readonly subnetCidrs: readonly string[];
  readonly poolSubnets?: Readonly<Record<string, string>> | undefined;
  readonly apiServer?:
    | {
        readonly host: string;
        readonly ip: string;
        readonly manual?: boolean | undefined;
        readonly privateLink?: boolean | undefined;
        readonly linkedVnetIds?: readonly string[] | undefined;
      }
    | undefined;
  readonly firewall?: { readonly address: string } | undefined;
  readonly proxy?: EgressTarget | undefined;
  readonly mirror?: EgressTarget | undefined;
  readonly allowedCidrs: readonly string[];
  readonly managementCidrs: readonly string[];
}

/** Words for what the stack file does not say. Azure refuses them, so that no rule opens more than was meant. */
export const dnsServers = "DNS-SERVERS";
const bastionRange = "BASTION-RANGE";
const hubRange = "HUB-RANGE";

/** A security rule; several ports are separated by spaces. */
export interface RequiredRule {
  readonly securityGroup: string;
  readonly name: string;
  readonly direction: "Inbound" | "Outbound";
  readonly priority: number;
  readonly protocol: "Tcp" | "Udp" | "Icmp" | "*";
  /** Default: Allow. */
  readonly access?: "Deny";
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly ports: string;
}

type Ranges = readonly string[];

/** A row of a table of rules. The name says the rest: `_out` is outbound, and `deny_` denies. */
export type RuleRow = readonly [
  priority: number,
  name: string,
  protocol: RequiredRule["protocol"],
  from: Ranges,
  to: Ranges,
  ports: string,
];

export const rulesOf = (group: string, rows: readonly (RuleRow | false)[]): RequiredRule[] =>
  present(...rows).map(([priority, name, protocol, from, to, ports]) => ({
    securityGroup: group,
    name,
    priority,
    protocol,
    from,
    to,
    ports,
    direction: name.endsWith("_out") ? "Outbound" : "Inbound",
    ...(name.startsWith("deny_") ? { access: "Deny" } : {}),
  }));

/**
 * Rules of machines in a group that denies everything else. Azure's default rules let all of VirtualNetwork in, which is every
 * address with a route 0.0.0.0/0 to an appliance (https://github.com/MicrosoftDocs/azure-docs/issues/22178); and no address
 * may be of Internet then (https://github.com/MicrosoftDocs/azure-docs/pull/101300).
 */
function machineRules(needs: NetworkNeeds, hasNodes: boolean): (RuleRow | false)[] {
  const { privateApiServer = false, privateSsh = false, firewall, proxy, mirror } = needs;
  const own = collapseCidrs(needs.subnetCidrs);
  const outside = [firewall === undefined ? "Internet" : "*"];
  // NO_PROXY has the public name of the API server.
  const direct = privateApiServer ? "" : String(apiServerPort);
  const toProxy = [proxy?.address ?? "PROXY-ADDRESS"];
  const toMirror = [mirror?.address ?? "MIRROR-ADDRESS"];
  return [
    [2202, "allow_cluster", "*", own, own, "*"],
    [2203, "allow_balancers", "*", ["AzureLoadBalancer"], ["*"], "*"],
    [2202, "allow_cluster_out", "*", own, own, "*"],
    proxy === undefined && [2203, "allow_https_out", "Tcp", own, outside, `443 ${direct}`.trim()],
    proxy !== undefined && direct !== "" && [2203, "allow_apiserver_out", "Tcp", own, outside, direct],
    proxy !== undefined && [2204, "allow_proxy_out", "Tcp", own, toProxy, String(proxy.port)],
    mirror !== undefined && [2206, "allow_mirror_out", "Tcp", own, toMirror, String(mirror.port)],
    [2207, "allow_dns_out", "*", own, [dnsServers], "53"],
    hasNodes && [2205, "allow_activation_out", "Tcp", own, outside, "1688"],
    firewall !== undefined && [2208, "allow_path_mtu", "Icmp", [hubRange], own, "*"],
    privateSsh && [2206, "allow_bastion", "Tcp", [bastionRange], own, hasNodes ? "22 3389" : "22"],
    [4096, "deny_in", "*", ["*"], ["*"], "*"],
    [4096, "deny_out", "*", ["*"], ["*"], "*"],
  ];
}

/** Rules of people and of clients, then those of machines in each group. */
export function requiredRules(needs: NetworkNeeds): RequiredRule[] {
  const { existing, privateApiServer = false, privateSsh = false } = needs;
  const nodes = existing.nodeSecurityGroup;
  const controlPlane = existing.controlPlaneSecurityGroup ?? nodes;
  const people = collapseCidrs(needs.allowedCidrs);
  // Machines come to a private API server by allow_cluster.
  const machines = privateApiServer ? [] : existing.egressCidrs;
  const sources = collapseCidrs([...needs.allowedCidrs, ...needs.managementCidrs, ...machines]);
  return [
    ...rulesOf(controlPlane, [
      people.length > 0 && !privateSsh && [2200, "allow_ssh", "Tcp", people, ["*"], "22"],
      sources.length > 0 && [2201, "allow_apiserver", "Tcp", sources, ["*"], String(apiServerPort)],
    ]),
    ...[...new Set([controlPlane, nodes])].flatMap((group) =>
      rulesOf(group, machineRules(needs, group === nodes)),
    ),
  ];
}
