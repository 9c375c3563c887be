import type { WayIn } from "capz-windows-contract";
import { bash, hostWord, verbatim } from "capz-windows-kit/shell";
import { mostOfRemedy, oneLine } from "capz-windows-kit/visible";
import { bastionTarget, kubeconfigCommand, loginCommands } from "capz-windows-platform/cluster/access";
import { logQuery, nodeLogs } from "capz-windows-platform/cluster/nodeLogs";
import { hopText, nodeUser, throughBastion } from "capz-windows-platform/cluster/wayIn";
import {
  hostProcess,
  hostProcessBaseImage,
  tolerateEverything,
} from "capz-windows-platform/workloads/hostProcess";
import { present } from "capz-windows-kit/present";
import type { Machine, Reachable } from "./model";
import { routeOf, shutNote } from "./route";

/**
 * Commands that people copy. They contain no guesses: if Azure could not be asked for a value, they have a placeholder,
 * and the command that asks for it comes first.
 */

export interface CommandSection {
  readonly title: string;
  /** What to know before running the commands; one sentence each. */
  readonly notes: readonly string[];
  readonly commands: readonly { readonly what: string; readonly command: string }[];
}

/** Folder of the scripts, relative to the project folder, where people run these commands. */
const scripts = "bootstrap/scripts";

/** Local end of a tunnel for logs. */
const tunnelPort = 50_022;

function kubeconfigs({ cluster, stack }: Reachable): CommandSection {
  const management = {
    what: "management cluster",
    command: bash`(umask 077 && pulumi stack output managementKubeconfig --show-secrets --stack ${stack ?? "STACK"} > management.kubeconfig)`,
  };
  const workload = {
    what: "workload cluster",
    command: `(umask 077 && KUBECONFIG=management.kubeconfig ${kubeconfigCommand(cluster.name, cluster.namespace)} > workload.kubeconfig)`,
  };
  return {
    title: "kubeconfig",
    notes: ["They are secrets: only you may read the files (umask 077). Keep them out of git."],
    commands: stack === undefined ? [workload] : [management, workload],
  };
}

/** The first node of each operating system; one of a pool, because kubelet.logQuery is a key of pools. */
function nodesByOs(machines: readonly Machine[]): Machine[] {
  const nodes = machines.filter(({ joined }) => joined);
  return (["windows", "linux"] as const).flatMap((os) => {
    const ofOs = nodes.filter((node) => node.os === os);
    return present(ofOs.find(({ pool }) => pool !== undefined) ?? ofOs[0]);
  });
}

/** What makes a Pod of `kubectl run` a shell of a Windows node: it runs the programs of the host, on this node alone. */
const hostProcessShell = (node: string): string =>
  JSON.stringify({
    spec: {
      nodeName: node,
      hostNetwork: true,
      securityContext: hostProcess.securityContext,
      tolerations: tolerateEverything,
    },
  });

/**
 * Logs and a shell through the API server, with the rights of a kubeconfig: kubelet's log query (Kubernetes 1.36
 * pkg/kubelet/kubelet_server_journal.go) and Pods that run in the host. Neither needs a key, a port or a jump host.
 */
function commandsWithoutLogin({ name, os, pool }: Machine): CommandSection["commands"] {
  const kubectl = verbatim("kubectl --kubeconfig workload.kubeconfig");
  const node = hostWord(name, "NODE");
  const logs = {
    what: `${os} logs`,
    command: bash`${kubectl} get --raw ${verbatim(`"${logQuery(node, "kubelet")}"`)}`,
  };
  if (os === "linux") {
    const shell = bash`${kubectl} debug node/${verbatim(node)} -n kube-system -it --profile=sysadmin --image=busybox -- chroot /host bash`;
    return present(pool !== undefined && logs, { what: "linux shell", command: shell });
  }
  // kubectl debug makes such Pods from 1.38 on only.
  const shell = bash`${kubectl} run debug-${verbatim(node)} -n kube-system -it --rm --restart=Never --image=${hostProcessBaseImage} --overrides=${verbatim(`'${hostProcessShell(node)}'`)} --command -- powershell.exe`;
  const file = bash`${kubectl} get --raw ${verbatim(`"${nodeLogs(node)}kubelet/kubelet.log"`)}`;
  return [logs, { what: "windows file", command: file }, { what: "windows shell", command: shell }];
}

