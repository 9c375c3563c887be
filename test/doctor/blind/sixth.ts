import type { BlindFault } from "./blindFault";

/** The control plane and scale sets: written down after the fifth list. */

export const sixth: readonly BlindFault[] = [
  {
    name: "the API server does not know one of its arguments",
    source: "kubernetes-sigs/cluster-api, controlplane/kubeadm/pkg/workload_cluster_conditions.go",
    make: (p) => {
      const machine = p.get("Machine", "sick-control-plane");
      const server = p.get("Pod", "kube-apiserver", "workload");
      p.pod("workload", "kube-system", server.metadata.name, {
        waiting: [
          "CrashLoopBackOff",
          "back-off 5m0s restarting failed container=kube-apiserver pod=kube-apiserver-sick-control-plane-942cq_kube-system",
        ],
        ended: ["Error", "Error: unknown flag: --audit-log-maxsise"],
        restarts: 9,
      });
      p.condition(machine, "APIServerPodHealthy", {
        reason: "Failed",
        message: "Waiting: CrashLoopBackOff",
        ago: 20,
      }).condition(p.get("KubeadmControlPlane"), "ControlPlaneComponentsHealthy", {
        reason: "NotHealthy",
        message: `* Machine ${machine.metadata.name}:\n  * APIServerPodHealthy: Waiting: CrashLoopBackOff`,
        ago: 20,
      });
    },
    cause: /API ?server|kube-apiserver/i,
    remedy: /extraArgs|logs|argument|crictl/i,
  },
  {
    name: "a member of etcd stays a learner",
    source: "kubernetes-sigs/cluster-api, controlplane/kubeadm/pkg/workload_cluster_conditions.go",
    make: (p) => {
      const machine = p.get("Machine", "sick-control-plane");
      const text = "Waiting for learner etcd member to be promoted";
      p.condition(machine, "EtcdMemberHealthy", { reason: "NotHealthy", message: text, ago: 40 }).condition(
        p.get("KubeadmControlPlane"),
        "EtcdClusterHealthy",
        {
          reason: "NotHealthy",
          message: `* Machine ${machine.metadata.name}:\n  * EtcdMemberHealthy: ${text}`,
          ago: 40,
        },
      );
    },
    cause: /etcd.*(learner|promoted|caught up|copied|voting)|learner/i,
    remedy: /etcd|access|disk/i,
  },
  {
    name: "a scale set grows for an hour and Azure says nothing",
    source: "kubernetes-sigs/cluster-api-provider-azure#2343",
    make: (p) => {
      const pool = p.get("AzureMachinePool", "win1");
      const machines = p.get("MachinePool", "win1");
      machines.spec.replicas = 2;
      Object.assign(machines.status, { phase: "ScalingUp", replicas: 2, readyReplicas: 1 });
      const instance = structuredClone(p.get("AzureMachinePoolMachine", "win1"));
      const creating = p.add("management", {
        ...instance,
        metadata: { ...instance.metadata, name: "win1-1", uid: "win1-1", creationTimestamp: p.ago(55) },
        status: { provisioningState: "Creating", ready: false },
      });
      p.condition(creating, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 55 });
      Object.assign(pool.status, { provisioningState: "Updating", ready: false });
      p.condition(pool, "ScaleSetDesiredReplicas", { reason: "ScaleSetScalingUp", severity: "Info", ago: 55 })
        .condition(pool, "ScaleSetRunning", { reason: "ScaleSetUpdating", severity: "Info", ago: 55 })
        .condition(pool, "Ready", { reason: "ScaleSetUpdating", severity: "Info", ago: 55 });
    },
    cause: /scale set|instance|machines?/i,
    remedy: /az vmss/i,
  },
  {
    name: "CAPZ's webhook does not take a machine of the control plane",
    source: "kubernetes-sigs/cluster-api-provider-azure, webhooks of AzureMachine",
    make: (p) => {
      const kcp = p.get("KubeadmControlPlane");
      kcp.spec.replicas = 3;
      const text =
        'failed to create InfraMachine: admission webhook "validation.azuremachine.infrastructure.cluster.x-k8s.io" denied the request: AzureMachine.infrastructure.cluster.x-k8s.io "sick-control-plane-x7k2p" is invalid: spec.osDisk.diskSizeGB: Invalid value: 40000: the Disk size should be a value between 1 and 32767';
      p.condition(kcp, "MachinesCreated", {
        reason: "InfrastructureTemplateCloningFailed",
        message: text,
        severity: "Error",
        former: true,
      }).event(
        kcp,
        "FailedScaleUp",
        `Failed to create additional control plane Machine for cluster sick/sick: failed to create Machine: ${text}`,
      );
    },
    cause: /webhook|invalid|refuses|denie|accept/i,
    remedy: /npm run plan|diskSize/i,
  },
  {
    name: "somebody has deleted the Node of a Windows machine",
    source: "kubernetes-sigs/cluster-api, machine_controller_noderef.go",
    make: (p) => {
      p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win"));
      Object.assign(p.get("MachinePool", "win1").status, {
        phase: "ScalingUp",
        readyReplicas: 0,
        nodeRefs: [],
      });
      p.condition(p.get("Machine", "win1"), "NodeHealthy", {
        reason: "NodeDeleted",
        message: "Node win1000000 has been deleted",
        ago: 30,
      })
        .condition(p.get("Machine", "win1"), "NodeReady", {
          reason: "NodeDeleted",
          message: "Node win1000000 has been deleted",
          ago: 30,
        })
        .condition(p.get("AzureMachinePoolMachine", "win1"), "NodeHealthy", {
          reason: "NodeNotFound",
          severity: "Error",
          ago: 30,
        });
    },
    cause: /node.*(deleted|gone|not exist)|deleted.*node/i,
    remedy: /kubelet|delete machine/i,
  },
];
