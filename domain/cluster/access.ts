/** How people reach a cluster and its nodes. Every Windows and Linux node is reached through the control plane. */

/** User on every node: Azure makes it on Linux, cloudbase-init on Windows. */
export const nodeUser = "capi";

export interface PoolAccess {
  readonly ssh: string;
  readonly rdpTunnel?: string;
}

/**
 * Commands for one pool. The node is named by its predicted computer name, which Azure's DNS resolves inside the
 * VNET; after a node was replaced, `kubectl get nodes -o wide` tells the names and addresses.
 */
export function poolAccess(apiServerHost: string, node: string, os: "linux" | "windows"): PoolAccess {
  const jump = `${nodeUser}@${apiServerHost}`;
  return {
    ssh: `ssh -J ${jump} ${nodeUser}@${node}`,
    ...(os === "windows"
      ? { rdpTunnel: `ssh -N -L 5555:${node}:3389 ${jump}  # then RDP to localhost:5555` }
      : {}),
  };
}

export const controlPlaneSsh = (apiServerHost: string): string => `ssh ${nodeUser}@${apiServerHost}`;

export const kubeconfigCommand = (clusterName: string, namespace: string): string =>
  `kubectl get secret ${clusterName}-kubeconfig -n ${namespace} -o jsonpath='{.data.value}' | base64 -d`;
