import { type Options, parseCommand, refuse } from "../../commandLine/arguments";
import { stackNamed } from "../../commandLine/stack";
import { sourceOptions } from "../../doctor/cli/arguments";
import { isJump } from "../../../platform/cluster/wayIn";
import { isBastion } from "../route";

export const usage = `Prints commands to log in to the machines of a cluster and to collect their logs. Reads only.

  npm run access -- --stack NAME [--pool NAME] [--node NAME] [OPTIONS]
  npm run access -- --kubeconfig FILE --cluster NAME [--namespace NAME] [OPTIONS]

  -s, --stack NAME the cluster of Pulumi.NAME.yaml
  --config-file FILE
                   this stack file instead of the one beside Pulumi.yaml
  --kubeconfig FILE
                   kubeconfig of the management cluster ("default": the one of kubectl)
  --workload-kubeconfig FILE
                   kubeconfig of the workload cluster (default: the one that Cluster API keeps)
  --cluster NAME   name of the Cluster (default: of the stack)
  --namespace NAME its namespace (default: of the stack, else the name of the Cluster)
  --pool NAME      only the nodes of this pool
  --node NAME      only this node, or this machine of the control plane
  --jump [USER@]HOST[:PORT]
                   through this machine instead of network.bastion of the stack file or the control plane
  --bastion [GROUP/]NAME
                   through this Azure Bastion, in the cluster's resource group unless GROUP is given
                   (default: network.bastion of the stack file, else the one that the AzureCluster has)
  --from PATH      recorded objects, see npm run doctor
  --json           print JSON instead of text

The ports of the control plane's machines come from the NAT rules of the load balancer, which \`az\` is asked for.
Exit codes: 0 printed; 1 a cluster, pool or node is not there, or cannot be read; 64 wrong arguments.
`;

export const options = {
  ...sourceOptions,
  pool: { type: "string" },
  node: { type: "string" },
  jump: { type: "string" },
  bastion: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { values } = parseCommand("access", { options }, argv, env);
  const configFile = values["config-file"];
  const stack = stackNamed(values.stack, configFile);
  const { kubeconfig, cluster, from, help, jump, bastion } = values;
  const isNamed =
    stack !== undefined || from !== undefined || (kubeconfig !== undefined && cluster !== undefined);
  refuse([
    [!help && !isNamed, "Write --stack NAME, or --kubeconfig FILE with --cluster NAME, or --from PATH."],
    [jump !== undefined && bastion !== undefined, "Write --jump or --bastion, not both."],
    [jump !== undefined && !isJump(jump), `--jump ${jump ?? ""}: write [USER@]HOST[:PORT].`],
    [bastion !== undefined && !isBastion(bastion), `--bastion ${bastion ?? ""}: write [GROUP/]NAME.`],
  ]);
  return { ...values, stack, configFile, help, workloadKubeconfig: values["workload-kubeconfig"] };
}

export type AccessArguments = ReturnType<typeof readArguments>;
