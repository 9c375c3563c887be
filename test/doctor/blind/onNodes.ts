import type { BlindFault } from "./blindFault";
import { crashLoop } from "./pods";

/** Faults of nodes and add-ons. */

export const onNodes: readonly BlindFault[] = [
  {
    name: "cloud-controller-manager has no role, so the nodes stay uninitialized",
    source: "cloud-provider-azure; troubleshooting of CAPZ",
    make: (p) => {
      const text =
        "failed to get instance metadata: GET https://management.azure.com/subscriptions/x/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed The client 'x' with object id 'x' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/read' over scope '/subscriptions/x/resourceGroups/sick'";
      p.pod(
        "workload",
        "kube-system",
        "cloud-controller-manager-abcde",
        crashLoop("cloud-controller-manager", text, 12),
      );
      for (const node of p.all("Node", "workload")) {
        node.spec = {
          ...node.spec,
          providerID: undefined,
          taints: [
            { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" },
          ],
        };
      }
    },
    cause: /cloud.controller|role|author/i,
    remedy: /role/i,
  },
  {
    name: "the operator cannot render Calico for Windows: the API server's address is missing",
    source: "projectcalico/calico#9536",
    make: (p) => {
      p.nodeCondition("win1", "Ready", {
        reason: "KubeletNotReady",
        message:
          "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
        ago: 40,
      });
      p.remove("workload", ({ metadata }) => metadata.name.startsWith("calico-node-windows"));
      p.condition(p.get("TigeraStatus", "calico-windows", "workload"), "Degraded", {
        status: "True",
        reason: "ResourceReadError",
        message:
          "Services endpoint configmap 'kubernetes-services-endpoint' does not have all required information for Calico Windows daemonset configuration",
        ago: 40,
      });
    },
    cause: /kubernetes-services-endpoint|address of the API server|API server/i,
    remedy: /kubernetes-services-endpoint|configmap/i,
  },

  {
    name: "the API server's certificate has expired",
    source: "Kubernetes, kubeadm certificates",
    make: (p) =>
      p.problem("workload", {
        what: "certificate",
        asked: "cluster",
        message: "certificate has expired",
      }),
    cause: /certificate/i,
    remedy: /certificate|renew|roll/i,
  },
];
