import { parseArgs } from "node:util";
import { stackOfFile } from "../../config/stackFile";

export const usage = `Says what is wrong with a cluster, why, and what to do about it. Reads only.

  npm run doctor -- --stack NAME [OPTIONS]
  npm run doctor -- --kubeconfig FILE --cluster NAME [--namespace NAME] [OPTIONS]
  npm run doctor -- --from FILE|FOLDER [OPTIONS]

  --stack NAME     the cluster of Pulumi.NAME.yaml; the kubeconfig comes from the stack's outputs or from \`az\`
  --config-file FILE
                   this stack file instead of the one beside Pulumi.yaml
  --kubeconfig FILE
                   kubeconfig of the management cluster ("default": the one of kubectl)
  --workload-kubeconfig FILE
                   kubeconfig of the workload cluster (default: the one that Cluster API keeps)
  --cluster NAME   name of the Cluster (default: of the stack)
  --namespace NAME its namespace (default: of the stack, else the name of the Cluster)
  --from PATH      recorded objects instead of clusters: a file of --save, or files of \`kubectl get ... -o json\`, those of
                   the workload cluster in a folder workload
  --save FILE      also write what was read, without secrets, for --from or for somebody who helps
  --watch          stay and show each step until everything runs
  --timeout MIN    how long to stay (default: 90)
  --json           print JSON instead of text

Exit codes: 0 everything runs and nothing is wrong; 2 nothing is wrong, but not everything is there yet, or there are
warnings; 3 something is wrong; 1 the stack file or the recorded objects cannot be read; 64 wrong arguments.
`;

export interface Arguments {
  readonly help: boolean;
  readonly stack?: string | undefined;
  readonly configFile?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly workloadKubeconfig?: string | undefined;
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly from?: string | undefined;
  readonly save?: string | undefined;
  readonly watch: boolean;
  readonly timeoutMinutes: number;
  readonly json: boolean;
}

/** A wrong command line; the message is for people, the usage follows it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const names = [
  ...["stack", "config-file", "kubeconfig", "workload-kubeconfig", "cluster", "namespace", "from", "save"],
  ...["timeout", "watch", "json"],
];

/** Options that npm took for itself, because no `--` stood before them. */
export function takenByNpm(
  command: string,
  options: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const taken = options.flatMap((name) => {
    const value = env[`npm_config_${name.replaceAll("-", "_")}`];
    return value === undefined ? [] : [value === "true" ? `--${name}` : `--${name} ${value}`];
  });
  return taken.length === 0
    ? undefined
    : `npm takes options for itself unless \`--\` stands before them: npm run ${command} -- ${[...taken, ...argv].join(" ")}`;
}

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Arguments {
  const taken = takenByNpm("doctor", names, argv, env);
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
        from: { type: "string" },
        save: { type: "string" },
        watch: { type: "boolean", default: false },
        timeout: { type: "string", default: "90" },
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
  const { kubeconfig, cluster, namespace, from, help, watch, timeout } = values;
  const configFile = values["config-file"];
  const stack = values.stack ?? (configFile === undefined ? undefined : stackOfFile(configFile));
  const minutes = Number(timeout);
  const checks: readonly (readonly [isWrong: boolean, message: string])[] = [
    [
      stack === undefined && kubeconfig === undefined && from === undefined,
      "Write --stack NAME, or --kubeconfig FILE with --cluster NAME, or --from PATH.",
    ],
    [
      stack === undefined && kubeconfig !== undefined && cluster === undefined && from === undefined,
      "--kubeconfig without --stack: add --cluster NAME; kubectl get cluster -A lists them.",
    ],
    [from !== undefined && watch, "--from and --watch exclude each other: recorded objects do not change."],
    [
      from !== undefined && (kubeconfig !== undefined || values["workload-kubeconfig"] !== undefined),
      "--from and --kubeconfig exclude each other.",
    ],
    [
      namespace !== undefined && cluster === undefined && stack === undefined,
      "--namespace: add --cluster NAME.",
    ],
    [!(minutes > 0), `--timeout ${timeout}: write a number of minutes, for instance 90.`],
  ];
  const [, wrong] = checks.find(([isWrong]) => isWrong) ?? [];
  if (wrong !== undefined && !help) {
    throw new UsageError(wrong);
  }
  return {
    ...{ help, stack, configFile, kubeconfig, cluster, namespace, from, watch },
    workloadKubeconfig: values["workload-kubeconfig"],
    save: values.save,
    timeoutMinutes: minutes,
    json: values.json,
  };
}
