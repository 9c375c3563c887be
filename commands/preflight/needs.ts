import { chartRepositories } from "../../platform/versions";
import { isManagementOnly } from "../../config/managementStack";
import { diskSetsWithRole, poolsOf } from "../../config/pools";
import { nodeImages, type NodeImage } from "../../config/nodeImages";
import type { Settings } from "../../config/settings";
import { poolsFacts } from "../../config/stackFacts";
import type { PoolFacts } from "../../packages/contract";
import { calicoOperatorManifest, defaultCalicoVersion } from "../../addons/calicoReleases";
import { managementNames } from "../../platform/azure/aks";
import { withDigests } from "../../platform/cluster/artifacts";
import {
  apiServerHost,
  apiServerPublicIpName,
  controlPlaneName,
  identityId,
  networkNames,
} from "../../platform/cluster/naming";
import { bastionSubnetName } from "../../platform/network/bastion";
import type { Peering } from "../../platform/company-network/peerings";
import { capzImage } from "../../platform/machines/images";
import { present } from "../../tools/present";
import { existingNetworkOf } from "./existingNetwork";
import { managementNetworkOf } from "./managementNetwork";
import { privateApiServerOf } from "./privateApiServer";

/** What `pulumi up` needs from Azure, as far as the settings alone say so; the rest is in the plan. */

/** Machines of one kind: those of AKS, of the control plane or of a pool. */
export type MachineNeed = Pick<
  PoolFacts,
  "path" | "vmSize" | "zones" | "spot" | "encryptionAtHost" | "ephemeralOsDisk"
>;

const imageNeed = ({ path, image, node, version }: NodeImage) => ({
  ...{ path, image: capzImage(image, node, version) },
});
export type ImageNeed = ReturnType<typeof imageNeed>;

function machinesOf(settings: Settings, pools: readonly PoolFacts[]): MachineNeed[] {
  const { controlPlane, management } = settings;
  const plain = { zones: [], spot: false, encryptionAtHost: false };
  const aks = management.kind === "aks" && {
    ...{ path: "management", vmSize: management.nodeSize, ...plain, zones: management.zones },
  };
  if (isManagementOnly(settings)) {
    return present(aks);
  }
  return present<MachineNeed>(aks, { path: "controlPlane", vmSize: controlPlane.vmSize, ...plain }, ...pools);
}

/** A resource from outside the stack that CAPZ's controllers use, with the role that they need on it. */
export type ForeignNeed = ReturnType<typeof foreignOf>[number];

const diskSetRole = {
  what: "disk encryption set",
  apiVersion: "2023-10-02",
  role: "Reader",
  action: "Microsoft.Compute/diskEncryptionSets/read",
};

const identityRole = {
  what: "identity",
  apiVersion: "2023-01-31",
  role: "Managed Identity Operator",
  action: "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
};

const galleryRole = {
  what: "gallery",
  apiVersion: "2023-07-03",
  role: "Reader",
  action: "Microsoft.Compute/galleries/images/versions/read",
};

/** The gallery of an image that is not in a community gallery. */
function galleryOf({ image }: ImageNeed): string | undefined {
  if (image.computeGallery) {
    const { gallery, subscriptionID, resourceGroup } = image.computeGallery;
    return subscriptionID === undefined || resourceGroup === undefined
      ? undefined
      : `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}`;
  }
  return /^(.*\/galleries\/[^/]+)\/images\//i.exec(image.id ?? "")?.[1];
}

