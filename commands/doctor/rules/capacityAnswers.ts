import { answered } from "./answers";
import { azureDocs } from "./kinds";
import { replaceMachinesOfPool } from "./commands";
import type { Rule } from "./rule";

/** Azure's answers about the number of machines, their VM size, and what the size does not support. */

const azure = answered("azure", `${azureDocs}/common-deployment-errors`);
const vmErrors = "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/error-messages";
const sizes = 'az vm list-skus --location {location} --size SIZE --query "[0].capabilities" -o table';

export const capacityAnswers: readonly Rule[] = [
  azure({
    id: "allocation-constraints",
    symptom: "OverconstrainedAllocationRequest or OverconstrainedZonalAllocationRequest",
    cause:
      "Azure has no machine in {location} that meets all requirements at once: the size together with the zone, an ephemeral disk, accelerated networking or spot. This is not about quota.",
    remedy: [
      'capz-windows:windowsPools: {{pool}: {zones: ["1", "2", "3"]}}   # or without zones: fewer requirements leave more to choose from',
      "capz-windows:windowsPools: {{pool}: {vmSize: ANOTHER-SIZE}}",
      "Leave out ephemeral OS disks, spot or accelerated networking, whichever the message lists.",
    ],
    source: "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/allocation-failure",
    text: /Overconstrained(?:Zonal)?AllocationRequest|following constraints cannot be allocated/,
  }),
  azure({
    id: "quota-regional",
    symptom: "OperationNotAllowed: exceeding approved Total Regional Cores quota",
    cause:
      "The quota of all cores in {location}, of all sizes together (Total Regional vCPUs), is used up: {limit} are approved, {used} in use, {required} more needed.",
    remedy: [
      "az quota update --resource-name cores --scope /subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location} --limit-object value={newLimit}   # or in the portal: Quotas; another size does not help",
      "capz-windows:windowsPools: {POOL: {replicas: FEWER}}   # any pool, because all sizes count",
      "az vm list-usage --location {location} --query \"[?name.value=='cores']\" -o table",
    ],
    source: `${azureDocs}/error-resource-quota`,
    text: /exceeding approved Total Regional (?:Cores|vCPUs) quota(?:.*?Current Limit: (?<limit>\d+))?(?:.*?Current Usage: (?<used>\d+))?(?:.*?Additional Required: (?<required>\d+))?(?:.*?New Limit Required: (?<newLimit>\d+))?/s,
  }),
  azure({
    id: "size-unknown",
    symptom: "SKUNotFound, or: the VM size is not valid, or not available in the current region",
    cause: "The VM size {size} does not exist in {location}, or is not available to this subscription.",
    remedy: [
      "az vm list-skus --location {location} --size {size} --all -o table",
      "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}",
      "kubectl rollout restart deployment/capz-controller-manager -n capz-system   # CAPZ keeps the list of sizes for a day",
    ],
    source: `CAPZ v1.27.0 azure/services/resourceskus/cache.go; ${vmErrors}`,
    text: /(?:resource sku with name '|requested VM size |The value )(?<size>\w+)(?:' and category '[^']+' not found| is not available in the current region| provided for the VM size is not valid)/,
  }),
  azure({
    id: "size-in-allocation",
    symptom:
      "the requested VM size is not available in the existing allocation unit, or in the cluster of the availability set",
    cause:
      "The hardware that the machines of the same availability set or allocation run on does not have the new size. A machine of its own would find it elsewhere.",
    remedy: [
      replaceMachinesOfPool,
      "capz-windows:windowsPools: {NEW-POOL: {vmSize: THE-NEW-SIZE}}   # a pool of its own; then remove the old one",
    ],
    source: "https://aka.ms/azure-resizevm",
    text: /not be available in the existing allocation unit|cluster where the availability set is currently allocated|SizeNotAvailableInCluster/,
  }),
  azure({
    id: "scale-set-limit",
    symptom: "a scale set cannot have more than 100, or 1000, instances",
    cause: "One scale set does not take as many machines as the pool asks for: {why}.",
    remedy: ["capz-windows:windowsPools: {{pool}: {replicas: FEWER}, SECOND-POOL: {replicas: THE-REST}}"],
    source:
      "https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-placement-groups",
    text: /cannot have more than \d+ (?:instances|virtual machines)|singlePlacementGroup[^"]*(?:100|not allowed|cannot)/i,
  }),
  azure({
    id: "spot-price",
    symptom: "the provided max price is lower than the current spot price",
    cause: "The highest price that the pool allows for spot machines is below Azure's present price: {why}.",
    remedy: [
      'capz-windows:windowsPools: {{pool}: {spot: {maxPrice: "HIGHER"}}}   # or without maxPrice: up to the price on demand. A new pool: it cannot change',
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
    text: /lower than the current spot price|MaxPriceExceeded/i,
  }),
  azure({
    id: "accelerated-networking",
    symptom: "VMSizeIsNotPermittedToEnableAcceleratedNetworking",
    cause: "The VM size does not have accelerated networking, and the pool asks for it.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {acceleratedNetworking: false}}",
      "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}",
      sizes,
    ],
    source: "https://learn.microsoft.com/azure/virtual-network/accelerated-networking-overview",
    text: /VMSizeIsNotPermittedToEnableAcceleratedNetworking|not permitted to enable accelerated networking|AcceleratedNetworkingNotSupported/i,
  }),
  azure({
    id: "disk-type-size",
    symptom: "the VM size does not support the storage account type ... of disk",
    cause:
      "The VM size cannot use disks of the type {type}: sizes without an `s` in their name have no premium storage.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {osDiskType: StandardSSD_LRS}}",
      "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}",
    ],
    source: vmErrors,
    text: /does not support (?:the )?storage account type (?<type>\w+)|(?:storage account|disk) type '?(?<type2>\w+)'? is not supported/i,
  }),
  azure({
    id: "machine-disks",
    symptom: "the maximum number of data disks allowed to be attached to a VM of this size",
    cause: "The machine has more data disks than its size takes, which is {disks}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-WITH-MORE-DATA-DISKS}}",
      "capz-windows:windowsPools: {{pool}: {dataDisks: []}}   # fewer of them",
      sizes,
    ],
    source: vmErrors,
    text: /maximum number of data disks allowed to be attached to a VM of this size is (?<disks>\d+)/,
  }),
  azure({
    id: "machine-interfaces",
    symptom: "NetworkInterfaceCountExceeded",
    cause: "The VM size takes fewer network interfaces than the machine has: {why}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-WITH-MORE-INTERFACES}}",
      "capz-windows:windowsPools: {{pool}: {additionalNetworkInterfaces: []}}   # fewer of them",
      sizes,
    ],
    text: /NetworkInterfaceCountExceeded|number of network interfaces for virtual machine \S+ exceeds/,
  }),
  azure({
    id: "ultra-disk",
    symptom:
      "StorageAccountType UltraSSD_LRS can be used only when additionalCapabilities.ultraSSDEnabled is set",
    cause: "A disk is of the type Ultra or Premium v2, and the machine was not made for such disks.",
    remedy: [
      "additionalCapabilities: {ultraSSDEnabled: true}   # in the machine's template (overrides); new machines have it",
      "capz-windows:windowsPools: {{pool}: {osDiskType: Premium_LRS}}",
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/disks-enable-ultra-ssd",
    text: /UltraSSD_LRS can be used only|ultraSSDEnabled/,
  }),
];
