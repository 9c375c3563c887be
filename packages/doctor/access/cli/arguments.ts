import { refuse } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { stackOfSource } from "capz-windows-kit/commandLine/stack";
import { isJump } from "capz-windows-platform/cluster/wayIn";
import { isBastion } from "../route";

export const definition = defineCommand({
  call: "npm run access --",
  about: "Prints commands to log in to the machines of a cluster and to collect their logs. Reads only.",
  args: stackArgument,
  options: [
    "stack",
    "configFile",
    "kubeconfig",
    "workloadKubeconfig",
    "cluster",
    "namespace",
    "from",
    "pool",
    "node",
    "jump",
    "bastion",
    "json",
  ],
  notes:
    "The ports of the control plane's machines come from the NAT rules of the load balancer, which `az` is asked for.",
  examples: {
    "npm run access -- prod": "All machines of a stack",
    "npm run access -- prod --pool win1": "The nodes of a pool",
    "npm run access -- prod --node NAME --bastion NAME": "A node, through an Azure Bastion",
  },
  exitCodes: { 0: "printed", 1: "a cluster, pool or node is not there, or cannot be read" },
});

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = projectDir) {
  const { values, args } = parseCommand(definition, argv, env);
  const { jump, bastion } = values;
  refuse([
    [jump !== undefined && !isJump(jump), `--jump ${jump ?? ""}: write [USER@]HOST[:PORT].`],
    [bastion !== undefined && !isBastion(bastion), `--bastion ${bastion ?? ""}: write [GROUP/]NAME.`],
  ]);
  return { ...values, stack: stackOfSource(values, args, dir) };
}

export type AccessArguments = ReturnType<typeof readArguments>;
