import {
  apiServerHost,
  apiServerPort,
  apiServerPublicIpName,
  controlPlaneName,
} from "../../../platform/cluster/naming";
import { lastPart } from "../../../platform/azure/resourceParts";
import { internalBalancer } from "../../../platform/cluster/privateApiServer";
import type { ClusterModel } from "../../plan/model/cluster/types";
import type { Planned } from "./planned";
import { present } from "../../../tools/present";

/** What CAPZ v1.27.0 creates for the API server, and what all of its resources have in common. */

type Fields = Readonly<Record<string, unknown>>;

/** API versions of CAPZ's clients, armnetwork v4 and armcompute v5, and of the disks that come with machines. */
export const apis = { network: "2023-05-01", compute: "2024-03-01", disks: "2023-10-02" } as const;

/** What all resources of a cluster have in common. */
export interface Common {
  readonly cluster: ClusterModel;
  /** ARM id of the resource group. */
  readonly within: string;
  /** Zones of the region, which CAPZ takes for failure domains. */
  readonly zones: readonly string[];
  /** Tags of the AzureCluster. */
  readonly tags: Fields;
}

/** api/v1beta1/tags.go, Build: CAPZ's own tags win. */
export function tagsOf(
  { cluster, tags }: Common,
  { role, name, additional }: { role?: string; name?: string; additional?: unknown },
): Fields {
  const prefix = "sigs.k8s.io_cluster-api-provider-azure_";
  return {
    ...tags,
    ...(additional as Fields | undefined),
    [`${prefix}cluster_${cluster.name}`]: "owned",
    ...(role === undefined ? {} : { [`${prefix}role`]: role }),
    ...(name === undefined ? {} : { Name: name }),
  };
}

export const zonesField = (zones: readonly string[]): Fields => (zones.length === 0 ? {} : { zones });

/** Cluster API makes the end of the name up. */
export const controlPlaneMachine = ({ name }: ClusterModel): string => `${controlPlaneName(name)}-00000`;

/** The load balancer of the API server, and references to its parts. */
export function balancerOf({ cluster, within }: Common) {
  const isPrivate = cluster.apiServer.private !== undefined;
  const name = isPrivate ? internalBalancer(cluster.name).name : `${cluster.name}-public-lb`;
  const id = `${within}/providers/Microsoft.Network/loadBalancers/${name}`;
  return {
    ...{ name, id },
    frontend: { id: `${id}/frontendIPConfigurations/${name}-frontEnd` },
    machines: { id: `${id}/backendAddressPools/${name}-backendPool` },
    probe: { id: `${id}/probes/HTTPSProbe` },
    // CAPZ makes the rule for ssh on an internal load balancer, too, but no machine uses it there (azure/scope/machine.go,
    // InboundNatSpecs and BuildNICSpec).
    ...(isPrivate ? {} : { ssh: { id: `${id}/inboundNatRules/${controlPlaneMachine(cluster)}` } }),
  } as const;
}

/** The subnet of machines that name none: the first of their role. */
export const subnetOf = ({ network }: ClusterModel, role: "control-plane" | "node"): string =>
  network.subnets.find((subnet) => subnet.role === role)?.name ?? "";

