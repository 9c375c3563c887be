import { textAt } from "../../domain/untyped";
import { anyOf, isNotReady, olderThan, warned } from "./finders";
import type { Family } from "./rule";

/** What Azure gives to Pods and Services: disks and load balancers. */

export const volumes: Family = {
  name: "volumes",
  title: "Volumes and load balancers",
  intro: "A Pod waits for its disk, or a Service for its address.",
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
      find: anyOf(
        warned({
          kinds: ["PersistentVolumeClaim"],
          side: "workload",
          where: ({ status }) => textAt(status, "phase") === "Pending",
          text: /ProvisioningFailed|no persistent volumes available|storageclass\S* .*not found|ExternalProvisioning/i,
        }),
        warned({
          kinds: ["Pod"],
          side: "workload",
          where: isNotReady,
          text: /driver name \S+ not found in the list of registered CSI drivers/,
        }),
      ),
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
    {
      id: "load-balancer-role",
      stage: "pods",
      symptom:
        "a Service of type LoadBalancer stays <pending>: AuthorizationFailed, LinkedAuthorizationFailed",
      cause:
        "The cloud controller manager may not make the load balancer: the identity of the control plane machines lacks a role for {action}.",
      proof: "Service, event SyncLoadBalancerFailed",
      remedy: [
        "az role assignment list --all --assignee IDENTITY -o table   # Network Contributor and Virtual Machine Contributor on the resource group",
        'az role assignment create --role "Network Contributor" --assignee IDENTITY --scope {scope}',
      ],
      source: "cloud-provider-azure v1.35; docs/operations.md",
      follows: ["cloud-provider-image", "cloud-provider-crashes"],
      find: warned({
        kinds: ["Service"],
        side: "workload",
        text: /(?:SyncLoadBalancerFailed|EnsuringLoadBalancer)[^]*(?:AuthorizationFailed|403 Forbidden|does not have (?:authorization|permission))(?:[^]*action(?:\(s\))? '(?<action>[^']+)'[^]*?scope(?:\(s\))? '(?<scope>[^']+)')?/,
      }),
    },
    {
      id: "load-balancer",
      stage: "pods",
      symptom: "a Service of type LoadBalancer stays <pending>: SyncLoadBalancerFailed",
      cause: "The cloud controller manager cannot make the load balancer in Azure.",
      proof: "Service, event SyncLoadBalancerFailed",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l component=cloud-controller-manager --tail=30",
        "az role assignment list --all --assignee IDENTITY -o table   # Network Contributor and Virtual Machine Contributor on the resource group",
      ],
      source: "cloud-provider-azure v1.35; docs/operations.md",
      follows: ["cloud-provider-image", "cloud-provider-crashes"],
      find: warned({
        kinds: ["Service"],
        side: "workload",
        text: /SyncLoadBalancerFailed|EnsuringLoadBalancer.*failed/,
      }),
    },
  ],
};
