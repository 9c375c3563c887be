import { anyOf, isNotReady, warned } from "./finders";
import { podWith } from "./podFinders";
import { unscheduled } from "./unscheduled";
import { diskAnswers, mountAnswers } from "./volumeAnswers";
import type { Family } from "./rule";

/** Disks and shares on Windows nodes: the volume exists, and the node cannot mount it. */

const mountFails = (text: RegExp) => warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text });

const cordon =
  "kubectl --kubeconfig workload.kubeconfig cordon {node}   # and delete the Pod: it starts on another node";

const logs =
  "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l app=csi-azurefile-node-win -c azurefile --tail=30";

export const mounts: Family = {
  name: "mounts",
  title: "Mounting volumes on Windows",
  intro: "The volume exists, but a Pod waits with FailedMount.",
  rules: [
    ...mountAnswers,
    {
      id: "csi-proxy",
      stage: "add-ons",
      symptom: "open \\\\.\\pipe\\csi-proxy-...: The system cannot find the file specified",
      cause:
        "The CSI driver {name} needs the CSI proxy, a Windows service that current images do not have: its node plug-in must run as a HostProcess container.",
      remedy: [
        "capz-windows:addons: {azureDisk: {enabled: true}}   # the driver of the stack needs no proxy",
        "helm upgrade RELEASE CHART --reuse-values --set windows.useHostProcessContainers=true   # for a driver of your own",
      ],
      source: "Azure/AKS #2568; azuredisk-csi-driver, docs/driver-parameters.md",
      find: anyOf(
        podWith({
          side: "workload",
          container: ({ ready, message, endMessage }) =>
            ready ? undefined : `${endMessage} ${message}`.trim(),
          text: /csi-proxy/,
        }),
        mountFails(/pipe\\+csi-proxy/),
      ),
    },
    {
      id: "driver-missing",
      stage: "pods",
      symptom: "driver name disk.csi.azure.com not found in the list of registered CSI drivers",
      cause:
        "The CSI driver {driver} has no node plug-in on {node}, so the volume of {name} cannot be mounted there.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get daemonsets -n kube-system | grep csi",
        "capz-windows:addons: {azureDisk: {enabled: true}}   # disk.csi.azure.com; azureFile for file.csi.azure.com",
        "kubectl --kubeconfig workload.kubeconfig describe csinode {node}",
      ],
      source: "Kubernetes, pkg/volume/csi; azuredisk-csi-driver, docs/csi-debug.md",
      follows: ["csi-proxy", "registries", "image-pull", "node-network", "node-own-network"],
      find: mountFails(
        /(?:driver name|does not contain driver) (?<driver>\S+)(?: not found in the list of registered CSI drivers)?/,
      ),
    },
    {
      id: "share-unreachable",
      stage: "pods",
      symptom: "New-SmbGlobalMapping: The network path was not found (53, 65, 67)",
      cause:
        "{node} cannot reach the file share by SMB: port 445 is blocked on the way, the name does not resolve, or the storage account only admits other networks.",
      remedy: [
        "Test-NetConnection {account}.file.core.windows.net -Port 445   # on the node, from: npm run access -- --stack {stack} --node {node}",
        'az storage account show --name {account} --query "{networks:networkRuleSet, private:privateEndpointConnections[].id}"   # a private endpoint, or the subnet of the nodes',
        logs,
      ],
      source: "csi-driver-smb #294, #655; https://aka.ms/filemounterror",
      find: mountFails(
        /(?:\\\\(?<account>[a-z0-9]{3,24})\.file\.core\.[^]*?)?SmbGlobalMapping[^]*(?:network path was not found|network name cannot be found|Network access is denied|System Error (?:53|64|65|67|1231)\b)/i,
      ),
    },
    {
      id: "share-credentials",
      stage: "pods",
      symptom: "New-SmbGlobalMapping: The user name or password is incorrect (1326, 86, 5)",
      cause:
        "The storage account refuses the key in the Secret of the volume: the key was rotated, or the account does not allow access by keys.",
      remedy: [
        "az storage account keys list --account-name {account} --query '[0].value' -o tsv   # then write it into the Secret azure-storage-account-{account}-secret",
        "az storage account show --name {account} --query allowSharedKeyAccess",
      ],
      source: "azurefile-csi-driver #1610; https://aka.ms/filemounterror",
      find: mountFails(
        /(?:\\\\(?<account>[a-z0-9]{3,24})\.file\.core\.[^]*?)?SmbGlobalMapping[^]*(?:user name or password is incorrect|network password is not correct|Access is denied|System Error (?:5|86|1326|1327)\b)|mount error\(13\)/i,
      ),
    },
    {
      id: "share-second-user",
      stage: "pods",
      symptom: "New-SmbGlobalMapping: Multiple connections to a server by the same user (1219)",
      cause:
        "{node} is already connected to this storage account with other credentials, such as an older key, and Windows allows only one connection to a server.",
      remedy: [
        "Get-SmbGlobalMapping | Where-Object Status -ne OK | Remove-SmbGlobalMapping -Force   # on the node",
        "npm run access -- --stack {stack} --node {node}",
        cordon,
      ],
      source: "Azure/AKS #5612",
      find: mountFails(/SmbGlobalMapping[^]*(?:Multiple connections to a server|System Error 1219)/i),
    },
    {
      id: "disk-file-system",
      stage: "pods",
      symptom: 'Format-Volume: The argument "ext4" does not belong to the set FAT, FAT32, exFAT, NTFS, ReFS',
      cause:
        "The storage class of the volume of {name} names a file system (fsType) that Windows does not have.",
      remedy: [
        "parameters: {fsType: ntfs}   # in a storage class of its own for Windows; without fsType each node formats with its own",
        "kubectl --kubeconfig workload.kubeconfig get storageclass -o custom-columns=NAME:.metadata.name,FS:.parameters.fsType,FS2:.parameters.csi\\.storage\\.k8s\\.io/fstype",
      ],
      source: "azuredisk-csi-driver #561",
      find: mountFails(/parameter 'FileSystem'|does not belong to the set[^]*NTFS/),
    },
    {
      id: "disk-access-path",
      stage: "pods",
      symptom: "Add-PartitionAccessPath: The requested access path is already in use",
      cause:
        "The first mount of the disk of {name} took longer than two minutes and is only half done on {node}: each further attempt finds the access path in use.",
      remedy: [cordon, "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}"],
      source: "azuredisk-csi-driver #2690",
      find: mountFails(/access path is already in use/i),
    },
    {
      id: "disk-not-found",
      stage: "pods",
      symptom: "findDiskByLun failed: could not find disk id for lun",
      cause:
        "The disk of {name} is attached to {node} in Azure, and Windows does not show it there to the driver: machines with NVMe disks (sizes of v6 and newer) need a driver that knows them, and a node that has run for long may have to look again.",
      remedy: [
        "npm run access -- --stack {stack} --node {node}   # log in; then: Update-HostStorageCache; Get-Disk | Format-Table Number, Location, BusType, Size",
        cordon,
        "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}   # a size with SCSI disks, when the machine has NVMe and the driver is of your own and older",
      ],
      source: "azuredisk-csi-driver #2365, #73",
      find: mountFails(/findDiskByLun|could not find disk id for lun|failed to find disk on lun/i),
    },
    {
      id: "disk-zone",
      stage: "pods",
      symptom:
        "FailedScheduling: volume node affinity conflict, or didn't match PersistentVolume's node affinity",
      cause:
        "The disk of {name} is in one zone, and no node there can take the Pod: a disk with local redundancy can be mounted only in its own zone.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pv -o custom-columns=NAME:.metadata.name,CLAIM:.spec.claimRef.name,ZONE:.spec.nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values",
        'capz-windows:windowsPools: {POOL: {zones: ["1"]}}   # a pool in the zone of the disk',
        "parameters: {skuName: Premium_ZRS}   # and volumeBindingMode: WaitForFirstConsumer, in the storage class of new volumes: every zone can mount them",
      ],
      source:
        "https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode; azuredisk-csi-driver #561",
      follows: ["nodes", "machines", "azure-limits"],
      find: unscheduled(/volume node affinity conflict|match PersistentVolume's node affinity/),
    },
    ...diskAnswers,
  ],
};
