import type { BlindFault } from "./blindFault";
import { appWith } from "./pods";

/** Second batch, chosen from reports of users of AKS, CAPZ and the drivers: volumes of Windows Pods. */

const smb = (output: string): string =>
  `MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = volume(sick#account#share) mount \\\\account.file.core.windows.net\\share on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\9d2a\\globalmount failed with NewSmbGlobalMapping failed. output: ${output}`;

export const secondVolumes: readonly BlindFault[] = [
  {
    name: "no process can start any more: the desktop heap of the services is used up",
    source: "kubernetes-sigs/azuredisk-csi-driver#2082",
    make: (p) => appWith(p, "FailedMount", smb('"", err: exit status 0xc0000142')),
    cause: /process|heap/i,
    remedy: /restart|reboot|replace/i,
  },
];
