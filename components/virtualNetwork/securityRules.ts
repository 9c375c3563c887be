import { apiServerPort } from "capz-windows-platform/cluster/naming";
import { collapseCidrs } from "capz-windows-platform/network/addressing";

export interface ControlPlaneSources<Networks> {
  /** Who reaches the API server: people, the management cluster's controllers, and the nodes' NAT gateway. */
  readonly apiServer: Networks;
  /** Who reaches ssh: people only. */
  readonly ssh: string[];
  /** As which the nodes come. Default: their NAT gateway. */
  readonly nodes?: string | undefined;
}

const inbound = <Networks>(
  name: string,
  priority: number,
  port: number,
  sources: Networks,
  description: string,
) => ({
  name,
  description,
  priority,
  access: "Allow" as const,
  direction: "Inbound" as const,
  protocol: "Tcp" as const,
  sourcePortRange: "*",
  sourceAddressPrefixes: sources,
  destinationAddressPrefix: "*",
  destinationPortRange: String(port),
});

/**
 * Inbound rules of the control plane subnet; Azure's own defaults allow the VNET and its load balancers and deny the
 * rest. Names and priorities are those that CAPZ has for the same rules (CAPZ v1.27.0 azure/scope/cluster.go).
 * `Networks` is a list of CIDRs, or a Pulumi input of one: only Azure knows the NAT gateway's address.
 */
export function controlPlaneRules<Networks>({
  apiServer,
  ssh,
  nodes = "the nodes' NAT gateway",
}: ControlPlaneSources<Networks>) {
  const people = "ssh to the control plane, and through it to the nodes: access.allowedCidrs";
  const everyone = `API server: access.allowedCidrs, the management cluster, ${nodes}`;
  return [
    ...(ssh.length > 0 ? [inbound<string[] | Networks>("allow_ssh", 2200, 22, ssh, people)] : []),
    inbound<string[] | Networks>("allow_apiserver", 2201, apiServerPort, apiServer, everyone),
  ];
}

const allow = "Allow" as const;

const ofBastion = (
  name: string,
  [direction, priority]: readonly ["Inbound" | "Outbound", number],
  [protocol, ports]: readonly ["Tcp" | "*", readonly string[]],
  { from, to = "*" }: { readonly from: string | string[]; readonly to?: string },
) => ({
  ...{ name, priority, direction, protocol, access: allow, sourcePortRange: "*" },
  ...(typeof from === "string" ? { sourceAddressPrefix: from } : { sourceAddressPrefixes: from }),
  destinationAddressPrefix: to,
  ...(ports.length === 1 ? { destinationPortRange: ports[0] } : { destinationPortRanges: [...ports] }),
});

/**
 * Rules of AzureBastionSubnet. Azure takes no security group there without all of them (learn.microsoft.com, "Configure NSG
 * rules for Azure Bastion"); who uses the Bastion may be limited.
 */
export function bastionRules(allowedCidrs: readonly string[]) {
  const https = ["Tcp", ["443"]] as const;
  const hosts = ["*", ["8080", "5701"]] as const;
  const vnet = "VirtualNetwork";
  return [
    ofBastion("allow_https", ["Inbound", 2200], https, { from: collapseCidrs(allowedCidrs) }),
    ofBastion("allow_gateway_manager", ["Inbound", 2201], https, { from: "GatewayManager" }),
    ofBastion("allow_balancer", ["Inbound", 2202], https, { from: "AzureLoadBalancer" }),
    ofBastion("allow_bastion_hosts", ["Inbound", 2203], hosts, { from: vnet, to: vnet }),
    ofBastion("allow_ssh_rdp", ["Outbound", 2200], ["*", ["22", "3389"]], { from: "*", to: vnet }),
    ofBastion("allow_azure_cloud", ["Outbound", 2201], https, { from: "*", to: "AzureCloud" }),
    ofBastion("allow_bastion_hosts_out", ["Outbound", 2202], hosts, { from: vnet, to: vnet }),
    ofBastion("allow_http", ["Outbound", 2203], ["*", ["80"]], { from: "*", to: "Internet" }),
  ];
}
