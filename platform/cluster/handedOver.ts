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

/** The account of a pod in a namespace of the cluster itself, where the manifests do not have that account. */
const borrowedAccount = (pod: unknown, namespace: string, own: ReadonlySet<string>): string | undefined => {
  const name = textAt(pod, "serviceAccountName") || textAt(pod, "serviceAccount");
  return name !== "" && privilegedNamespaces.includes(namespace) && !own.has(`${namespace}/${name}`)
    ? name
    : undefined;
};

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
    const account = borrowedAccount(pod, textAt(object, "metadata", "namespace"), accounts);
    const may = present(
      ...privilegesOf(pod),
      account !== undefined && `the service account ${account}, which your manifests do not have`,
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
