import { conditionAnswer, withAnswer } from "./answers";
import { anyOf, hasCondition, isFailedVm, warned } from "./finders";
import { conditionNamed, stays, title, type KubeObject } from "../../cluster/objects";
import type { Detectors } from "./rule";

/** Whether a health check has handed a machine over to its owner, and that has not refused to replace it. */
const isHandedOver = (machine: KubeObject | undefined): boolean => {
  const { reason = "CannotBeRemediated" } = (machine && conditionNamed(machine, "OwnerRemediated")) ?? {};
  return !/^(?:CannotBeRemediated|RemediationDeferred)$/.test(reason);
};

export const machineStates: Detectors = {
  "infrastructure-deleted": withAnswer(
    anyOf(
      hasCondition({
        kinds: ["Cluster", "Machine", "MachinePool"],
        type: /^(?:InfrastructureReady|BootstrapConfigReady|BootstrapReady|ControlPlaneAvailable)$/,
        reason: /^(?:Deleted|DoesNotExist|ObjectDeleted|ObjectDoesNotExist)$/,
        minutes: 10,
        where: stays,
      }),
      warned({
        kinds: ["MachinePool", "Machine"],
        text: /has been deleted after (?:being ready|provisioning was completed)/,
        where: stays,
      }),
    ),
  ),
  "vm-failed": (world) =>
    world
      .all("AzureMachine")
      .filter((object) => isFailedVm(object, world))
      .map((object) => ({ object, proof: { where: `${title(object)}, status.vmState`, text: "Failed" } })),
  "health-check-failed": (world) =>
    conditionAnswer({ kinds: ["Machine"], type: "HealthCheckSucceeded" })(world).map((match) => ({
      ...match,
      vars: {
        ...match.vars,
        ...(isHandedOver(match.object) ? { then: "and Cluster API replaces it" } : {}),
      },
    })),
};
