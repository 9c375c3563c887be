import type { Patient } from "../patient";
import { type Fault } from "./fault";

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

export const inDeletion: readonly Fault[] = [
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
];
