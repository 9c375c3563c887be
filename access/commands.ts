import { kubeconfigCommand, nodeUser } from "../domain/cluster/access";
import type { ControlPlaneMachine, PoolNode, Reachable } from "./model";

/** Commands that people copy. Nothing in them is a guess: where Azure was not asked, they say what to ask. */

export interface Section {
  readonly title: string;
  /** What to know before; one sentence each. */
  readonly notes: readonly string[];
  readonly commands: readonly { readonly what: string; readonly command: string }[];
}

/** Folder of the scripts from the project folder, in which people run these commands. */
const scripts = "access/scripts";

/** The machine through which the others are reached: one whose port is known. */
const jumpOf = ({ controlPlane }: Reachable): ControlPlaneMachine | undefined =>
  controlPlane.find(({ port }) => port !== undefined);

const portText = (machine: ControlPlaneMachine | undefined): string => String(machine?.port ?? "PORT");

/** For -J: a port follows the host there. */
const jumpHost = (reachable: Reachable): string => {
  const port = portText(jumpOf(reachable));
  return `${nodeUser}@${reachable.host}${port === "22" ? "" : `:${port}`}`;
};

const natRules = ({ resourceGroup, loadBalancer }: Reachable): string =>
  `az network lb inbound-nat-rule list --resource-group ${resourceGroup} --lb-name ${loadBalancer} --query "[].{machine:name, port:frontendPort}" -o table`;

function kubeconfigs({ cluster, stack }: Reachable): Section {
  const byStack =
    stack === undefined
      ? []
      : [
          {
            what: "management cluster",
            command: `pulumi stack output managementKubeconfig --show-secrets --stack ${stack} > management.kubeconfig`,
          },
        ];
  return {
    title: "kubeconfig",
    notes: ["They are secrets: keep them out of git."],
    commands: [
      ...byStack,
      {
        what: "workload cluster",
        command: `KUBECONFIG=management.kubeconfig ${kubeconfigCommand(cluster.name, cluster.namespace)} > workload.kubeconfig`,
      },
    ],
  };
}

function controlPlane(reachable: Reachable): Section {
  const { controlPlane: machines, host, isPrivate } = reachable;
  const unknown = machines.some(({ port }) => port === undefined);
  return {
    title: "control plane",
    notes: [
      ...(isPrivate ? ["The API server has a private address: run these from its network."] : []),
      ...(unknown && machines.length > 0
        ? [
            "The load balancer leads a port to each machine: 22 to the first one ever made, 2201 and so on to others. Azure did not say which; ask it:",
          ]
        : []),
    ],
    commands: [
      ...(unknown && machines.length > 0 ? [{ what: "ports", command: natRules(reachable) }] : []),
      ...machines.map((machine) => ({
        what: machine.name,
        command: `ssh -p ${portText(machine)} ${nodeUser}@${host}`,
      })),
      ...machines.slice(0, 1).map((machine) => ({
        what: `logs of ${machine.name}`,
        command: `ssh -p ${portText(machine)} ${nodeUser}@${host} 'sudo bash -s' < ${scripts}/collect-linux.sh > ${machine.name}-logs.tar.gz`,
      })),
    ],
  };
}

/** One line that leaves one archive here. */
function logsCommand(reachable: Reachable, { name, host, os }: PoolNode): string {
  const jump = jumpHost(reachable);
  const login = `${nodeUser}@${host}`;
  return os === "windows"
    ? [
        `scp -J ${jump} ${scripts}/collect-windows.ps1 ${login}:collect-windows.ps1`,
        `ssh -J ${jump} ${login} powershell.exe -NoProfile -ExecutionPolicy Bypass -File collect-windows.ps1`,
        `scp -J ${jump} ${login}:node-logs.zip ${name}-logs.zip`,
      ].join(" && ")
    : `ssh -J ${jump} ${login} 'sudo bash -s' < ${scripts}/collect-linux.sh > ${name}-logs.tar.gz`;
}

function nodeSection(reachable: Reachable, node: PoolNode): Section {
  const { name, pool, os, host, joined, instanceId } = node;
  const jump = jumpHost(reachable);
  const port = portText(jumpOf(reachable));
  const login = `${nodeUser}@${host}`;
  const windows =
    os === "windows"
      ? [
          {
            what: "RDP",
            command: `ssh -N -L 5555:${host}:3389 -p ${port} ${nodeUser}@${reachable.host}  # then RDP to localhost:5555 as ${nodeUser}`,
          },
          {
            what: "password",
            command: `ssh -t -J ${jump} ${login} net user ${nodeUser} '*'  # asks for a new one`,
          },
        ]
      : [];
  const shell = os === "windows" ? "RunPowerShellScript" : "RunShellScript";
  const script = os === "windows" ? "Get-Service kubelet, containerd" : "systemctl status kubelet containerd";
  const withoutSsh =
    instanceId === undefined
      ? []
      : [
          {
            what: "without ssh",
            command: `az vmss run-command invoke --resource-group ${reachable.resourceGroup} --name ${pool} --instance-id ${instanceId} --command-id ${shell} --scripts "${script}"`,
          },
        ];
  return {
    title: `${name} (pool ${pool}, ${os}${joined ? "" : ", not a node yet"})`,
    notes: joined ? [] : ["Its computer name is what Azure calls the machine; the jump host resolves it."],
    commands: [
      { what: "shell", command: `ssh -t -J ${jump} ${login}` },
      ...windows,
      { what: "logs", command: logsCommand(reachable, node) },
      ...withoutSsh,
    ],
  };
}

/** What was asked for and is not there; the message says what there is. */
export class UnknownTargetError extends Error {
  override readonly name = "UnknownTargetError";
}

const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

/**
 * @throws UnknownTargetError
 */
export function sectionsOf(
  reachable: Reachable,
  { pool, node }: { readonly pool?: string | undefined; readonly node?: string | undefined } = {},
): Section[] {
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
  const control = controlPlane(isMachine ? { ...reachable, controlPlane: one } : reachable);
  // Of a pool with many nodes the commands differ in the name only.
  const shown = node === undefined && pool === undefined ? firstOfEach(wanted) : wanted;
  return [
    ...(node === undefined && pool === undefined ? [kubeconfigs(reachable)] : []),
    control,
    ...shown.map((each) => nodeSection(reachable, each)),
  ];
}

const firstOfEach = (nodes: readonly PoolNode[]): PoolNode[] =>
  nodes.filter(({ pool }, index) => nodes.findIndex((other) => other.pool === pool) === index);

export function formatSections(sections: readonly Section[], reachable: Reachable): string {
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
      ? [`One node of each pool is shown, of ${reachable.nodes.length}: add --pool NAME or --node NAME.`, ""]
      : [];
  return [
    ...lines,
    ...hint,
    "Use the private key of access.sshPublicKey: ssh-add FILE, because -J needs it for both hops.",
  ]
    .join("\n")
    .concat("\n");
}
