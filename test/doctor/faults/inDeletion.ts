import type { Patient } from "../patient";
import { azure, type Fault, group } from "./fault";

/** Deletions that do not end. */

const deleted = (
  p: Patient,
  kind: string,
  name: string | undefined,
  minutes: number,
  finalizers = ["cluster.x-k8s.io"],
) => {
  const object = p.get(kind, name);
  object.metadata = { ...object.metadata, deletionTimestamp: p.ago(minutes), finalizers };
  return object;
};

const drains = (p: Patient, message: string): void => {
  const machine = deleted(p, "Machine", "win1", 12, ["machine.cluster.x-k8s.io"]);
  p.condition(machine, "Deleting", { status: "True", reason: "DrainingNode", message, ago: 12 });
};

export const inDeletion: readonly Fault[] = [
  {
    name: "a PodDisruptionBudget holds a node",
    rule: "drain",
    make: (p) => {
      drains(
        p,
        "Drain not completed yet (started at 2026-11-22T04:00:00Z):\n* Pod default/iis-0: cannot evict pod as it would violate the pod's disruption budget. The disruption budget iis needs 1 healthy pods and has 1 currently",
      );
    },
  },
  {
    name: "a PodDisruptionBudget holds a node whose machine is off (Cluster API #13508)",
    rule: "drain-node-lost",
    scope: "pool win1",
    make: (p) => {
      drains(
        p,
        "Drain not completed yet (started at 2026-11-22T04:00:00Z):\n* Pod default/iis-0: cannot evict pod as it would violate the pod's disruption budget. The disruption budget iis needs 1 healthy pods and has 0 currently",
      );
      p.nodeCondition("win1", "Ready", {
        ...{ status: "Unknown", reason: "NodeStatusUnknown", ago: 20 },
        message: "Kubelet stopped posting node status.",
      });
    },
  },
  {
    // From a life with the real controllers, in which the Cluster was deleted 5 s after a surge instance appeared.
    name: "an instance of a deleted pool has no Machine",
    rule: "instance-without-machine",
    scope: "pool win1",
    make: (p) => {
      deleted(p, "Cluster", "sick", 30);
      deleted(p, "MachinePool", "win1", 29);
      deleted(p, "AzureMachinePool", "win1", 29);
      p.remove("management", ({ kind, metadata }) => kind === "Machine" && metadata.name.startsWith("win1"));
      const instance = p.get("AzureMachinePoolMachine", "win1");
      Object.assign(instance.metadata, {
        ownerReferences: instance.metadata.ownerReferences?.filter(({ kind }) => kind !== "Machine"),
      });
    },
  },
  {
    name: "a hook holds a machine",
    rule: "deletion-hook",
    make: (p) => {
      const machine = deleted(p, "Machine", "win1", 22);
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "WaitingForPreTerminateHook",
        message: "Waiting for pre-terminate hooks to succeed (hooks: backup)",
        ago: 22,
      });
    },
  },
  {
    name: "the identity was deleted before the cluster",
    rule: "deletion-identity-gone",
    make: (p) => {
      deleted(p, "Cluster", "sick", 40);
      deleted(p, "AzureCluster", undefined, 38, ["azurecluster.infrastructure.cluster.x-k8s.io"]);
      p.remove("management", ({ kind }) => kind === "AzureClusterIdentity");
    },
  },
  {
    name: "a lock in Azure",
    rule: "deletion-locked",
    make: (p) => {
      deleted(p, "Cluster", "sick", 40);
      const scaleSet = deleted(p, "AzureMachinePool", "win1", 38);
      p.refused(
        scaleSet,
        "ScaleSetRunning",
        azure(
          409,
          "ScopeLocked",
          `The scope '${group}' cannot perform delete operation because following scope(s) are locked.`,
        ),
        { reason: "DeletionFailed", ago: 35 },
      );
    },
  },
  {
    name: "a load balancer of a Service holds the network",
    rule: "deletion-in-use",
    make: (p) => {
      deleted(p, "Cluster", "sick", 40);
      const cluster = deleted(p, "AzureCluster", undefined, 38);
      p.refused(
        cluster,
        "NetworkInfrastructureReady",
        azure(
          409,
          "InUseSubnetCannotBeDeleted",
          "Subnet node-subnet is in use by kubernetes-lb and cannot be deleted.",
        ),
        { reason: "DeletionFailed", ago: 35 },
      );
    },
  },
  {
    name: "CAPZ rests until its next sync",
    rule: "pool-stalled",
    make: (p) => {
      deleted(p, "AzureMachinePool", "win1", 6, ["azuremachinepool.infrastructure.cluster.x-k8s.io"]);
      deleted(p, "MachinePool", "win1", 6);
      p.remove(
        "management",
        ({ kind, metadata }) =>
          /^(Machine|AzureMachinePoolMachine)$/.test(kind) && metadata.name.startsWith("win1"),
      );
    },
  },
  {
    name: "the namespace waits for finalizers",
    rule: "namespace-stuck",
    make: (p) => {
      const namespace = p.add("management", {
        kind: "Namespace",
        metadata: { name: "sick", deletionTimestamp: p.ago(12) },
      });
      p.condition(namespace, "NamespaceFinalizersRemaining", {
        status: "True",
        reason: "SomeFinalizersRemain",
        message:
          "Some content in the namespace has finalizers remaining: natgateway.network.azure.com in 1 resource instances",
        ago: 12,
      });
    },
  },
  {
    name: "a Cluster that stays after AKS and the resource group are gone",
    rule: "deletion-late",
    make: (p) => {
      deleted(p, "Cluster", "sick", 60);
      const resource = deleted(p, "AzureMachinePoolMachine", "win1", 55, [
        "azuremachinepoolmachine.infrastructure.cluster.x-k8s.io",
      ]);
      p.condition(resource, "Ready", { reason: "Deleting", severity: "Info", ago: 55 });
    },
  },
];
