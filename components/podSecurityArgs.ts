import type { PodSecurityLevel } from "capz-windows-platform/cluster/podSecurity";

/** Levels of the Pod Security Standards (privileged, baseline or restricted) for namespaces without labels. */
export interface PodSecurityArgs {
  /** Pods below this level are refused. */
  enforce: PodSecurityLevel;
  /** Pods below this level are noted in the audit log. */
  audit: PodSecurityLevel;
  /** Whoever writes pods below this level is warned. */
  warn: PodSecurityLevel;
  /** Namespaces that no level concerns, beside those of the add-ons. */
  exemptNamespaces: string[];
}
