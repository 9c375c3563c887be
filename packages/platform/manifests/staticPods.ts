import { posix } from "node:path";
import type { KubernetesObject } from "capz-types";
import { at, list, text, textAt } from "capz-windows-kit/untyped";
import { readObjects } from "./yamlStream";

/** The folder in which kubelet finds its static pods (kubeadm v1.35 app/constants/constants.go). */
const folder = "/etc/kubernetes/manifests/";

export const isStaticPodPath = (path: string): boolean => posix.normalize(path).startsWith(folder);

/** Bootstrap data has a text in base64 where Jinja would change it. */
const contentOf = (file: unknown): string => {
  const content = textAt(file, "content");
  return textAt(file, "encoding") === "base64" ? Buffer.from(content, "base64").toString("utf8") : content;
};

/** Without a name, kubelet only logs that it takes none. */
const isPod = (object: unknown): boolean =>
  textAt(object, "kind") === "Pod" && textAt(object, "metadata", "name") !== "";

/** Why a file is not one pod, or why that cannot be known (pkg/kubelet/config/file.go: it reads one pod). */
export function staticPodFault(content: string): string | undefined {
  const { objects, errors } = readObjects(content);
  if (errors.length > 0) {
    return `it cannot be read: ${(errors[0]?.split("\n")[0] ?? "").replace(/:$/, "")}`;
  }
  return objects.length === 1 && objects.every(isPod)
    ? undefined
    : "it is not one Pod with metadata.name, and kubelet runs its first document at most";
}

/** Static pods that machines get as files; kubeadm writes its own on the machine. */
export const staticPodsOf = (machines: unknown): KubernetesObject[] =>
  list(
    at(machines, "spec", "kubeadmConfigSpec", "files") ??
      at(machines, "spec", "template", "spec", "files") ??
      at(machines, "spec", "files"),
  )
    .filter(({ path }) => isStaticPodPath(text(path)))
    .flatMap((file) => readObjects(contentOf(file)).objects)
    .filter(isPod);
