import type { BlindFault } from "./blindFault";
import { machineOf, silentNode, withoutNode } from "./eleventhScenes";

/** Machines and Nodes of the eleventh list that say nothing of what is wrong with them. */

export const eleventhNodes: readonly BlindFault[] = [
  {
    name: "a Windows node stops, and Azure still says that its VM runs",
    source: "kubernetes, node lifecycle controller; only states",
    make: (p) => {
      silentNode(p, "win1");
      machineOf(p, "win1-0", "NodeHealthUnknown", "* Node.Ready: Kubelet stopped posting node status.", 30);
      p.condition(p.get("AzureMachinePoolMachine", "win1-0"), "NodeHealthy", {
        reason: "NodeConditionsFailed",
        severity: "Warning",
        ago: 30,
      });
      for (const pod of p.all("Pod", "workload").filter((one) => one.spec.nodeName === "win1000000")) {
        p.condition(pod, "Ready", { ago: 30 });
      }
    },
    cause: /win1.*(kubelet|not answer|silent|heard|reports?)/i,
    remedy: /npm run access|az vmss (get-instance-view|restart|run-command)|delete machine/i,
  },
  {
    name: "a new Windows machine runs for long but never joins",
    source: "CAPZ v1.27, azure/scope/machinepoolmachine.go, NodeProvisioning; only states",
    make: (p) => {
      withoutNode(p);
      const vm = p.get("AzureMachinePoolMachine", "win1-0");
      const machine = p.get("Machine", "win1-0");
      delete vm.status.nodeRef;
      delete machine.status.nodeRef;
      vm.status.ready = false;
      machine.status.phase = "Provisioned";
      p.condition(vm, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 45 }).condition(
        vm,
        "Ready",
        { reason: "NodeProvisioning", severity: "Info", ago: 45 },
      );
      const { providerID } = machine.spec as { providerID: string };
      const text = `Waiting for a Node with spec.providerID ${providerID} to exist`;
      machineOf(p, "win1-0", "InspectionFailed", text, 45);
      const pool = p.get("MachinePool", "win1");
      Object.assign(pool.status, { phase: "ScalingUp", nodeRefs: [], readyReplicas: 0 });
      p.condition(pool, "ReplicasReady", {
        reason: "WaitingForReplicasReady",
        severity: "Info",
        ago: 45,
        former: true,
      });
    },
    cause: /win1.*(not|never).*join|win1.*not.*(a node|become)/i,
    remedy: /npm run access|run-command/i,
  },
];