function foreignOf(settings: Settings, images: readonly ImageNeed[]) {
  const pools = poolsOf(settings);
  const { keyVaultIdentity, enabled } = settings.addons.gmsa;
  // `regional`: it must be in the region of the machines.
  const all = [
    // Before those of the pools, which also get this identity; the first path is the one that is reported.
    ...(enabled && keyVaultIdentity !== undefined
      ? [
          {
            ...{ path: "addons.gmsa", key: "keyVaultIdentity", id: keyVaultIdentity, regional: false },
            ...identityRole,
          },
        ]
      : []),
    ...pools.flatMap(({ path, pool: { diskEncryptionSetId: id } }) =>
      id === undefined ? [] : [{ path, key: "diskEncryptionSetId", id, regional: true, ...diskSetRole }],
    ),
    ...pools.flatMap(({ path, pool: { identityIds } }) =>
      identityIds.map((id) => ({ path, key: "identityIds", id, regional: false, ...identityRole })),
    ),
    ...images.flatMap((need) => {
      const id = galleryOf(need);
      // The controllers have the role Reader on the stack's subscription.
      return id === undefined || id.startsWith(`/subscriptions/${settings.azure.subscriptionId}/`)
        ? []
        : [{ path: need.path, key: "image", id, regional: false, ...galleryRole }];
    }),
  ];
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

export type Needs = ReturnType<typeof needsOf>;

export function needsOf(settings: Settings) {
  const { azure, clusterName, management, access, network, platform } = settings;
  const identity = { clusterName, ...azure };
  const makesAks = management.kind === "aks";
  const pools = poolsFacts(settings);
  const machines = machinesOf(settings, pools);
  const workload = !isManagementOnly(settings);
  const images = workload ? nodeImages(settings).map(imageNeed) : [];
  const names = networkNames(clusterName);
  const given = settings.clusterApi.identity;
  const calico = settings.addons.calicoVersion ?? defaultCalicoVersion(settings.kubernetesVersion);
  return {
    ...{ subscriptionId: azure.subscriptionId, tenantId: azure.tenantId, location: azure.location },
    /** Whether the stack makes a workload cluster; what only that needs is not asked otherwise. */
    workload,
    ...{ clusterName, resourceGroup: azure.resourceGroup, makesAks },
    ...{ machines, images, licensed: pools.filter(({ hybridBenefit }) => hybridBenefit) },
    providers: [
      ...["Microsoft.Compute", "Microsoft.Network", "Microsoft.ManagedIdentity", "Microsoft.Storage"],
      ...(makesAks ? ["Microsoft.ContainerService"] : []),
    ],
    /** Features of resource providers that a subscription must register. */
    features: machines
      .filter(({ encryptionAtHost }) => encryptionAtHost)
      .slice(0, 1)
      .map(({ path }) => ({ namespace: "Microsoft.Compute", name: "EncryptionAtHost", path })),
    foreign: foreignOf(settings, images),
    /** ARM IDs of the registries, and of the disk encryption sets, on which the stack assigns a role. */
    ...{ registries: settings.azureContainerRegistries, diskSets: diskSetsWithRole(settings) },
    /** ARM IDs of versions of keys by which API servers encrypt; the stack assigns a role on each key. */
    keyVaultKeys: Object.values(settings.controlPlane.encryption?.keyVaultKeys ?? {}),
    /** The identity of CAPZ's controllers: the principal of an existing one, or the ARM ID of the one that the stack makes. */
    controllers: {
      principalId: given?.principalId,
      made: given ? undefined : identityId(azure.subscriptionId, azure.resourceGroup, `${clusterName}-capz`),
    },
    /** ARM ID of the identity of the control plane, which the stack always makes. */
    controlPlaneIdentity: identityId(
      azure.subscriptionId,
      azure.resourceGroup,
      controlPlaneName(clusterName),
    ),
    /** A VNET of others; `vnet` and `subnets` are then not made. */
    existing: existingNetworkOf(settings),
    /** Without a public address. */
    apiServer: workload ? privateApiServerOf(settings) : undefined,
    /** The VNET of an AKS cluster of the stack, where it is not AKS's own. */
    aksNetwork: managementNetworkOf(settings),
    /** The way out of the VNET that the stack makes, and the VNETs with which it is peered, by name. */
    ...{ outbound: network.outbound, peerings: network.peerings as Readonly<Record<string, Peering>> },
    /** Whether the stack makes an Azure Bastion, or the ARM ID of the one of others. */
    bastion: {
      made: network.bastion?.kind === "stack",
      id: network.bastion?.kind === "existing" ? network.bastion.bastionId : undefined,
    },
    vnet: { name: names.vnet, cidr: network.vnetCidr },
    subnets: [
      {
        name: names.controlPlaneSubnet,
        cidr: network.controlPlaneSubnetCidr,
        key: "controlPlaneSubnetCidr",
      },
      { name: names.nodeSubnet, cidr: network.nodeSubnetCidr, key: "nodeSubnetCidr" },
      ...(network.bastion?.range === undefined
        ? []
        : [{ name: bastionSubnetName, cidr: network.bastion.range, key: "bastion.range" }]),
    ],
    /** Nothing where the API server has no public name. */
    dnsLabel: network.apiServer === undefined ? apiServerHost(identity).split(".")[0] : undefined,
    publicIp: apiServerPublicIpName(clusterName),
    aksVersion: management.kind === "aks" ? management.kubernetesVersion : undefined,
    aksGroup: managementNames(clusterName).resourceGroup,
    aksNodeGroup: managementNames(clusterName).nodeResourceGroup,
    /** Networks that have access, by key of the stack file; an empty list means every network. */
    allowed: {
      ...(workload ? { "access.allowedCidrs": access.allowedCidrs } : {}),
      ...(management.kind === "aks" ? { "management.authorizedCidrs": management.authorizedCidrs } : {}),
    } as Readonly<Record<string, readonly string[]>>,
    manifests: workload && platform.cni === "calico" ? [calicoOperatorManifest(calico)] : [],
    charts: settings.clusterApi.install
      ? Object.values(chartRepositories).map((repository) => `${repository}/index.yaml`)
      : [],
    /** What installs Cluster API and has a digest in the stack file. */
    artifacts: withDigests(settings.clusterApi),
  };
}
