import type { BlindFault } from "./blindFault";
import { app, appWith, crashLoop, unschedulable } from "./pods";

/** Second batch, chosen from reports of users of AKS, CAPZ and the drivers: volumes of Windows Pods. */

const smb = (output: string): string =>
  `MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = volume(sick#account#share) mount \\\\account.file.core.windows.net\\share on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\9d2a\\globalmount failed with NewSmbGlobalMapping failed. output: ${output}`;

export const secondVolumes: readonly BlindFault[] = [
  {
    name: "the storage account cannot be reached by SMB",
    source: "kubernetes-csi/csi-driver-smb#294; aka.ms/filemounterror",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        smb(
          '"New-SmbGlobalMapping : The network path was not found. FullyQualifiedErrorId : Windows System Error 53,New-SmbGlobalMapping", err: exit status 1',
        ),
      ),
    cause: /445|reach|network/i,
    remedy: /445|Test-NetConnection|private|endpoint|firewall/i,
  },
  {
    name: "the key of the storage account is another one by now",
    source: "kubernetes-sigs/azurefile-csi-driver#1610",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        smb(
          '"New-SmbGlobalMapping : The user name or password is incorrect. FullyQualifiedErrorId : Windows System Error 1326,New-SmbGlobalMapping", err: exit status 1',
        ),
      ),
    cause: /key|password|credential/i,
    remedy: /key|secret/i,
  },
  {
    name: "a second user for the same SMB server",
    source: "Azure/AKS#5612",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        smb(
          '"New-SmbGlobalMapping : Multiple connections to a server or shared resource by the same user, using more than one user name, are not allowed. FullyQualifiedErrorId : Windows System Error 1219,New-SmbGlobalMapping", err: exit status 1',
        ),
      ),
    cause: /user|credential|connection/i,
    remedy: /Remove-SmbGlobalMapping|replace|restart|reboot/i,
  },
  {
    name: "no process can start any more: the desktop heap of the services is used up",
    source: "kubernetes-sigs/azuredisk-csi-driver#2082",
    make: (p) => appWith(p, "FailedMount", smb('"", err: exit status 0xc0000142')),
    cause: /process|heap/i,
    remedy: /restart|reboot|replace/i,
  },
  {
    name: "a storage class with ext4 for a Windows Pod",
    source: "kubernetes-sigs/azuredisk-csi-driver#561",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-b74b" : rpc error: code = Internal desc = could not format 2(lun: 0), and mount it at \\var\\lib\\kubelet\\plugins\\globalmount, failed with error: format disk failed, error: exit status 1, output: "Format-Volume : Cannot validate argument on parameter \'FileSystem\'. The argument \\"ext4\\" does not belong to the set \\"FAT,FAT32,exFAT,NTFS,ReFS\\""',
      ),
    cause: /file system|ext4|fsType/i,
    remedy: /fsType|NTFS|storage ?class/i,
  },
  {
    name: "the mount of a disk was tried twice",
    source: "kubernetes-sigs/azuredisk-csi-driver#2690",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-3d12" : rpc error: code = Internal desc = could not format 2(lun: 0), and mount it at \\var\\lib\\kubelet\\plugins\\globalmount, failed with error: rpc error: mount volume to path. cmd: Get-Volume | Add-PartitionAccessPath, output: Add-PartitionAccessPath : The requested access path is already in use., error: exit status 1',
      ),
    cause: /access path|mount/i,
    remedy: /cordon|delete|another node|restart/i,
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
    name: "a driver that wants the CSI proxy",
    source: "Azure/AKS#2568",
    make: (p) =>
      p.pod(
        "workload",
        "kube-system",
        "csi-azuredisk-node-win-x7k2p",
        crashLoop(
          "azuredisk",
          "failed to get safe mounter. Error: open \\\\.\\\\pipe\\\\csi-proxy-filesystem-v1beta1: The system cannot find the file specified.",
        ),
      ),
    cause: /csi.proxy/i,
    remedy: /HostProcess|addons|chart|windows\.useHostProcessContainers/i,
  },
  {
    name: "no room for another image",
    source: "microsoft/hcsshim, ERROR_DISK_FULL; Azure/AKS#1765",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        'rpc error: code = Unknown desc = failed to pull and unpack image "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022": failed to extract layer sha256:9d2a: hcsshim::ImportLayer failed in Win32: There is not enough space on the disk. (0x70): unknown',
      ),
    cause: /disk/i,
    remedy: /osDiskGB|prune/i,
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
