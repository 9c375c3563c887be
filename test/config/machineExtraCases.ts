import type { Case } from "./ruleCases";

const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const linux1 = (pool: object) => ({ linuxPools: { linux1: pool } });
const own = {
  image: { id: "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/images/second-generation" },
};
const disk = { name: "data", sizeGB: 64, letter: "F" };

/** Data disks, Trusted Launch and VM extensions. */
export const machineExtraCases: readonly Case[] = [
  [
    "two disks with one letter",
    win1({ dataDisks: [disk, { ...disk, name: "logs" }] }),
    "windowsPools.win1.dataDisks[1]: another disk has the same letter",
    win1({ dataDisks: [disk, { ...disk, name: "logs", letter: "G" }] }),
  ],
  [
    "two disks with one name",
    linux1({
      dataDisks: [
        { name: "data", sizeGB: 64, mountPath: "/a" },
        { name: "data", sizeGB: 64, mountPath: "/b" },
      ],
    }),
    "linuxPools.linux1.dataDisks[1]: another disk has the same name",
    linux1({
      dataDisks: [
        { name: "data", sizeGB: 64, mountPath: "/a" },
        { name: "more", sizeGB: 64, mountPath: "/b" },
      ],
    }),
  ],
  [
    "a letter that Windows uses",
    win1({ dataDisks: [{ ...disk, letter: "D" }] }),
    "windowsPools.win1.dataDisks[0].letter: invalid format",
    win1({ dataDisks: [disk] }),
  ],
  [
    "a folder that hides what a node needs",
    linux1({ dataDisks: [{ name: "data", sizeGB: 64, mountPath: "/var/lib/containerd" }] }),
    "linuxPools.linux1.dataDisks[0]: /var/lib/containerd is in use before the disk is mounted, and the mount would hide its contents",
    linux1({ dataDisks: [{ name: "data", sizeGB: 64, mountPath: "/var/lib/kubelet" }] }),
  ],
  [
    "a folder of the system itself",
    linux1({ dataDisks: [{ name: "data", sizeGB: 64, mountPath: "/mnt" }] }),
    "linuxPools.linux1.dataDisks[0]: /mnt is in use before the disk is mounted, and the mount would hide its contents",
    linux1({ dataDisks: [{ name: "data", sizeGB: 64, mountPath: "/mnt/data" }] }),
  ],
  [
    "a premium disk of a size that takes none",
    win1({ vmSize: "Standard_D4_v3", osDiskType: "StandardSSD_LRS", dataDisks: [disk] }),
    "windowsPools.win1.dataDisks[0]: Standard_D4_v3 takes no premium disks",
    win1({
      vmSize: "Standard_D4_v3",
      osDiskType: "StandardSSD_LRS",
      dataDisks: [{ ...disk, type: "StandardSSD_LRS" }],
    }),
  ],
  [
    "more disks than a size takes",
    win1({
      vmSize: "Standard_D2s_v5",
      dataDisks: ["a", "b", "c", "d", "e"].map((name, index) => ({
        name,
        sizeGB: 4,
        letter: "FGHIJ".charAt(index),
      })),
    }),
    "windowsPools.win1.dataDisks: Standard_D2s_v5 takes at most 4 data disks",
    win1({
      vmSize: "Standard_D2s_v5",
      dataDisks: ["a", "b", "c", "d"].map((name, index) => ({
        name,
        sizeGB: 4,
        letter: "FGHI".charAt(index),
      })),
    }),
  ],
  [
    "data disks on a size with NVMe",
    win1({ ...own, vmSize: "Standard_D4s_v6", dataDisks: [disk] }),
    "windowsPools.win1.dataDisks: Standard_D4s_v6 has NVMe disks, and nodes find their data disks by SCSI LUN",
    win1({ ...own, vmSize: "Standard_D4s_v5", dataDisks: [disk] }),
  ],
  [
    "Trusted Launch for a scale set",
    win1({ ...own, trustedLaunch: {} }),
    "windowsPools.win1.trustedLaunch: CAPZ v1.27 sends Trusted Launch for single machines only, and not for scale sets",
    win1({ ...own, kind: "MachineDeployment", trustedLaunch: {} }),
  ],
  [
    "Trusted Launch with a reference image",
    win1({ kind: "MachineDeployment", trustedLaunch: {} }),
    "windowsPools.win1.trustedLaunch: Trusted Launch needs an image of Hyper-V generation 2, and the reference images are of generation 1",
    win1({ ...own, kind: "MachineDeployment", trustedLaunch: { vTpm: false } }),
  ],
  [
    "Trusted Launch with nothing in it",
    win1({ ...own, kind: "MachineDeployment", trustedLaunch: { vTpm: false, secureBoot: false } }),
    "windowsPools.win1.trustedLaunch: Trusted Launch needs secureBoot, vTpm or both",
    win1({ ...own, kind: "MachineDeployment", trustedLaunch: { secureBoot: false } }),
  ],
  [
    "an extension twice",
    win1({
      vmExtensions: [
        { name: "Agent", publisher: "Own", version: "1.0" },
        { name: "Agent", publisher: "Own", version: "1.1" },
      ],
    }),
    "windowsPools.win1.vmExtensions: invalid format",
    win1({ vmExtensions: [{ name: "Agent", publisher: "Own", version: "1.0" }] }),
  ],
  [
    "an extension with secrets",
    win1({
      vmExtensions: [{ name: "Agent", publisher: "Own", version: "1.0", protectedSettings: { key: "x" } }],
    }),
    "windowsPools.win1.vmExtensions[0].protectedSettings: secrets do not belong in a stack file, and anyone who reads the AzureMachinePool would see them",
    win1({ vmExtensions: [{ name: "Agent", publisher: "Own", version: "1.0", settings: { key: "x" } }] }),
  ],
];
