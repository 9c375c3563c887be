import type { Flavor } from "./cluster/platform";

/** Helm chart versions; they are the same for every flavor. */
export const pinnedVersions = { certManager: "v1.21.2", clusterApiOperator: "0.29.0" } as const;

export interface ProviderPins {
  /** Version of the core, bootstrap and control plane providers. */
  readonly clusterApi: string;
  readonly capz: string;
  /** Kubernetes minors of which these providers can create a cluster. */
  readonly oldestMinor: number;
  readonly newestMinor: number;
}

/**
 * Provider versions by flavor. CAPZ v1.26 is built on CAPI 1.13 and implements contract v1beta1, which CAPI 1.13
 * accepts. The tests validate against the CRDs of exactly these releases.
 *
 * CAPI 1.13 supports Kubernetes 1.30 and newer, but can create clusters from 1.22 on: no webhook requires a newer
 * version, and its bootstrap provider writes kubeadm's v1beta3 for 1.22 to 1.30 (CAPI v1.13.6
 * bootstrap/kubeadm/types/utils.go). Older providers are no alternative: those tested with Kubernetes 1.22 and 1.23
 * (up to CAPI 1.5 and 1.6) need a management cluster of at most 1.28 or 1.29, which AKS no longer offers, and API
 * types that have been removed since.
 */
export const providerPins: Readonly<Record<Flavor, ProviderPins>> = {
  containerd: { clusterApi: "v1.13.6", capz: "v1.26.0", oldestMinor: 22, newestMinor: 36 },
  // Keep this pin when the other one moves on: no version that CAPI 1.14 supports needs v1beta3, so CAPI may drop it.
  dockershim: { clusterApi: "v1.13.6", capz: "v1.26.0", oldestMinor: 22, newestMinor: 23 },
};

/** Kubernetes minors that CAPI 1.13 supports for workload clusters (CAPI book, version support). */
export const supportedMinors = { oldest: 30, newest: 36 } as const;

/** Kubernetes minors that CAPI 1.13 supports for the management cluster. */
export const supportedManagementMinors = { oldest: 32, newest: 36 } as const;
