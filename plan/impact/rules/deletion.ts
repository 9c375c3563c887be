import { poolKinds } from "capz-windows-platform/machines/pools";
import type { Difference } from "../differences";
import { touches, type ImpactRule } from "../impactRule";
import { poolLabel } from "../machines";
import { poolRule } from "../poolRule";

/** What happens before a machine is deleted. */

const limits = touches(poolKinds, /^spec\.template\.spec\.deletion\b/);
const metadata = touches(poolKinds, /^spec\.template\.metadata\b/);

/** The annotations by which a drain or a wait is left out, and nothing else. */
const isSwitch = (difference: Difference): boolean => {
  const text = JSON.stringify([difference.path, difference.property]);
  return (
    metadata(difference) && text.includes("machine.cluster.x-k8s.io/exclude-") && !text.includes("labels")
  );
};

export const deletionRules: readonly ImpactRule[] = [
  poolRule({
    id: "pool-deletion",
    source:
      "CAPI v1.14.2 core/reconcilers/machinepool (computeDesiredMachine), machineset (syncMachines), machinedeployment/mdutil (they are no difference of the template)",
    match: (difference) => limits(difference) || isSwitch(difference),
    explain: ({ head }, matched) => ({
      what: `${poolLabel(head)}: nodes are ${matched.some(isSwitch) ? "drained by other rules" : "deleted with other limits"}, and nothing rolls`,
      why:
        head.kind === "MachinePool" && !matched.some(isSwitch)
          ? "the limit is for the deletion of the whole pool: Cluster API gives none to single machines of a scale set"
          : "Cluster API writes it into the machines that run, too",
    }),
  }),
  {
    id: "control-plane-deletion",
    source:
      "CAPI v1.14.2 controlplane/kubeadm/pkg/filters.go, reconcilers/kubeadmcontrolplane (syncMachines): mutated in place",
    match: touches("KubeadmControlPlane", /^spec\.machineTemplate\.spec\.deletion\b/),
    what: "Machines of the control plane are drained and deleted with other limits, and nothing rolls",
    why: "Cluster API writes them into the machines that run, too",
  },
];
