import { RunError } from "@pulumi/pulumi";
import { ClusterKubeconfigError, clusterKubeconfigText } from "capz-windows-kit/clusterKubeconfig";

/**
 * The kubeconfig of a cluster for a provider or an output. Whoever may write the Secret that it comes from must not run programs
 * where `pulumi up` runs.
 * @throws RunError, which Pulumi shows without a stack trace
 */
export function kubeconfigOfCluster(kubeconfig: string): string {
  try {
    return clusterKubeconfigText(kubeconfig);
  } catch (error) {
    throw error instanceof ClusterKubeconfigError ? new RunError(error.message) : error;
  }
}
