import type { Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Volumes, containers and Services: written down after the fifth list. */

function waiting(p: Patient, name: string, reason: string, message: string) {
  const pod = p.pod("workload", "shop", name, { waiting: [reason, message] });
  pod.spec.nodeName = "win1000000";
  return pod;
}

const started = (text: string) => (p: Patient) => {
  const pod = waiting(p, "web-6c9d8f7b5-x2x4p", "RunContainerError", text);
  p.event(pod, "Failed", `Error: ${text}`, { side: "workload" });
};

export const sixthPods: readonly BlindFault[] = [
  {
    name: "the disk of a Pod is in another zone than the nodes",
    source: "kubernetes.io, volume node affinity",
    make: (p) => {
      const pod = p.add("workload", {
        kind: "Pod",
        metadata: { name: "db-0", namespace: "shop" },
        status: { phase: "Pending" },
      });
      const text =
        "0/3 nodes are available: 1 node(s) had volume node affinity conflict, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message: text, ago: 30 }).event(
        pod,
        "FailedScheduling",
        text,
        { side: "workload" },
      );
    },
    cause: /zone/i,
    remedy: /zone/i,
  },
  {
    name: "a disk is still at another node",
    source: "kubernetes-sigs/azuredisk-csi-driver; Multi-Attach error",
    make: (p) => {
      const pod = waiting(p, "db-0", "ContainerCreating", "");
      p.event(
        pod,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-8646cb0b-78cf-4383-86df-1b969523bd74" Volume is already exclusively attached to one node and can\'t be attached to another',
        { side: "workload", count: 1 },
      );
    },
    cause: /attached|other node|another node/i,
    remedy: /volumeattachment|delete|detach|Recreate/i,
  },
  {
    name: "a claim names a StorageClass that does not exist",
    source: "kubernetes.io, PersistentVolumeClaim",
    make: (p) => {
      const claim = p.add("workload", {
        kind: "PersistentVolumeClaim",
        metadata: { name: "data-db-0", namespace: "shop" },
        spec: { storageClassName: "managed-premium" },
        status: { phase: "Pending" },
      });
      p.event(claim, "ProvisioningFailed", 'storageclass.storage.k8s.io "managed-premium" not found', {
        side: "workload",
        count: 30,
      });
    },
    cause: /StorageClass managed-premium/,
    remedy: /storageclass/i,
  },
  {
    name: "a Windows container exits while it starts",
    source: "microsoft/hcsshim, HCS_E_UNEXPECTED_EXIT",
    make: started(
      'failed to start containerd task "web": hcs::System::Start web: The virtual machine or container exited unexpectedly.: unknown',
    ),
    cause: /exit|ends/i,
    remedy: /logs|access|image|node/i,
  },
  {
    name: "a single file is mounted into a Windows container",
    source: "kubernetes.io, subPath and Windows; containerd/containerd",
    make: started(
      'failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The directory name is invalid.\n(extra info: {"MappedDirectories":[{"HostPath":"c:\\\\var\\\\lib\\\\kubelet\\\\pods\\\\7d64\\\\volume-subpaths\\\\config\\\\web\\\\0","ContainerPath":"c:\\\\app\\\\web.config"}]}): unknown',
    ),
    cause: /file/i,
    remedy: /directory|folder|subPath/i,
  },
  {
    name: "a rule of the security group is in the way of a Service",
    source: "kubernetes-sigs/cloud-provider-azure; SecurityRuleConflict",
    make: (p) => {
      const service = p.add("workload", {
        kind: "Service",
        metadata: { name: "web", namespace: "shop" },
        spec: { type: "LoadBalancer" },
        status: { loadBalancer: {} },
      });
      p.event(
        service,
        "SyncLoadBalancerFailed",
        'Error syncing load balancer: failed to ensure load balancer: PUT https://management.azure.com/subscriptions/1/resourceGroups/sick/providers/Microsoft.Network/networkSecurityGroups/sick-node-nsg\n--------------------------------------------------------------------------------\nRESPONSE 400: 400 Bad Request\nERROR CODE: SecurityRuleConflict\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "SecurityRuleConflict",\n    "message": "Security rule allow_rdp conflicts with rule k8s-azure-lb_allow_IPv4_556f. Rules cannot have the same Priority and Direction."\n  }\n}',
        { side: "workload" },
      );
    },
    cause: /security (rule|group)/i,
    remedy: /nsg|priority/i,
  },
  {
    name: "the download of a large image breaks off",
    source: "containerd/containerd, reports of unexpected EOF",
    make: (p) => {
      const image = "mcr.microsoft.com/windows/server:ltsc2022";
      const text = `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected EOF`;
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        waiting: ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
        image,
      });
      pod.spec.nodeName = "win1000000";
      p.event(pod, "Failed", `Failed to pull image "${image}": ${text}`, { side: "workload" });
    },
    cause: /connection|breaks|broke|download|interrupt|reach/i,
    remedy: /mirror|nat|firewall|proxy|crictl/i,
  },
  {
    name: "a Windows node is no member of the domain that a gMSA needs",
    source: "microsoft/Windows-Containers, gMSA troubleshooting",
    make: started(
      "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The trust relationship between this workstation and the primary domain failed.: unknown",
    ),
    cause: /domain|gMSA/i,
    remedy: /domain|gmsa/i,
  },
  {
    name: "the driver for disks does not run on a Windows node",
    source: "kubernetes-sigs/azuredisk-csi-driver, docs: debugging",
    make: (p) => {
      const pod = waiting(p, "db-0", "ContainerCreating", "");
      p.event(
        pod,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-8646cb0b" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.azure.com not found in the list of registered CSI drivers',
        { side: "workload", count: 22 },
      );
    },
    cause: /driver/i,
    remedy: /csi|daemonset/i,
  },
  {
    name: "a policy refuses the disk of a claim",
    source: "kubernetes-sigs/azuredisk-csi-driver, docs: debugging; RequestDisallowedByPolicy",
    make: (p) => {
      const claim = p.add("workload", {
        kind: "PersistentVolumeClaim",
        metadata: { name: "data-db-0", namespace: "shop" },
        spec: { storageClassName: "managed-csi" },
        status: { phase: "Pending" },
      });
      p.event(
        claim,
        "ProvisioningFailed",
        'failed to provision volume with StorageClass "managed-csi": rpc error: code = Internal desc = PUT https://management.azure.com/subscriptions/1/disks/pvc-8646\n--------------------------------------------------------------------------------\nRESPONSE 403: 403 Forbidden\nERROR CODE: RequestDisallowedByPolicy\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "RequestDisallowedByPolicy",\n    "message": "Resource \'pvc-8646\' was disallowed by policy. Reasons: \'disks need a customer-managed key\'."\n  }\n}',
        { side: "workload", count: 30 },
      );
    },
    cause: /disallowed by policy/,
    remedy: /activity-log|describe pvc/,
  },
];
