import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { runScript, scriptFile } from "./windowsScript";

/** A data disk as a node uses it. Its LUN is its place in the list. */
export interface NodeDisk {
  /** Label of its file system. */
  readonly name: string;
  /** Linux: the folder. */
  readonly mountPath?: string | undefined;
  /** Windows: the drive, one letter. */
  readonly letter?: string | undefined;
}

/** Device path of a data disk by its LUN. VM sizes with NVMe disk controllers have another one; use SCSI sizes. */
export const deviceOfLun = (lun: number): string => `/dev/disk/azure/scsi1/lun${lun}`;

/** Lazy initialization returns at once instead of after the whole disk has been written. */
export const lazyExt4 = ["-E", "lazy_itable_init=1,lazy_journal_init=1"];

/**
 * cloud-init partitions and formats each disk that is empty, and mounts it before `kubeadm join`. The values are those of
 * CAPZ's templates for etcd's disk.
 */
export const linuxDisks = (
  disks: readonly NodeDisk[] = [],
): Pick<KubeadmConfigSpec, "diskSetup" | "mounts"> =>
  disks.length === 0
    ? {}
    : {
        diskSetup: {
          partitions: disks.map((_, lun) => ({
            device: deviceOfLun(lun),
            layout: true,
            overwrite: false,
            tableType: "gpt",
          })),
          filesystems: disks.map(({ name }, lun) => ({
            device: deviceOfLun(lun),
            filesystem: "ext4",
            label: name,
            extraOpts: lazyExt4,
          })),
        },
        mounts: disks.map(({ name, mountPath = "" }) => [`LABEL=${name}`, mountPath]),
      };

const script = "initialize-data-disks.ps1";

/** cloudbase-init knows no disks: a script gives each its letter before `kubeadm join`. */
export const windowsDisks = (
  disks: readonly NodeDisk[] = [],
): { readonly files: readonly BootstrapFile[]; readonly preKubeadmCommands: readonly string[] } =>
  disks.length === 0
    ? { files: [], preKubeadmCommands: [] }
    : {
        files: [scriptFile(script)],
        preKubeadmCommands: [
          `${runScript(`C:/${script}`)} -Disks ${disks
            .map(({ name, letter = "" }, lun) => `${lun}=${letter}=${name}`)
            .join(",")}`,
        ],
      };
