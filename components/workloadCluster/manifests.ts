import type { AddonCluster } from "../../addons/addon";
import { apiVersions, reference } from "../../capi/apiVersions";
import {
  skipAwaitAndDeleteInBackground,
  awaiting,
  controlPlaneInitialized,
  controlPlaneUpgraded,
  linkServiceReady,
  poolRolled,
  poolRunning,
  poolUpgraded,
} from "../../capi/waits";
import { addonLabels } from "capz-windows-platform/cluster/addonLabels";
import { internalBalancer } from "capz-windows-platform/cluster/privateApiServer";
import { controlPlaneName, networkNames } from "capz-windows-platform/cluster/naming";
import { subnetsByName } from "capz-windows-platform/network/addressing";
import { subnetParts, type ExistingNetworkIds } from "capz-windows-platform/company-network/existingNetwork";
import { linkNames } from "capz-windows-platform/company-network/privateLink";
import {
  isNamedNat,
  subnetId,
  vnetIdIn,
  type OutboundArgs,
} from "capz-windows-platform/company-network/outbound";
import { existingNetworkSpec } from "./existingSubnets";

import type { AzureCluster, AzureClusterSpec } from "capz-types/crds/azure";
import type { KubeadmControlPlane } from "capz-types/crds/controlPlane";
import type { Cluster, MachineDeployment, MachinePool } from "capz-types/crds/cluster";

type ClusterObjectArgs = Pick<
  AddonCluster,
  "clusterName" | "namespace" | "platform" | "podCidr" | "serviceCidr"
>;

/** The metadata of the Cluster, with the labels that select its add-ons. */
export function clusterMetadata({
  clusterName,
  namespace,
  platform,
}: Pick<ClusterObjectArgs, "clusterName" | "namespace" | "platform">): Cluster["metadata"] {
  const { cni, cniWindows, cloudProvider } = addonLabels(clusterName, platform);
  return {
    name: clusterName,
    namespace,
    labels: {
      ...cni,
      ...cniWindows,
      ...(platform.cloudProvider === "external" ? cloudProvider : {}),
    },
    annotations: skipAwaitAndDeleteInBackground,
  };
}

/** The Cluster. CAPZ sets its controlPlaneEndpoint. */
export function clusterObject(args: ClusterObjectArgs): Cluster {
  const { clusterName } = args;
  return {
    apiVersion: apiVersions.cluster,
    kind: "Cluster",
    metadata: clusterMetadata(args),
    spec: {
      clusterNetwork: {
        pods: { cidrBlocks: [args.podCidr] },
        services: { cidrBlocks: [args.serviceCidr] },
      },
      controlPlaneRef: reference(
        apiVersions.controlPlane,
        "KubeadmControlPlane",
        controlPlaneName(clusterName),
      ),
      infrastructureRef: reference(apiVersions.azure, "AzureCluster", clusterName),
    },
  };
}

/** Only adds the wait for the API server to the Cluster. It never changes, because there is only one first time. */
export const apiServerPatch = (clusterName: string, namespace: string): Omit<Cluster, "spec"> => ({
  apiVersion: apiVersions.cluster,
  kind: "Cluster",
  metadata: {
    name: clusterName,
    namespace,
    annotations: awaiting([controlPlaneInitialized], "control plane"),
  },
});

/** Only adds the wait for the private link service to the AzureCluster. */
export const linkServicePatch = (clusterName: string, namespace: string): Omit<AzureCluster, "spec"> => ({
  apiVersion: apiVersions.azure,
  kind: "AzureCluster",
  metadata: {
    name: clusterName,
    namespace,
    annotations: awaiting([linkServiceReady], "private link"),
  },
});

/** A pool by its name, and a text that changes with its objects. */
export interface AwaitedPool {
  readonly kind: "MachinePool" | "MachineDeployment";
  readonly poolName: string;
  readonly contentHash: string;
  /** Whether its updates wait until its nodes are upgraded. */
  readonly ordersUpgrades: boolean;
}

/** After an update, all machines of the pool are of it. */
const poolUpdated = (kind: AwaitedPool["kind"]): string =>
  kind === "MachineDeployment" ? poolRolled : poolUpgraded;

/** Only adds the wait for its machines to a pool. It changes with the pool. */
export const poolRunningPatch = (
  { kind, poolName, contentHash, ordersUpgrades }: AwaitedPool,
  namespace: string,
): Omit<MachinePool | MachineDeployment, "spec"> => ({
  apiVersion: apiVersions.cluster,
  kind,
  metadata: {
    name: poolName,
    namespace,
    annotations: awaiting(ordersUpgrades ? [poolRunning, poolUpdated(kind)] : [poolRunning], contentHash),
  },
});

/** Only adds the wait of each later update for its upgrade to the control plane. */
export const controlPlaneUpgradedPatch = (
  clusterName: string,
  namespace: string,
): Omit<KubeadmControlPlane, "spec"> => ({
  apiVersion: apiVersions.controlPlane,
  kind: "KubeadmControlPlane",
  metadata: {
    name: controlPlaneName(clusterName),
    namespace,
    annotations: awaiting([controlPlaneUpgraded], "upgrades"),
  },
});

/** Only adds the wait of each later update for its machines to a pool. */
export const poolUpgradedPatch = (
  {
    kind = "MachinePool",
    poolName,
  }: Pick<AwaitedPool, "poolName"> & { readonly kind?: AwaitedPool["kind"] | undefined },
  namespace: string,
): Omit<MachinePool | MachineDeployment, "spec"> => ({
  apiVersion: apiVersions.cluster,
  kind,
  metadata: { name: poolName, namespace, annotations: awaiting([poolUpdated(kind)], "upgrades") },
});

