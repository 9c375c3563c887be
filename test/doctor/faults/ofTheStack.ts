import type { Patient } from "../patient";
import { type Fault } from "./fault";

/** A ReplicaSet whose Pods a policy of the stack refuses, in the words of kube-apiserver v1.36 (plugin/policy/validating). */
const denied =
  (message: string) =>
  (p: Patient): void => {
    const set = p.add("workload", {
      ...{ kind: "ReplicaSet", apiVersion: "apps/v1", metadata: { name: "web-7d9f", namespace: "shop" } },
    });
    p.event(
      set,
      "FailedCreate",
      `Error creating: pods "web-7d9f-x" is forbidden: ValidatingAdmissionPolicy 'capz-windows-pods' with binding 'capz-windows-pods' denied request: ${message}`,
      { side: "workload" },
    );
  };

const withoutAddresses =
  (pool: string) =>
  (p: Patient): void => {
    const pod = p.pod("workload", "shop", "web-61", { waiting: ["ContainerCreating", ""] }, 15);
    Object.assign(pod.spec, { nodeName: p.node(pool).metadata.name });
    p.event(
      pod,
      "FailedCreatePodSandBox",
      'plugin type="calico" failed (add): failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; cannot allocate new block due to per host block limit',
      { side: "workload" },
    );
  };

const claim = (p: Patient, message: string): void => {
  const object = p.add("workload", {
    ...{ kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "shop" } },
    status: { phase: "Pending" },
  });
  p.event(object, "ProvisioningFailed", message, { side: "workload" });
};

/** A machine whose drain began 12 minutes ago, and a Pod that came to its node after that. */
const drainWith =
  (tolerations: readonly object[], owner = "ReplicaSet") =>
  (p: Patient): void => {
    const machine = p.get("Machine", "win1");
    Object.assign(machine.metadata, {
      deletionTimestamp: p.ago(12),
      finalizers: ["machine.cluster.x-k8s.io"],
    });
    const message =
      "Drain not completed yet:\n* Pod tigera-operator/tigera-operator-6c9d7-zzzzz: deletionTimestamp set";
    p.condition(machine, "Deleting", { status: "True", reason: "DrainingNode", message, ago: 12 });
    const pod = p.pod("workload", "tigera-operator", "tigera-operator-6c9d7-zzzzz", {}, 3);
    Object.assign(pod.metadata, { ownerReferences: [{ kind: owner, name: "tigera-operator-6c9d7f5b4" }] });
    Object.assign(pod.spec, { nodeName: p.node("win1").metadata.name, tolerations });
  };

/** What does not come back, or is meant to: no finding. */
export const drainsThatEnd = {
  "tolerates NoExecute only": drainWith([{ operator: "Exists", effect: "NoExecute" }]),
  "tolerates another taint": drainWith([
    { key: "node-role.kubernetes.io/control-plane", operator: "Exists" },
  ]),
  "is of a DaemonSet": drainWith([{ operator: "Exists" }], "DaemonSet"),
};

export const ofTheStack: readonly Fault[] = [
  {
    name: "the policy of the stack: no operating system",
    rule: "own-policy-system",
    make: denied(
      "the pod may land on a node of another operating system, where its image does not start: write the nodeSelector kubernetes.io/os: windows, or kubernetes.io/os: linux",
    ),
  },
  {
    name: "the policy of the stack: an image for another Windows",
    rule: "own-policy-image",
    make: denied(
      "the image mcr.microsoft.com/windows/servercore:ltsc2025 is for another release of Windows than build 10.0.20348: take one for it, or select nodes by node.kubernetes.io/windows-build: 10.0.20348",
    ),
  },
  {
    name: "the policy of the stack: HostProcess",
    rule: "own-policy-host-process",
    make: denied("HostProcess containers are administrators of the node; here they are for the add-ons only"),
  },
  {
    name: "an evicted Pod tolerates every taint and comes back",
    rule: "drain-returns",
    scope: "pool win1",
    make: drainWith([
      { operator: "Exists", effect: "NoExecute" },
      { operator: "Exists", effect: "NoSchedule" },
    ]),
  },
  {
    name: "an evicted Pod tolerates cordoned nodes and comes back",
    rule: "drain-returns",
    make: drainWith([{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }]),
  },
  {
    // openshift-docs #52550, azure-docs #85998
    name: "the CSI driver may not read the disk encryption set",
    rule: "disk-role",
    make: (p) => {
      claim(
        p,
        `failed to provision volume: rpc error: code = Internal desc = PUT https://management.azure.com/x\nRESPONSE 403: 403 Forbidden\nERROR CODE: LinkedAuthorizationFailed\n{"error":{"code":"LinkedAuthorizationFailed","message":"The client '0a1b' with object id '0a1b' has permission to perform action 'Microsoft.Compute/disks/write' on scope '/subscriptions/s/resourceGroups/sick/providers/Microsoft.Compute/disks/pvc-1'; however, it does not have permission to perform action(s) 'Microsoft.Compute/diskEncryptionSets/read' on the linked scope(s) '/subscriptions/s/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/des' (respectively) or the linked scope(s) are invalid."}}`,
      );
    },
  },
  {
    name: "a Windows node has given away the addresses of its only block",
    rule: "ipam-blocks-windows",
    make: withoutAddresses("win1"),
  },
  {
    name: "a Linux node has as many blocks as Calico gives to a host",
    rule: "ipam-blocks",
    make: withoutAddresses("linux1"),
  },
];
