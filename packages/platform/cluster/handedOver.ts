import { present } from "capz-windows-kit/present";
import { textAt } from "capz-windows-kit/untyped";
import { podParts, privilegesOf } from "./podPrivileges";
import { type PodSecurityLevel, podSecurityLevels, privilegedNamespaces } from "./podSecurity";
import { flat, kindOf, nameOf, namespacedName, type OpenRight, type Placed, titleOf } from "./rights";

/** Objects by which pods may do more than the stack says. */

/** Folders of nodes that a volume has, which a pod gets by a claim: no level of Pod Security sees it. */
const foldersOf = (object: unknown): string[] =>
  kindOf(object) === "PersistentVolume"
    ? ["hostPath", "local"]
        .map((source) => textAt(object, "spec", source, "path"))
        .filter((path) => path !== "")
    : [];

const controllers = [
  ...[
    "attachdetach",
    "certificate",
    "clusterrole-aggregation",
    "cronjob",
    "daemon-set",
    "deployment",
    "disruption",
  ],
  ...[
    "endpoint",
    "endpointslice",
    "endpointslicemirroring",
    "ephemeral-volume",
    "expand",
    "job",
    "namespace",
    "node",
  ],
  ...["pv-protection", "pvc-protection", "replicaset", "replication", "resourcequota", "route", "service"],
  ...["service-account", "service-cidrs", "statefulset", "ttl", "ttl-after-finished"],
].map((name) => `${name}-controller`);

/**
 * Accounts of kube-controller-manager in kube-system, to which Kubernetes binds roles (kubernetes v1.36.3
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go): who delivers one delivers nothing new.
 */
const ofKubernetes = new Set(
  [
    ...controllers,
    ...["bootstrap-signer", "generic-garbage-collector", "horizontal-pod-autoscaler"],
    ...["persistent-volume-binder", "pod-garbage-collector", "root-ca-cert-publisher", "token-cleaner"],
  ].map((name) => namespacedName("kube-system", name)),
);

/** The accounts of the pods of an object, or the one whose token a Secret gets. */
function accountsIn(object: unknown): string[] {
  if (textAt(object, "type") === "kubernetes.io/service-account-token") {
    return [textAt(object, "metadata", "annotations", "kubernetes.io/service-account.name")];
  }
  const names = podParts(object).map(
    (part) => textAt(part, "serviceAccountName") || textAt(part, "serviceAccount"),
  );
  return [...new Set(names)];
}

/** Whether an account is in a namespace of the cluster itself, and none of the manifests. Kubernetes makes `default`, without rights. */
const isBorrowed = (name: string, namespace: string, own: ReadonlySet<string>): boolean =>
  !["", "default"].includes(name) &&
  privilegedNamespaces.includes(namespace) &&
  (ofKubernetes.has(namespacedName(namespace, name)) || !own.has(namespacedName(namespace, name)));

/** The account with which an object runs, or of which it gets a token, if Kubernetes' own controllers have it. */
export const accountOfKubernetes = (object: unknown): string | undefined =>
  accountsIn(object).find((account) =>
    ofKubernetes.has(namespacedName(textAt(object, "metadata", "namespace"), account)),
  );

/** Pods that are more than containers, and volumes that make them so. */
export function privilegedPods(written: readonly Placed[]): OpenRight[] {
  const all = flat(written);
  const accounts = new Set(
    all.filter(({ object }) => kindOf(object) === "ServiceAccount").map(({ object }) => titleOf(object)),
  );
  return all.flatMap(({ path, object }) => {
    const kind = kindOf(object);
    const borrowed = accountsIn(object).filter((account) =>
      isBorrowed(account, textAt(object, "metadata", "namespace"), accounts),
    );
    const may = [
      ...privilegesOf(podParts(object)),
      ...borrowed.map((account) => `the service account ${account}, whose rights the plan does not know`),
    ];
    const folders = foldersOf(object);
    return present(
      may.length > 0 && { path, message: `${kind} ${titleOf(object)} has ${may.join("; ")}` },
      folders.length > 0 && {
        path,
        message: `${kind} ${nameOf(object)} has folders of nodes: ${folders.join(", ")}`,
      },
    );
  });
}

/** Namespaces whose label lets in more than the level of the stack. */
export const weakerNamespaces = (written: readonly Placed[], enforced: PodSecurityLevel): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const level = textAt(object, "metadata", "labels", "pod-security.kubernetes.io/enforce");
    const rank = podSecurityLevels.findIndex((one) => one === level);
    return kindOf(object) !== "Namespace" || rank < 0 || rank >= podSecurityLevels.indexOf(enforced)
      ? []
      : [
          {
            path,
            message: `Namespace ${nameOf(object)} lets in pods of the level ${level}; controlPlane.podSecurity says ${enforced}`,
          },
        ];
  });
