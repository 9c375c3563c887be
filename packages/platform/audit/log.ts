import { formatCount } from "capz-windows-kit/problem";

/** The audit log of an API server: where it is, and how much room it takes. */

/** On the OS disk, not on that of etcd, whose full disk would stop the cluster. */
export const auditLogFolder = "/var/log/kubernetes/audit";

export const auditLogPath = `${auditLogFolder}/audit.log`;

export const defaultAuditLog = {
  /** Days for which a file is kept. */
  maxAgeDays: 30,
  /** Files beside the one that is written. */
  maxBackups: 10,
  /** MiB at which the next file begins. */
  maxSizeMiB: 100,
} as const;

/**
 * Share of the OS disk that the log may take. The rest is the system (a reference image takes 30 GB), container images
 * and other logs; below 15 % of free space kubelet removes images, and below 10 % it evicts pods
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#hard-eviction-thresholds).
 */
const share = 0.25;

/** How the API server keeps its log. */
export interface AuditLogSize {
  readonly maxBackups: number;
  readonly maxSizeMiB: number;
}

/** MiB that the log can take on each machine: the file that is written, and all that are kept beside it. */
export const auditLogMiB = ({ maxBackups, maxSizeMiB }: AuditLogSize): number =>
  (maxBackups + 1) * maxSizeMiB;

/** MiB that the log may take on an OS disk. */
export const mostAuditMiB = (osDiskGB: number): number => Math.floor(osDiskGB * 1024 * share);

/** "(10 + 1) × 100 MiB = 1,100 MiB" */
export const auditLogArithmetic = (size: AuditLogSize): string =>
  `(${size.maxBackups} + 1) × ${size.maxSizeMiB} MiB = ${formatCount(auditLogMiB(size))} MiB`;
