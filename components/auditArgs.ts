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
