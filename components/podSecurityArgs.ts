/** Levels of the Pod Security Standards (privileged, baseline or restricted) for namespaces without labels. */
export interface PodSecurityArgs {
  /** Pods below this level are refused. */
  enforce: "privileged" | "baseline" | "restricted";
  /** Pods below this level are noted in the audit log. */
  audit: "privileged" | "baseline" | "restricted";
  /** Whoever writes pods below this level is warned. */
  warn: "privileged" | "baseline" | "restricted";
  /** Namespaces that no level concerns, beside those of the add-ons. */
  exemptNamespaces: string[];
}
