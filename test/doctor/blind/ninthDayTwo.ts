import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** A held-out list of what happens to clusters that have run for months: upgrades, certificates and drains. */

type Json = Record<string, unknown>;
const metadata = (object: Loose): Json => object.metadata;

const machine = (p: Patient, name: string): Loose => p.get("Machine", name);
const controlPlane = (p: Patient): Loose => p.get("KubeadmControlPlane");
const isDeleted = (p: Patient, object: Loose, minutes: number): void => {
  metadata(object).deletionTimestamp = p.ago(minutes);
};

/** A Machine of the Windows pool whose deletion waits. */
const deleting = (p: Patient, reason: string, message: string): void => {
  const win = machine(p, "win1");
  isDeleted(p, win, 95);
  win.status.phase = "Deleting";
  p.condition(win, "Deleting", { status: "True", reason, message, ago: 95 });
  const { spec } = p.node("win1");
  spec.unschedulable = true;
  spec.taints = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: p.ago(95) }];
};

/** Raises the version that the control plane has and wants. */
const upgradeControlPlane = (p: Patient, version: string): void => {
  controlPlane(p).spec.version = version;
  controlPlane(p).status.version = version;
  controlPlane(p).status.versions = [{ replicas: 1, version }];
  const first = machine(p, "sick-control-plane");
  first.spec.version = version;
  for (const info of [first.status.nodeInfo, p.node("sick-control-plane").status.nodeInfo]) {
    (info as Json).kubeletVersion = version;
  }
};

/** What a pool wants, what its image has, and what its nodes therefore run. */
const setVersion = (p: Patient, pool: string, wanted: string, kubelet: string): void => {
  (p.get("MachinePool", pool).spec.template as { spec: Json }).spec.version = wanted;
  p.get("MachinePool", pool).status.versions = [{ replicas: 1, version: kubelet }];
  for (const object of [machine(p, pool), p.node(pool)]) {
    (object.status.nodeInfo as Json).kubeletVersion = kubelet;
  }
  machine(p, pool).spec.version = wanted;
  p.get("AzureMachinePoolMachine", pool).status.version = kubelet;
  const template = p.get("AzureMachinePool", pool).spec.template as { image: { computeGallery: Json } };
  template.image.computeGallery.version = kubelet.slice(1);
};

