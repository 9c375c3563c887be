import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Faults of the management cluster and of the machines. */

const machine = (p: Patient, name: string): Loose => p.get("Machine", name, "management");

export const inManagement: readonly BlindFault[] = [
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
