import { bash, verbatim } from "../../tools/shell";
import { isIPv4 } from "node:net";
import { nodeUser, bastionLogin, throughBastion } from "../../platform/cluster/wayIn";
import type { NodeOs } from "../../platform/machines/naming";
import type { AccessRoute } from "./route";

/** Commands through Azure Bastion. They need neither a network route to the machines nor public addresses of them. */

interface Target {
  readonly name: string;
  readonly os: NodeOs;
  /** Private address, or a name where none is known yet. */
  readonly host: string;
  /** ARM ID of the virtual machine, or of the instance of a scale set. */
  readonly resourceId: string;
}

type Bastion = Extract<AccessRoute, { kind: "bastion" }>;

/** Local ports, different for each purpose, so that two tunnels can be open at once. */
const localPorts = { ssh: 50_022, rdp: 5555 } as const;

const to = (bastion: Bastion, verb: "ssh" | "tunnel", { host, resourceId }: Target): string =>
  throughBastion(
    bastion,
    verb,
    bastion.byAddress === true && isIPv4(host)
      ? `--target-ip-address ${host}`
      : `--target-resource-id ${resourceId}`,
  );

export const bastionNote = ({ name, byAddress }: Bastion): string =>
  `Azure Bastion ${name} needs the SKU Standard with native client support (enableTunneling${byAddress === true ? ") and connections by address (enableIpConnect" : ""}), and \`az extension add\` the extensions bastion and ssh.`;

export const bastionShell = (bastion: Bastion, target: Target): string =>
  `${to(bastion, "ssh", target)} ${bastionLogin(nodeUser)}`;

/** One line that opens a tunnel in the background, collects the logs over it into one local archive, and closes it. */
export function bastionLogs(bastion: Bastion, target: Target, scripts: string): string {
  // Every machine is reached as localhost, but each has its own host key.
  const options = `-o HostKeyAlias=${target.name} -o StrictHostKeyChecking=accept-new`;
  const login = `${nodeUser}@localhost`;
  const open = bash`${verbatim(to(bastion, "tunnel", target))} --resource-port 22 --port ${localPorts.ssh}`;
  const collect =
    target.os === "windows"
      ? [
          bash`scp ${verbatim(options)} -P ${localPorts.ssh} ${scripts}/collect-windows.ps1 ${login}:collect-windows.ps1`,
          bash`ssh ${verbatim(options)} -p ${localPorts.ssh} ${login} powershell.exe -NoProfile -ExecutionPolicy Bypass -File collect-windows.ps1`,
          bash`scp ${verbatim(options)} -P ${localPorts.ssh} ${login}:node-logs.zip ${target.name}-logs.zip`,
        ].join(" && ")
      : bash`ssh ${verbatim(options)} -p ${localPorts.ssh} ${login} 'sudo bash -s' < ${scripts}/collect-linux.sh > ${target.name}-logs.tar.gz`;
  return `(${open} & sleep 10; ${collect}; kill $!)`;
}

export const bastionRdp = (bastion: Bastion, target: Target): string =>
  bash`${verbatim(to(bastion, "tunnel", target))} --resource-port 3389 --port ${localPorts.rdp}  # then RDP to localhost:${localPorts.rdp} as ${nodeUser}`;

export const bastionPassword = (bastion: Bastion, target: Target): string =>
  `${bastionShell(bastion, target)}  # then: net user ${nodeUser} *`;
