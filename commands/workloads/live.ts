import { addonNamespaces } from "../../platform/cluster/addonNamespaces";
import { textAt } from "../../tools/untyped";
import type { KubeObject } from "../cluster/objects";
import type { Get } from "../cluster/answers";
import { KubeconfigError, type KubeconfigSource } from "../cluster/connect";
import type { Wanted } from "../cluster/kinds";
import { unread } from "../doctor/unread";
import { readCluster } from "../cluster/readCluster";
import { ManifestsError } from "./read";
import { ofCluster, type WorkloadManifest } from "./types";

/** The workloads of a running cluster, and the objects that they depend on. Reads only. */

const of = (group: string, version: string, kinds: Readonly<Record<string, string>>): Wanted[] =>
  Object.entries(kinds).map(([kind, plural]) => ({
    group,
    versions: [version],
    kind,
    plural,
  }));

export const liveKinds: readonly Wanted[] = [
  ...of("apps", "v1", {
    Deployment: "deployments",
    DaemonSet: "daemonsets",
    StatefulSet: "statefulsets",
    ReplicaSet: "replicasets",
  }),
  ...of("batch", "v1", { CronJob: "cronjobs", Job: "jobs" }),
  ...of("", "v1", {
    Pod: "pods",
    Service: "services",
    PersistentVolumeClaim: "persistentvolumeclaims",
    Node: "nodes",
  }),
  ...of("node.k8s.io", "v1", { RuntimeClass: "runtimeclasses" }),
  ...of("storage.k8s.io", "v1", { StorageClass: "storageclasses", CSIDriver: "csidrivers" }),
  ...of("admissionregistration.k8s.io", "v1", {
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  }),
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
