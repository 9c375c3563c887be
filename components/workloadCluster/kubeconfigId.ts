import * as pulumi from "@pulumi/pulumi";
import { isControlPlaneInitialized } from "../../capi/waits";
import { kubeconfigSecret } from "capz-windows-platform/cluster/naming";

/**
 * ID by which the kubeconfig Secret is read, unknown in a preview that cannot rely on it. A preview reads what has a known
 * ID and fails where there is nothing, and an `up` that was interrupted before Cluster API made the Secret leaves the
 * Cluster and its patch in the state. The Secret is there when the control plane is.
 */
export const kubeconfigId = (cluster: {
  readonly namespace: string;
  readonly clusterName: string;
  /** The status of the Cluster in the state. */
  readonly status: unknown;
  readonly isPreview: boolean;
}): string =>
  isControlPlaneInitialized(cluster.status) || !cluster.isPreview
    ? `${cluster.namespace}/${kubeconfigSecret(cluster.clusterName)}`
    : // Output accepts other outputs, which its type does not say.
      (pulumi.unknown as unknown as string);
