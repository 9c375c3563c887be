import { numberAt } from "../../../tools/untyped";
import { anyOf, hasCondition } from "./finders";
import type { World } from "../../cluster/snapshot";
import type { Detectors, Match } from "./rule";

/** Broken machines that Cluster API does not replace. */

const notRemediated = (message: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({
    kinds: ["Machine"],
    type: "OwnerRemediated",
    reason: /^(?:CannotBeRemediated|RemediationDeferred|InternalError)$/,
    message,
    minutes,
  });

const isAlone = (world: World): boolean =>
  world.all("KubeadmControlPlane").every(({ spec }) => (numberAt(spec, "replicas") ?? 1) <= 1);

export const remediationRules: Detectors = {
  "remediation-alone": (world) =>
    isAlone(world)
      ? notRemediated(
          /(?<why>.*can't remediate.*(?:the only control plane|replicas are less or equal to 1).*)/,
        )(world)
      : [],
  "remediation-blocked": anyOf(
    notRemediated(/(?<why>.*can't remediate.*|.*too many remediations.*)/),
    notRemediated(/(?<why>[^]+)/, 20),
  ),
};
