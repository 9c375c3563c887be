import { localDisk } from "../../../../platform/machines/localDisk";
import { vmCores, vmTraits } from "../../../../platform/machines/vmSizes";
import { at, list, numberAt, text, textAt } from "../../../../tools/untyped";
import { fixed, type Clusters } from "./quota";
import { isOfType, ofType, type PlanResources } from "./resources";
import { serviceReach } from "./serviceReach";
import type { BillItem, ClusterModel, NodeRange } from "./types";
import { present } from "../../../../tools/present";

/** What of a stack Azure bills by time, whatever it does. */

/**
 * Sizes in GiB of the tiers of managed disks; a disk is billed as the next larger tier. Standard HDDs begin with S4
 * (https://learn.microsoft.com/azure/virtual-machines/disks-types, billing).
 */
const diskTiers = [
  ...[1, 2, 3, 4, 6, 10, 15].map((tier, index) => ({ tier, gib: 4 * 2 ** index })),
  ...[20, 30, 40, 50, 60, 70, 80].map((tier, index) => ({ tier, gib: 512 * 2 ** index })),
];

const tierLetters: Readonly<Record<string, string>> = { Premium: "P", StandardSSD: "E", Standard: "S" };

/** "Premium_LRS P10"; types that are not billed in tiers have no price in a price list. */
export function diskPrice(type: string, gib: number | undefined): string {
  const letter = tierLetters[type.split("_")[0] ?? ""];
  const found = diskTiers.find(
    (each) => gib !== undefined && each.gib >= gib && (letter !== "S" || each.tier > 3),
  );
  return letter === undefined || found === undefined
    ? `disk of type ${type || "unknown"} with ${gib === undefined ? "unknown size" : `${gib} GiB`}`
    : `${type} ${letter}${found.tier}`;
}

const disk = (owner: string, role: string, count: NodeRange, description: unknown): BillItem => ({
  ...{ owner, role, count },
  price: diskPrice(
    textAt(description, "managedDisk", "storageAccountType"),
    numberAt(description, "diskSizeGB"),
  ),
});

/** The VMs and disks of machines; ephemeral disks are part of the VM. */
function machineItems(
  resources: PlanResources,
  owner: string,
  count: NodeRange,
  vmPrice: string,
  urn: string | undefined,
): BillItem[] {
  const infrastructure = resources.find((resource) => resource.urn === urn);
  const template = at(infrastructure?.inputs, "spec", "template");
  const machine =
    infrastructure !== undefined && isOfType(infrastructure, "AzureMachineTemplate")
      ? at(template, "spec")
      : template;
  const osDisk = at(machine, "osDisk");
  return [
    { owner, role: "machines", count, price: vmPrice },
    ...(at(osDisk, "diffDiskSettings") === undefined ? [disk(owner, "OS disks", count, osDisk)] : []),
    ...list(at(machine, "dataDisks")).map((one) => disk(owner, `disks ${text(one.nameSuffix)}`, count, one)),
  ];
}

/**
 * The OS disk that AKS gives its nodes by default: an ephemeral one where the VM's own disk has 128 GiB, else a managed
 * one by the number of vCPUs (https://learn.microsoft.com/azure/aks/concepts-storage, default OS disk sizing).
 */
function aksDisk(vmSize: string): string | undefined {
  const [local, cores] = [localDisk(vmSize), vmCores(vmSize)?.vcpus];
  if (typeof local === "number" && local >= 128) {
    return undefined;
  }
  return local === undefined || cores === undefined || vmTraits(vmSize)?.premium !== true
    ? `OS disk that AKS chooses for ${vmSize}`
    : diskPrice("Premium_LRS", cores < 8 ? 128 : cores < 16 ? 256 : cores < 64 ? 512 : 1024);
}

function managementItems({ management: { aks } }: Pick<ClusterModel, "management">): BillItem[] {
  if (aks === undefined) {
    return [];
  }
  const [owner, osDisk] = ["management cluster", aksDisk(aks.vmSize)];
  return [
    ...(aks.tier === "free" ? [] : [{ owner, role: "tier", count: fixed(1), price: `AKS ${aks.tier}` }]),
    { owner, role: "machines", count: aks.nodes, price: `${aks.vmSize} Linux` },
    ...(osDisk === undefined ? [] : [{ owner, role: "OS disks", count: aks.nodes, price: osDisk }]),
  ];
}

