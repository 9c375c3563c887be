import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { refusals } from "./admission";
import { workloadKubectl } from "./commands";
import { hasCondition } from "./finders";
import { inProviders } from "./providerFinders";
import type { Rule } from "./rule";

/**
 * Pods of the providers and of the cluster autoscaler that the API server of the management cluster refuses. Their
 * Deployment says why, while one that still runs is only not replaced.
 */

const isOurs = (object: KubeObject, { snapshot }: World): boolean =>
  inProviders(object) || object.metadata.name === `${snapshot.cluster.name}-autoscaler`;

const common = {
  stage: "providers",
  proof: "Deployment of a provider, condition ReplicaFailure",
} as const;

const refused = (message: RegExp) =>
  hasCondition({
    kinds: ["Deployment"],
    side: "management",
    type: "ReplicaFailure",
    status: ["True"],
    message,
    where: isOurs,
  });

export const providerRefusals: readonly Rule[] = [
  ...refusals.map(({ text, id, symptom, remedy, ...rule }) => ({
    ...rule,
    ...common,
    id: `provider-${id}`,
    symptom: `ReplicaFailure of a provider: ${symptom}`,
    remedy: remedy.map((line) => line.replaceAll(workloadKubectl, "kubectl")),
    find: refused(text),
  })),
  {
    ...common,
    id: "provider-refused",
    symptom: "a provider has no Pods, and its Deployment has the condition ReplicaFailure",
    cause: "The API server of the management cluster refuses the Pods of the Deployment {name}: {why}",
    remedy: [
      "kubectl describe deployment {name} -n {podNamespace}",
      "kubectl get events -n {podNamespace} --field-selector reason=FailedCreate",
    ],
    source: "kubernetes v1.36.3 pkg/controller/deployment, ReplicaFailure",
    find: refused(/(?<why>[^]+)/),
  },
];

/** For rules that report the same only as a Deployment without Pods. */
export const providerRefusalIds: readonly string[] = providerRefusals.map(({ id }) => id);
