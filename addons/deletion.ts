import type { KubernetesObject } from "capz-types";

/** How objects are deleted that an add-on has left in a workload cluster. */

/**
 * Kinds whose deletion takes more with it than the object: everything inside, or the data. They are not deleted here.
 */
const containers: readonly string[] = [
  "Namespace",
  "CustomResourceDefinition",
  "PersistentVolume",
  "PersistentVolumeClaim",
];

/**
 * Workloads are deleted first, because they use the other objects. A tier of Calico is deleted last: policies in a tier
 * that is gone deny whatever they do not decide.
 */
const first: readonly string[] = ["Deployment", "DaemonSet", "StatefulSet", "Job", "CronJob"];

function rank({ kind }: KubernetesObject): number {
  if (first.includes(kind)) {
    return 0;
  }
  return kind === "Tier" ? 2 : 1;
}

/**
 * The group is part of the name, because two groups may have the same kind: installation.operator.tigera.io/default.
 */
function resourceName({ apiVersion, kind, metadata }: KubernetesObject): string {
  const [group = "", version] = apiVersion.split("/");
  const isBuiltIn = version === undefined || !group.includes(".") || group.endsWith(".k8s.io");
  return `${kind.toLowerCase()}${isBuiltIn ? "" : `.${group}`}/${metadata.name}`;
}

/** Whether a name needs no quotes in a shell. */
const isPlain = (text: string): boolean => /^[\w./:-]+$/.test(text);

/** The commands that delete objects in a workload cluster, one for each namespace and one for those without. */
export function deletionCommands(objects: readonly KubernetesObject[]): string[] {
  const deleted = objects
    .filter(({ kind, metadata }) => !containers.includes(kind) && isPlain(`${kind}/${metadata.name}`))
    .sort((a, b) => rank(a) - rank(b));
  const namespaces = [...new Set(deleted.map(({ metadata }) => metadata.namespace ?? ""))]
    .filter(isPlain)
    .sort();
  return [...namespaces, ""].flatMap((namespace) => {
    const names = deleted
      .filter(({ metadata }) => (metadata.namespace ?? "") === namespace)
      .map(resourceName);
    return names.length === 0
      ? []
      : [
          [
            "kubectl --kubeconfig workload.kubeconfig delete --ignore-not-found",
            ...(namespace === "" ? [] : [`-n ${namespace}`]),
            ...new Set(names),
          ].join(" "),
        ];
  });
}
