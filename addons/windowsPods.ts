import type { KubernetesObject } from "capz-types";
import { hostProcess } from "capz-windows-platform/workloads/hostProcess";

/** What the pods on Windows nodes have in common. */

/**
 * Rollout over Windows nodes: never two pods on one node (both would own the host's network), a tenth of the nodes at a
 * time, at least one. One node at a time, the default, would take hours in a large pool because of the image pulls.
 */
export const windowsRollout = {
  type: "RollingUpdate",
  rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" },
} as const;

/** A pod in kube-system on each node that the pod selects. */
export function daemonSet(
  name: string,
  updateStrategy: object,
  pod: object,
  more: {
    /** Of the pods. Default: k8s-app, the name. */
    readonly labels?: Readonly<Record<string, string>>;
    /** Of the DaemonSet itself. Default: none. */
    readonly ownLabels?: Readonly<Record<string, string>>;
    /** Of the pods: they do not restart when a ConfigMap changes, but with its hash here they do. */
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  } = {},
): KubernetesObject {
  const { labels = { "k8s-app": name }, ownLabels, annotations } = more;
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: "kube-system", ...(ownLabels && { labels: ownLabels }) },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy,
      template: { metadata: { labels, ...(annotations && { annotations }) }, spec: pod },
    },
  };
}

/** A HostProcess pod on each Windows node, in kube-system. */
export const windowsDaemonSet = (
  name: string,
  annotations: Readonly<Record<string, string>>,
  pod: object,
): KubernetesObject => {
  const ownLabels = { "k8s-app": name };
  return daemonSet(name, windowsRollout, { ...hostProcess, ...pod }, { ownLabels, annotations });
};
