import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** A held-out list of what happens to clusters that have run for months: upgrades, certificates and drains. */

type Json = Record<string, unknown>;
const metadata = (object: Loose): Json => object.metadata;

const machine = (p: Patient, name: string): Loose => p.get("Machine", name);
const controlPlane = (p: Patient): Loose => p.get("KubeadmControlPlane");

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
];
