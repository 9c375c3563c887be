/**
 * The pinned set: these releases work together (CAPZ v1.26 is built on CAPI 1.13 and speaks contract v1beta1,
 * which CAPI 1.13 accepts), and the CRDs that the tests validate against are of exactly these releases.
 */
export const pinnedVersions = {
  certManager: "v1.21.2",
  clusterApiOperator: "0.29.0",
  clusterApi: "v1.13.6",
  capz: "v1.26.0",
} as const;

/** Kubernetes minors that CAPI 1.13 supports for workload clusters (CAPI book, version support). */
export const supportedMinors = { oldest: 30, newest: 36 } as const;

/** Kubernetes minors that CAPI 1.13 supports for the management cluster. */
export const supportedManagementMinors = { oldest: 32, newest: 36 } as const;
