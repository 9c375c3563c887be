import type { ClusterSpec } from "capz-types/crds/cluster";

/**
 * API versions of the objects that are applied. CAPI objects use their storage version: server-side apply to objects
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

/** The group of an API version; references in CAPI v1beta2 contain the group without the version. */
export const apiGroup = (apiVersion: string): string => apiVersion.split("/")[0] ?? apiVersion;

/** An object reference of CAPI v1beta2, which has neither version nor namespace. */
export const reference = (
  apiVersion: string,
  kind: string,
  name: string,
): NonNullable<ClusterSpec["infrastructureRef"]> => ({
  apiGroup: apiGroup(apiVersion),
  kind,
  name,
});
