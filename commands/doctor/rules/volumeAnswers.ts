import type { KubeObject } from "../../cluster/objects";
import { withAnswer } from "./answers";
import { anyOf, isNotReady, isPending, warned } from "./finders";
import { type PodAnswer, podEvent } from "./podAnswers";
import { workloadKubectl } from "./commands";
import type { Rule } from "./rule";

/** Further rules for events of the CSI drivers and of kubelet about volumes, which belong to `mounts` and `volumes`. */

const source = "kubernetes v1.36.3, pkg/volume; azuredisk-csi-driver, azurefile-csi-driver: pkg";
const mount = podEvent("pods", source, 1);
/** For events that may occur a few times while a disk is being attached. */
const slow = podEvent("pods", source, 5);

const claim = ({
  text,
  where = isPending,
  ...rule
}: PodAnswer & { readonly where?: (claim: KubeObject) => boolean }): Rule => ({
  stage: "pods",
  source,
  ...rule,
  find: withAnswer(warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where, text })),
});

const attachments = `${workloadKubectl} get volumeattachments -o wide`;
const driver = `${workloadKubectl} logs -n kube-system -l app=csi-azuredisk-node-win -c azuredisk --tail=30   # or csi-azurefile-node-win; on Linux without -win`;
const controller = `${workloadKubectl} logs -n kube-system deploy/csi-azuredisk-controller --all-containers --tail=30`;
const cordon = `${workloadKubectl} cordon {node}   # and delete the Pod: it starts on another node`;
const classes = `${workloadKubectl} get storageclass -o custom-columns=NAME:.metadata.name,BY:.provisioner,PARAMETERS:.parameters`;

/** Before the other rules of `mounts`, whose patterns match these events as well. */
export const mountAnswers: readonly Rule[] = [
  mount({
    id: "share-secret",
    symptom: "could not get account key from secret",
    cause:
      "The Secret with the key of the storage account does not exist, or has no azurestorageaccountkey: {why}.",
    remedy: [
      `${workloadKubectl} create secret generic azure-storage-account-ACCOUNT-secret -n {podNamespace} --from-literal=azurestorageaccountname=ACCOUNT --from-literal=azurestorageaccountkey=KEY`,
      "az storage account keys list --account-name ACCOUNT --query '[0].value' -o tsv",
    ],
    text: /could not get account key from secret|azurestorageaccountkey/,
  }),
  mount({
    id: "share-nfs",
    symptom: "NFS is not supported on Windows",
    cause: "The volume of {name} is an NFS share, which Windows nodes do not mount.",
    remedy: [
      "parameters: {protocol: smb}   # in a storage class of its own for Windows",
      "nodeSelector: {kubernetes.io/os: linux}   # for Pods that need NFS",
    ],
    text: /(?:nfs|vers=4)[^]*not supported on Windows|protocol nfs/i,
  }),
  mount({
    id: "account-gone",
    symptom: "failed to fetch token: serviceaccounts ... not found",
    cause: "The service account of {name} was deleted, so the kubelet gets no token for it: {why}.",
    remedy: [
      `${workloadKubectl} get serviceaccounts -n {podNamespace}`,
      `${workloadKubectl} delete pod {name} -n {podNamespace}   # after the account is there again`,
    ],
    text: /failed to fetch token: [^]*serviceaccounts? "?\S+ not found/,
  }),
  mount({
    id: "disk-gone",
    symptom: "FailedAttachVolume: Volume not found, ResourceNotFound",
    cause:
      "The disk of {name} no longer exists in Azure: somebody has deleted it, and its volume is left in the cluster.",
    remedy: [
      "az disk list --resource-group {group} -o table   # or restore it from a snapshot",
      `${workloadKubectl} get pv -o custom-columns=NAME:.metadata.name,CLAIM:.spec.claimRef.name,ID:.spec.csi.volumeHandle`,
    ],
    text: /FailedAttachVolume: [^]*(?:Volume not found|ResourceNotFound|disk \S+ not found)/,
  }),
  mount({
    id: "disk-other-zone",
    symptom: "FailedAttachVolume: not in the same zone as the VM",
    cause:
      "The disk of {name} is in another zone than its node, and only disks with zone redundancy can be attached there.",
    remedy: [
      "parameters: {skuName: Premium_ZRS}   # and volumeBindingMode: WaitForFirstConsumer, in the storage class of new volumes",
      'capz-windows:windowsPools: {POOL: {zones: ["1"]}}   # a pool in the zone of the disk',
    ],
    text: /FailedAttachVolume: [^]*(?:not in the same (?:availability )?zone|zone\S* [^]*(?:mismatch|different))/i,
  }),
  mount({
    id: "disk-node-unknown",
    symptom: "FailedAttachVolume: failed to get azure instance id for node",
    cause:
      "The CSI driver does not find the machine of the node of {name} in Azure: it was deleted, or the node has a wrong provider ID: {why}.",
    remedy: [
      `${workloadKubectl} get nodes -o custom-columns=NAME:.metadata.name,ID:.spec.providerID`,
      "az vmss list-instances --resource-group {group} --name {pool} -o table",
      controller,
    ],
    text: /failed to get azure instance id for node|instance not found/,
  }),
  mount({
    id: "attacher",
    symptom: "FailedAttachVolume: timed out waiting for external-attacher",
    cause:
      "The controller of the CSI driver (external-attacher) does not attach the disk of {name}: it does not run, or waits for Azure.",
    remedy: [
      `${workloadKubectl} get pods -n kube-system -l app=csi-azuredisk-controller -o wide`,
      controller,
      attachments,
    ],
    follows: ["csi-proxy", "image-pull", "registries", "nodes"],
    text: /timed out waiting for external-attacher/,
  }),
  mount({
    id: "block-volume",
    symptom: "FailedMapVolume",
    cause:
      "The volume of {name} is a block device (volumeMode: Block), which {node} cannot give to it: {why}.",
    remedy: ["volumeMode: Filesystem   # of the claim: Windows has no block devices in Pods", driver],
    text: /^FailedMapVolume/,
  }),
  slow({
    id: "mount-slow",
    symptom: "FailedMount: DeadlineExceeded, or An operation with the given Volume ID already exists",
    cause:
      "The CSI driver on {node} does not mount the volume of {name} in time, and an earlier attempt still goes on.",
    remedy: [
      driver,
      `${workloadKubectl} get pods -n kube-system -o wide --field-selector spec.nodeName={node} | grep csi`,
      cordon,
    ],
    text: /FailedMount: [^]*(?:code = DeadlineExceeded|code = Aborted|operation with the given Volume ID)/,
  }),
];

