import { major, minor } from "semver";
import type { Flavor } from "./cluster/platform";
import { components, supported, upcoming } from "./compatibility";

/** Helm chart versions; they are the same for every flavor. */
export const pinnedVersions = {
  certManager: components.certManager.version,
  clusterApiOperator: components.clusterApiOperator.version,
} as const;

const pinned = { clusterApi: components.clusterApi.version, capz: components.capz.version } as const;

/** Where their charts are published. */
export const chartRepositories = {
  certManager: "https://charts.jetstack.io",
  clusterApiOperator: "https://kubernetes-sigs.github.io/cluster-api-operator",
} as const;

export interface ProviderPins {
  /** Version of the core, bootstrap and control plane providers. */
  readonly clusterApi: string;
  readonly capz: string;
  /** Kubernetes minors of which these providers can create a cluster. */
  readonly oldestMinor: number;
  readonly newestMinor: number;
}

/**
 * Provider versions by flavor. CAPZ v1.27 is built on CAPI 1.14 and implements contract v1beta1, which CAPI 1.14
 * accepts. The tests validate against the CRDs of exactly these releases.
 *
 * CAPI 1.14 supports Kubernetes 1.31 and newer, but can create clusters from 1.22 on: no webhook requires a newer
 * version, and its bootstrap provider writes kubeadm's v1beta3 for 1.22 to 1.30 (CAPI v1.14.2
 * bootstrap/kubeadm/pkg/types/utils.go). Older providers are not an alternative: those tested with Kubernetes 1.22 and
 * 1.23 (up to CAPI 1.5 and 1.6) need a management cluster of at most 1.28 or 1.29, which AKS no longer offers, and API
 * types that have been removed since.
 */
export const providerPins: Readonly<Record<Flavor, ProviderPins>> = {
  containerd: { ...pinned, oldestMinor: 22, newestMinor: upcoming.minor },
  dockershim: { ...pinned, oldestMinor: 22, newestMinor: 23 },
};

/** The pinned minor of Cluster API, for messages: `1.14`. */
export const clusterApiSeries = `${major(providerPins.containerd.clusterApi)}.${minor(providerPins.containerd.clusterApi)}`;

/** Kubernetes minors that CAPI 1.14 supports for workload clusters. */
export const supportedMinors = supported.workload;

/** Kubernetes minors that CAPI 1.14 supports for the management cluster. */
export const supportedManagementMinors = supported.management;
