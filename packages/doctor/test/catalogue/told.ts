import { azure } from "../states";
import type { Patient } from "../patient";

/**
 * One text of a list of texts that a component can write: where it appears, and what the doctor must say first. `cause` and
 * `remedy` are words that the sentence and one of the commands need; the quoted message does not count.
 */
export interface Told {
  readonly name: string;
  readonly make: (patient: Patient) => unknown;
  readonly rule: string;
  readonly cause: RegExp;
  readonly remedy: RegExp;
}

/** Where Azure's answer appears: a pool, a machine of the control plane, a part of the network, or an object of ASO. */
export type Place =
  "pool" | "machine" | "network" | "addresses" | "balancer" | "group" | "vnet" | "subnet" | "nat";

const services: Readonly<Record<string, string>> = {
  machine: "virtualmachine",
  network: "securitygroups",
  addresses: "publicips",
  balancer: "loadbalancers",
};

const conditions: Readonly<Record<string, string>> = {
  network: "SecurityGroupsReady",
  addresses: "PublicIPsReady",
  balancer: "LoadBalancersReady",
};

const asoKinds: Readonly<Record<string, string>> = {
  group: "ResourceGroup",
  vnet: "VirtualNetwork",
  subnet: "VirtualNetworksSubnet",
  nat: "NatGateway",
};

/**
 * Writes an answer of Azure where CAPZ or the Azure Service Operator would write it: pool, machine (of the control plane),
 * network, addresses, balancer (parts of the AzureCluster), or group, vnet, subnet, nat.
 */
export function answered(p: Patient, place: string, status: number, code: string, message: string): unknown {
  const kind = asoKinds[place];
  if (kind !== undefined) {
    // The operator's reason is Azure's code; CAPZ repeats the message in the condition of the AzureCluster.
    const text = `${message}: PUT https://management.azure.com/x\n--------------------------------------------------------------------------------\nRESPONSE ${status}: ${status}\nERROR CODE: ${code}\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "${code}",\n    "message": ${JSON.stringify(message)}\n  }\n}\n`;
    return p.condition(p.get(kind), "Ready", { reason: code, message: text, severity: "Error", ago: 20 });
  }
  const text = azure(status, code, message, services[place] ?? "scalesets");
  return place === "pool"
    ? p.refused(p.get("AzureMachinePool", "win1"), "BootstrapSucceeded", text)
    : place === "machine"
      ? p.refused(p.get("AzureMachine"), "VMRunning", text)
      : p.refused(p.get("AzureCluster"), conditions[place] ?? "NetworkInfrastructureReady", text);
}

/** The lines of a table, whose cells a bar between spaces separates; \n is a new line of the text. */
export const linesOf = (table: string): string[][] =>
  table
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) =>
      line.split(" | ").map((cell) => (cell.trim() === "-" ? "" : cell.trim().replaceAll("\\n", "\n"))),
    );

/** The last three cells of each line: the rule, words of the cause, words of a command. */
export const expectedOf = ([rule = "", cause = "", remedy = ""]: readonly string[]): Pick<
  Told,
  "rule" | "cause" | "remedy"
> => ({ rule, cause: new RegExp(cause, "i"), remedy: new RegExp(remedy, "i") });

/** A table of Azure's answers: place, status and code; message; what is expected. */
export const answers = (table: string): Told[] =>
  linesOf(table).map(([head = "", message = "", ...expected]) => {
    const [place = "", status = "", code = ""] = head.split(" ");
    return {
      name: `${place}: ${code}: ${message.slice(0, 60)}`,
      make: (p) => answered(p, place, Number(status), code, message),
      ...expectedOf(expected),
    };
  });
