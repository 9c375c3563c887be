import { present } from "../../tools/present";
import { at, textAt } from "../../tools/untyped";
import { podOf, privilegesOf } from "./podPrivileges";
import { type PodSecurityLevel, podSecurityLevels, privilegedNamespaces } from "./podSecurity";
import { flat, type OpenRight, type Placed } from "./rights";

/** Objects by which pods may do more than the stack says. */

/** Folders of nodes that a volume has, which a pod gets by a claim: no level of Pod Security sees it. */
const foldersOf = (object: unknown): string[] =>
  textAt(object, "kind") === "PersistentVolume"
    ? ["hostPath", "local"]
        .map((source) => textAt(object, "spec", source, "path"))
        .filter((path) => path !== "")
    : [];

/**
 * Accounts of kube-controller-manager's controllers in kube-system, to which Kubernetes binds roles (kubernetes v1.36.3
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go): who delivers one delivers nothing new.
 */
const ofKubernetes = new RegExp(
  `^kube-system/(?:${[
    "attachdetach|certificate|clusterrole-aggregation|cronjob|daemon-set|deployment|disruption|endpoint|endpointslice",
    "endpointslicemirroring|ephemeral-volume|expand|job|namespace|node|pv-protection|pvc-protection|replicaset|replication",
    "resourcequota|route|service|service-account|service-cidrs|statefulset|ttl|ttl-after-finished",
  ].join(
    "|",
  )})-controller$|^kube-system/(?:bootstrap-signer|generic-garbage-collector|horizontal-pod-autoscaler|${[
    "persistent-volume-binder|pod-garbage-collector|root-ca-cert-publisher|token-cleaner",
  ].join("|")})$`,
);

/** The account that an object uses in a namespace of the cluster itself, where the manifests do not have that account. */
function borrowedAccount(object: unknown, own: ReadonlySet<string>): string | undefined {
  const namespace = textAt(object, "metadata", "namespace");
  const pod = podOf({ kind: textAt(object, "kind"), spec: at(object, "spec") });
  const isToken = textAt(object, "type") === "kubernetes.io/service-account-token";
  const name = isToken
    ? textAt(object, "metadata", "annotations", "kubernetes.io/service-account.name")
    : textAt(pod, "serviceAccountName") || textAt(pod, "serviceAccount");
  const title = `${namespace}/${name}`;
  const isOwn = own.has(title) && !ofKubernetes.test(title);
  // Kubernetes makes `default`, which has no rights of its own.
  const isUsed = name !== "" && name !== "default" && privilegedNamespaces.includes(namespace);
  return isUsed && !isOwn ? name : undefined;
}

/** Pods that are more than containers, and volumes that make them so. */
export function privilegedPods(written: readonly Placed[]): OpenRight[] {
  const all = flat(written);
  const titleOf = (object: unknown): string =>
    `${textAt(object, "metadata", "namespace") || "default"}/${textAt(object, "metadata", "name")}`;
  const accounts = new Set(
    all
      .filter(({ object }) => textAt(object, "kind") === "ServiceAccount")
      .map(({ object }) => titleOf(object)),
  );
  return all.flatMap(({ path, object }) => {
    const kind = textAt(object, "kind");
    const pod = podOf({ kind, spec: at(object, "spec") });
    const account = borrowedAccount(object, accounts);
    const may = present(
      ...privilegesOf(pod),
      account !== undefined && `the service account ${account}, whose rights the plan does not know`,
    );
    const folders = foldersOf(object);
    return present(
      may.length > 0 && { path, message: `${kind} ${titleOf(object)} has ${may.join("; ")}` },
      folders.length > 0 && {
        path,
        message: `${kind} ${textAt(object, "metadata", "name")} has folders of nodes: ${folders.join(", ")}`,
      },
    );
  });
}

/** Namespaces whose label lets in more than the level of the stack. */
export const weakerNamespaces = (written: readonly Placed[], enforced: PodSecurityLevel): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const level = textAt(object, "metadata", "labels", "pod-security.kubernetes.io/enforce");
    const rank = podSecurityLevels.findIndex((one) => one === level);
    return textAt(object, "kind") !== "Namespace" || rank < 0 || rank >= podSecurityLevels.indexOf(enforced)
      ? []
      : [
          {
            path,
            message: `Namespace ${textAt(object, "metadata", "name")} lets in pods of the level ${level}; controlPlane.podSecurity says ${enforced}`,
          },
        ];
  });
