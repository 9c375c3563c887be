import { withAnswer } from "./answers";
import { hasCondition } from "./finders";
import { azureKinds } from "./kinds";
import { stays } from "../../cluster/objects";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** What CAPZ and the Azure Service Operator refuse by themselves, before or without asking Azure. */

/** What CAPZ and the Azure Service Operator themselves refuse. */
export const azureStates: Detectors = {
  "aso-reference": withAnswer((world: World): Match[] =>
    hasCondition({
      kinds: azureKinds.filter((kind) => !kind.startsWith("Azure")),
      type: "Ready",
      reason: /^(?:ReferenceNotFound|WaitingForOwner)$/,
      minutes: 10,
      where: stays,
    })(world),
  ),
};