/** The address of the API server and its load balancer: publicips/spec.go, loadbalancers/spec.go. */
export function apiServer(common: Common): Planned[] {
  const { cluster, within, zones } = common;
  const { name: clusterName, subscriptionId, resourceGroup, location } = cluster;
  const fqdn = apiServerHost({ clusterName, subscriptionId, resourceGroup, location });
  const address = apiServerPublicIpName(clusterName);
  const { name: balancer, id: own, frontend, machines, probe } = balancerOf(common);
  const network = `${within}/providers/Microsoft.Network`;
  // CAPZ's webhooks set it (api/v1beta1/azurecluster_default.go).
  const idle = { idleTimeoutInMinutes: 4 };
  const inside = cluster.apiServer.private;
  const outbound = {
    name: "OutboundNATAllProtocols",
    properties: {
      ...{ protocol: "All", frontendIPConfigurations: [frontend], backendAddressPool: machines },
      ...idle,
    },
  };
  const publicAddress = (): Planned => ({
    ...{ type: "Microsoft.Network/publicIPAddresses", name: address, apiVersion: apis.network, within },
    content: {
      ...{ location, tags: tagsOf(common, { name: address }), sku: { name: "Standard" }, zones },
      properties: {
        ...{ publicIPAddressVersion: "IPv4", publicIPAllocationMethod: "Static" },
        dnsSettings: { domainNameLabel: fqdn.split(".")[0], fqdn },
      },
    },
  });
  return present(
    inside === undefined && publicAddress(),
    {
      ...{ type: "Microsoft.Network/loadBalancers", name: balancer, apiVersion: apis.network, within },
      content: {
        ...{ location, tags: tagsOf(common, { role: "apiserver" }), sku: { name: "Standard" } },
        properties: {
          frontendIPConfigurations: [
            {
              name: `${balancer}-frontEnd`,
              properties:
                inside === undefined
                  ? { publicIPAddress: { id: `${network}/publicIPAddresses/${address}` } }
                  : {
                      ...{ privateIPAllocationMethod: "Static", privateIPAddress: inside.ip },
                      subnet: {
                        id: `${cluster.network.vnetId}/subnets/${subnetOf(cluster, "control-plane")}`,
                      },
                    },
            },
          ],
          backendAddressPools: [{ name: `${balancer}-backendPool` }],
          loadBalancingRules: [
            {
              name: "LBRuleHTTPS",
              properties: {
                ...{ protocol: "Tcp", frontendPort: apiServerPort, backendPort: apiServerPort },
                ...{ disableOutboundSnat: true, enableFloatingIP: false, loadDistribution: "Default" },
                ...{ frontendIPConfiguration: frontend, backendAddressPool: machines, probe, ...idle },
              },
            },
          ],
          probes: [
            {
              name: "HTTPSProbe",
              properties: {
                ...{ protocol: "Https", port: apiServerPort, requestPath: "/readyz" },
                ...{ intervalInSeconds: 15, probeThreshold: 1 },
              },
            },
          ],
          outboundRules: inside === undefined ? [outbound] : [],
        },
      },
    },
    // privatelinks/spec.go
    inside?.link !== undefined && {
      type: "Microsoft.Network/privateLinkServices",
      name: lastPart(inside.link.id),
      // Of Azure Service Operator (v1api20220701).
      ...{ apiVersion: "2022-07-01", within, scope: inside.link.id },
      content: {
        location,
        tags: tagsOf(common, { name: lastPart(inside.link.id) }),
        properties: {
          loadBalancerFrontendIpConfigurations: [frontend],
          ipConfigurations: [
            {
              name: `${subnetOf(cluster, "control-plane")}-natipconfig-1`,
              properties: {
                ...{ privateIPAllocationMethod: "Dynamic", primary: true },
                subnet: {
                  id: `${cluster.network.vnetId}/subnets/${subnetOf(cluster, "control-plane")}`,
                },
              },
            },
          ],
          visibility: { subscriptions: inside.link.subscriptions },
          autoApproval: { subscriptions: inside.link.subscriptions },
        },
      },
    },
    // One for ssh to each machine of the control plane: inboundnatrules/spec.go.
    {
      type: "Microsoft.Network/loadBalancers/inboundNatRules",
      name: controlPlaneMachine(cluster),
      ...{ apiVersion: apis.network, within, scope: own },
      content: {
        properties: {
          ...{ protocol: "Tcp", frontendPort: 22, backendPort: 22, enableFloatingIP: false },
          ...{ idleTimeoutInMinutes: 4, frontendIPConfiguration: frontend },
        },
      },
    },
  );
}
