import { machinePrefix, scaleSetName, type NodeOs } from "../machines/naming";
import type { PoolKind } from "../machines/pools";
import { controlPlaneName } from "./naming";

/** Certificates with which kubelets answer the API server and metrics-server (kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping). */

/** Who signs them, and whether the signature is verified; in the order of the stages of a cluster that exists. */
export const KubeletCertificates = {
  selfSigned: "selfSigned",
  issued: "issued",
  verified: "verified",
} as const;
export type KubeletCertificates = (typeof KubeletCertificates)[keyof typeof KubeletCertificates];

/** What an approver has to know of the machines of a cluster. */
export interface ServingCertificates {
  /** Regular expression of Go, from the beginning to the end of the name of a node. */
  readonly nodeNames: string;
  /** Subnets of the machines. */
  readonly nodeRanges: readonly string[];
  /** Whether metrics-server verifies the certificates. */
  readonly verified: boolean;
}

/** Path of the cluster's CA on a control plane machine. */
export const clusterCa = "/etc/kubernetes/pki/ca.crt";

/** Longest name of a machine without the 5 random characters behind it (CAPI v1.14.2 internal/topology/names/names.go). */
const longestBase = 58;

/** Computer names of a pool: Azure appends 6 characters for a scale set; CAPZ 5 for a single machine. */
const poolPattern = (name: string, os: NodeOs, kind: PoolKind): string =>
  kind === "MachinePool" ? `${scaleSetName(name, os)}[a-z0-9]{6}` : `${machinePrefix(name)}[a-z0-9]{5}`;

/** The names that nodes of a cluster can have, and no others. They have no characters that mean something in a pattern. */
export function nodeNamePattern(
  clusterName: string,
  pools: readonly { readonly name: string; readonly os: NodeOs; readonly kind: PoolKind }[],
): string {
  const controlPlane = `${`${controlPlaneName(clusterName)}-`.slice(0, longestBase)}[a-z0-9]{5}`;
  const names = pools.map(({ name, os, kind }) => poolPattern(name, os, kind));
  return `^(${[controlPlane, ...new Set(names)].join("|")})$`;
}
