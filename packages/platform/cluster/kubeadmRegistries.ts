import { textAt } from "capz-windows-kit/untyped";

/** What supplies the control plane instead of Kubernetes' registry: the fields of a kubeadm configuration that name one. */
export const otherRegistries = (
  kubeadmConfigSpec: unknown,
): { readonly path: string; readonly registry: string }[] =>
  ["imageRepository", "etcd.local.imageRepository", "dns.imageRepository"]
    .map((path) => ({
      path: `clusterConfiguration.${path}`,
      registry: textAt(kubeadmConfigSpec, "clusterConfiguration", ...path.split(".")),
    }))
    .filter(({ registry }) => registry !== "" && !/^registry\.k8s\.io(?:\/|$)/.test(registry));
