import type { BlindFault } from "./blindFault";
import { withoutAddress } from "./pods";

/** Second batch: machines, the control plane, load balancers. */

export const secondMachines: readonly BlindFault[] = [
  {
    name: "a node that is no instance of a scale set",
    source: "kubernetes/kubernetes#103348",
    make: (p) => withoutAddress(p, "not a vmss instance"),
    cause: /scale set/i,
    remedy: /exclude-from-external-load-balancers|vmType|kind/i,
  },
];
