import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Faults of the management cluster and of the machines. */

const machine = (p: Patient, name: string): Loose => p.get("Machine", name, "management");

const deleting = (p: Patient, object: Loose, minutes: number): Loose =>
  Object.assign(object, {
    metadata: {
      ...object.metadata,
      deletionTimestamp: p.ago(minutes),
      finalizers: ["machine.cluster.x-k8s.io"],
    },
  });

export const inManagement: readonly BlindFault[] = [
  {
    name: "etcd has no space left",
    source: "Cluster API 1.14.2, workload_cluster_conditions.go; etcd-io/etcd#14497",
    make: (p) => {
      p.condition(machine(p, "sick-control-plane"), "EtcdMemberHealthy", {
        reason: "NotHealthy",
        message: "Etcd reports alarms: NOSPACE",
      });
      p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
        reason: "NotHealthy",
        message: "* Machine sick-control-plane-942cq:\n  * EtcdMemberHealthy: Etcd reports alarms: NOSPACE",
      });
    },
    cause: /etcd.*(space|full|quota)/i,
    remedy: /defrag|compact|alarm/i,
  },
  {
    name: "a PodDisruptionBudget holds a machine that goes",
    source: "Cluster API 1.14.2, core/reconcilers/machine/drain/drain.go",
    make: (p) => {
      const going = deleting(p, machine(p, "win1-0"), 35);
      const message = `Drain not completed yet (started at ${p.ago(34).slice(0, 19)}Z):\n* Pod shop/web-0: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently`;
      p.condition(going, "Deleting", { status: "True", reason: "DrainingNode", message, ago: 35 });
    },
    cause: /disruption budget|PodDisruptionBudget/i,
    remedy: /pdb|replica|evict|poddisruptionbudget/i,
  },
  {
    name: "a disk does not leave the machine that goes",
    source: "Cluster API 1.14.2, machine_controller.go",
    make: (p) => {
      const going = deleting(p, machine(p, "win1-0"), 50);
      p.condition(going, "Deleting", {
        status: "True",
        reason: "WaitingForVolumeDetach",
        message: `Waiting for Node volumes to be detached (started at ${p.ago(45).slice(0, 19)}Z)`,
        ago: 45,
      });
    },
    cause: /volume|disk/i,
    remedy: /volumeattachment|csi|pod/i,
  },
  {
    name: "the only control-plane machine is unhealthy and may not be replaced",
    source: "Cluster API 1.14.2, remediation.go",
    make: (p) => {
      const sick = machine(p, "sick-control-plane");
      p.condition(sick, "HealthCheckSucceeded", {
        reason: "UnhealthyNode",
        message:
          "Health check failed:\n  * Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 5m0s",
        ago: 20,
      });
      p.condition(sick, "OwnerRemediated", {
        reason: "CannotBeRemediated",
        message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
        ago: 20,
      });
    },
    cause: /control.plane/i,
    remedy: /replicas|3|restart|start/i,
  },
  {
    name: "a pool of single machines of another minor",
    source: "Cluster API 1.14.2, machineset_preflight.go",
    make: (p) => {
      const labels = { "cluster.x-k8s.io/cluster-name": "sick" };
      const spec = {
        clusterName: "sick",
        replicas: 2,
        template: { spec: { infrastructureRef: { kind: "AzureMachineTemplate", name: "apps-1a2b3c4d" } } },
      };
      p.add("management", {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind: "AzureMachineTemplate",
        metadata: { name: "apps-1a2b3c4d", namespace: "sick" },
        spec: { template: { spec: { osDisk: { osType: "Windows" } } } },
      });
      const meta = { namespace: "sick", labels };
      const set = p.add("management", {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "MachineSet",
        metadata: {
          name: "apps-x7k2p",
          namespace: "sick",
          labels: { ...labels, "cluster.x-k8s.io/deployment-name": "apps" },
          ownerReferences: [{ kind: "MachineDeployment", name: "apps" }],
        },
        spec,
        status: { replicas: 0 },
      });
      const deployment = p.add("management", {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "MachineDeployment",
        metadata: { name: "apps", ...meta },
        spec,
        status: { replicas: 0 },
      });
      const text =
        'MachineSet version (1.34.2) and ControlPlane version (1.35.5) do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane ("KubeadmVersionSkew" preflight check failed)';
      for (const object of [set, deployment]) {
        p.condition(object, "ScalingUp", {
          status: "True",
          reason: "ScalingUp",
          message: `Scaling up from 0 to 2 replicas is blocked because:\n* ${text}`,
          ago: 30,
        });
      }
    },
    cause: /version|minor/i,
    // As the place in the stack file of a pool of Windows machines, too.
    remedy: /windowsPools: \{apps: .*version/i,
  },
  {
    name: "a ClusterResourceSet cannot be applied",
    source: "Cluster API 1.14.2, clusterresourceset_controller.go",
    make: (p) => {
      const set = p.get("ClusterResourceSet", "sick-calico");
      p.condition(set, "ResourcesApplied", {
        reason: "NotApplied",
        message: "Failed to apply ClusterResourceSet resources to Cluster",
        ago: 20,
      });
      p.condition(set, "ResourcesApplied", {
        reason: "ApplyFailed",
        message:
          'failed to create object apps/v1, Kind=Deployment tigera-operator/tigera-operator: admission webhook "policy.example.com" denied the request: privileged pods are not allowed',
        severity: "Warning",
        ago: 20,
        former: true,
      });
    },
    cause: /sick-calico|ClusterResourceSet|manifest/i,
    remedy: /kubectl|clusterresourceset|webhook|policy/i,
  },
  {
    name: "GitHub's rate limit stops the operator",
    source: "kubernetes-sigs/cluster-api-operator#394",
    make: (p) => {
      const provider = p.add("management", {
        apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
        kind: "InfrastructureProvider",
        metadata: { name: "azure", namespace: "capz-system" },
        spec: { version: "v1.27.0" },
      });
      p.condition(provider, "ProviderInstalled", {
        reason: "ComponentsFetchError",
        message:
          'failed to read "" from the repository for provider "azure": failed to get GitHub release v1.27.0: rate limit for github api has been reached. Please wait one hour or get a personal API token and assign it to the GITHUB_TOKEN environment variable',
        ago: 30,
      });
    },
    cause: /GitHub|rate limit/i,
    remedy: /token|wait/i,
  },
  {
    name: "the API server does not trust CAPZ's webhook",
    source: "kubernetes-sigs/cluster-api-provider-azure#5690",
    make: (p) =>
      p.event(
        p.get("KubeadmControlPlane"),
        "FailedScaleUp",
        'Failed to create additional control plane Machine for cluster sick/sick control plane: failed to create AzureMachine: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
      ),
    cause: /webhook/i,
    remedy: /cert-manager|certificate|cainjector/i,
  },
  {
    name: "CAPZ's manager runs out of memory",
    source: "Kubernetes, OOMKilled",
    make: (p) => {
      const name = "capz-controller-manager";
      p.pod("management", "capz-system", `${name}-7d9f8c6b5-abcde`, {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container=manager"],
        ended: ["OOMKilled", ""],
        restarts: 9,
      });
      const deployment = p.get("Deployment", name, "management");
      deployment.status.availableReplicas = 0;
      p.condition(deployment, "Available", { reason: "MinimumReplicasUnavailable", ago: 30 });
    },
    cause: /memory/i,
    remedy: /memory|limit/i,
  },
  {
    name: "cert-manager issues nothing, so CAPZ does not start",
    source: "cert-manager, Certificate conditions; Kubernetes, FailedMount",
    make: (p) => {
      const certificate = p.add("management", {
        apiVersion: "cert-manager.io/v1",
        kind: "Certificate",
        metadata: { name: "capz-serving-cert", namespace: "capz-system" },
        spec: { secretName: "capz-webhook-service-cert" },
      });
      p.condition(certificate, "Ready", {
        reason: "DoesNotExist",
        message: "Issuing certificate as Secret does not exist",
        ago: 30,
      });
      const cm = p.get("Deployment", "cert-manager", "management");
      cm.status.availableReplicas = 0;
      p.condition(cm, "Available", { reason: "MinimumReplicasUnavailable", ago: 30 });
      p.pod("management", "cert-manager", "cert-manager-7d9f8c6b5-abcde", {
        waiting: [
          "ImagePullBackOff",
          'Back-off pulling image "quay.io/jetstack/cert-manager-controller:v1.19.1"',
        ],
      });
      const capz = p.get("Deployment", "capz-controller-manager", "management");
      capz.status.availableReplicas = 0;
      p.condition(capz, "Available", { reason: "MinimumReplicasUnavailable", ago: 30 });
      p.pod("management", "capz-system", "capz-controller-manager-7d9f8c6b5-abcde", {
        waiting: ["ContainerCreating", ""],
      });
    },
    cause: /cert-manager/i,
    remedy: /image|registry|cert-manager/i,
  },
  {
    name: "the Cluster is paused",
    source: "Cluster API 1.14.2, Paused condition",
    make: (p) => {
      const cluster = p.get("Cluster");
      cluster.spec.paused = true;
      p.condition(cluster, "Paused", {
        status: "True",
        reason: "Paused",
        message: "Cluster spec.paused is set to true",
        ago: 90,
      });
    },
    cause: /paused/i,
    remedy: /paused/i,
  },
  {
    name: "the management cluster cannot reach the API server any more",
    source: "Cluster API 1.14.2, cluster_controller_status.go",
    make: (p) => {
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: `Remote connection probe failed, probe last succeeded at ${p.ago(25).slice(0, 19)}Z`,
        ago: 20,
      });
      p.problem("workload", {
        what: "timeout",
        asked: "cluster",
        message: "connect ETIMEDOUT 20.1.2.3:6443",
      });
    },
    cause: /API server/i,
    remedy: /security|load balancer|nsg|ranges|reach|machine/i,
  },
  {
    name: "a Windows machine runs in Azure and never becomes a node",
    source: "kubernetes-sigs/cluster-api-provider-azure#3842",
    make: (p) => {
      p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win1"));
      p.remove("workload", ({ kind, metadata }) => kind === "Pod" && metadata.name.includes("windows"));
      const instance = p.get("AzureMachinePoolMachine", "win1");
      instance.status = {
        ...instance.status,
        nodeRef: undefined,
        ready: true,
        provisioningState: "Succeeded",
      };
      p.condition(instance, "NodeHealthy", { reason: "WaitingForNodeRef", severity: "Info", ago: 55 });
      const own = machine(p, "win1-0");
      own.status = { ...own.status, nodeRef: undefined, phase: "Provisioned" };
      for (const type of ["NodeHealthy", "NodeReady"]) {
        p.condition(own, type, {
          status: "Unknown",
          reason: "InspectionFailed",
          message:
            "Waiting for a Node with spec.providerID azure:///subscriptions/x/virtualMachineScaleSets/win1/virtualMachines/0 to exist",
          ago: 55,
        });
      }
      const pool = p.get("MachinePool", "win1");
      pool.status = { ...pool.status, readyReplicas: 0, availableReplicas: 0, nodeRefs: [] };
    },
    cause: /join|become|node/i,
    remedy: /access|cloudbase|log/i,
  },
];
