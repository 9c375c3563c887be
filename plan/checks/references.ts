import type { KubernetesObject } from "capz-types";
import { manifestLabel } from "capz-windows-platform/manifests/userManifests";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import type { StackObjects } from "../model/stackObjects";

/** What refers to another object: a field, and what it names; by default in the namespace of its own object. */
type Reference = readonly [field: string, kind: string, name: string, namespace?: string | undefined];

const inNoNamespace = ["Namespace", "PriorityClass", "ClusterRole"];

const key = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind} ${inNoNamespace.includes(kind) ? "" : (namespace ?? "")}/${name}`;

const title = ({ kind, metadata }: KubernetesObject): string => key(kind, metadata.namespace, metadata.name);

/** What controllers create for the program's objects. Sources: CAPZ azurejson controllers, CAPI, kubeadm. */
function madeByControllers({ kind, metadata: { name, namespace } }: KubernetesObject): string[] {
  const secret = (part: string): string => key("Secret", namespace, `${name}-${part}`);
  if (/^AzureMachine(Template|Pool)$/.test(kind)) {
    return [secret("azure-json")];
  }
  return kind === "Cluster" ? ["kubeconfig", "ca", "etcd", "sa", "proxy"].map(secret) : [];
}

/** What kubeadm and Kubernetes itself create in every workload cluster. */
const madeByKubeadm = [
  ...["kube-system", "default"].map((name) => key("Namespace", undefined, name)),
  ...["kube-proxy", "kubeadm-config"].map((name) => key("ConfigMap", "kube-system", name)),
  key("ServiceAccount", "kube-system", "kube-proxy"),
  key("Role", "kube-system", "extension-apiserver-authentication-reader"),
  ...["cluster-admin", "system:auth-delegator", "view"].map((name) => key("ClusterRole", undefined, name)),
  ...["node", "cluster"].map((what) => key("PriorityClass", undefined, `system-${what}-critical`)),
];

/** Secrets that a Job with kube-webhook-certgen makes in the cluster. */
const madeByJobs = ({ kind, metadata: { namespace }, spec }: KubernetesObject): string[] =>
  list(at(spec, "template", "spec", "initContainers"))
    .map(({ args }) => strings(args))
    .filter(([command]) => kind === "Job" && command === "create")
    .flatMap((args) => args.flatMap((argument) => /^--secret-name=(.+)$/.exec(argument)?.[1] ?? []))
    .map((name) => key("Secret", namespace, name));

function podReferences({ kind, spec }: KubernetesObject): Reference[] {
  const hasPods = ["Deployment", "DaemonSet", "StatefulSet", "Job"].includes(kind);
  const pod = hasPods ? at(spec, "template", "spec") : undefined;
  const required = (source: unknown): string =>
    at(source, "optional") === true ? "" : textAt(source, "name");
  return [
    ["serviceAccountName", "ServiceAccount", textAt(pod, "serviceAccountName")],
    ["priorityClassName", "PriorityClass", textAt(pod, "priorityClassName")],
    ...list(at(pod, "volumes")).flatMap(({ name, configMap, secret }): Reference[] => [
      [`volumes ${text(name)}`, "ConfigMap", required(configMap)],
      [`volumes ${text(name)}`, "Secret", textAt(secret, "secretName")],
    ]),
    ...[...list(at(pod, "initContainers")), ...list(at(pod, "containers"))].flatMap(({ envFrom }) =>
      list(envFrom).map(({ configMapRef }): Reference => ["envFrom", "ConfigMap", required(configMapRef)]),
    ),
  ];
}

const bindingReferences = ({ kind, roleRef, subjects }: KubernetesObject): Reference[] =>
  /^(Cluster)?RoleBinding$/.test(kind)
    ? [
        ["roleRef", textAt(roleRef, "kind"), textAt(roleRef, "name")],
        ...list(subjects)
          .filter((subject) => subject.kind === "ServiceAccount")
          .map((one): Reference => ["subjects", "ServiceAccount", text(one.name), text(one.namespace)]),
      ]
    : [];

/** References of Cluster API and CAPZ: `*Ref` fields, and secrets of bootstrap files. */
const referencesIn = (value: unknown, path: string): Reference[] =>
  Object.entries(typeof value === "object" ? (value ?? {}) : {}).flatMap(([field, inner]): Reference[] => {
    const [here, kind] = [`${path}.${field}`, textAt(inner, "kind")];
    if (field.endsWith("Ref") && kind !== "" && field !== "roleRef") {
      // Some references of Cluster API can name another namespace than that of their object.
      return [[here, kind, textAt(inner, "name"), textAt(inner, "namespace") || undefined]];
    }
    return field === "contentFrom"
      ? [[here, "Secret", textAt(inner, "secret", "name")]]
      : referencesIn(inner, here);
  });

const referencesOf = (object: KubernetesObject): Reference[] => [
  ...(object.apiVersion.includes("cluster.x-k8s.io/") ? referencesIn(object.spec, "spec") : []),
  ...(object.kind === "ClusterResourceSet" ? list(at(object.spec, "resources")) : []).map(
    ({ kind, name }): Reference => ["spec.resources", text(kind), text(name)],
  ),
  ...[
    ...["spec.clusterName", "spec.template.spec.clusterName"].map((path): Reference => [
      path,
      "Cluster",
      textAt(object, ...path.split(".")),
    ]),
    ...podReferences(object),
  ].filter(([, , name]) => name !== ""),
  ...bindingReferences(object),
  ...(object.metadata.namespace === undefined
    ? []
    : [["metadata.namespace", "Namespace", object.metadata.namespace] as const]),
];

/** Labels that Cluster API gives the Machines of a cluster (CAPI api/core/v1beta2, common_types.go). */
const machineLabels = [
  "cluster.x-k8s.io/cluster-name",
  "cluster.x-k8s.io/control-plane",
  "cluster.x-k8s.io/deployment-name",
  "cluster.x-k8s.io/pool-name",
];

const hasLabels = (labels: unknown, wanted: object): boolean =>
  Object.entries(wanted).every(([label, value]) => at(labels, label) === value);

/** Selectors that select nothing: a set that would silently deliver nothing, a health check without Machines, a Service without Pods. */
function unmatched(object: KubernetesObject, objects: readonly KubernetesObject[]): string[] {
  const { kind, metadata, spec } = object;
  const near = objects.filter((other) => other.metadata.namespace === metadata.namespace);
  const wanted = (...path: readonly string[]): object => at(spec, ...path) ?? {};
  switch (kind) {
    case "ClusterResourceSet":
      return near.some(
        (other) =>
          other.kind === "Cluster" &&
          hasLabels(other.metadata.labels, wanted("clusterSelector", "matchLabels")),
      )
        ? []
        : [`${title(object)} spec.clusterSelector: no Cluster has these labels`];
    case "MachineHealthCheck":
      return Object.keys(wanted("selector", "matchLabels"))
        .filter((label) => !machineLabels.includes(label))
        .map((label) => `${title(object)} spec.selector: no controller gives a Machine the label ${label}`);
    case "Service":
      return Object.keys(wanted("selector")).length === 0 ||
        near.some((other) => hasLabels(at(other.spec, "template", "metadata", "labels"), wanted("selector")))
        ? []
        : [`${title(object)} spec.selector: no Pod has these labels`];
    default:
      return [];
  }
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
    checked = objects,
  ): string[] => {
    const known = new Set([...objects.map(title), ...others]);
    return [
      ...checked.flatMap((object) =>
        referencesOf(object)
          .map(([field, kind, name, namespace = object.metadata.namespace]) => ({
            ...{ field, target: key(kind, namespace, name) },
          }))
          .filter(({ target }) => !known.has(target))
          .map(({ field, target }) => `${title(object)} ${field}: there is no ${target}`),
      ),
      ...checked.flatMap((object) => unmatched(object, objects)),
    ];
  };
  const own = management.map(({ object }) => object);
  // Manifests of users may refer to objects that they create in other ways.
  const ofUsers = new Set(
    own
      .filter(({ metadata }) => metadata.labels?.[manifestLabel] !== undefined)
      .map(({ metadata }) => metadata.name),
  );
  const ofSample = sample.map(({ object }) => object);
  const delivered = [...workload.flatMap(({ objects }) => objects), ...ofSample];
  const ofProgram = workload.filter(({ set }) => !ofUsers.has(set)).flatMap(({ objects }) => objects);
  return [
    ...open(own, [
      ...own.flatMap(madeByControllers),
      ...namespaces.map((name) => key("Namespace", undefined, name)),
      ...secrets.map((name) => `Secret ${name}`),
    ]),
    ...open(delivered, [...madeByKubeadm, ...delivered.flatMap(madeByJobs)], [...ofProgram, ...ofSample]),
  ];
}
