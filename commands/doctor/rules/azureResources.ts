import { azureStates } from "./azureStates";
import { anyOf, complaintsOf, isReady, warned } from "./finders";
import { lastAnswers } from "./lastAnswers";
import type { Detectors } from "./rule";

/** Networks, addresses, names, and everything else that Azure refuses. */

export const azureResources: Detectors = {
  ...azureStates,
  "instance-failed": anyOf(
    (world) =>
      world
        .all("AzureMachinePoolMachine")
        .filter(
          ({ status }) =>
            (status as { provisioningState?: string } | undefined)?.provisioningState === "Failed",
        )
        .map((object) => ({
          object,
          proof: complaintsOf(world, object, "management").find(({ where }) =>
            where.includes("FailedVMState"),
          ) ?? {
            where: `AzureMachinePoolMachine ${object.metadata.name}, status.provisioningState`,
            text: "Failed",
          },
        })),
    warned({
      kinds: ["AzureMachinePoolMachine"],
      text: /^FailedVMState/,
      where: (object) => !isReady(object),
    }),
  ),
  ...lastAnswers,
};
