import type { ClusterSpec } from "../../domain/capi/crds/cluster";

/**
 * API versions in one place. CAPI objects are applied in their storage version: server-side apply over objects
 * that are served in more than one version mixes the managed fields of both (CAPI #13338). CAPZ has v1beta1 only.
 */
export const apiVersions = {
  cluster: "cluster.x-k8s.io/v1beta2",
  controlPlane: "controlplane.cluster.x-k8s.io/v1beta2",
  bootstrap: "bootstrap.cluster.x-k8s.io/v1beta2",
  addons: "addons.cluster.x-k8s.io/v1beta2",
  azure: "infrastructure.cluster.x-k8s.io/v1beta1",
  operator: "operator.cluster.x-k8s.io/v1alpha2",
} as const;

/** The group of an API version: references of CAPI v1beta2 carry the group alone. */
export const apiGroup = (apiVersion: string): string => apiVersion.split("/")[0] ?? apiVersion;

/** A reference as CAPI v1beta2 has it: no version, no namespace. */
export const reference = (
  apiVersion: string,
  kind: string,
  name: string,
): NonNullable<ClusterSpec["infrastructureRef"]> => ({
  apiGroup: apiGroup(apiVersion),
  kind,
  name,
});