type Subnet = NonNullable<NonNullable<AzureClusterSpec["networkSpec"]>["subnets"]>[number];

export interface AzureClusterArgs {
  readonly clusterName: string;
  readonly namespace: string;
  readonly identityName: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly vnetCidr: string;
  readonly controlPlaneSubnetCidr: string;
  readonly nodeSubnetCidr: string;
  /** Further subnets for pools: name to address range. Default: none. */
  readonly poolSubnets?: Readonly<Record<string, string>> | undefined;
  /** Address and DNS zone of an API server without a public address. Default: it has one. */
  readonly privateApiServer?:
    | {
        readonly ip: string;
        readonly zoneName: string;
        /** Whose private endpoints reach it by a private link service. Default: no such service. */
        readonly privateLinkSubscriptions?: string[] | undefined;
      }
    | undefined;
  /** A VNET that others have made. Default: the one of VirtualNetwork. */
  readonly existing?: ExistingNetworkIds | undefined;
  /** The way out of the VNET of VirtualNetwork. Default: a NAT gateway with one address. */
  readonly outbound?: OutboundArgs | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

export const azureClusterMetadata = ({
  clusterName,
  namespace,
}: Pick<AzureClusterArgs, "clusterName" | "namespace">): AzureCluster["metadata"] => ({
  name: clusterName,
  namespace,
});

/**
 * An internal load balancer with its one address, and a zone that CAPZ does not make (CAPZ v1.27.0
 * internal/webhooks/azurecluster_validation.go): it has no rights on DNS, and the plan shows the record. Without
 * controlPlaneOutboundLB, machines of the control plane leave as all others do, and have no public address.
 */
const privateFields = ({ clusterName, privateApiServer, existing }: AzureClusterArgs) =>
  privateApiServer === undefined
    ? {}
    : ({
        apiServerLB: {
          type: "Internal",
          frontendIPs: [{ name: internalBalancer(clusterName).frontend, privateIP: privateApiServer.ip }],
          ...(privateApiServer.privateLinkSubscriptions === undefined
            ? {}
            : ({
                privateLinks: [
                  {
                    name: linkNames(clusterName).service,
                    lbFrontendIPConfigNames: [internalBalancer(clusterName).frontend],
                    natIPConfigurations: [
                      {
                        allocationMethod: "Dynamic",
                        subnet:
                          existing === undefined
                            ? networkNames(clusterName).controlPlaneSubnet
                            : subnetParts(existing.controlPlaneSubnetId).subnet,
                      },
                    ],
                    allowedSubscriptions: privateApiServer.privateLinkSubscriptions,
                    autoApprovedSubscriptions: privateApiServer.privateLinkSubscriptions,
                  },
                ],
              } satisfies Pick<
                NonNullable<NonNullable<AzureClusterSpec["networkSpec"]>["apiServerLB"]>,
                "privateLinks"
              >)),
        },
        privateDNSZone: "None",
        privateDNSZoneName: privateApiServer.zoneName,
      } as const);

/**
 * The AzureCluster with an existing VNET (CAPZ recognizes that by vnet.resourceGroup). The CIDRs are those of the real
 * VNET, from the same settings: other values would conflict with what CAPZ reads from Azure. Fields that CAPZ writes
 * itself are left out: ids, controlPlaneEndpoint, apiServerLB.
 */
export function azureClusterObject(args: AzureClusterArgs): AzureCluster {
  const names = networkNames(args.clusterName);
  const vnetId = vnetIdIn(args.subscriptionId, args.resourceGroup, names.vnet);
  const nodeSubnet = (name: string, cidr: string) =>
    ({
      // CAPZ gives a subnet of nodes without id a NAT gateway with a public address (existingSubnets.ts).
      ...(isNamedNat(args.outbound) ? {} : ({ id: subnetId(vnetId, name) } satisfies Partial<Subnet>)),
      name,
      role: "node",
      cidrBlocks: [cidr],
      securityGroup: { name: names.nodeNsg },
      routeTable: { name: names.routeTable },
      // Without its name CAPZ would create a second NAT gateway, "-1", even in a VNET that it does not manage.
      ...(isNamedNat(args.outbound)
        ? ({ natGateway: { name: names.natGateway } } satisfies Partial<Subnet>)
        : {}),
    }) as const;
  return {
    apiVersion: apiVersions.azure,
    kind: "AzureCluster",
    metadata: azureClusterMetadata(args),
    spec: {
      subscriptionID: args.subscriptionId,
      location: args.location,
      resourceGroup: args.resourceGroup,
      identityRef: {
        apiVersion: apiVersions.azure,
        kind: "AzureClusterIdentity",
        name: args.identityName,
        namespace: args.namespace,
      },
      networkSpec: {
        ...(args.existing
          ? existingNetworkSpec(args.existing, args)
          : ({
              vnet: { resourceGroup: args.resourceGroup, name: names.vnet, cidrBlocks: [args.vnetCidr] },
              subnets: [
                {
                  name: names.controlPlaneSubnet,
                  role: "control-plane",
                  cidrBlocks: [args.controlPlaneSubnetCidr],
                  securityGroup: { name: names.controlPlaneNsg },
                  routeTable: { name: names.routeTable },
                },
                nodeSubnet(names.nodeSubnet, args.nodeSubnetCidr),
                ...subnetsByName(args.poolSubnets).map(([name, cidr]) => nodeSubnet(name, cidr)),
              ],
            } satisfies AzureClusterSpec["networkSpec"])),
        ...privateFields(args),
      },
      ...(Object.keys(args.tags).length > 0
        ? ({ additionalTags: args.tags } satisfies Partial<AzureClusterSpec>)
        : {}),
    },
  };
}
