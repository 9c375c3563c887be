import { at, list, numberAt, text, textAt } from "capz-windows-kit/untyped";
import { fixed, type Clusters } from "./quota";
import { isOfType, ofType, type PlanResources } from "./resources";
import type { BillItem, ClusterModel, NodeRange } from "./types";

/** What of a stack Azure bills by time, whatever it does: machines, disks, addresses and gateways. */

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
    ? `disk of type ${type || "unknown"} with ${gib ?? "unknown"} GiB`
    : `${type} ${letter}${found.tier}`;
}

/** The VMs and disks of machines; ephemeral disks are part of the VM. */
function machineItems(
  resources: PlanResources,
  owner: string,
  {
    vmSize,
    system,
    count,
    urn,
  }: { vmSize: string; system: string; count: NodeRange; urn?: string | undefined },
): BillItem[] {
  const infrastructure = resources.find((resource) => resource.urn === urn);
  const template = at(infrastructure?.inputs, "spec", "template");
  const isTemplate = infrastructure !== undefined && isOfType(infrastructure, "AzureMachineTemplate");
  const machine = isTemplate ? at(template, "spec") : template;
  const disk = (role: string, description: unknown): BillItem => {
    const type = textAt(description, "managedDisk", "storageAccountType");
    return { owner, role, count, price: diskPrice(type, numberAt(description, "diskSizeGB")) };
  };
  const items: BillItem[] = [{ owner, role: "machines", count, price: `${vmSize} ${system}` }];
  const osDisk = at(machine, "osDisk");
  if (osDisk !== undefined && at(osDisk, "diffDiskSettings") === undefined) {
    items.push(disk("OS disks", osDisk));
  }
  return [
    ...items,
    ...list(at(machine, "dataDisks")).map((one) => disk(`disks ${text(one.nameSuffix)}`, one)),
  ];
}

function networkItems(resources: PlanResources, addresses: number): BillItem[] {
  const counts: readonly (readonly [role: string, count: number, price: string])[] = [
    ["public addresses", addresses, "public IPv4 address"],
    ["NAT gateway", ofType(resources, "NatGateway").length, "NAT gateway"],
    ["bastion", ofType(resources, "BastionHost").length, "Azure Bastion Standard"],
  ];
  return counts.map(([role, count, price]) => ({ owner: "network", role, count: fixed(count), price }));
}

/** The price of a Windows VM includes the licence, unless the pool brings its own. */
export function readBill(
  resources: PlanResources,
  { management: { aks }, controlPlane, pools, quota }: Clusters & Pick<ClusterModel, "quota">,
): BillItem[] {
  const items: BillItem[] = [];
  if (aks !== undefined) {
    const { vmSize, nodes } = aks;
    items.push(...machineItems(resources, "management cluster", { vmSize, system: "Linux", count: nodes }));
  }
  if (controlPlane !== undefined) {
    const { vmSize, replicas, members } = controlPlane;
    const machines = { vmSize, system: "Linux", count: fixed(replicas), urn: members.infrastructure };
    items.push(...machineItems(resources, "control plane", machines));
  }
  for (const { name, os, vmSize, replicas, autoscale, spot, access, members } of pools) {
    const licensed = os === "windows" && access.hybridBenefit === undefined ? "Windows" : "Linux";
    const system = spot === true ? `${licensed} spot` : licensed;
    const count = autoscale ?? fixed(replicas);
    const machines = { vmSize, system, count, urn: members.infrastructure };
    items.push(...machineItems(resources, `pool ${name}`, machines));
  }
  items.push(...networkItems(resources, quota.publicAddresses));
  return items.filter(({ count }) => count.max > 0);
}
