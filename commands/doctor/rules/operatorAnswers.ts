import { anyOf, hasCondition } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors } from "./rule";

/** Components of Calico for which the operator has reported an error for so many minutes. */
export const degraded = (text: RegExp, minutes: number) =>
  hasCondition({
    kinds: ["TigeraStatus"],
    side: "workload",
    type: "Degraded",
    status: ["True"],
    message: text,
    minutes,
  });

export const operatorAnswers: Detectors = {
  "calico-windows-endpoint": anyOf(
    degraded(/kubernetes-services-endpoint|[Ss]ervices? endpoint/, 0),
    podWith({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("calico-node-windows"),
      container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
      text: /KUBERNETES_SERVICE_HOST|services? endpoint/i,
    }),
  ),
};
