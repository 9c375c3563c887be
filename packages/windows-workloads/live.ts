import { addonNamespaces } from "capz-windows-platform/cluster/addonNamespaces";
import { textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { Get } from "capz-windows-doctor/cluster/answers";
import { KubeconfigError, type KubeconfigSource } from "capz-windows-doctor/cluster/connect";
import { kindsOf, type Wanted } from "capz-windows-doctor/cluster/kinds";
import { unread } from "capz-windows-doctor/unread";
import { readCluster } from "capz-windows-doctor/cluster/readCluster";
import { ManifestsError } from "./read";
import { ofCluster, type WorkloadManifest } from "./types";

/** The workloads of a running cluster, and the objects that they depend on. Reads only. */

export const liveKinds: readonly Wanted[] = [
  ...kindsOf("apps", ["v1"], ["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"]),
  ...kindsOf("batch", ["v1"], ["CronJob", "Job"]),
  ...kindsOf("", ["v1"], ["Pod", "Service", "PersistentVolumeClaim", "Node"]),
  ...kindsOf("node.k8s.io", ["v1"], ["RuntimeClass"]),
  ...kindsOf("storage.k8s.io", ["v1"], ["StorageClass", "CSIDriver"]),
  ...kindsOf("admissionregistration.k8s.io", ["v1"], ["MutatingWebhookConfiguration"]),
];

/** Namespaces of a cluster's add-ons, which are checked only if they are named. */
const leftOut = new Set([...addonNamespaces, "kube-flannel"]);

export type Connect = (source: KubeconfigSource) => Promise<Get>;

/**
 * @param namespaces - none: all but those of the cluster's add-ons
 * @throws ManifestsError, UnreadError when the cluster, or a kind of objects that is needed for any result, cannot be read
 */
export async function readLive(file: string, namespaces: readonly string[], open: Connect) {
  let view;
  try {
    view = await readCluster(
      await open(file === "default" ? file : { file }),
      liveKinds,
      "",
      (object) => object,
    );
  } catch (error) {
    if (error instanceof KubeconfigError) {
      throw new ManifestsError(error.message);
    }
    throw error;
  }
  const [problem] = view.problems;
  if (problem !== undefined) {
    throw problem.asked === "cluster"
      ? unread("workload", problem, {})
      : new ManifestsError(`${problem.asked} of the cluster cannot be read: ${problem.message}`);
  }
  const isAsked = ({ metadata: { namespace } }: KubeObject): boolean =>
    namespace === undefined ||
    (namespaces.length === 0 ? !leftOut.has(namespace) : namespaces.includes(namespace));
  return {
    nodes: view.objects.filter(({ kind }) => kind === "Node"),
    manifests: view.objects
      .filter((object) => object.kind !== "Node" && isAsked(object))
      .map((object): WorkloadManifest => ({
        kind: object.kind,
        name: object.metadata.name,
        namespace: textAt(object, "metadata", "namespace") || "default",
        object,
        source: ofCluster,
      })),
  };
}
