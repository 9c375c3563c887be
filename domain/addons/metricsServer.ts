/**
 * Newest releases of metrics-server by the oldest Kubernetes minor they support. Source: the compatibility matrix in
 * the README of kubernetes-sigs/metrics-server at v0.9.0.
 */
const releases = [
  [34, "v0.9.0"],
  [31, "v0.8.1"],
  [27, "v0.7.2"],
  [0, "v0.6.4"],
] as const;

/** The newest release of metrics-server that supports a Kubernetes minor. */
export const metricsServerVersion = (kubernetesMinor: number): string =>
  (releases.find(([oldest]) => kubernetesMinor >= oldest) ?? releases[3])[1];

export const metricsServerImage = (version: string): string =>
  `registry.k8s.io/metrics-server/metrics-server:${version}`;
