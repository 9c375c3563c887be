import { rowOf } from "../compatibility";

/** The newest release of metrics-server that supports a Kubernetes minor. */
export const metricsServerVersion = (kubernetesMinor: number): string => rowOf(kubernetesMinor).metricsServer;

export const metricsServerImage = (version: string): string =>
  `registry.k8s.io/metrics-server/metrics-server:${version}`;
