import type { Case } from "./ruleCases";

const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const set =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/p/providers/Microsoft.Compute/diskEncryptionSets/own";

/** Options of machines that Azure or CAPZ refuse together. */
export const machineOptionCases: readonly Case[] = [
  [
    "an ephemeral OS disk on a size without a local disk",
    win1({ ephemeralOsDisk: "ResourceDisk" }),
    "windowsPools.win1.ephemeralOsDisk: Standard_D4s_v5 has no local disk, so CAPZ creates no machine of this size with an ephemeral OS disk",
    win1({ ephemeralOsDisk: "ResourceDisk", vmSize: "Standard_D4ds_v5" }),
  ],
  [
    "an ephemeral OS disk larger than the disk that it is on",
    win1({ ephemeralOsDisk: "ResourceDisk", vmSize: "Standard_D4ds_v5", osDiskGB: 151 }),
    "windowsPools.win1.ephemeralOsDisk: the temporary disk of Standard_D4ds_v5 has 150 GiB, and the OS disk 151",
    win1({ ephemeralOsDisk: "ResourceDisk", vmSize: "Standard_D4ds_v5", osDiskGB: 150 }),
  ],
  [
    "an ephemeral OS disk of a type",
    win1({ ephemeralOsDisk: "CacheDisk", vmSize: "Standard_D8s_v3", osDiskType: "Premium_LRS" }),
    "windowsPools.win1.osDiskType: an ephemeral OS disk has no type: it is on the machine's host",
    win1({ ephemeralOsDisk: "CacheDisk", vmSize: "Standard_D8s_v3" }),
  ],
  [
    "an ephemeral OS disk with a key of one's own",
    win1({ ephemeralOsDisk: "CacheDisk", vmSize: "Standard_D8s_v3", diskEncryptionSetId: set }),
    "windowsPools.win1.diskEncryptionSetId: CAPZ refuses a disk encryption set for an ephemeral OS disk",
    win1({ diskEncryptionSetId: set }),
  ],
  [
    "an ephemeral OS disk that is to survive an eviction",
    win1({
      ephemeralOsDisk: "ResourceDisk",
      vmSize: "Standard_D4ds_v5",
      spot: { evictionPolicy: "Deallocate" },
    }),
    "windowsPools.win1.spot.evictionPolicy: a machine with an ephemeral OS disk cannot be deallocated: the disk would be lost",
    win1({ ephemeralOsDisk: "ResourceDisk", vmSize: "Standard_D4ds_v5", spot: {} }),
  ],
  [
    "notice for machines that are in no scale set",
    win1({ kind: "MachineDeployment", terminationNoticeMinutes: 5 }),
    "windowsPools.win1.terminationNoticeMinutes: only machines of a scale set get notice; CAPZ has no such field for single machines",
    win1({ terminationNoticeMinutes: 5 }),
  ],
  [
    "an invalid price of a spot machine",
    win1({ spot: { maxPrice: "0.0" } }),
    "windowsPools.win1.spot.maxPrice: invalid format",
    win1({ spot: { maxPrice: "0.012" } }),
  ],
  [
    "a size without premium disks under a premium OS disk",
    win1({ vmSize: "Standard_D4_v5" }),
    "windowsPools.win1.vmSize: a size that takes no premium disks, and the OS disk of each node is one (Premium_LRS)",
    win1({ vmSize: "Standard_D4_v5", osDiskType: "StandardSSD_LRS" }),
  ],
];
