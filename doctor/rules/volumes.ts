import { textAt } from "../../domain/untyped";
import { isNotReady, olderThan, warned } from "./finders";
import type { Family } from "./rule";

/** Disks that Azure gives to Pods. */

export const volumes: Family = {
  name: "volumes",
  title: "Volumes",
  intro: "A Pod waits for its disk.",
  rules: [
    {
      id: "volume",
      stage: "pods",
      symptom: "PersistentVolumeClaim Pending",
      cause:
        "Nobody makes the volume: the cluster has no CSI driver of Azure or no StorageClass of this name. Kubernetes 1.26 and newer have none built in.",
      proof: "PersistentVolumeClaim, status.phase and events",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get storageclass,csidriver",
        "helm install azuredisk-csi-driver azuredisk-csi-driver --repo https://raw.githubusercontent.com/kubernetes-sigs/azuredisk-csi-driver/master/charts -n kube-system --set controller.runOnControlPlane=true --set windows.useHostProcessContainers=true",
      ],
      source: "azuredisk-csi-driver, docs/driver-parameters.md; CAPZ #4468",
      find: warned({
        kinds: ["PersistentVolumeClaim"],
        side: "workload",
        where: ({ status }) => textAt(status, "phase") === "Pending",
        text: /ProvisioningFailed|no persistent volumes available|storageclass\S* .*not found|ExternalProvisioning/i,
      }),
    },
    {
      id: "disk-count",
      stage: "pods",
      symptom:
        "FailedAttachVolume: the maximum number of data disks allowed to be attached to a VM of this size",
      cause:
        "The node of {name} has as many disks as its VM size takes ({disks}), and the scheduler did not know it.",
      proof: "Pod, event FailedAttachVolume",
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
    {
      id: "disk-attached",
      stage: "pods",
      symptom: "FailedAttachVolume: Multi-Attach error for volume",
      cause:
        "The disk of {name} is still attached to another node: an older Pod uses it, or that node is off and has not let it go.",
      proof: "Pod, event FailedAttachVolume",
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
        where: (pod, world) => isNotReady(pod) && olderThan(pod, 7, world),
        text: /Multi-Attach error for volume|disk\S* (?:is )?(?:already|currently) (?:being )?attached to (?:a different|another|node)/,
      }),
    },
  ],
};
