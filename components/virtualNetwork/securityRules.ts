import { apiServerPort } from "../../platform/cluster/naming";

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
