import type { KubernetesObject } from "../../../capi/types";
import { manifestLabel } from "../../../platform/manifests/userManifests";
import { at, list, strings, text } from "../../../tools/untyped";
import type { StackObjects } from "../model/stackObjects";

interface Reference {
  readonly from: string;
  readonly field: string;
  readonly target: string;
}

const key = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind} ${namespace ?? ""}/${name}`;

const title = ({ kind, metadata }: KubernetesObject): string => key(kind, metadata.namespace, metadata.name);

/** What controllers create for the program's objects. Sources: CAPZ azurejson controllers, CAPI, kubeadm. */
function madeByControllers(management: readonly KubernetesObject[]): string[] {
  return management.flatMap(({ kind, metadata: { name, namespace } }) => {
    switch (kind) {
      case "AzureMachineTemplate":
      case "AzureMachinePool":
        return [key("Secret", namespace, `${name}-azure-json`)];
      case "Cluster":
        return ["kubeconfig", "ca", "etcd", "sa", "proxy"].map((part) =>
          key("Secret", namespace, `${name}-${part}`),
        );
      default:
        return [];
    }
  });
}

/** What kubeadm and Kubernetes itself create in every workload cluster. */
const madeByKubeadm = [
  key("Namespace", undefined, "kube-system"),
  key("Namespace", undefined, "default"),
  key("ConfigMap", "kube-system", "kube-proxy"),
  key("ConfigMap", "kube-system", "kubeadm-config"),
  key("ServiceAccount", "kube-system", "kube-proxy"),
  key("Role", "kube-system", "extension-apiserver-authentication-reader"),
  key("ClusterRole", undefined, "cluster-admin"),
  key("ClusterRole", undefined, "system:auth-delegator"),
  key("ClusterRole", undefined, "view"),
  key("PriorityClass", undefined, "system-node-critical"),
  key("PriorityClass", undefined, "system-cluster-critical"),
];

/** Secrets that a Job with kube-webhook-certgen makes in the cluster. */
const madeByJobs = (delivered: readonly KubernetesObject[]): string[] =>
  delivered
    .filter(({ kind }) => kind === "Job")
    .flatMap((job) =>
      list(at(job, "spec", "template", "spec", "initContainers"))
        .map(({ args }) => strings(args))
        .flatMap((args) => (args[0] === "create" ? args : []))
        .map((argument) => /^--secret-name=(.+)$/.exec(argument)?.[1])
        .filter((name) => name !== undefined)
        .map((name) => key("Secret", job.metadata.namespace, name)),
    );

function podReferences(object: KubernetesObject): [field: string, target: string][] {
  const pod = at(object, "spec", "template", "spec");
  const namespace = object.metadata.namespace;
  if (pod === undefined || !["Deployment", "DaemonSet", "StatefulSet", "Job"].includes(object.kind)) {
    return [];
  }
  const found: [string, string, string][] = [
    ["serviceAccountName", "ServiceAccount", text(at(pod, "serviceAccountName"))],
    ["priorityClassName", "PriorityClass", text(at(pod, "priorityClassName"))],
  ];
  for (const volume of list(at(pod, "volumes"))) {
    const name = text(volume.name);
    if (at(volume, "configMap", "optional") !== true) {
      found.push([`volumes ${name}`, "ConfigMap", text(at(volume, "configMap", "name"))]);
    }
    found.push([`volumes ${name}`, "Secret", text(at(volume, "secret", "secretName"))]);
  }
  for (const container of [...list(at(pod, "initContainers")), ...list(at(pod, "containers"))]) {
    for (const source of list(container.envFrom)) {
      if (at(source, "configMapRef", "optional") !== true) {
        found.push(["envFrom", "ConfigMap", text(at(source, "configMapRef", "name"))]);
      }
    }
  }
  return found
    .filter(([, , name]) => name !== "")
    .map(([field, kind, name]) => [field, key(kind, kind === "PriorityClass" ? undefined : namespace, name)]);
}

function bindingReferences(object: KubernetesObject): [string, string][] {
  if (object.kind !== "ClusterRoleBinding" && object.kind !== "RoleBinding") {
    return [];
  }
  const kind = text(at(object, "roleRef", "kind"));
  const role = key(
    kind,
    kind === "Role" ? object.metadata.namespace : undefined,
    text(at(object, "roleRef", "name")),
  );
  const accounts = list(object.subjects)
    .filter((subject) => subject.kind === "ServiceAccount")
    .map((subject): [string, string] => [
      "subjects",
      key("ServiceAccount", text(subject.namespace), text(subject.name)),
    ]);
  return [["roleRef", role], ...accounts];
}

/** References of Cluster API and CAPZ: `*Ref` fields, secrets of bootstrap files, resources of a ClusterResourceSet. */
function capiReferences(object: KubernetesObject): [string, string][] {
  const found: [string, string][] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) {
      return;
    }
    for (const [field, inner] of Object.entries(value)) {
      const here = path === "" ? field : `${path}.${field}`;
      if (field.endsWith("Ref") && text(at(inner, "kind")) !== "" && field !== "roleRef") {
        // Some references of Cluster API can name another namespace than that of their object.
        const namespace = text(at(inner, "namespace")) || object.metadata.namespace;
        found.push([here, key(text(at(inner, "kind")), namespace, text(at(inner, "name")))]);
      } else if (field === "contentFrom") {
        found.push([here, key("Secret", object.metadata.namespace, text(at(inner, "secret", "name")))]);
      } else {
        walk(inner, here);
      }
    }
  };
  if (object.apiVersion.includes("cluster.x-k8s.io/")) {
    walk(object.spec, "spec");
  }
  if (object.kind === "ClusterResourceSet") {
    for (const { kind, name } of list(at(object, "spec", "resources"))) {
      found.push(["spec.resources", key(text(kind), object.metadata.namespace, text(name))]);
    }
  }
  for (const path of [
    ["spec", "clusterName"],
    ["spec", "template", "spec", "clusterName"],
  ]) {
    const cluster = text(at(object, ...path));
    if (cluster !== "") {
      found.push([path.join("."), key("Cluster", object.metadata.namespace, cluster)]);
    }
  }
  return found;
}

function namespaceReference(object: KubernetesObject): [string, string][] {
  const { namespace } = object.metadata;
  return namespace === undefined ? [] : [["metadata.namespace", key("Namespace", undefined, namespace)]];
}

function referencesOf(objects: readonly KubernetesObject[]): Reference[] {
  return objects.flatMap((object) =>
    [
      ...capiReferences(object),
      ...podReferences(object),
      ...bindingReferences(object),
      ...namespaceReference(object),
    ].map(([field, target]) => ({ from: title(object), field, target })),
  );
}

/** A ClusterResourceSet whose selector matches no Cluster would silently deliver nothing. */
function unmatchedSets(objects: readonly KubernetesObject[]): string[] {
  const clusters = objects.filter(({ kind }) => kind === "Cluster");
  return objects
    .filter(({ kind }) => kind === "ClusterResourceSet")
    .filter((set) => {
      const wanted = Object.entries(at(set, "spec", "clusterSelector", "matchLabels") ?? {});
      return !clusters.some(
        ({ metadata }) =>
          metadata.namespace === set.metadata.namespace &&
          wanted.every(([label, value]) => metadata.labels?.[label] === value),
      );
    })
    .map((set) => `${title(set)} spec.clusterSelector: no Cluster has these labels`);
}

/** Labels that Cluster API gives the Machines of a cluster (CAPI api/core/v1beta2, common_types.go). */
const machineLabels = [
  "cluster.x-k8s.io/cluster-name",
  "cluster.x-k8s.io/control-plane",
  "cluster.x-k8s.io/deployment-name",
  "cluster.x-k8s.io/pool-name",
];

const podLabels = (object: KubernetesObject): Record<string, unknown> =>
  (at(object, "spec", "template", "metadata", "labels") ?? {}) as Record<string, unknown>;

/** Selectors that select nothing: a Service without Pods, a health check without Machines. */
function unmatchedSelectors(
  objects: readonly KubernetesObject[],
  unchecked: ReadonlySet<KubernetesObject> = new Set(),
): string[] {
  const checked = objects.filter((object) => !unchecked.has(object));
  return checked.flatMap((object) => {
    const { kind, metadata } = object;
    if (kind === "MachineHealthCheck") {
      return Object.keys(at(object, "spec", "selector", "matchLabels") ?? {})
        .filter((label) => !machineLabels.includes(label))
        .map((label) => `${title(object)} spec.selector: no controller gives a Machine the label ${label}`);
    }
    const wanted = Object.entries(at(object, "spec", "selector") ?? {});
    if (kind !== "Service" || wanted.length === 0) {
      return [];
    }
    const matched = objects.some(
      (other) =>
        other.metadata.namespace === metadata.namespace &&
        wanted.every(([label, value]) => podLabels(other)[label] === value),
    );
    return matched ? [] : [`${title(object)} spec.selector: no Pod has these labels`];
  });
}

/**
 * Every reference of an object to another one that nothing creates; empty if there is none.
 * @param namespaces - those that the management cluster has before the stack
 * @param secrets - those that are created outside of the stack, as `namespace/name`
 */
export function openReferences(
  { management, workload, sample }: Pick<StackObjects, "management" | "workload" | "sample">,
  namespaces: readonly string[] = [],
  secrets: readonly string[] = [],
): string[] {
  const open = (
    objects: readonly KubernetesObject[],
    others: readonly string[],
    unchecked: ReadonlySet<KubernetesObject> = new Set(),
  ): string[] => {
    const known = new Set([...objects.map(title), ...others]);
    return referencesOf(objects.filter((object) => !unchecked.has(object)))
      .filter(({ target }) => !known.has(target))
      .map(({ from, field, target }) => `${from} ${field}: there is no ${target}`);
  };
  const own = management.map(({ object }) => object);
  // Manifests of users may refer to objects that they create in other ways.
  const ofUsers = new Set(
    own
      .filter(({ metadata }) => metadata.labels?.[manifestLabel] !== undefined)
      .map(({ metadata }) => metadata.name),
  );
  const unchecked = new Set(workload.filter(({ set }) => ofUsers.has(set)).flatMap(({ objects }) => objects));
  const delivered = [...workload.flatMap(({ objects }) => objects), ...sample.map(({ object }) => object)];
  return [
    ...open(own, [
      ...madeByControllers(own),
      ...namespaces.map((name) => key("Namespace", undefined, name)),
      ...secrets.map((name) => `Secret ${name}`),
    ]),
    ...unmatchedSets(own),
    ...unmatchedSelectors(own),
    ...open(delivered, [...madeByKubeadm, ...madeByJobs(delivered)], unchecked),
    ...unmatchedSelectors(delivered, unchecked),
  ];
}
