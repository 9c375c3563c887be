import { apiServerPort } from "../cluster/naming";
import { subnetParts } from "../network/existingNetwork";
import { dnsServers, type RequiredRule } from "../network/requiredRules";
import { aksNetwork } from "./aks";
import type { ManagementApiServer, ManagementOutbound } from "./managementNetwork";

/** The security rules of subnets of others in which AKS is. */

export interface ManagementNeeds {
  readonly clusterName: string;
  readonly subscriptionId: string;
  /** Azure region. */
  readonly location: string;
  readonly subnetId: string;
  readonly maxNodeCount: number;
  readonly outbound: {
    readonly type: ManagementOutbound;
    readonly egressCidrs?: readonly string[] | undefined;
  };
  readonly apiServer: ManagementApiServer;
}

/**
 * Names and ranges that no stack file has. Azure refuses each, so that no command opens more than was meant: a name has no @
 * (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules, Microsoft.Network).
 */
export const clients = "CLIENTS-RANGE";
/** Of the subnet of the firewall. */
export const firewallRange = "FIREWALL-RANGE";
export const nameOf = (id: string): string => subnetParts(id).subnet;
export const rangeOfSubnet = (id: string): string => `RANGE-OF-${nameOf(id)}`;
export const groupOf = (id: string): string => `GROUP@${nameOf(id)}`;
export const tableOf = (id: string): string => `ROUTES@${nameOf(id)}`;

/** The delegated subnet; without one, a private API server has a private endpoint in the subnet of the nodes. */
export const integrated = ({ apiServer }: ManagementNeeds): string | undefined =>
  apiServer.vnetIntegration ? apiServer.subnetId : undefined;

/**
 * Pods of AKS keep their addresses between nodes (Azure CNI Overlay, "Network security groups":
 * https://learn.microsoft.com/azure/aks/azure-cni-overlay); ports of the API server in a subnet:
 * https://learn.microsoft.com/azure/aks/api-server-vnet-integration, "NSG security rules".
 */
export function managementRules(needs: ManagementNeeds): RequiredRule[] {
  const { subnetId, apiServer, outbound } = needs;
  const apiSubnet = integrated(needs);
  const nodes = [rangeOfSubnet(subnetId)];
  const own = [...nodes, aksNetwork.podCidr];
  const at = (id: string, name: string, priority: number) => ({
    ...{ securityGroup: groupOf(id), name, priority },
    direction: name.endsWith("_out") ? ("Outbound" as const) : ("Inbound" as const),
  });
  const balancers = (id: string, ports: string, why: string): RequiredRule => ({
    ...at(id, "allow_balancers", 2202),
    ...{ protocol: "Tcp", from: ["AzureLoadBalancer"], to: [rangeOfSubnet(id)], ports, why },
  });
  const sources = outbound.type === "firewall" ? [clients, firewallRange] : [clients];
  const people = (id: string): RequiredRule[] =>
    apiServer.private
      ? [
          {
            ...at(id, "allow_apiserver", 2203),
            ...{ protocol: "Tcp", from: sources, to: [rangeOfSubnet(id)], ports: "443" },
            why: `whoever reaches the API server of AKS: kubectl, and pulumi up of this stack and of those that use the cluster${apiSubnet === undefined ? "; the private endpoint is in this subnet, and rules count for it only with privateEndpointNetworkPolicies, as in the commands" : ""}`,
          },
        ]
      : [];
  const toApiServer = {
    protocol: "Tcp",
    from: nodes,
    ports: "443 4443",
    why: "nodes to their API server",
  } as const;
  return [
    {
      ...at(subnetId, "allow_nodes", 2201),
      ...{ protocol: "*", from: own, to: own, ports: "*" },
      why: `nodes among themselves, and pods (${aksNetwork.podCidr}), whose packets keep their addresses between nodes`,
    },
    balancers(subnetId, "*", "probes of load balancers"),
    ...(apiSubnet === undefined ? people(subnetId) : []),
    {
      ...at(subnetId, "allow_nodes_out", 2201),
      ...{ protocol: "*", from: own, to: own, ports: "*", why: "nodes and pods among themselves" },
    },
    {
      ...at(subnetId, "allow_https_out", 2202),
      ...{
        protocol: "Tcp",
        from: nodes,
        to: [outbound.type === "firewall" ? "*" : "Internet"],
        ports: "443",
      },
      why: `Azure's API and registries${apiServer.private || apiSubnet !== undefined ? "" : ", and the public address of the API server"}`,
    },
    {
      ...at(subnetId, "allow_dns_out", 2203),
      ...{ protocol: "*", from: nodes, to: [dnsServers], ports: "53" },
      why: "DNS servers of the VNET; those of Azure need no rule",
    },
    {
      ...at(subnetId, "allow_clusters_out", 2204),
      ...{ protocol: "Tcp", from: nodes, to: ["*"], ports: String(apiServerPort) },
      why: "controllers to the API servers of workload clusters",
    },
    ...(apiSubnet === undefined
      ? []
      : [
          { ...at(subnetId, "allow_apiserver_out", 2205), ...toApiServer, to: [rangeOfSubnet(apiSubnet)] },
          { ...at(apiSubnet, "allow_nodes", 2201), ...toApiServer, to: [rangeOfSubnet(apiSubnet)] },
          balancers(apiSubnet, "9988", "probes of the API server"),
          ...people(apiSubnet),
        ]),
    ...[subnetId, ...(apiSubnet === undefined ? [] : [apiSubnet])].map((id) => ({
      ...{ ...at(id, "deny_in", 4096), access: "Deny" as const, protocol: "*" as const },
      ...{ from: ["*"], to: ["*"], ports: "*" },
      why: "without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in",
    })),
  ];
}
