import { chartRepositories } from "../../platform/versions";
import { isManagementOnly } from "../../config/managementStack";
import { diskSetsWithRole, poolsOf, windowsPoolsOf } from "../../config/pools";
import { nodeImages, type NodeImage } from "../../config/nodeImages";
import type { Settings } from "../../config/settings";
import { calicoOperatorManifest, defaultCalicoVersion } from "../../addons/calicoReleases";
import type { PinnedManifest } from "../../addons/pinnedManifest";
import { managementNames } from "../../platform/azure/aks";
import { type Artifact, withDigests } from "../../platform/cluster/artifacts";
import {
  apiServerHost,
  apiServerPublicIpName,
  controlPlaneName,
  identityId,
  networkNames,
} from "../../platform/cluster/naming";
import { bastionSubnetName } from "../../platform/network/bastion";
import type { OutboundArgs } from "../../platform/network/outbound";
import type { Peering } from "../../platform/network/peerings";
import { capzImage, type CapzImage } from "../../platform/machines/images";
import { scaleSetName } from "../../platform/machines/naming";
import { type ExistingNetworkNeed, existingNetworkOf } from "./existingNetwork";
import { type ManagementNetworkNeed, managementNetworkOf } from "./managementNetwork";
import { type PrivateApiServerNeed, privateApiServerOf } from "./privateApiServer";
import type { PoolKind } from "../../platform/machines/pools";

/** What `pulumi up` needs from Azure, as far as the settings alone say so; the rest is in the plan. */

export interface MachineNeed {
  /** Path in the stack file: controlPlane, windowsPools.win1. */
  readonly path: string;
  readonly vmSize: string;
  readonly zones: readonly string[];
  readonly spot: boolean;
  readonly encryptionAtHost: boolean;
  readonly ephemeral?: { readonly placement: string; readonly diskGB: number } | undefined;
}

/** A resource from outside the stack that CAPZ's controllers use, with the role that they need on it. */
export interface ForeignNeed {
  readonly path: string;
  readonly key: string;
  readonly what: string;
  readonly id: string;
  readonly apiVersion: string;
  /** Whether it must be in the region of the machines. */
  readonly regional: boolean;
  readonly role: string;
  readonly action: string;
}

export interface ImageNeed {
  readonly path: string;
  readonly image: CapzImage;
}

/** A Windows pool with `hybridBenefit: true`. */
export interface LicensedNeed {
  readonly path: string;
  readonly name: string;
  readonly kind: PoolKind;
  readonly scaleSet: string;
}

export interface Needs {
  readonly clusterName: string;
  /** Whether the stack makes a workload cluster; what only that needs is not asked otherwise. */
  readonly workload: boolean;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  readonly resourceGroup: string;
  readonly makesAks: boolean;
  readonly machines: readonly MachineNeed[];
  readonly images: readonly ImageNeed[];
  readonly licensed: readonly LicensedNeed[];
  readonly providers: readonly string[];
  /** Features of resource providers that a subscription must register. */
  readonly features: readonly { readonly namespace: string; readonly name: string; readonly path: string }[];
  readonly foreign: readonly ForeignNeed[];
  /** ARM IDs of the registries on which the stack assigns a role. */
  readonly registries: readonly string[];
  /** ARM IDs of the disk encryption sets on which the stack assigns a role. */
  readonly diskSets: readonly string[];
  /** ARM IDs of versions of keys by which API servers encrypt; the stack assigns a role on each key. */
  readonly keyVaultKeys: readonly string[];
  /**
   * The identity of CAPZ's controllers: the principal of an existing one, or the ARM ID of the one that the stack
   * makes.
   */
  readonly controllers: { readonly principalId?: string | undefined; readonly made?: string | undefined };
  /** ARM ID of the identity of the control plane, which the stack always makes. */
  readonly controlPlaneIdentity: string;
  /** A VNET of others; `vnet` and `subnets` are then not made. */
  readonly existing: ExistingNetworkNeed | undefined;
  /** Without a public address. */
  readonly apiServer: PrivateApiServerNeed | undefined;
  /** The VNET of an AKS cluster of the stack, where it is not AKS's own. */
  readonly aksNetwork: ManagementNetworkNeed | undefined;
  /** The way out of the VNET that the stack makes. */
  readonly outbound: OutboundArgs | undefined;
  /** VNETs with which that of the stack is peered, by name. */
  readonly peerings: Readonly<Record<string, Peering>>;
  /** Whether the stack makes an Azure Bastion, or the ARM ID of the one of others. */
  readonly bastion: { readonly made: boolean; readonly id: string | undefined };
  readonly vnet: { readonly name: string; readonly cidr: string };
  readonly subnets: readonly { readonly name: string; readonly cidr: string; readonly key: string }[];
  /** Nothing where the API server has no public name. */
  readonly dnsLabel: string | undefined;
  readonly publicIp: string;
  readonly aksVersion?: string | undefined;
  readonly aksGroup: string;
  readonly aksNodeGroup: string;
  /** Networks that have access, by key of the stack file; an empty list means every network. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  readonly manifests: readonly PinnedManifest[];
  readonly charts: readonly string[];
  /** What installs Cluster API and has a digest in the stack file. */
  readonly artifacts: readonly (Artifact & { readonly sha256: string })[];
}