/** The price of a load balancer includes five rules; rules of NAT are free (Azure pricing page of Load Balancer). */
const includedRules = 5;

const balancerItems = (role: string, rules: number): BillItem[] =>
  present(
    { owner: "network", role, count: fixed(1), price: "load balancer" },
    !(rules <= includedRules) && {
      ...{ owner: "network", role: `${role}, more rules` },
      ...{ count: fixed(rules - includedRules), price: "load balancer rule beyond five" },
    },
  );

/** Services of the samples: all of one reach share a load balancer. */
function serviceItems(resources: PlanResources): BillItem[] {
  return (["internet", "network"] as const).flatMap((reach) => {
    const services = ofType(resources, "Service").filter(({ inputs }) => serviceReach(inputs) === reach);
    const ports = services.flatMap(({ inputs }) => list(at(inputs, "spec", "ports")));
    const role = `load balancer of Services for the ${reach === "internet" ? "Internet" : "VNET"}`;
    return services.length === 0 ? [] : balancerItems(role, ports.length);
  });
}

/** The types of disks of the storage classes that the program makes (addons/storage/azureDisk.ts). */
const classTypes: Readonly<Record<string, string>> = {
  "managed-csi": "StandardSSD_LRS",
  "managed-csi-premium": "Premium_LRS",
};

/** Volumes of the samples. */
const volumeItems = (resources: PlanResources): BillItem[] =>
  ofType(resources, "StatefulSet").flatMap(({ inputs: { metadata, spec } }) =>
    list(at(spec, "volumeClaimTemplates")).map((claim) => {
      const storageClass = textAt(claim, "spec", "storageClassName");
      const gib = /^(\d+)Gi$/.exec(textAt(claim, "spec", "resources", "requests", "storage"))?.[1];
      return {
        ...{ owner: `sample ${textAt(metadata, "name")}`, role: "volumes" },
        count: fixed(numberAt(spec, "replicas") ?? 1),
        price: diskPrice(
          classTypes[storageClass] ?? `of class ${storageClass}`,
          gib === undefined ? undefined : Number(gib),
        ),
      };
    }),
  );

function networkItems(resources: PlanResources, addresses: number): BillItem[] {
  const [owner, gateways] = ["network", ofType(resources, "NatGateway").length];
  const [azureCluster] = ofType(resources, "AzureCluster");
  const aks = ofType(resources, "ManagedCluster");
  const bastions = ofType(resources, "BastionHost").length;
  return present(
    // Rules of CAPZ's own: one for the API server, one outbound. AKS has one outbound.
    ...(azureCluster === undefined ? [] : balancerItems("load balancer of the API server", 2)),
    // With another way out AKS has a load balancer only for Services, and Cluster API has none.
    ...(aks.some(({ inputs }) => !/NAT|Routing/.test(textAt(inputs, "networkProfile", "outboundType")))
      ? balancerItems("load balancer of AKS", 1)
      : []),
    ...serviceItems(resources),
    addresses !== 0 && {
      owner,
      role: "public addresses",
      count: fixed(addresses),
      price: "public IPv4 address",
    },
    gateways !== 0 && { owner, role: "NAT gateway", count: fixed(gateways), price: "NAT gateway" },
    bastions !== 0 && { owner, role: "bastion", count: fixed(bastions), price: "Azure Bastion Standard" },
  );
}

/** The price of a Windows VM includes the licence, unless the pool brings its own. */
export function readBill(
  resources: PlanResources,
  { management, controlPlane, pools, quota }: Clusters & Pick<ClusterModel, "quota">,
): BillItem[] {
  return [
    ...managementItems({ management }),
    ...(controlPlane === undefined
      ? []
      : machineItems(
          ...([resources, "control plane", fixed(controlPlane.replicas)] as const),
          ...([`${controlPlane.vmSize} Linux`, controlPlane.members.infrastructure] as const),
        )),
    ...pools.flatMap(({ name, os, vmSize, replicas, autoscale, spot, access, members }) => {
      const system = os === "windows" && access.hybridBenefit === undefined ? "Windows" : "Linux";
      const vmPrice = `${vmSize} ${system}${spot === true ? " spot" : ""}`;
      const count = autoscale ?? fixed(replicas);
      return machineItems(resources, `pool ${name}`, count, vmPrice, members.infrastructure);
    }),
    ...networkItems(resources, quota.publicAddresses),
    ...volumeItems(resources),
  ].filter(({ count }) => count.max > 0);
}
