import { bash, verbatim } from "../../tools/shell";
import { kubeconfigCommand } from "../../platform/cluster/access";
import { hopText, nodeUser } from "../../platform/cluster/wayIn";
import { bastionLogs, bastionNote, bastionPassword, bastionRdp, bastionShell } from "./bastion";
import type { ControlPlaneMachine, PoolNode, Reachable } from "./model";
import { isShut, routeOf, shutNote, type AccessRoute } from "./route";
import { present } from "../../tools/present";

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

/** The machine through which the others are reached: the first one whose port is known. */
const jumpOf = ({ controlPlane }: Reachable): ControlPlaneMachine | undefined =>
  controlPlane.find(({ port }) => port !== undefined);

const portText = (machine: ControlPlaneMachine | undefined): string => String(machine?.port ?? "PORT");

/** Login and port of the jump host: the one that was named, otherwise a machine of the control plane. */
function hopOf(reachable: Reachable, route: AccessRoute): { readonly login: string; readonly port: string } {
  return route.kind === "jump"
    ? route
    : { login: `${nodeUser}@${reachable.host}`, port: portText(jumpOf(reachable)) };
}

const jumpHost = (reachable: Reachable, route: AccessRoute): string => hopText(hopOf(reachable, route));

const natRules = ({ resourceGroup, loadBalancer }: Reachable): string =>
  bash`az network lb inbound-nat-rule list --resource-group ${resourceGroup} --lb-name ${loadBalancer} --query "[].{machine:name, port:frontendPort}" -o table`;

function kubeconfigs({ cluster, stack }: Reachable): CommandSection {
  const byStack =
    stack === undefined
      ? []
      : [
          {
            what: "management cluster",
            command: bash`(umask 077 && pulumi stack output managementKubeconfig --show-secrets --stack ${stack} > management.kubeconfig)`,
          },
        ];
  return {
    title: "kubeconfig",
    notes: ["They are secrets: only you may read the files (umask 077). Keep them out of git."],
    commands: [
      ...byStack,
      {
        what: "workload cluster",
        command: `(umask 077 && KUBECONFIG=management.kubeconfig ${kubeconfigCommand(cluster.name, cluster.namespace)} > workload.kubeconfig)`,
      },
    ],
  };
}

/** The ssh command for a machine of the control plane; `rest` is appended, such as a command to run there. */
function controlPlaneLogin(
  reachable: Reachable,
  route: AccessRoute,
  machine: ControlPlaneMachine,
  rest = "",
): string {
  return route.kind === "jump"
    ? bash`ssh -J ${jumpHost(reachable, route)} ${nodeUser}@${machine.ip ?? machine.name}${verbatim(rest)}`
    : bash`ssh -p ${portText(machine)} ${nodeUser}@${reachable.host}${verbatim(rest)}`;
}

function controlPlaneCommands(reachable: Reachable, route: AccessRoute): CommandSection["commands"] {
  if (isShut(reachable, route)) {
    return [];
  }
  const { controlPlane: machines } = reachable;
  if (route.kind === "bastion") {
    return machines.flatMap((machine) => {
      const { name, ip = name, resourceId = "RESOURCE-ID" } = machine;
      const target = { name, os: "linux", host: ip, resourceId } as const;
      return present(
        { what: name, command: bastionShell(route, target) },
        machine === machines[0] && { what: `logs of ${name}`, command: bastionLogs(route, target, scripts) },
      );
    });
  }
  return [
    ...machines.map((machine) => ({
      what: machine.name,
      command: controlPlaneLogin(reachable, route, machine),
    })),
    ...machines.slice(0, 1).map((machine) => ({
      what: `logs of ${machine.name}`,
      command: controlPlaneLogin(
        ...([reachable, route, machine] as const),
        ` 'sudo bash -s' < ${scripts}/collect-linux.sh > ${machine.name}-logs.tar.gz`,
      ),
    })),
  ];
}

function controlPlane(reachable: Reachable, route: AccessRoute): CommandSection {
  const { controlPlane: machines } = reachable;
  const unknown =
    !isShut(reachable, route) &&
    route.kind === "control-plane" &&
    machines.length > 0 &&
    machines.some(({ port }) => port === undefined);
  return {
    title: "control plane",
    notes: present(
      isShut(reachable, route) && shutNote,
      route.kind === "bastion" && bastionNote(route),
      unknown &&
        "The load balancer forwards one port to each machine: 22 to the first one that was created, 2201 and so on to the others. Azure did not say which port is whose; ask it:",
    ),
    commands: [
      ...(unknown ? [{ what: "ports", command: natRules(reachable) }] : []),
      ...controlPlaneCommands(reachable, route),
    ],
  };
}

/** One line that collects the logs into one local archive. */
function logsCommand(jump: string, { name, host, os }: PoolNode): string {
  const login = `${nodeUser}@${host}`;
  return os === "windows"
    ? [
        bash`scp -J ${jump} ${scripts}/collect-windows.ps1 ${login}:collect-windows.ps1`,
        bash`ssh -J ${jump} ${login} powershell.exe -NoProfile -ExecutionPolicy Bypass -File collect-windows.ps1`,
        bash`scp -J ${jump} ${login}:node-logs.zip ${name}-logs.zip`,
      ].join(" && ")
    : bash`ssh -J ${jump} ${login} 'sudo bash -s' < ${scripts}/collect-linux.sh > ${name}-logs.tar.gz`;
}

