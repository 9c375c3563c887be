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
];
