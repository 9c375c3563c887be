import { distinctSets } from "../domain/azure/diskEncryptionSets";
import type { Settings } from "./settings";

/** Disk encryption sets that the control plane must be able to read: the CSI driver for Azure disks runs there. */
export const diskSetsWithRole = ({ addons, linuxPools, windowsPools }: Settings): string[] =>
  addons.azureDisk.enabled
    ? distinctSets(
        [...Object.values(linuxPools), ...Object.values(windowsPools)].map(
          ({ diskEncryptionSetId }) => diskEncryptionSetId,
        ),
      )
    : [];