function sshCommands(reachable: Reachable, route: AccessRoute, node: PoolNode): CommandSection["commands"] {
  if (isShut(reachable, route)) {
    return [];
  }
  const { os, host } = node;
  const jump = jumpHost(reachable, route);
  const { login: hop, port } = hopOf(reachable, route);
  const login = `${nodeUser}@${host}`;
  const windows = [
    {
      what: "RDP",
      command: bash`ssh -N -L 5555:${host}:3389 -p ${port} ${hop}  # then RDP to localhost:5555 as ${nodeUser}`,
    },
    {
      what: "password",
      command: bash`ssh -t -J ${jump} ${login} net user ${nodeUser} '*'  # asks for a new one`,
    },
  ];
  return [
    { what: "shell", command: bash`ssh -t -J ${jump} ${login}` },
    ...(os === "windows" ? windows : []),
    { what: "logs", command: logsCommand(jump, node) },
  ];
}

function bastionCommands(
  route: Extract<AccessRoute, { kind: "bastion" }>,
  node: PoolNode,
): CommandSection["commands"] {
  const { name, os, host, resourceId = "RESOURCE-ID" } = node;
  const target = { name, os, host, resourceId };
  const windows = [
    { what: "RDP", command: bastionRdp(route, target) },
    { what: "password", command: bastionPassword(route, target) },
  ];
  return [
    { what: "shell", command: bastionShell(route, target) },
    ...(os === "windows" ? windows : []),
    { what: "logs", command: bastionLogs(route, target, scripts) },
  ];
}

/** Commands that need no network route to the machine, because Azure's VM agent runs them there. */
function runCommands(
  { resourceGroup }: Reachable,
  { pool, os, instanceId, vm }: PoolNode,
): CommandSection["commands"] {
  const machine = (): string | undefined => {
    if (instanceId !== undefined) {
      return bash`az vmss run-command invoke --resource-group ${resourceGroup} --name ${pool} --instance-id ${instanceId}`;
    }
    return vm === undefined
      ? undefined
      : bash`az vm run-command invoke --resource-group ${resourceGroup} --name ${vm}`;
  };
  const invoke = machine();
  if (invoke === undefined) {
    return [];
  }
  const shell = os === "windows" ? "RunPowerShellScript" : "RunShellScript";
  const script =
    os === "windows" ? "Get-Service kubelet; Get-Service containerd" : "systemctl status kubelet containerd";
  const command = bash`${verbatim(invoke)} --command-id ${shell} --scripts "${verbatim(script)}"`;
  return [{ what: "without ssh", command }];
}

function nodeSection(reachable: Reachable, route: AccessRoute, node: PoolNode): CommandSection {
  const { name, pool, os, joined } = node;
  const hasName = !joined && route.kind !== "bastion";
  return {
    title: `${name} (pool ${pool}, ${os}${joined ? "" : ", not a node yet"})`,
    notes: hasName ? ["Its computer name is what Azure calls the machine; the jump host resolves it."] : [],
    commands: [
      ...(route.kind === "bastion" ? bastionCommands(route, node) : sshCommands(reachable, route, node)),
      ...runCommands(reachable, node),
    ],
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

/**
 * The commands for each machine.
 * @throws UnknownTargetError when the named pool or node does not exist
 */
export function sectionsOf(
  reachable: Reachable,
  { pool, node, jump, bastion }: Targets = {},
): CommandSection[] {
  const route = routeOf(reachable, { jump, bastion });
  const { nodes, controlPlane: machines, pools } = reachable;
  if (pool !== undefined && !pools.includes(pool)) {
    throw new UnknownTargetError(`--pool ${pool}: there is no such pool; there are ${listed(pools)}.`);
  }
  const wanted = nodes.filter(
    (each) => (pool === undefined || each.pool === pool) && (node === undefined || each.name === node),
  );
  const isMachine = machines.some(({ name }) => name === node);
  if (node !== undefined && wanted.length === 0 && !isMachine) {
    const names = [...machines, ...nodes.filter((each) => pool === undefined || each.pool === pool)].map(
      ({ name }) => name,
    );
    throw new UnknownTargetError(`--node ${node}: there is no such node; there are ${listed(names)}.`);
  }
  const one = machines.filter(({ name }) => name === node);
  const control = controlPlane(isMachine ? { ...reachable, controlPlane: one } : reachable, route);
  // One node of each pool is enough, because the commands for the others differ only in the name.
  const shown = node === undefined && pool === undefined ? firstOfEach(wanted) : wanted;
  return [
    ...(node === undefined && pool === undefined ? [kubeconfigs(reachable)] : []),
    control,
    ...shown.map((each) => nodeSection(reachable, route, each)),
  ];
}

const firstOfEach = (nodes: readonly PoolNode[]): PoolNode[] =>
  nodes.filter(({ pool }, index) => nodes.findIndex((other) => other.pool === pool) === index);

export function formatSections(sections: readonly CommandSection[], reachable: Reachable): string {
  const more = reachable.nodes.length - firstOfEach(reachable.nodes).length;
  const lines = sections.flatMap(({ title, notes, commands }) => {
    const width = Math.max(0, ...commands.map(({ what }) => what.length));
    return [
      title,
      ...notes.map((note) => `  # ${note}`),
      ...commands.map(({ what, command }) => `  ${what.padEnd(width)}  ${command}`),
      "",
    ];
  });
  const hint =
    more > 0 && sections.some(({ title }) => title === "kubeconfig")
      ? [
          `One node of each pool is shown, of ${reachable.nodes.length} in all: add --pool NAME or --node NAME for others.`,
          "",
        ]
      : [];
  const usesBastion = sections.some(({ commands }) =>
    commands.some(({ command }) => command.includes("PRIVATE-KEY")),
  );
  return [
    ...lines,
    ...hint,
    usesBastion
      ? "PRIVATE-KEY is the file of access.sshPublicKey's private key; ssh-add it for the logs."
      : "Use the private key of access.sshPublicKey: ssh-add FILE, because -J needs it for both hops.",
  ]
    .join("\n")
    .concat("\n");
}