const withoutLoginNotes = [
  "logs: kubelet.logQuery in the stack file (poolDefaults, for all pools); query=containerd is another. A file below C:\\var\\log or /var/log needs no key.",
  "Logs need the right `get` on nodes/proxy, which is as strong as `kubectl exec` into every Pod; a shell needs Pods in kube-system. Where neither works, log in as below.",
];

function withoutLogin(machines: readonly Machine[]): CommandSection | undefined {
  const commands = nodesByOs(machines).flatMap(commandsWithoutLogin);
  return commands.length === 0 ? undefined : { title: "without a login", notes: withoutLoginNotes, commands };
}

/** One line that collects the logs into one local archive. Options are those that ssh and scp share. */
function logsCommand(options: string, login: string, { name, os }: Machine): string {
  if (os === "linux") {
    return bash`ssh ${verbatim(options)} ${login} 'sudo bash -s' < ${scripts}/collect-linux.sh > ${name}-logs.tar.gz`;
  }
  return [
    bash`scp ${verbatim(options)} ${scripts}/collect-windows.ps1 ${login}:collect-windows.ps1`,
    bash`ssh ${verbatim(options)} ${login} powershell.exe -NoProfile -ExecutionPolicy Bypass -File collect-windows.ps1`,
    bash`scp ${verbatim(options)} ${login}:node-logs.zip ${name}-logs.zip`,
  ].join(" && ");
}

/** By a jump host, or over a tunnel that is open meanwhile. */
function logsBy(way: WayIn, machine: Machine): string {
  if (way.kind === "jump") {
    return logsCommand(bash`-J ${hopText(way)}`, `${nodeUser}@${machine.address}`, machine);
  }
  // Every machine is reached as localhost, but each has its own host key.
  const options = `-o Port=${tunnelPort} -o HostKeyAlias=${machine.name} -o StrictHostKeyChecking=accept-new`;
  const tunnel = throughBastion(way, "tunnel", bastionTarget(way, machine));
  const logs = logsCommand(options, `${nodeUser}@localhost`, machine);
  return `(${tunnel} --resource-port 22 --port ${tunnelPort} & sleep 10; ${logs}; kill $!)`;
}

function commandsBy(way: WayIn, machine: Machine): CommandSection["commands"] {
  const { ssh, rdpTunnel } = loginCommands(way, machine);
  const logs = { what: "logs", command: logsBy(way, machine) };
  return machine.os === "linux"
    ? [{ what: "shell", command: ssh }, logs]
    : [
        { what: "shell", command: `${ssh}  # a password for RDP: net user ${nodeUser} *` },
        { what: "RDP", command: `${rdpTunnel} as ${nodeUser}` },
        logs,
      ];
}

/** A machine of the control plane by its port of the load balancer. */
function directCommands({ host }: Reachable, machine: Machine): CommandSection["commands"] {
  const port = String(machine.port ?? "PORT");
  const login = `${nodeUser}@${host}`;
  return [
    { what: "shell", command: bash`ssh -p ${port} ${login}` },
    { what: "logs", command: logsCommand(bash`-o Port=${port}`, login, machine) },
  ];
}

/** The machine of the control plane through which the others are reached: the first one whose port is known. */
function controlPlaneJump({ controlPlane, host }: Reachable): WayIn {
  const port = String(controlPlane.find((machine) => machine.port !== undefined)?.port ?? "PORT");
  return { kind: "jump", login: `${nodeUser}@${host}`, port };
}

function notesOf(reachable: Reachable, route: WayIn | undefined): CommandSection | undefined {
  const { isPrivate, controlPlane, resourceGroup, loadBalancer } = reachable;
  if (route?.kind === "bastion") {
    const byAddress = route.byAddress === true ? ", and connections by address (enableIpConnect)" : "";
    const note = `Azure Bastion ${route.name} needs the SKU Standard with native client support (enableTunneling)${byAddress}; \`az extension add\` the extensions bastion and ssh. PRIVATE-KEY is the file of access.sshPublicKey's private key; ssh-add it for the logs.`;
    return { title: "way in", notes: [note], commands: [] };
  }
  if (route === undefined && isPrivate) {
    return { title: "way in", notes: [shutNote], commands: [] };
  }
  const keyNote =
    "Use the private key of access.sshPublicKey: ssh-add FILE, because -J needs it for both hops.";
  if (route !== undefined || controlPlane.every(({ port }) => port !== undefined)) {
    return { title: "way in", notes: [keyNote], commands: [] };
  }
  const rules = bash`az network lb inbound-nat-rule list --resource-group ${resourceGroup} --lb-name ${loadBalancer} --query "[].{machine:name, port:frontendPort}" -o table`;
  const portNote =
    "The load balancer forwards one port to each machine: 22 to the first one that was created, 2201 and so on to the others. Azure did not say which port is whose; ask it:";
  return { title: "way in", notes: [keyNote, portNote], commands: [{ what: "ports", command: rules }] };
}

