import type { PoolFacts, StackFacts } from "capz-windows-contract";
import { managementNames } from "capz-windows-platform/azure/aks";
import { distinctSets } from "capz-windows-platform/azure/diskEncryptionSets";
import {
  apiServerHost,
  apiServerPublicIpName,
  controlPlaneName,
  identityId,
  networkNames,
} from "capz-windows-platform/cluster/naming";
import { bastionSubnetName } from "capz-windows-platform/network/bastion";
import type { CapzImage } from "capz-windows-platform/machines/images";
import { present } from "capz-windows-kit/present";
import { existingNetworkOf } from "./existingNetwork";
import { managementNetworkOf } from "./managementNetwork";
import { privateApiServerOf } from "./privateApiServer";

/** What `pulumi up` needs from Azure, as far as the stack file alone says so; the rest is in the plan. */

/** Machines of one kind: those of AKS, of the control plane or of a pool. */
export type MachineNeed = Pick<
  PoolFacts,
  "path" | "vmSize" | "zones" | "spot" | "encryptionAtHost" | "ephemeralOsDisk"
>;

/** The image of the control plane or of a pool. */
export interface ImageNeed {
  readonly path: string;
  readonly image: CapzImage;
}

function machinesOf({ controlPlane, hasWorkload, management, pools }: StackFacts): MachineNeed[] {
  const plain = { zones: [], spot: false, encryptionAtHost: false };
  const aks = management.kind === "aks" && {
    ...{ path: "management", vmSize: management.nodeSize, ...plain, zones: management.zones },
  };
  if (!hasWorkload) {
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

function foreignOf({ addons, pools, subscriptionId }: StackFacts, images: readonly ImageNeed[]) {
  const { gmsaIdentity } = addons;
  // `regional`: it must be in the region of the machines.
  const all = [
    // Before those of the pools, which also get this identity; the first path is the one that is reported.
    ...(gmsaIdentity === undefined
      ? []
      : [
          {
            ...{ path: "addons.gmsa", key: "keyVaultIdentity", id: gmsaIdentity, regional: false },
            ...identityRole,
          },
        ]),
    ...pools.flatMap(({ path, diskEncryptionSetId: id }) =>
      id === undefined ? [] : [{ path, key: "diskEncryptionSetId", id, regional: true, ...diskSetRole }],
    ),
    ...pools.flatMap(({ path, identityIds }) =>
      identityIds.map((id) => ({ path, key: "identityIds", id, regional: false, ...identityRole })),
    ),
    ...images.flatMap((need) => {
      const id = galleryOf(need);
      // The controllers have the role Reader on the stack's subscription.
      return id === undefined || id.startsWith(`/subscriptions/${subscriptionId}/`)
        ? []
        : [{ path: need.path, key: "image", id, regional: false, ...galleryRole }];
    }),
  ];
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

export type Needs = ReturnType<typeof needsOf>;

export function needsOf(facts: StackFacts) {
  const { subscriptionId, tenantId, resourceGroup, location } = facts;
  const { clusterName, clusterApi, management, addons, network, pools, hasWorkload: workload } = facts;
  const makesAks = management.kind === "aks";
  const machines = machinesOf(facts);
  const images: ImageNeed[] = workload
    ? [{ path: "controlPlane", image: facts.controlPlane.image }, ...pools]
    : [];
  const names = networkNames(clusterName);
  const readsDisks = addons.storageClasses.some(({ addon }) => addon === "azureDisk");
  return {
    ...{ subscriptionId, tenantId, location },
    /** Whether the stack makes a workload cluster; what only that needs is not asked otherwise. */
    workload,
    ...{ clusterName, resourceGroup, makesAks },
    ...{ machines, images },
    providers: [
      ...["Microsoft.Compute", "Microsoft.Network", "Microsoft.ManagedIdentity", "Microsoft.Storage"],
      ...(makesAks ? ["Microsoft.ContainerService"] : []),
    ],
    /** Features of resource providers that a subscription must register. */
    features: machines
      .filter(({ encryptionAtHost }) => encryptionAtHost)
      .slice(0, 1)
      .map(({ path }) => ({ namespace: "Microsoft.Compute", name: "EncryptionAtHost", path })),
    foreign: foreignOf(facts, images),
    /** ARM IDs of the registries, and of the disk encryption sets, on which the stack assigns a role. */
    registries: facts.azureContainerRegistries,
    diskSets: readsDisks ? distinctSets(pools.map((pool) => pool.diskEncryptionSetId)) : [],
    /** ARM IDs of versions of keys by which API servers encrypt; the stack assigns a role on each key. */
    keyVaultKeys: Object.values(facts.controlPlane.encryption?.keyVaultKeys ?? {}),
    /** The identity of CAPZ's controllers: the principal of an existing one, or the ARM ID of the one that the stack makes. */
    controllers: {
      principalId: clusterApi.identity?.principalId,
      made: clusterApi.identity
        ? undefined
        : identityId(subscriptionId, resourceGroup, `${clusterName}-capz`),
    },
    /** ARM ID of the identity of the control plane, which the stack always makes. */
    controlPlaneIdentity: identityId(subscriptionId, resourceGroup, controlPlaneName(clusterName)),
    /** A VNET of others; `vnet` and `subnets` are then not made. */
    existing: existingNetworkOf(facts),
    /** Without a public address. */
    apiServer: workload ? privateApiServerOf(facts) : undefined,
    /** The VNET of an AKS cluster of the stack, where it is not AKS's own. */
    aksNetwork: managementNetworkOf(facts),
    /** The way out of the VNET that the stack makes, and the VNETs with which it is peered, by name. */
    ...{ outbound: network.outbound, peerings: network.peerings },
    makesBastion: network.bastion?.kind === "stack",
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
    dnsLabel:
      network.apiServer === undefined
        ? apiServerHost({ clusterName, subscriptionId, resourceGroup, location }).split(".")[0]
        : undefined,
    publicIp: apiServerPublicIpName(clusterName),
    aksGroup: managementNames(clusterName).resourceGroup,
    aksNodeGroup: managementNames(clusterName).nodeResourceGroup,
    /** Networks that have access, by key of the stack file; an empty list means every network. */
    allowed: {
      ...(workload ? { "access.allowedCidrs": network.allowedCidrs } : {}),
      ...(management.kind === "aks" ? { "management.authorizedCidrs": management.authorizedCidrs } : {}),
    } as Readonly<Record<string, readonly string[]>>,
  };
}
