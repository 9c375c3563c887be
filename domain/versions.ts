import type { Flavor } from "./cluster/platform";

/** Charts of the pinned set, whatever the flavour. */
export const pinnedVersions = { certManager: "v1.21.2", clusterApiOperator: "0.29.0" } as const;

export interface ProviderPins {
  /** Core, bootstrap and control plane provider. */
  readonly clusterApi: string;
  readonly capz: string;
  /** Kubernetes minors that these providers can build. */
  readonly oldestMinor: number;
  readonly newestMinor: number;
}

/**
 * Providers by flavour. CAPZ v1.26 is built on CAPI 1.13 and speaks contract v1beta1, which CAPI 1.13 accepts; the
 * CRDs that the tests validate against are of exactly these releases.
 *
 * From 1.22 on CAPI 1.13 can create a cluster: no webhook asks for more, and its bootstrap provider writes kubeadm's
 * v1beta3 for 1.22 to 1.30 (CAPI v1.13.6 bootstrap/kubeadm/types/utils.go). What it supports begins with 1.30.
 * Providers of that time would be no way out: those that were tested with Kubernetes 1.22 and 1.23 (up to CAPI 1.5 and
 * 1.6) want a management cluster of at most 1.28 or 1.29, which AKS no longer offers, and objects that are gone.
 */
export const providerPins: Readonly<Record<Flavor, ProviderPins>> = {
  containerd: { clusterApi: "v1.13.6", capz: "v1.26.0", oldestMinor: 22, newestMinor: 36 },
  // Stays when the other moves on: CAPI 1.14 supports nothing that needs v1beta3 any more and may drop it.
  dockershim: { clusterApi: "v1.13.6", capz: "v1.26.0", oldestMinor: 22, newestMinor: 23 },
};

/** Kubernetes minors that CAPI 1.13 supports for workload clusters (CAPI book, version support). */
export const supportedMinors = { oldest: 30, newest: 36 } as const;

/** Kubernetes minors that CAPI 1.13 supports for the management cluster. */
export const supportedManagementMinors = { oldest: 32, newest: 36 } as const;
