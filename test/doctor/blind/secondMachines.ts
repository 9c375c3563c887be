import type { BlindFault } from "./blindFault";
import { withoutAddress } from "./pods";

/** Second batch: machines, the control plane, load balancers. */

export const secondMachines: readonly BlindFault[] = [
  {
    name: "kubeadm join fails on a machine",
    source: "kubernetes-sigs/cluster-api-provider-azure#3903, #5687",
    make: (p) => {
      const machine = p.get("AzureMachine");
      p.remove(
        "workload",
        ({ kind, metadata }) => kind === "Node" && metadata.name === machine.metadata.name,
      );
      p.refused(
        machine,
        "BootstrapSucceeded",
        "extension CAPZ.Linux.Bootstrapping state failed: VM has reported a failure when processing extension 'CAPZ.Linux.Bootstrapping' (publisher 'Microsoft.Azure.ContainerUpstream' and type 'CAPZ.Linux.Bootstrapping'). Error message: 'Enable failed: failed to execute command: command terminated with exit status=1'",
        { reason: "BootstrapFailed", ago: 30 },
      );
    },
    cause: /bootstrap|kubeadm/i,
    remedy: /access|log/i,
  },

  {
    name: "a node that is no instance of a scale set",
    source: "kubernetes/kubernetes#103348",
    make: (p) => withoutAddress(p, "not a vmss instance"),
    cause: /scale set/i,
    remedy: /exclude-from-external-load-balancers|vmType|kind/i,
  },
];
