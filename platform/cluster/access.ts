import { bash, verbatim } from "../../tools/shell";
import { isPrivateHost } from "./privateApiServer";
import { bastionLogin, hopText, nodeUser, throughBastion, type WayIn } from "./wayIn";

/**
 * Access to a cluster and its nodes. Without another way in, the control plane is the SSH jump host for every Windows and
 * Linux node.
 */

/** CAPZ makes rules for ssh only on a public load balancer (CAPZ v1.27.0 azure/scope/machine.go, PublicLBNATRuleName). */
const throughOthers =
  "npm run access -- --stack STACK --jump USER@HOST  # or --bastion [GROUP/]NAME: the load balancer of a private API server does not forward ssh";

const addressNote = "# ADDRESS: kubectl get nodes -o wide";

/** Commands by private address. A jump host in another VNET does not resolve the names of machines. */
function byAddress(wayIn: WayIn): Required<Pick<PoolAccess, "ssh" | "rdpTunnel">> {
  const target = "--target-ip-address ADDRESS";
  return wayIn.kind === "bastion"
    ? {
        ssh: `${throughBastion(wayIn, "ssh", target)} ${bastionLogin(nodeUser)}  ${addressNote}`,
        rdpTunnel: bash`${verbatim(throughBastion(wayIn, "tunnel", target))} --resource-port 3389 --port 5555  # then RDP to localhost:5555`,
      }
    : {
        ssh: bash`ssh -J ${hopText(wayIn)} ${nodeUser}@ADDRESS  ${verbatim(addressNote)}`,
        rdpTunnel: bash`ssh -N -L 5555:ADDRESS:3389 ${verbatim(wayIn.port === "22" ? "" : bash`-p ${wayIn.port} `)}${wayIn.login}  # then RDP to localhost:5555`,
      };
}

export interface PoolAccess {
  readonly ssh: string;
  readonly rdpTunnel?: string;
  /** Applies Azure Hybrid Benefit, for a pool that uses it. */
  readonly hybridBenefit?: string;
}

/**
 * Commands to log in to a node of a pool. `node` is the predicted computer name, which Azure's DNS resolves inside the
 * VNET; after nodes are replaced, `kubectl get nodes -o wide` shows the current names and addresses.
 */
export function poolAccess(
  apiServerHost: string,
  name: string,
  os: "linux" | "windows",
  /** Whether the VNET may have DNS servers that do not know the names of machines. Default: false. */
  hasOtherDns = false,
  wayIn?: WayIn,
): PoolAccess {
  if (wayIn !== undefined) {
    const { ssh, rdpTunnel } = byAddress(wayIn);
    return { ssh, ...(os === "windows" ? { rdpTunnel } : {}) };
  }
  if (isPrivateHost(apiServerHost)) {
    return { ssh: throughOthers };
  }
  const node = hasOtherDns ? "ADDRESS" : name;
  const where = hasOtherDns ? `  ${addressNote}` : "";
  const jump = `${nodeUser}@${apiServerHost}`;
  return {
    ssh: bash`ssh -J ${jump} ${nodeUser}@${node}${verbatim(where)}`,
    ...(os === "windows"
      ? { rdpTunnel: bash`ssh -N -L 5555:${node}:3389 ${jump}  # then RDP to localhost:5555` }
      : {}),
  };
}

/**
 * The API server's load balancer forwards one port to each machine: 22 to the first one, and to each other machine the
 * first free port from 2201 on (CAPZ v1.27.0 azure/services/inboundnatrules/spec.go). After a rollout, no machine may
 * have port 22.
 */
export function controlPlaneSsh(apiServerHost: string, wayIn?: WayIn): string {
  if (wayIn !== undefined) {
    return byAddress(wayIn).ssh;
  }
  return isPrivateHost(apiServerHost)
    ? throughOthers
    : bash`ssh ${nodeUser}@${apiServerHost}  # the first machine; later ones have port 2201, 2202 and so on (-p, or HOST:2201 after -J)`;
}

export const kubeconfigCommand = (clusterName: string, namespace: string): string =>
  bash`kubectl get secret ${clusterName}-kubeconfig -n ${namespace} -o jsonpath='{.data.value}' | base64 -d`;
