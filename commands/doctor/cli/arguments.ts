import { type Options, parseCommand, refuse } from "../../commandLine/arguments";
import { clustersOfStack, clustersUsage, stackNamed } from "../../commandLine/stack";

export const usage = `Says what is wrong with a cluster, why, and what to do about it. It only reads.

  npm run doctor -- --stack NAME [OPTIONS]
  npm run doctor -- --kubeconfig FILE --cluster NAME [--namespace NAME] [OPTIONS]
  npm run doctor -- --from FILE|FOLDER [OPTIONS]
  npm run doctor -- --explain TEXT

  -s, --stack NAME the cluster of Pulumi.NAME.yaml; the kubeconfig comes from the stack's outputs or from \`az\`
${clustersUsage}
  --cluster NAME   name of the Cluster (default: of the stack)
  --namespace NAME its namespace (default: of the stack, else the name of the Cluster)
  --from PATH      recorded objects instead of clusters: a file of --save, or files of \`kubectl get ... -o json\`, those of
                   the workload cluster in a folder workload
  --save FILE      also write what was read, without secrets, for --from or for those who help
  --watch          stay and show each step until everything runs
  --timeout MIN    how long to stay (default: 90)
  --json           print JSON instead of text
  --explain TEXT   what the doctor knows of an ID of its report, or a list for a part of an error message; reads no cluster

Exit codes: 0 everything runs and nothing is wrong; 2 nothing is wrong, but not everything is there yet, or there are
warnings; 3 something is wrong; 1 the stack file or the recorded objects cannot be read; 64 wrong arguments.
`;

/** The options by which commands that read a cluster name it. */
export const sourceOptions = {
  ...clustersOfStack,
  cluster: { type: "string" },
  namespace: { type: "string" },
  from: { type: "string" },
} satisfies Options;

export const options = {
  ...sourceOptions,
  save: { type: "string" },
  watch: { type: "boolean", default: false },
  timeout: { type: "string", default: "90" },
  json: { type: "boolean", default: false },
  explain: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { values } = parseCommand("doctor", { options }, argv, env);
  const { kubeconfig, cluster, namespace, from, help, watch, timeout, explain } = values;
  const configFile = values["config-file"];
  const stack = stackNamed(values.stack, configFile);
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
  refuse(help || explain !== undefined ? [] : checks);
  return {
    ...{ help, stack, configFile, kubeconfig, cluster, namespace, from, watch },
    workloadKubeconfig: values["workload-kubeconfig"],
    save: values.save,
    timeoutMinutes: minutes,
    ...{ json: values.json, explain },
  };
}

export type DoctorArguments = ReturnType<typeof readArguments>;
