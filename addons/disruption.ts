import type { KubernetesObject } from "capz-types";

/**
 * Lets a drain evict one pod of a Deployment, in kube-system unless said, at a time. With a single pod it has no effect and blocks no
 * drain. It exists nevertheless, because a ClusterResourceSet would leave it behind when the number of pods changes.
 */
export const disruptionBudget = (
  name: string,
  matchLabels: Readonly<Record<string, string>>,
  namespace = "kube-system",
): KubernetesObject => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name, namespace },
  spec: { maxUnavailable: 1, selector: { matchLabels } },
});
