import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** A provider that the Cluster API operator cannot install. */
function notInstalled(p: Patient, reason: string, message: string): void {
  const provider = p.add("management", {
    kind: "InfrastructureProvider",
    apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
    metadata: { name: "azure", namespace: "capz-system" },
    spec: { version: "v1.27.0" },
  });
  p.condition(provider, "ProviderInstalled", { reason, message, ago: 25 }).condition(provider, "Ready", {
    reason,
    message,
    ago: 25,
  });
}

const deleted = (p: Patient, ago: number, ...objects: Loose[]): void => {
  for (const { metadata } of objects) {
    (metadata as Record<string, unknown>).deletionTimestamp = p.ago(ago);
  }
};

export const ninthReports: readonly BlindFault[] = [
  {
    name: "a drain has waited for a budget for two weeks",
    source: "tuist/tuist#12357",
    make: (p) => {
      const machine = p.get("Machine", "linux1-0");
      deleted(p, 14 * 24 * 60, machine);
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "DrainingNode",
        message:
          "Drain not completed yet (started at 2026-07-31T05:56:35Z):\n* Pod once-production/once-postgres-1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget once-postgres-primary needs 1 healthy pods and has 1 currently",
        ago: 14 * 24 * 60,
      });
    },
    cause: /disruption ?budget/i,
    remedy: /pdb|poddisruptionbudget|scale|drain/i,
  },
  {
    name: "a broken machine of the control plane may not be replaced because of etcd",
    source: "kubernetes-sigs/cluster-api#4472",
    make: (p) => {
      p.get("KubeadmControlPlane").spec.replicas = 3;
      const machine = p.get("Machine", "sick-control-plane");
      for (const name of ["sick-control-plane-7xk2p", "sick-control-plane-v9t4m"]) {
        const copy = structuredClone(machine);
        p.add("management", { ...copy, metadata: { ...copy.metadata, name, uid: name } });
      }
      p.condition(p.get("Machine", "sick-control-plane-7xk2p"), "EtcdMemberHealthy", {
        status: "Unknown",
        reason: "InspectionFailed",
        message: "Failed to connect to etcd: context deadline exceeded",
        ago: 60,
      });
      p.condition(machine, "HealthCheckSucceeded", {
        reason: "UnhealthyNode",
        message:
          "Health check failed: Condition Ready on Node is reporting status Unknown for more than 5m0s",
        ago: 40,
      }).condition(machine, "OwnerRemediated", {
        reason: "CannotBeRemediated",
        message:
          "KubeadmControlPlane can't remediate this Machine because this could result in etcd loosing quorum",
        ago: 40,
      });
    },
    cause: /etcd|quorum|majority/i,
    remedy: /etcdctl|logs.*etcd|pods?.*etcd|crictl|member/i,
  },

  {
    name: "the certificate of the webhook of cert-manager is not trusted",
    source: "cert-manager/cert-manager#6864",
    make: (p) => {
      notInstalled(
        p,
        "InstallFailed",
        'failed to create provider object cert-manager.io/v1, Kind=Certificate, capz-system/capz-serving-cert: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
      );
    },
    cause:
      /(webhook|cert-manager).*(certificate|CA|authority|trust)|(certificate|authority).*(webhook|cert-manager)/i,
    remedy: /cainjector|cert-manager/i,
  },

  {
    name: "a lock keeps the resource group of a deleted cluster",
    source: "kubernetes-sigs/cluster-api-provider-azure#3354; learn.microsoft.com, ScopeLocked",
    make: (p) => {
      const group = p.get("ResourceGroup");
      deleted(p, 50, p.get("Cluster"), p.get("AzureCluster"), group);
      p.condition(group, "Ready", {
        reason: "ScopeLocked",
        severity: "Error",
        message:
          "The scope '/subscriptions/1/resourcegroups/sick' cannot perform delete operation because following scope(s) are locked: '/subscriptions/1/resourceGroups/sick'. Please remove the lock and try again.: DELETE https://management.azure.com/subscriptions/1/resourceGroups/sick",
        ago: 45,
      }).condition(p.get("AzureCluster"), "ResourceGroupReady", {
        reason: "DeletionFailed",
        severity: "Error",
        message:
          "resource group sick failed to delete: resource is not Done: ScopeLocked: The scope '/subscriptions/1/resourcegroups/sick' cannot perform delete operation because following scope(s) are locked: '/subscriptions/1/resourceGroups/sick'. Please remove the lock and try again.",
        ago: 45,
      });
    },
    cause: /lock/i,
    remedy: /az (group |resource )?lock/i,
  },
  {
    name: "a Windows node registers without its ID, and its machine never gets a node",
    source: "kubernetes-sigs/cluster-api-provider-azure#6293",
    make: (p) => {
      const machine = p.get("Machine", "win1-0");
      const message = `Waiting for a Node with spec.providerID ${String(machine.spec.providerID)} to exist`;
      delete p.node("win1").spec.providerID;
      delete machine.status.nodeRef;
      machine.status.phase = "Provisioned";
      delete p.get("AzureMachinePoolMachine", "win1-0").status.nodeRef;
      p.condition(p.get("AzureMachinePoolMachine", "win1-0"), "NodeHealthy", {
        reason: "NodeProvisioning",
        severity: "Info",
        ago: 50,
      });
      for (const type of ["NodeReady", "NodeHealthy"]) {
        p.condition(machine, type, { status: "Unknown", reason: "InspectionFailed", message, ago: 50 });
      }
    },
    cause: /providerID/i,
    remedy: /cloud-node-manager|uninitialized|providerID|taint/i,
  },
  {
    name: "a pool of a newer minor version waits for the control plane",
    source: "kubernetes-sigs/cluster-api#8657",
    make: (p) => {
      const labels = {
        "cluster.x-k8s.io/cluster-name": "sick",
        "cluster.x-k8s.io/deployment-name": "linux2",
      };
      const spec = { clusterName: "sick", replicas: 2, template: { spec: { version: "v1.36.0" } } };
      const message =
        'Scaling up from 0 to 2 replicas is blocked because:\n* MachineSet version (1.36.0) and ControlPlane version (1.35.6) do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane ("KubeadmVersionSkew" preflight check failed)';
      const apiVersion = "cluster.x-k8s.io/v1beta2";
      for (const [kind, name] of [
        ["MachineDeployment", "linux2"],
        ["MachineSet", "linux2-7d9f8"],
      ] as const) {
        const object = p.add("management", {
          ...{ kind, apiVersion, spec: { ...spec }, status: { replicas: 0 } },
          metadata: { name, namespace: "sick", labels },
        });
        p.condition(object, "ScalingUp", { status: "True", reason: "ScalingUp", message, ago: 40 });
      }
    },
    cause: /version/i,
    remedy: /kubernetesVersion/i,
  },
];
