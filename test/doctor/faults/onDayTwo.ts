import type { Loose, Patient } from "../patient";
import type { Fault } from "./fault";

/** Clusters that have run for months: versions, certificates, drains, pauses, and what was deleted in Azure. */

type Json = Record<string, unknown>;

export const lost = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
} as const;

/** What a pool wants, the version of its image, and what its nodes therefore run. */
export function upgradedPool(p: Patient, pool: string, wanted: string, image: string): void {
  (p.get("MachinePool", pool).spec.template as { spec: Json }).spec.version = wanted;
  const template = p.get("AzureMachinePool", pool).spec.template as Json;
  template.image = { computeGallery: { gallery: "mine", name: "capi-windows", version: image } };
  for (const object of [p.get("Machine", pool), p.node(pool)]) {
    (object.status.nodeInfo as Json).kubeletVersion = `v${image}`;
  }
}

export function upgradedControlPlane(p: Patient, version: string): void {
  p.get("KubeadmControlPlane").spec.version = version;
  const machine = p.get("Machine", "sick-control-plane");
  machine.spec.version = version;
  for (const object of [machine, p.node("sick-control-plane")]) {
    (object.status.nodeInfo as Json).kubeletVersion = version;
  }
}

export const deletedMachine = (p: Patient, message: string, ago: number): Loose => {
  const machine = p.get("Machine", "win1");
  Object.assign(machine.metadata, {
    deletionTimestamp: p.ago(ago),
    finalizers: ["machine.cluster.x-k8s.io"],
  });
  p.condition(machine, "Deleting", { status: "True", reason: "DrainingNode", message, ago });
  return machine;
};

/** The node of a machine that does not exist any more. */
export const leftNode = (p: Patient, ago: number): Loose => {
  const [from] = [p.node("win1")];
  const node = p.add("workload", {
    ...structuredClone(from),
    metadata: { ...structuredClone(from.metadata), name: "win1000009", uid: "win1000009" },
  });
  node.spec.providerID = String(from.spec.providerID).replace(/\d+$/, "9");
  (node.metadata.annotations as Record<string, string>)["cluster.x-k8s.io/machine"] = "win1-9";
  p.condition(node, "Ready", { ...lost, ago });
  return node;
};

export const drained = (what: string): string =>
  `Drain not completed yet (started at 2026-11-22T04:00:00Z):\n* Pods with eviction failed:\n  * ${what}: shop/web-0, shop/web-1`;

export const webhookGone =
  'Internal error occurred: failed calling webhook "check.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": dial tcp 10.96.4.7:443: connect: connection refused';

export const onDayTwo: readonly Fault[] = [
  {
    name: "a webhook that does not run refuses evictions",
    rule: "drain-webhook",
    scope: "pool win1",
    make: (p) => deletedMachine(p, drained(webhookGone), 12),
  },

  {
    name: "a node is left after its machine",
    rule: "node-left",
    scope: "pool win1",
    make: (p) => leftNode(p, 300),
  },

  {
    name: "the image of a pool has an older Kubernetes",
    rule: "image-version",
    scope: "pool win1",
    make: (p) => {
      upgradedPool(p, "win1", "v1.35.6", "1.34.2");
    },
  },

  {
    name: "a kubelet is four minors behind",
    rule: "kubelet-too-old",
    scope: "pool win1",
    make: (p) => {
      upgradedPool(p, "win1", "v1.31.4", "1.31.4");
    },
  },

  {
    name: "the webhook of a policy engine has a certificate that has ended",
    rule: "policy-webhook-certificate",
    make: (p) => {
      const maker = {
        ...p.node("win1"),
        kind: "ReplicaSet",
        metadata: { name: "web-6f", namespace: "shop" },
      };
      p.event(
        maker,
        "FailedCreate",
        'Error creating: Internal error occurred: failed calling webhook "check.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-22T04:00:00Z is after 2026-11-20T04:00:00Z',
        { side: "workload", count: 12 },
      );
    },
  },
];
