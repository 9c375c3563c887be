import { auditLogFolder, auditLogPath, defaultAuditLog } from "capz-windows-platform/audit/log";
import { builtInPolicy } from "capz-windows-platform/audit/builtInPolicy";
import { auditPolicyText } from "capz-windows-platform/audit/policyText";
import { withoutUndefined } from "capz-windows-kit/without";
import { apiServerFile, noApiServerFile, type ApiServerParts } from "./apiServerFile";

/** The audit log of the API server. */
export interface AuditArgs {
  /** Text of a Policy of audit.k8s.io/v1, at most 10,240 characters. Default: a built-in policy. */
  policy?: string | undefined;
  /** Days for which a file of the log is kept. Default: 30. */
  maxAgeDays?: number | undefined;
  /** Files that are kept beside the one that is written. Default: 10. */
  maxBackups?: number | undefined;
  /** MiB at which the next file begins. Default: 100. */
  maxSizeMiB?: number | undefined;
}

/** How the log is kept, with the defaults. */
export const auditLogSize = ({ maxAgeDays, maxBackups, maxSizeMiB }: AuditArgs) => ({
  ...defaultAuditLog,
  ...withoutUndefined({ maxAgeDays, maxBackups, maxSizeMiB }),
});

/**
 * Arguments, volumes of the static pod, and the policy (kubernetes.io/docs/tasks/debug/debug-cluster/audit; kubeadm v1.35
 * mounts nothing of this itself). The API server runs as root, so only root reads the policy.
 * @param kubernetesVersion - of the control plane, with leading v
 */
export function auditBootstrap(audit: AuditArgs | undefined, kubernetesVersion: string): ApiServerParts {
  if (audit === undefined) {
    return noApiServerFile;
  }
  const { maxAgeDays, maxBackups, maxSizeMiB } = auditLogSize(audit);
  const policy = apiServerFile(
    "audit-policy-file",
    "audit-policy",
    audit.policy ?? auditPolicyText(builtInPolicy(kubernetesVersion)),
  );
  return {
    args: [
      { name: "audit-log-maxage", value: String(maxAgeDays) },
      { name: "audit-log-maxbackup", value: String(maxBackups) },
      { name: "audit-log-maxsize", value: String(maxSizeMiB) },
      { name: "audit-log-path", value: auditLogPath },
      ...policy.args,
    ],
    volumes: [
      {
        name: "audit-log",
        hostPath: auditLogFolder,
        mountPath: auditLogFolder,
        pathType: "DirectoryOrCreate",
      },
      ...policy.volumes,
    ],
    files: policy.files,
  };
}
