/** Pod Security Standards, which the API server holds namespaces to (kubernetes.io/docs/concepts/security/pod-security-standards). */

/** From what allows everything to what allows least. */
export const PodSecurityLevel = {
  privileged: "privileged",
  baseline: "baseline",
  restricted: "restricted",
} as const;
export type PodSecurityLevel = (typeof PodSecurityLevel)[keyof typeof PodSecurityLevel];
export const podSecurityLevels = Object.values(PodSecurityLevel);

/** Levels of namespaces without labels. */
export interface PodSecurity {
  readonly enforce: PodSecurityLevel;
  readonly audit: PodSecurityLevel;
  readonly warn: PodSecurityLevel;
  /** Namespaces that no level concerns, beside those of the add-ons. */
  readonly exemptNamespaces: readonly string[];
}

/** The first minor version with v1 of its file (k8s.io/pod-security-admission v0.25 admission/api/v1). */
export const firstWithPodSecurity = 25;

/** Namespaces of add-ons that are administrators of their nodes, sorted. */
export const privilegedNamespaces: readonly string[] = ["calico-system", "kube-system", "tigera-operator"];
