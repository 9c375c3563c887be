import type { BlindFault } from "./blindFault";
import { azureSaid, nextControlPlane, subscription } from "./eleventhScenes";

/** A twelfth list: what to do must be ready to be pasted, with the names that the messages have. */

export const twelfth: readonly BlindFault[] = [
  {
    name: "the subnet of the control plane is full during an upgrade",
    source: "karpenter-provider-azure#734; CAPZ v1.27 azure/services/networkinterfaces",
    make: (p) => {
      const { machine, azure } = nextControlPlane(p);
      const nic = `${azure.metadata.name}-nic`;
      const text = `networkinterfaces failed to create or update. err: failed to create or update resource sick/${nic} (service: interfaces): ${azureSaid(`PUT https://management.azure.com${subscription}/resourceGroups/sick/providers/Microsoft.Network/networkInterfaces/${nic}`, "400: 400 Bad Request", "SubnetIsFull", "Subnet control-plane-subnet with address prefix 10.0.0.0/29 does not have enough capacity for 1 IP addresses.")}`;
      p.refused(azure, "NetworkInterfacesReady", text, { ago: 34 });
      p.condition(machine, "InfrastructureReady", { reason: "NotReady", message: text, ago: 34 });
    },
    cause: /control-plane-subnet.*no free address/,
    remedy: /^az network vnet subnet show .*--name control-plane-subnet .*ipConfigurations/,
  },

  {
    name: "a taint of maintenance on the control plane keeps the cloud controller manager away",
    source: "kube-scheduler v1.36, tainttoleration",
    make: (p) => {
      const { spec } = p.node("sick-control-plane");
      spec.taints = [
        ...(spec.taints as object[]),
        { key: "maintenance", value: "yes", effect: "NoSchedule" },
      ];
      const pod = p.get("Pod", "cloud-controller-manager", "workload");
      pod.status = { phase: "Pending" };
      p.condition(pod, "PodScheduled", {
        reason: "Unschedulable",
        message:
          "0/3 nodes are available: 1 node(s) had untolerated taint {maintenance: yes}, 2 node(s) didn't match Pod's node affinity/selector.",
        ago: 20,
      });
    },
    cause: /cloud-controller-manager.*taint maintenance=yes/,
    remedy: /taint node sick-control-plane-942cq maintenance:NoSchedule- /,
  },
];
