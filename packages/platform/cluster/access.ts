import type { WayIn } from "capz-windows-contract";
import { bash, verbatim } from "capz-windows-kit/shell";
import { parseCidr } from "../network/addressing";
import { isPrivateHost } from "./privateApiServer";
import { bastionLogin, hopText, nodeUser, throughBastion, type Bastion } from "./wayIn";

/**
 * Access to a cluster and its nodes. Without another way in, the control plane is the SSH jump host for every Windows and
 * Linux node.
 */

/** CAPZ makes rules for ssh only on a public load balancer (CAPZ v1.27.0 azure/scope/machine.go, PublicLBNATRuleName). */
const throughOthers = (stack: string): string =>
  bash`npm run access -- ${stack} --jump USER@HOST  # or --bastion [GROUP/]NAME: the load balancer of a private API server does not forward ssh`;

const unknownAddress = "ADDRESS";

const addressNote = "# ADDRESS: kubectl get nodes -o wide";

export interface MachineAddress {
  /** Private address or name; ADDRESS where it is not known. */
  readonly address: string;
  /** ARM ID of the virtual machine, or of the instance of a scale set. */
  readonly id?: string | undefined;
}

/** Words by which Azure Bastion finds a machine. */
export const bastionTarget = (way: Bastion, { address, id }: MachineAddress): string =>
  way.byAddress === true && (parseCidr(`${address}/32`) !== undefined || address === unknownAddress)
    ? bash`--target-ip-address ${address}`
    : `--target-resource-id ${id ?? "RESOURCE-ID"}`;

/** Commands for one machine. A jump host in another VNET does not resolve the names of machines. */
export function loginCommands(
  wayIn: WayIn,
  machine: MachineAddress,
): Required<Pick<PoolAccess, "ssh" | "rdpTunnel">> {
  const { address } = machine;
  if (wayIn.kind === "bastion") {
    const target = bastionTarget(wayIn, machine);
    return {
      ssh: `${throughBastion(wayIn, "ssh", target)} ${bastionLogin(nodeUser)}`,
      rdpTunnel: bash`${verbatim(throughBastion(wayIn, "tunnel", target))} --resource-port 3389 --port 5555  # then RDP to localhost:5555`,
    };
  }
  const port = wayIn.port === "22" ? "" : bash`-p ${wayIn.port} `;
  return {
    ssh: bash`ssh -J ${hopText(wayIn)} ${nodeUser}@${address}`,
    rdpTunnel: bash`ssh -N -L 5555:${address}:3389 ${verbatim(port)}${wayIn.login}  # then RDP to localhost:5555`,
  };
}

/** Commands by an address that is not known yet. */
function byAddress(wayIn: WayIn): Required<Pick<PoolAccess, "ssh" | "rdpTunnel">> {
  const { ssh, rdpTunnel } = loginCommands(wayIn, { address: unknownAddress });
  return { ssh: `${ssh}  ${addressNote}`, rdpTunnel };
}

export interface PoolAccess {
  readonly ssh: string;
  readonly rdpTunnel?: string;
  /** Applies Azure Hybrid Benefit, for a pool that uses it. */
  readonly hybridBenefit?: string;
}

/** What commands to log in depend on, beside the machine. */
interface Surroundings {
  readonly stack: string;
  /** Whether the VNET may have DNS servers that do not know the names of machines. Default: false. */
  readonly hasOtherDns?: boolean;
  readonly wayIn?: WayIn | undefined;
}

/**
 * Commands to log in to a node of a pool. `node` is the predicted computer name, which Azure's DNS resolves inside the
 * VNET; after nodes are replaced, `kubectl get nodes -o wide` shows the current names and addresses.
 */
export function poolAccess(
  apiServerHost: string,
  name: string,
  os: "linux" | "windows",
  { stack, hasOtherDns = false, wayIn }: Surroundings,
): PoolAccess {
  if (wayIn !== undefined) {
    const { ssh, rdpTunnel } = byAddress(wayIn);
    return { ssh, ...(os === "windows" ? { rdpTunnel } : {}) };
  }
  if (isPrivateHost(apiServerHost)) {
    return { ssh: throughOthers(stack) };
  }
  const jump: WayIn = { kind: "jump", login: `${nodeUser}@${apiServerHost}`, port: "22" };
  const { ssh, rdpTunnel } = loginCommands(jump, { address: hasOtherDns ? unknownAddress : name });
  const where = hasOtherDns ? `  ${addressNote}` : "";
  return { ssh: `${ssh}${where}`, ...(os === "windows" ? { rdpTunnel } : {}) };
}

/**
 * The API server's load balancer forwards one port to each machine: 22 to the first one, and to each other machine the
 * first free port from 2201 on (CAPZ v1.27.0 azure/services/inboundnatrules/spec.go). After a rollout, no machine may
 * have port 22.
 */
export function controlPlaneSsh(apiServerHost: string, { stack, wayIn }: Surroundings): string {
  if (wayIn !== undefined) {
    return byAddress(wayIn).ssh;
  }
  return isPrivateHost(apiServerHost)
    ? throughOthers(stack)
    : bash`ssh ${nodeUser}@${apiServerHost}  # the first machine; later ones have port 2201, 2202 and so on (-p, or HOST:2201 after -J)`;
}

/** The lines of a kubeconfig that only name a server, certificates, a key or a token, with plain values. */
const plainLines =
  "^ *(- )?(apiVersion|kind|current-context|(cluster|context|user)s?|name|server|(certificate-authority|client-certificate|client-key)-data|token):( [A-Za-z0-9][][A-Za-z0-9+/=.:@_-]*)?$";

/** Whoever writes the Secret could have kubectl run a program (exec), read files (tokenFile) or take another way (proxy-url). */
export const kubeconfigCommand = (clusterName: string, namespace: string): string =>
  bash`kubectl get secret ${clusterName}-kubeconfig -n ${namespace} -o jsonpath='{.data.value}' | base64 -d | grep -E '${verbatim(plainLines)}'`;
