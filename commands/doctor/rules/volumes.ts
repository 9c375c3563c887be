import { anyOf, isNotReady, isPending, warned } from "./finders";
import { attachedDisks, waitsForDisk } from "./attachedDisks";
import { withAnswer } from "./answers";
import { withRole } from "./roles";
import { storageAccountRules } from "./storageAccounts";
import { claimAnswers } from "./volumeAnswers";
import type { Family } from "./rule";

/** Volumes of Pods that Azure cannot create or attach. */

/** Matches errors of the drivers about missing rights of their identity. */
const refused =
  /^(?![^]*LinkedAuthorizationFailed)(?:ProvisioningFailed|FailedAttachVolume)(?:[^]*?client '(?<client>[^']+)')?[^]*(?:AuthorizationFailed|does not have authorization)(?:[^]*action '(?<action>[^']+)' over scope '(?<scope>[^']+)')?/;

/** The same about a resource that the disk refers to, such as its disk encryption set. The first of several counts. */
const refusedLinked =
  /(?:ProvisioningFailed|FailedAttachVolume)[^]*?LinkedAuthorizationFailed(?:[^]*?client '(?<client>[^']+)')?(?:[^]*?not have permission to perform action(?:\(s\))? '(?<action>[^',]+)[^']*')?(?:[^]*?linked scope(?:\(s\))? '(?<scope>[^',]+))?/;

const refusedBy = (text: RegExp) =>
  anyOf(
    warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where: isPending, text }),
    warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text }),
  );

export const volumes: Family = {
  name: "volumes",
  title: "Volumes",
  intro: "A Pod waits for its disk.",
  rules: [
    {
      id: "disk-role",
      stage: "pods",
      symptom: "ProvisioningFailed or FailedAttachVolume: AuthorizationFailed",
      cause:
        "The CSI driver may not create or attach the disk of {name}: the identity {client} of the control plane lacks a role for {action} at {scope}.",
      remedy: [
        'az role assignment create --role "{role}" --assignee {client} --scope {scope}',
        "az role assignment list --all --assignee {client} -o table",
      ],
      source: "azuredisk-csi-driver, docs/install-driver-on-aks.md; docs/operations.md",
      find: withRole(anyOf(refusedBy(refusedLinked), refusedBy(refused))),
    },
    {
      id: "disk-sku",
      stage: "pods",
      symptom: "ProvisioningFailed: SKU is not supported in this region",
      cause:
        "The storage class of {name} asks for a type of disk that the region, the zone or the VM size does not support.",
      remedy: [
        "parameters: {skuName: Premium_LRS}   # in a new storage class; parameters of one that exists cannot change",
        'az vm list-skus --location {location} --resource-type disks --query "[].name" -o tsv',
      ],
      source: "azuredisk-csi-driver, docs/driver-parameters.md",
      find: warned({
        kinds: ["PersistentVolumeClaim"],
        side: "workload",
        where: isPending,
        text: /SKU \S+ is not supported|not supported (?:for resource type Disk|in this region)|UltraSSD_LRS[^]*(?:not supported|cannot)/i,
      }),
    },
    ...storageAccountRules,
    ...claimAnswers,
    {
      id: "volume-refused",
      stage: "pods",
      symptom: "ProvisioningFailed: failed to provision volume with StorageClass ...",
      cause: "The CSI driver cannot create the volume of {name}: {why}",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe pvc {name} -n {podNamespace}",
        'az monitor activity-log list --resource-group {group} --status Failed --offset 2h --query "[].{time:eventTimestamp, what:operationName.value, why:properties.statusMessage}" -o json',
      ],
      source: "azuredisk-csi-driver, docs/csi-debug.md",
      find: withAnswer(
        warned({
          kinds: ["PersistentVolumeClaim"],
          side: "workload",
          where: isPending,
          text: /ProvisioningFailed: failed to provision volume/i,
        }),
      ),
    },
    {
      id: "volume",
      stage: "pods",
      symptom: "PersistentVolumeClaim Pending",
      cause:
        "Nothing creates the volume: the cluster has no CSI driver for the StorageClass, or the claim names none and there is no default one. Kubernetes 1.26 and newer have no built-in driver.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe persistentvolumeclaim {name} -n {podNamespace}",
        "kubectl --kubeconfig workload.kubeconfig get storageclass,csidriver",
        "helm install azuredisk-csi-driver azuredisk-csi-driver --repo https://raw.githubusercontent.com/kubernetes-sigs/azuredisk-csi-driver/master/charts -n kube-system --set controller.runOnControlPlane=true --set windows.useHostProcessContainers=true",
      ],
      source: "azuredisk-csi-driver, docs/driver-parameters.md; CAPZ #4468",
      find: withAnswer(
        warned({
          kinds: ["PersistentVolumeClaim"],
          side: "workload",
          where: isPending,
          text: /ProvisioningFailed|no persistent volumes available|storageclass\S* .*not found|ExternalProvisioning/i,
        }),
      ),
    },
    {
      id: "disk-count",
      stage: "pods",
      symptom:
        "FailedAttachVolume: the maximum number of data disks allowed to be attached to a VM of this size",
      cause:
        "The node of {name} has as many disks as its VM size supports ({disks}), and the scheduler did not know that.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get csinodes -o custom-columns=NAME:.metadata.name,DISKS:.spec.drivers[*].allocatable.count",
        "capz-windows:windowsPools: {POOL: {vmSize: A-SIZE-WITH-MORE-DATA-DISKS}}",
        "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # is scheduled again, to another node if this one is cordoned",
      ],
      source: "azuredisk-csi-driver #2851; https://kubernetes.io/docs/concepts/storage/storage-limits/",
      find: warned({
        kinds: ["Pod"],
        side: "workload",
        where: isNotReady,
        text: /maximum number of data disks allowed to be attached to a VM of this size is (?<disks>\d+)/,
      }),
    },
    attachedDisks,
    {
      id: "disk-attached",
      stage: "pods",
      symptom: "FailedAttachVolume: Multi-Attach error for volume",
      cause:
        "The disk of {name} is still attached to another node: an older Pod uses it, or that node is down and has not detached it.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get volumeattachments -o wide",
        "kubectl --kubeconfig workload.kubeconfig get pods -n {podNamespace} -o wide   # a Deployment with a disk needs strategy: {type: Recreate}",
        "kubectl --kubeconfig workload.kubeconfig taint node OLD-NODE node.kubernetes.io/out-of-service=nodeshutdown:NoExecute   # only when that node is off for good",
      ],
      source:
        "kubernetes #76076; https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown",
      follows: ["node-stopped", "machine-gone", "volume-detach"],
      find: warned({
        kinds: ["Pod"],
        side: "workload",
        where: waitsForDisk,
        // kubernetes v1.36.3 attachdetach reconciler, MultiAttachErrorReported.
        once: true,
        text: /Multi-Attach error for volume|disk\S* (?:is )?(?:already|currently) (?:being )?attached to (?:a different|another|node)/,
      }),
    },
  ],
};