const imageNeed = ({ path, image, node, version }: NodeImage): ImageNeed => ({
  path,
  image: capzImage(image, node, version),
});

function machinesOf(settings: Settings): MachineNeed[] {
  const all = allMachines(settings);
  return isManagementOnly(settings) ? all.filter(({ path }) => path === "management") : all;
}

function allMachines(settings: Settings): MachineNeed[] {
  const { controlPlane, management } = settings;
  const plain = { zones: [], spot: false, encryptionAtHost: false };
  return [
    ...(management.kind === "aks"
      ? [{ path: "management", vmSize: management.nodeSize, ...plain, zones: management.zones }]
      : []),
    { path: "controlPlane", vmSize: controlPlane.vmSize, ...plain },
    ...poolsOf(settings).map(({ path, pool: { vmSize, zones, osDiskGB, ...pool } }): MachineNeed => ({
      ...{ path, vmSize, zones },
      spot: pool.spot !== undefined,
      encryptionAtHost: pool.encryptionAtHost === true,
      ephemeral: pool.ephemeralOsDisk && { placement: pool.ephemeralOsDisk, diskGB: osDiskGB },
    })),
  ];
}

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

function foreignOf(settings: Settings, images: readonly ImageNeed[]): ForeignNeed[] {
  const pools = poolsOf(settings);
  const { keyVaultIdentity, enabled } = settings.addons.gmsa;
  const all: ForeignNeed[] = [
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

const licensedOf = (settings: Settings): LicensedNeed[] =>
  windowsPoolsOf(settings).flatMap(({ path, name, pool: { kind, hybridBenefit } }) =>
    hybridBenefit === true ? [{ path, name, kind, scaleSet: scaleSetName(name, "windows") }] : [],
  );

export function needsOf(settings: Settings): Needs {
  const { azure, clusterName, management, access, network, platform } = settings;
  const identity = { clusterName, ...azure };
  const makesAks = management.kind === "aks";
  const machines = machinesOf(settings);
  const workload = !isManagementOnly(settings);
  const images = workload ? nodeImages(settings).map(imageNeed) : [];
  const names = networkNames(clusterName);
  const given = settings.clusterApi.identity;
  const calico = settings.addons.calicoVersion ?? defaultCalicoVersion(settings.kubernetesVersion);
  return {
    ...{ subscriptionId: azure.subscriptionId, tenantId: azure.tenantId, location: azure.location },
    ...{ workload, clusterName, resourceGroup: azure.resourceGroup, makesAks },
    ...{ machines, images, licensed: licensedOf(settings) },
    providers: [
      ...["Microsoft.Compute", "Microsoft.Network", "Microsoft.ManagedIdentity", "Microsoft.Storage"],
      ...(makesAks ? ["Microsoft.ContainerService"] : []),
    ],
    features: machines
      .filter(({ encryptionAtHost }) => encryptionAtHost)
      .slice(0, 1)
      .map(({ path }) => ({ namespace: "Microsoft.Compute", name: "EncryptionAtHost", path })),
    foreign: foreignOf(settings, images),
    registries: settings.azureContainerRegistries,
    diskSets: diskSetsWithRole(settings),
    keyVaultKeys: Object.values(settings.controlPlane.encryption?.keyVaultKeys ?? {}),
    controllers: given
      ? { principalId: given.principalId }
      : { made: identityId(azure.subscriptionId, azure.resourceGroup, `${clusterName}-capz`) },
    controlPlaneIdentity: identityId(
      azure.subscriptionId,
      azure.resourceGroup,
      controlPlaneName(clusterName),
    ),
    existing: existingNetworkOf(settings),
    apiServer: workload ? privateApiServerOf(settings) : undefined,
    aksNetwork: managementNetworkOf(settings),
    outbound: network.outbound,
    peerings: network.peerings,
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
    dnsLabel: network.apiServer === undefined ? apiServerHost(identity).split(".")[0] : undefined,
    publicIp: apiServerPublicIpName(clusterName),
    aksVersion: management.kind === "aks" ? management.kubernetesVersion : undefined,
    aksGroup: managementNames(clusterName).resourceGroup,
    aksNodeGroup: managementNames(clusterName).nodeResourceGroup,
    allowed: {
      ...(workload ? { "access.allowedCidrs": access.allowedCidrs } : {}),
      ...(management.kind === "aks" ? { "management.authorizedCidrs": management.authorizedCidrs } : {}),
    },
    manifests: workload && platform.cni === "calico" ? [calicoOperatorManifest(calico)] : [],
    charts: settings.clusterApi.install
      ? Object.values(chartRepositories).map((repository) => `${repository}/index.yaml`)
      : [],
    artifacts: withDigests(settings.clusterApi),
  };
}
