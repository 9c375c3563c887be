import { lt, minor } from "semver";
import type { KubeadmConfigSpec } from "capz-types";

/** First patch release of a minor whose kubeadm pulls from registry.k8s.io (CAPI v1.10 internal/util/kubeadm). */
const firstOnNewRegistry: Readonly<Record<number, string>> = { 22: "1.22.17", 23: "1.23.15", 24: "1.24.9" };

const registry = "registry.k8s.io";

/** Whether kubeadm of a version pulls from k8s.gcr.io by default. */
export const defaultsToFrozenRegistry = (kubernetesVersion: string): boolean =>
  lt(kubernetesVersion, firstOnNewRegistry[minor(kubernetesVersion)] ?? "1.22.0");

/**
 * Image repositories for a kubeadm that would pull from k8s.gcr.io, which has been frozen since April 2023 and may be
 * shut down. CoreDNS needs its own repository, because kubeadm appends the path `coredns` only to its default registry
 * (Kubernetes v1.23.6 cmd/kubeadm/app/images, GetDNSImage).
 */
export const imageRepositories = (
  kubernetesVersion: string,
): Pick<NonNullable<KubeadmConfigSpec["clusterConfiguration"]>, "imageRepository" | "dns"> =>
  defaultsToFrozenRegistry(kubernetesVersion)
    ? { imageRepository: registry, dns: { imageRepository: `${registry}/coredns` } }
    : {};