export const ninthDayTwo: readonly BlindFault[] = [
  {
    name: "the database of etcd is full",
    source: "kubernetes-sigs/cluster-api v1.14, workload_cluster_conditions.go: Etcd reports alarms",
    make: (p) => {
      const first = machine(p, "sick-control-plane");
      const text = "Etcd reports alarms: NOSPACE";
      p.condition(first, "EtcdMemberHealthy", { reason: "NotHealthy", message: text, ago: 40 })
        .condition(first, "Ready", { reason: "NotReady", message: `* EtcdMemberHealthy: ${text}`, ago: 40 })
        .condition(controlPlane(p), "EtcdClusterHealthy", {
          reason: "NotHealthy",
          message: `* Machine ${first.metadata.name}:\n  * EtcdMemberHealthy: ${text}`,
          ago: 40,
        });
    },
    cause: /etcd.*(full|space|quota|NOSPACE)|(full|space|quota).*etcd/i,
    remedy: /defrag|compact|alarm disarm|quota-backend/i,
  },
  {
    name: "the certificates of the control plane end in nine days",
    source: "kubernetes-sigs/cluster-api, status.certificatesExpiryDate of Machines; state only",
    make: (p) => {
      const first = machine(p, "sick-control-plane");
      first.status.certificatesExpiryDate = p.ago(-9 * 24 * 60);
      metadata(p.get("KubeadmConfig", "sick-control-plane")).annotations = {
        "machine.cluster.x-k8s.io/certificates-expiry": p.ago(-9 * 24 * 60),
      };
    },
    cause: /certificate.*(expire|end|valid|run out)|expir.*certificate/i,
    remedy: /rollout|kubeadm certs|certificatesExpiry|pulumi up|delete machine/i,
  },
  {
    name: "etcd still has the member of a deleted machine",
    source: "kubernetes-sigs/cluster-api v1.14: Etcd member does not have a corresponding Machine",
    make: (p) =>
      p.condition(controlPlane(p), "EtcdClusterHealthy", {
        reason: "NotHealthy",
        message: "* Etcd member sick-control-plane-7x2lp does not have a corresponding Machine",
        ago: 60,
      }),
    cause: /etcd.*member.*(no|without|left|gone|deleted|does not have)/i,
    remedy: /member (remove|list)|etcdctl/i,
  },
  {
    name: "the control plane gave up to replace a machine without a node",
    source: "kubernetes-sigs/cluster-api v1.14, remediation.go, MaxRetry",
    make: (p) => {
      const made = p.add("management", {
        ...structuredClone(machine(p, "sick-control-plane")),
        metadata: {
          ...structuredClone(metadata(machine(p, "sick-control-plane"))),
          ...{ name: "sick-control-plane-zq8wd", uid: "zq8wd", creationTimestamp: p.ago(45) },
        },
      });
      made.status = { phase: "Provisioned", initialization: { bootstrapDataSecretCreated: true } };
      controlPlane(p).spec.replicas = 3;
      controlPlane(p).status.replicas = 2;
      const gaveUp =
        "KubeadmControlPlane can't remediate this machine because the operation already failed 3 times (MaxRetry)";
      p.condition(made, "HealthCheckSucceeded", {
        reason: "NodeStartupTimeout",
        message: "Health check failed:\n  * Node failed to report startup in 20m0s",
        ago: 25,
      })
        .condition(made, "NodeHealthy", {
          ...{ status: "Unknown", reason: "InspectionFailed", ago: 40 },
          message: "Waiting for a Node with spec.providerID azure:///subscriptions/1/x to exist",
        })
        .condition(made, "OwnerRemediated", { reason: "CannotBeRemediated", message: gaveUp, ago: 24 })
        .condition(controlPlane(p), "Remediating", {
          ...{ status: "True", reason: "Remediating", ago: 24 },
          message: `* Machine sick-control-plane-zq8wd: ${gaveUp}`,
        });
    },
    cause: /3 times|g[ai]ve up|no longer|no node|(not|never|n't).*(join|become|node)/i,
    remedy: /delete machine|access|serial|boot-diagnostics|get-boot-log|maxRetry|cloud-init/i,
  },
  {
    name: "a pool was upgraded, but its image is of the old version",
    source: "capz.sigs.k8s.io, custom images; state only: the kubelet of new nodes remains the old one",
    make: (p) => {
      upgradeControlPlane(p, "v1.36.1");
      setVersion(p, "linux1", "v1.36.1", "v1.36.1");
      setVersion(p, "win1", "v1.36.1", "v1.35.6");
    },
    cause: /image.*(v?1\.35|version|old)|v?1\.35\.6.*v?1\.36\.1|v?1\.36\.1.*v?1\.35\.6/i,
    remedy: /image|version/i,
  },
  {
    name: "a pool is four minor versions behind the control plane",
    source: "kubernetes.io, version skew policy: three minor versions; state only",
    make: (p) => {
      upgradeControlPlane(p, "v1.36.1");
      setVersion(p, "linux1", "v1.36.1", "v1.36.1");
      setVersion(p, "win1", "v1.32.9", "v1.32.9");
    },
    cause: /1\.32|skew|minor|behind|older/i,
    remedy: /version|pulumi up/i,
  },
  {
    name: "a drain waits for a disruption budget that allows nothing",
    source: "kubernetes-sigs/cluster-api v1.14, drain.go",
    make: (p) => {
      deleting(
        p,
        "DrainingNode",
        `Drain not completed yet (started at ${p.ago(95)}):\n* Pod shop/web-6c9d8f7b5-x2x4p: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently`,
      );
    },
    cause: /disruption ?budget|PDB/i,
    remedy: /pdb|poddisruptionbudget|scale|drainTimeout/i,
  },
  {
    name: "a webhook refuses the evictions of a drain",
    source: "kubernetes-sigs/cluster-api v1.14, drain.go: failed to evict Pod",
    make: (p) => {
      deleting(
        p,
        "DrainingNode",
        `Drain not completed yet (started at ${p.ago(95)}):\n* Pods shop/web-6c9d8f7b5-x2x4p, shop/db-0: failed to evict Pod, Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc"`,
      );
    },
    cause: /webhook|kyverno/i,
    remedy: /webhook|kyverno/i,
  },
  {
    name: "a deleted machine waits for a disk that stays attached",
    source: "kubernetes-sigs/cluster-api v1.14, machine_controller.go",
    make: (p) => {
      deleting(
        p,
        "WaitingForVolumeDetach",
        `Waiting for Node volumes to be detached (started at ${p.ago(80)})`,
      );
    },
    cause: /(volume|disk).*(detach|attached)|detach/i,
    remedy: /volumeattachment|nodeVolumeDetachTimeout|exclude-wait-for-node-volume-detach|detach/i,
  },
];
