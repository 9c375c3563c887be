import type { Patient } from "../patient";
import type { Fault } from "./fault";
import { cniMissing, unready } from "./onNodes";

/** Bootstrap data, the control plane and add-ons. */

export const notJoined = (p: Patient): void => {
  const instance = p.get("AzureMachinePoolMachine", "win1");
  instance.status.nodeRef = undefined;
  instance.status.provisioningState = "Succeeded";
  instance.metadata = { ...instance.metadata, creationTimestamp: p.ago(50) };
  p.condition(instance, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 50 });
  const machinePool = p.get("MachinePool", "win1");
  machinePool.status.readyReplicas = 0;
  p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win1"));
};

export const inCluster: readonly Fault[] = [
  {
    name: "etcd of a running control plane has lost its quorum (Cluster API #8465)",
    rule: "etcd-quorum",
    scope: "control-plane",
    make: (p) => {
      const machine = p.get("Machine", "sick-control-plane");
      p.condition(p.get("KubeadmControlPlane"), "Available", {
        ...{ reason: "NotAvailable", ago: 30 },
        message: "* 1 of 3 etcd members is healthy, at least 2 healthy member required for etcd quorum",
      })
        .condition(machine, "HealthCheckSucceeded", {
          reason: "UnhealthyNode",
          message:
            "Health check failed:\n  * Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 5m0s",
        })
        .condition(machine, "OwnerRemediated", {
          reason: "CannotBeRemediated",
          message:
            "KubeadmControlPlane can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss",
        });
      unready(p, "sick-control-plane", "Kubelet stopped posting node status.");
    },
  },
  {
    name: "azure.json is missing",
    rule: "azure-json-missing",
    make: (p) =>
      p.condition(p.get("KubeadmConfig", "win1"), "DataSecretAvailable", {
        reason: "NotAvailable",
        message:
          'Failed to prepare spec.files: failed to resolve file source: secret not found: sick/win1-azure-json: secrets "win1-azure-json" not found',
        ago: 12,
      }),
  },
  {
    name: "a Secret of the user's files is missing",
    rule: "bootstrap-secret-missing",
    make: (p) =>
      p.condition(p.get("KubeadmConfig", "win1"), "DataSecretAvailable", {
        reason: "NotAvailable",
        message:
          "Failed to prepare spec.files: failed to resolve file source: secret not found: sick/my-files",
        ago: 12,
      }),
  },
  {
    name: "the token of a pool has expired",
    rule: "token-expired",
    make: (p) => {
      notJoined(p);
      p.remove(
        "workload",
        ({ kind, metadata }) => kind === "Secret" && metadata.name.startsWith("bootstrap-token-"),
      );
      p.add("workload", { kind: "Secret", metadata: { name: "other", namespace: "kube-system" } });
    },
  },
  {
    name: "a Windows node never joins",
    rule: "node-not-joined",
    scope: "pool win1",
    make: (p) => {
      notJoined(p);
    },
  },
  {
    name: "the bootstrap script failed",
    rule: "bootstrap-failed",
    make: (p) =>
      p.condition(p.get("AzureMachinePoolMachine", "win1"), "BootstrapSucceeded", {
        reason: "BootstrapFailed",
        severity: "Info",
        message: "VM bootstrapping failed",
        ago: 15,
      }),
  },
  {
    name: "cloud-init failed on the first machine",
    rule: "control-plane-late",
    make: (p) => {
      const cluster = p.get("Cluster", "sick");
      cluster.status.initialization = { infrastructureProvisioned: true };
      p.condition(p.get("KubeadmControlPlane"), "Initialized", { reason: "NotInitialized", ago: 45 })
        .condition(p.get("KubeadmControlPlane"), "Available", {
          reason: "NotAvailable",
          message: "Control plane not yet initialized",
          ago: 45,
        })
        .condition(cluster, "Available", {
          reason: "NotAvailable",
          message: "* ControlPlaneAvailable: Control plane not yet initialized",
          ago: 60,
        });
      p.get("Machine", "sick-control-plane").status.phase = "Provisioned";
      p.remove("workload", () => true).problem("workload", {
        what: "unreachable",
        asked: "cluster",
        message: "connect ECONNREFUSED",
      });
    },
  },
  {
    name: "etcd is full",
    rule: "etcd-full",
    make: (p) =>
      p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
        reason: "NotHealthy",
        message: "* Machine sick-control-plane-1: * EtcdMemberHealthy: Etcd reports alarms: NOSPACE",
        ago: 9,
      }),
  },
  {
    name: "a member of etcd does not answer",
    rule: "etcd-unhealthy",
    make: (p) => {
      p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
        reason: "NotHealthy",
        message:
          "* Machine sick-control-plane-1: * EtcdMemberHealthy: Failed to connect to etcd: could not establish a connection to the etcd leader",
        ago: 9,
      });
      p.condition(p.get("Machine", "sick-control-plane"), "EtcdPodHealthy", {
        reason: "Failed",
        message: "CrashLoopBackOff",
        ago: 9,
      });
    },
  },
  {
    name: "the API server's Pod fails",
    rule: "control-plane-pod",
    make: (p) =>
      p.condition(p.get("Machine", "sick-control-plane"), "APIServerPodHealthy", {
        reason: "Failed",
        message: "CrashLoopBackOff",
        ago: 9,
      }),
  },
  {
    name: "a pool of single machines is of another minor",
    rule: "version-skew",
    make: (p) =>
      p.condition(
        p.add("management", {
          kind: "MachineSet",
          apiVersion: "cluster.x-k8s.io/v1beta2",
          metadata: {
            name: "single-1",
            namespace: "sick",
            labels: { "cluster.x-k8s.io/cluster-name": "sick", "cluster.x-k8s.io/deployment-name": "single" },
          },
        }),
        "ScalingUp",
        {
          reason: "ScalingUp",
          status: "True",
          message:
            'Scaling up from 0 to 4 replicas is blocked because:\n* MachineSet version (1.34.2) and ControlPlane version (1.35.5) do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane ("KubeadmVersionSkew" preflight check failed)',
          ago: 30,
        },
      ),
  },
  {
    name: "one machine alone cannot be replaced",
    rule: "remediation-alone",
    make: (p) =>
      p.condition(p.get("Machine", "sick-control-plane"), "OwnerRemediated", {
        reason: "CannotBeRemediated",
        message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
        ago: 9,
      }),
  },
  {
    name: "a ConfigMap of an add-on is missing",
    rule: "add-on-missing",
    make: (p) => {
      const set = p.get("ClusterResourceSet");
      p.condition(set, "ResourcesApplied", {
        reason: "InternalError",
        message: "Please check controller logs for errors",
      }).condition(set, "ResourcesApplied", {
        reason: "RetrievingResourceFailed",
        severity: "Warning",
        message: 'configmaps "sick-calico" not found',
        former: true,
      });
    },
  },
  {
    name: "the operator's CRDs come late, and the set waits for its next try",
    rule: "add-on-crd-missing",
    make: (p) => {
      const set = p.get("ClusterResourceSet", "sick-calico");
      p.condition(set, "ResourcesApplied", {
        reason: "NotApplied",
        message: "Failed to apply ClusterResourceSet resources to Cluster",
        ago: 14,
      }).condition(set, "ResourcesApplied", {
        reason: "ApplyFailed",
        severity: "Warning",
        message:
          'failed to apply object operator.tigera.io/v1, Kind=Installation default: no matches for kind "Installation" in version "operator.tigera.io/v1"',
        former: true,
        ago: 14,
      });
      unready(p, "win1", cniMissing, 25);
      p.remove("workload", ({ kind }) => kind === "TigeraStatus");
    },
  },
  {
    name: "an add-on is too large",
    rule: "add-on-too-large",
    make: (p) =>
      p.condition(p.get("ClusterResourceSet"), "ResourcesApplied", {
        reason: "ApplyFailed",
        severity: "Warning",
        message:
          'CustomResourceDefinition "installations.operator.tigera.io" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
        former: true,
        ago: 9,
      }),
  },
  {
    name: "an image of the cloud provider is missing",
    rule: "cloud-provider-image",
    make: (p) => {
      p.pod("workload", "kube-system", "cloud-controller-manager-abcde", {
        waiting: [
          "ImagePullBackOff",
          'Back-off pulling image "mcr.microsoft.com/oss/v2/kubernetes/azure-cloud-controller-manager:v1.35.99": not found',
        ],
      });
      const node = p.node("win1");
      node.spec = {
        taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoExecute" }],
      };
    },
  },
  {
    name: "no cloud provider at all",
    rule: "cloud-provider-missing",
    make: (p) => {
      p.remove("workload", ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith("cloud-"));
      p.all("Node", "workload").forEach(
        (node) => (node.spec = { taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized" }] }),
      );
    },
  },
];
