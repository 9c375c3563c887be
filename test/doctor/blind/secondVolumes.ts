import type { BlindFault } from "./blindFault";
import { appWith, unschedulable } from "./pods";

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

  {
    name: "the disk is in a zone without nodes for the Pod",
    source: "kubernetes-sigs/azuredisk-csi-driver#561",
    make: (p) =>
      unschedulable(
        p,
        p.pod("workload", "shop", "db-0"),
        "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) had volume node affinity conflict.",
      ),
    cause: /zone/i,
    remedy: /zone/i,
  },

  {
    name: "the driver runs on no Windows node",
    source: "kubernetes, CSINode; kubernetes-sigs/azuredisk-csi-driver, troubleshooting",
    make: (p) => {
      p.remove("workload", ({ metadata }) => metadata.name.startsWith("csi-azuredisk-node-win"));
      appWith(
        p,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-77aa" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.azure.com not found in the list of registered CSI drivers',
      );
    },
    cause: /driver/i,
    remedy: /addons\.|azureDisk|daemonset|csi-azuredisk/i,
  },
];