function machineSection(reachable: Reachable, route: WayIn | undefined, machine: Machine): CommandSection {
  const { name, pool, os, joined } = machine;
  const isControlPlane = pool === undefined;
  const what = isControlPlane ? "control plane" : `pool ${pool}, ${os}`;
  const title = `${name} (${what}${joined ? "" : ", not a node yet"})`;
  const isDirect = isControlPlane && route === undefined;
  return {
    title,
    notes: [],
    commands: isDirect
      ? directCommands(reachable, machine)
      : commandsBy(route ?? controlPlaneJump(reachable), machine),
  };
}

/** The named pool or node does not exist; the message lists those that do. */
export class UnknownTargetError extends Error {
  override readonly name = "UnknownTargetError";
}

const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

/** The machines to print commands for (default: one of each pool), and how to reach them. */
export interface Targets {
  readonly pool?: string | undefined;
  readonly node?: string | undefined;
  readonly jump?: string | undefined;
  readonly bastion?: string | undefined;
}

/** The machines that were named; otherwise the control plane and one of each pool: others differ only in the name. */
function chosen({ controlPlane, nodes, pools }: Reachable, { pool, node }: Targets): readonly Machine[] {
  if (pool !== undefined && !pools.includes(pool)) {
    throw new UnknownTargetError(`--pool ${pool}: there is no such pool; there are ${listed(pools)}.`);
  }
  if (pool === undefined && node === undefined) {
    return [...controlPlane, ...firstOfEach(nodes)];
  }
  const inPool = pool === undefined ? [...controlPlane, ...nodes] : nodes.filter((one) => one.pool === pool);
  const wanted = inPool.filter(({ name }) => node === undefined || name === node);
  if (wanted.length === 0 && node !== undefined) {
    const names = listed(inPool.map(({ name }) => name));
    throw new UnknownTargetError(`--node ${node}: there is no such node; there are ${names}.`);
  }
  return wanted;
}

/**
 * The commands for each machine.
 * @throws UnknownTargetError when the named pool or node does not exist
 */
export function sectionsOf(reachable: Reachable, targets: Targets = {}): CommandSection[] {
  const route = routeOf(reachable, targets);
  const isShut = route === undefined && reachable.isPrivate;
  const machines = chosen(reachable, targets);
  const isAll = targets.node === undefined && targets.pool === undefined;
  return present(
    isAll && kubeconfigs(reachable),
    withoutLogin(machines),
    notesOf(reachable, route),
    ...(isShut ? [] : machines.map((machine) => machineSection(reachable, route, machine))),
  );
}

const firstOfEach = (nodes: readonly Machine[]): Machine[] =>
  nodes.filter(({ pool }, index) => nodes.findIndex((other) => other.pool === pool) === index);

export function formatSections(sections: readonly CommandSection[], { nodes }: Reachable): string {
  const lines = sections.flatMap(({ title, notes, commands }) => {
    const names = commands.map(({ what }) => oneLine(what, 300));
    const width = Math.max(0, ...names.map((name) => name.length));
    return [
      oneLine(title),
      ...notes.map((note) => `  # ${oneLine(note)}`),
      ...commands.map(
        ({ command }, index) => `  ${(names[index] ?? "").padEnd(width)}  ${oneLine(command, mostOfRemedy)}`,
      ),
      "",
    ];
  });
  const isAll = sections.some(({ title }) => title === "kubeconfig");
  const hint = `One node of each pool is shown, of ${nodes.length} in all: add --pool NAME or --node NAME for others.\n`;
  return `${lines.join("\n")}\n${isAll && nodes.length > firstOfEach(nodes).length ? hint : ""}`;
}