/** After the other rules of `mounts`, whose patterns are more specific. */
export const diskAnswers: readonly Rule[] = [
  mount({
    id: "disk-format",
    symptom: "could not format /dev/disk..., and mount it",
    cause:
      "{node} cannot format or mount the disk of {name}: it has another file system, or is damaged: {why}.",
    remedy: [
      "npm run access -- --stack {stack} --node {node}   # log in; Windows: Get-Disk, Get-Volume, Repair-Volume; Linux: lsblk -f, fsck",
      driver,
    ],
    text: /could not format |wrong fs type|bad superblock|Format-Volume/,
  }),
];

/** After `mounts` and most of `volumes`, but before the rule `volume`, which only says that there is no volume. */
export const claimAnswers: readonly Rule[] = [
  claim({
    id: "storage-class-missing",
    symptom: 'ProvisioningFailed: storageclass.storage.k8s.io "..." not found',
    cause: "There is no StorageClass {class}, which the claim {name} names.",
    remedy: [
      `${workloadKubectl} get storageclass`,
      "capz-windows:addons: {azureDisk: {enabled: true}}   # has managed-csi and managed-csi-premium; azureFile: azurefile-csi",
    ],
    text: /storageclass\S* "(?<class>[^"]+)" not found/,
  }),
  claim({
    id: "volume-no-class",
    symptom: "FailedBinding: no persistent volumes available for this claim and no storage class is set",
    cause: "The claim {name} names no storage class, and the cluster has no default one.",
    remedy: [
      `${workloadKubectl} patch storageclass managed-csi -p '{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}}'`,
      "storageClassName: managed-csi   # in the claim",
    ],
    text: /no storage class is set/,
  }),
  claim({
    id: "storage-class-wrong",
    symptom: "ProvisioningFailed: Failed parsing disk parameters, invalid parameter",
    cause: "The parameters of the storage class of {name} are not those of its driver: {why}.",
    remedy: [`${classes}   # a class cannot change: make another one`],
    text: /Failed parsing disk parameters|invalid (?:parameter|option|value)|InvalidArgument/,
  }),
  claim({
    id: "disk-policy",
    symptom: "ProvisioningFailed: RequestDisallowedByPolicy",
    cause: "An Azure policy denies the disk or share of {name}: {why}.",
    remedy: [
      "parameters: {tags: 'key=value'}   # in the storage class, when the policy demands tags; or an exemption",
      'az policy assignment list --disable-scope-strict-match --query "[].displayName" -o tsv',
      `${workloadKubectl} describe pvc {name} -n {podNamespace}`,
    ],
    text: /RequestDisallowedByPolicy|disallowed by policy/,
  }),
  claim({
    id: "disk-quota",
    symptom: "ProvisioningFailed: exceeding approved ... Disks quota",
    cause:
      "The quota of the subscription for disks or storage accounts in {location} is used up, so {name} gets no volume: {why}.",
    remedy: [
      "az vm list-usage --location {location} --query \"[?contains(name.value,'Disk')]\" -o table   # ask for more in the portal under Quotas",
      `${workloadKubectl} get pv   # Released ones are still disks in Azure`,
    ],
    text: /exceed[^.]*quota|QuotaExceeded|\w+LimitReached/i,
  }),
  claim({
    id: "volume-resize",
    symptom: "VolumeResizeFailed, FileSystemResizeFailed, or ExternalExpanding",
    cause: "The volume of {name} does not become larger: {why}.",
    remedy: [
      `${classes}   # allowVolumeExpansion: true, and a driver that runs its resizer`,
      `${workloadKubectl} scale deployment NAME -n {podNamespace} --replicas=0   # some disks grow only while they are detached; afterwards back`,
      controller,
    ],
    where: () => true,
    text: /^(?:VolumeResizeFailed|FileSystemResizeFailed|ExternalExpanding|ResizeFailed)/,
  }),
];

/** The last rule about mounts: an event that only says that kubelet waits. */
export const mountWaits: readonly Rule[] = [
  {
    id: "mount-waits",
    stage: "pods",
    symptom: "FailedMount: Unable to attach or mount volumes: timed out waiting for the condition",
    cause: "{name} waits for its volume on {node}, and no event says why: {why}.",
    remedy: [attachments, `${workloadKubectl} describe pod {name} -n {podNamespace}`, driver],
    source,
    generic: true,
    follows: ["mounts", "volumes", "nodes", "add-ons"],
    find: withAnswer(
      anyOf(
        warned({
          kinds: ["Pod"],
          side: "workload",
          where: isNotReady,
          text: /FailedMount: [^]*(?:timed out waiting for the condition|Unable to attach or mount volumes)/,
          times: 5,
        }),
      ),
    ),
  },
];
