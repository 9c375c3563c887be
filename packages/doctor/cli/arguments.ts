import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { stackOfSource } from "capz-windows-kit/commandLine/stack";

export const definition = defineCommand({
  call: "npm run doctor --",
  about: "Says what is wrong with a cluster, why, and what to do about it. It only reads.",
  args: stackArgument,
  options: [
    "stack",
    "configFile",
    "kubeconfig",
    "workloadKubeconfig",
    "cluster",
    "namespace",
    "from",
    "save",
    "watch",
    "timeout",
    "json",
    "explain",
  ],
  notes: "The kubeconfig comes from the outputs of the stack or from `az`, unless an option names one.",
  examples: {
    "npm run doctor -- prod": "What is wrong with the cluster of a stack",
    "npm run doctor -- prod --watch": "Follow an `up`",
    "npm run doctor -- --kubeconfig FILE --cluster NAME": "A cluster that this program did not make",
    "npm run doctor -- prod --save FILE": "What others need to help",
    "npm run doctor -- --from FILE": "What others have saved",
    "npm run doctor -- --explain 'failed to create containerd task'": "What is known of an error message",
  },
  exitCodes: {
    0: "everything was read and runs, and nothing is wrong",
    1: "the stack file or the recorded objects cannot be read",
    2: "no error was found, but not everything is there, runs or could be read, or there are warnings",
    3: "something is wrong",
  },
});

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = projectDir) {
  const { values, args } = parseCommand(definition, argv, env);
  const stack = values.explain === undefined ? stackOfSource(values, args, dir) : undefined;
  return { ...values, stack };
}

export type DoctorArguments = ReturnType<typeof readArguments>;
