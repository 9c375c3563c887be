import type { KubernetesObject } from "../../capi/types";
import { at, list, textAt } from "../../tools/untyped";
import { readObjects } from "./yamlStream";

/** The folder in which kubelet finds its static pods (kubeadm v1.35 app/constants/constants.go). */
const folder = "/etc/kubernetes/manifests/";

/** Static pods that machines get as files; kubeadm writes its own on the machine. */
export const staticPodsOf = (machines: unknown): KubernetesObject[] =>
  list(
    at(machines, "spec", "kubeadmConfigSpec", "files") ??
      at(machines, "spec", "template", "spec", "files") ??
      at(machines, "spec", "files"),
  )
    .filter(({ path }) => typeof path === "string" && path.startsWith(folder))
    .flatMap((file) => readObjects(textAt(file, "content")).objects);
