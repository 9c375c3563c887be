/** IDs of the policies, in the order of docs/policies.md. Without imports, because the schema has them, too. */
export const policyIds = [
  "public-cluster",
  "public-management-cluster",
  "no-entra-login",
  "one-control-plane-machine",
  "no-encryption",
  "no-audit-log",
  "secrets-in-audit-log",
  "unverified-kubelets",
  "kubelets-for-everyone",
  "rights-for-everyone",
  "plain-credential",
  "unprotected",
  "kubernetes-end-of-life",
  "windows-end-of-life",
  "windows-mainstream-end",
  "ends-soon",
  "image-end-of-life",
  "old-windows-image",
  "moving-image",
  "image-without-digest",
  "artifact-without-digest",
  "public-sample",
] as const;

export type PolicyId = (typeof policyIds)[number];
