import { parseArgs } from "node:util";
import { takenByNpm, UsageError } from "../../doctor/cli/arguments";
import { stackOfFile } from "../../config/stackFile";

export const usage = `Prints commands to log in to the machines of a cluster and to collect their logs. Reads only.

  npm run access -- --stack NAME [--pool NAME] [--node NAME] [OPTIONS]
  npm run access -- --kubeconfig FILE --cluster NAME [--namespace NAME] [OPTIONS]

  --stack NAME     the cluster of Pulumi.NAME.yaml
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
  --from PATH      recorded objects, see npm run doctor
  --json           print JSON instead of text

The ports of the control plane's machines come from the NAT rules of the load balancer, which \`az\` is asked for.
Exit codes: 0 printed; 1 a cluster, pool or node is not there, or cannot be read; 64 wrong arguments.
`;

export interface Arguments {
  readonly help: boolean;
  readonly stack?: string | undefined;
  readonly configFile?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly workloadKubeconfig?: string | undefined;
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly pool?: string | undefined;
  readonly node?: string | undefined;
  readonly from?: string | undefined;
  readonly json: boolean;
}

const names = [
  "stack",
  "config-file",
  "kubeconfig",
  "workload-kubeconfig",
  "cluster",
  "namespace",
  "pool",
  "node",
  "from",
  "json",
];

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Arguments {
  const taken = takenByNpm("access", names, argv, env);
  if (taken !== undefined) {
    throw new UsageError(taken);
  }
  const read = () =>
    parseArgs({
      args: [...argv],
      options: {
        stack: { type: "string" },
        "config-file": { type: "string" },
        kubeconfig: { type: "string" },
        "workload-kubeconfig": { type: "string" },
        cluster: { type: "string" },
        namespace: { type: "string" },
        pool: { type: "string" },
        node: { type: "string" },
        from: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  let values: ReturnType<typeof read>;
  try {
    values = read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const configFile = values["config-file"];
  const stack = values.stack ?? (configFile === undefined ? undefined : stackOfFile(configFile));
  const { kubeconfig, cluster, from, help } = values;
  if (
    !help &&
    stack === undefined &&
    from === undefined &&
    (kubeconfig === undefined || cluster === undefined)
  ) {
    throw new UsageError("Write --stack NAME, or --kubeconfig FILE with --cluster NAME, or --from PATH.");
  }
  return { ...values, stack, configFile, help, workloadKubeconfig: values["workload-kubeconfig"] };
}
