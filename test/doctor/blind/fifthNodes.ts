import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Machines, Windows nodes, containerd, HCS, HNS and Calico. */

/** A Pod of an application on the Windows node that does not get its sandbox. */
function withoutSandbox(p: Patient, text: string, names = ["web-6c9d8f7b5-x2x4p"]): void {
  for (const name of names) {
    const pod = p.pod("workload", "shop", name, { waiting: ["ContainerCreating", ""] });
    pod.spec.nodeName = "win1000000";
    p.event(pod, "FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: ${text}`, {
      side: "workload",
      count: 14,
    });
  }
}

const id = "b6385006e8b3eedeaa1fd60e3e69afc9fb758a27666c93708a9211b3c988ab34";

/** The copy of an object under another name. */
function twin(p: Patient, kind: string, from: string, name: string): Loose {
  const copy = structuredClone(p.get(kind, from, "management"));
  const labels = { "cluster.x-k8s.io/cluster-name": "sick" };
  const metadata = { ...copy.metadata, name, uid: `${kind}-${name}`, labels, ownerReferences: [] };
  return p.add("management", { ...copy, metadata });
}

export const fifthNodes: readonly BlindFault[] = [
  {
    name: "somebody deleted the VM of a machine",
    source: "kubernetes-sigs/cluster-api-provider-azure, azure/errors.go and azuremachine_controller.go",
    make: (p) => {
      const from = p.get("AzureMachine").metadata.name;
      const machine = twin(p, "Machine", from, "linux2-8kq2p-x7m4v");
      const azure = twin(p, "AzureMachine", from, "linux2-8kq2p-x7m4v");
      machine.spec.infrastructureRef = { kind: "AzureMachine", name: azure.metadata.name };
      const provider =
        "azure:///subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/linux2-8kq2p-x7m4v";
      machine.spec.providerID = provider;
      azure.spec.providerID = provider;
      const text = `VM with provider id "${provider}" has been deleted`;
      Object.assign(azure.status, {
        ready: false,
        vmState: "Deleted",
        failureReason: "UpdateError",
        failureMessage: `failed to reconcile AzureMachine service virtualmachine: ${text}`,
      });
      p.refused(azure, "VMRunning", `virtualmachine failed to create or update. err: ${text}`)
        .event(
          azure,
          "VMDeleted",
          `failed to reconcile AzureMachine: failed to reconcile AzureMachine service virtualmachine: ${text}`,
        )
        .condition(machine, "InfrastructureReady", { reason: "NotReady", message: text })
        .condition(machine, "NodeReady", {
          reason: "NodeDeleted",
          message: "Node linux2-8kq2p-x7m4v has been deleted",
        })
        .condition(machine, "Ready", { reason: "NotReady", message: `* InfrastructureReady: ${text}` });
    },
    cause: /deleted/i,
    remedy: /delete machine|MachineHealthCheck|machinehealthcheck|health check/i,
  },
  {
    name: "a budget forbids to drain a Windows machine",
    source: "kubernetes-sigs/cluster-api, core/reconcilers/machine/drain/drain.go",
    make: (p) => {
      const machine = p.get("Machine", "win1");
      (machine.metadata as Record<string, unknown>).deletionTimestamp = p.ago(55);
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "DrainingNode",
        message:
          "Drain not completed yet (started at 2026-11-22T05:07:00Z):\n* Pod shop/web-6c9d8f7b5-x2x4p: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently",
        ago: 55,
      });
    },
    cause: /disruption budget/i,
    remedy: /replicas|budget|poddisruptionbudget/i,
  },
  {
    name: "containerd of a Windows node does not run",
    source: "containerd/containerd#9437, Azure/AKS#2491",
    make: (p) => {
      p.nodeCondition("win", "Ready", {
        reason: "KubeletNotReady",
        message:
          "[container runtime is down, PLEG is not healthy: pleg was last seen active 7m12.4s ago; threshold is 3m0s]",
        ago: 12,
      });
    },
    cause: /containerd|container runtime/i,
    remedy: /containerd|restart|replace/i,
  },
  {
    name: "the token of Calico's CNI plugin is no longer valid",
    source: "projectcalico/calico#8379, #5712",
    make: (p) => {
      withoutSandbox(
        p,
        `code = Unknown desc = failed to setup network for sandbox "${id}": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized`,
        ["web-6c9d8f7b5-x2x4p", "web-6c9d8f7b5-lq8zn"],
      );
    },
    cause: /token|credential|kubeconfig/i,
    remedy: /calico-node/i,
  },
  {
    name: "a virus scanner holds the files of containerd",
    source: "microsoft/hcsshim#2380, moby/moby#52611",
    make: (p) => {
      const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";
      const text = `failed to pull and unpack image "${image}": failed to extract layer sha256:bc06b22070cd8fb7c81b24025f0d67ed17390339fd8506cc46ce0224ec9c6e73: hcsshim::ProcessBaseLayer \\\\?\\C:\\ProgramData\\containerd\\root\\io.containerd.snapshotter.v1.windows\\snapshots\\12: Access is denied.`;
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        waiting: ["ErrImagePull", text],
        image,
      });
      pod.spec.nodeName = "win1000000";
      p.event(pod, "Failed", `Failed to pull image "${image}": ${text}`, { side: "workload" });
    },
    cause: /antivirus|virus|Defender/i,
    remedy: /exclu/i,
  },
  {
    name: "a Windows node has no memory left to commit",
    source: "microsoft/navcontainerhelper#870, Azure/acs-engine#4013",
    make: (p) => {
      withoutSandbox(
        p,
        `code = Unknown desc = failed to start sandbox "${id}": failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem ${id}: The paging file is too small for this operation to complete.: unknown`,
      );
    },
    cause: /memory|paging|page file/i,
    remedy: /memory|larger|page file|request|limit/i,
  },
  {
    name: "creating sandboxes hangs on a Windows node",
    source: "kubernetes/kubernetes#107561, microsoft/Windows-Containers#430",
    make: (p) => {
      withoutSandbox(p, "code = DeadlineExceeded desc = context deadline exceeded");
      p.event(
        p.get("Pod", "web-6c9d8f7b5-x2x4p", "workload"),
        "FailedCreatePodSandBox",
        `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "web-6c9d8f7b5-x2x4p_shop_7d64b0a1-6a3f-4a0f-8f0f-2b1c5c9f7f11_0": name "web-6c9d8f7b5-x2x4p_shop_7d64b0a1-6a3f-4a0f-8f0f-2b1c5c9f7f11_0" is reserved for "${id}"`,
        { side: "workload", count: 31 },
      );
    },
    cause: /containerd|Host Compute|HCS/i,
    remedy: /restart|reboot|replace|delete machine/i,
  },
  {
    name: "probes cannot start processes in a container any more",
    source: "kubernetes/kubernetes#117086, Azure/AKS#3262",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p");
      pod.spec.nodeName = "win1000000";
      p.event(
        pod,
        "Unhealthy",
        `Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "${id}": hcs::System::CreateProcess 05f2b6b1e8: The RPC server is unavailable.: unknown`,
        { side: "workload", count: 120 },
      );
    },
    cause: /Host Compute|HCS|compute (system|service)/i,
    remedy: /delete pod|restart|replace/i,
  },
  {
    name: "Calico has no block of addresses left for a Windows node",
    source: "projectcalico/calico, libcalico-go/lib/ipam; field reports of ContainerCreating",
    make: (p) => {
      withoutSandbox(
        p,
        `code = Unknown desc = failed to setup network for sandbox "${id}": plugin type="calico" failed (add): failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled`,
      );
    },
    cause: /address.*(block|pool)|(block|pool).*address/i,
    remedy: /pool|block|cidr/i,
  },
];
