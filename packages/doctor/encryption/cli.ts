import { bash } from "capz-windows-kit/shell";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack } from "capz-windows-kit/commandLine/stack";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { KubeconfigError } from "../cluster/connect";
import { type ClusterOptions, reach } from "../ofStack";
import { UnreadError } from "../unread";
import { runCommand } from "../cluster/stack";
import type { Get } from "../cluster/answers";
import { ConfigError } from "capz-windows-kit/problem";
import { progressLine } from "capz-windows-kit/io/terminal";
import { clearText } from "capz-windows-platform/encryption/keys";
import { ListError, rewrite, type Rewritten } from "./rewrite";
import { isRolling, readStage, StageError, stageLines } from "./stage";

const definition = defineCommand({
  call: "npm run encryption --",
  about:
    "Says which stage of encryption at rest a cluster is in. With --rewrite it writes every Secret with the present key.",
  args: stackArgument,
  options: ["stack", "configFile", "kubeconfig", "workloadKubeconfig", "rewrite", "json"],
  notes: "Without --rewrite it only reads the management cluster. It never prints contents of objects.",
  examples: {
    "npm run encryption -- prod": "The stage, and what is next",
    "npm run encryption -- prod --rewrite": "After a change of keys",
  },
  exitCodes: {
    0: "done",
    1: "a cluster cannot be read",
    2: "the control plane is still rolling, or an object could not be written",
  },
});

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv, dir = projectDir) {
  const { values, args } = parseCommand(definition, argv, env);
  return { ...values, stack: chosenStack(values, args, dir) };
}

const objects = (count: number, resource: string): string =>
  `${count} ${count === 1 ? resource.replace(/s$/, "") : resource}`;

function rewrittenLines(results: readonly Rewritten[], key: string): string[] {
  const by = key === clearText ? "in clear text" : `with ${key}`;
  return results.flatMap(({ resource, rewritten, current, changed, failed }) => {
    const all = rewritten + current + changed + failed.length;
    return [
      `${objects(all, resource)}: ${rewritten} written again, ${current} were ${by} already, ${changed} changed by others meanwhile, ${failed.length} refused`,
      ...failed.map(({ name, message }) => `  ${name}: ${message}`),
      failed.length === 0
        ? `All ${resource} in etcd are ${by} now.`
        : `Not all ${resource} are ${by}. Remove what refuses the change, such as an admission webhook that does not answer, and run this again.`,
    ];
  });
}

/** Runs the command line and writes to this process's output. */
export const run = (argv: readonly string[], replaced: Partial<ClusterOptions> = {}): Promise<number> =>
  answer(definition, argv, [ConfigError, KubeconfigError, UnreadError, ListError, StageError], async () => {
    const all = { projectDir, run: runCommand, ...replaced };
    const args = readArguments(argv, process.env, all.projectDir);
    const facts = stackReader.read().factsOfStack(all.projectDir, args.stack, args.configFile);
    const { clusterName, namespace, controlPlane } = facts;
    const manage = await reach("management", args, facts, all);
    const get: Get = (path) => manage(path, { method: "GET" });
    const stage = await readStage(get, clusterName, namespace);
    const command = bash`npm run encryption -- ${args.stack} --rewrite`;
    const lines = stageLines(stage, controlPlane.encryption, `\`${command}\``);
    const results: Rewritten[] = [];
    const rolling = isRolling(stage);
    if (args.rewrite && stage.cluster !== undefined && !rolling) {
      const send = await reach("workload", args, facts, all);
      const progress = progressLine(process.stderr);
      try {
        for (const resource of stage.cluster.resources) {
          results.push(
            await rewrite(send, resource, (done) => {
              progress.show(`${resource}: ${done}`);
            }),
          );
        }
      } finally {
        progress.end();
      }
    }
    const text = (): readonly string[] => {
      if (!args.rewrite || (rolling && results.length === 0)) {
        return lines;
      }
      if (results.length === 0) {
        return [...lines, "There is nothing to write again: nothing is encrypted."];
      }
      return rewrittenLines(results, stage.cluster?.keys[0] ?? clearText);
    };
    process.stdout.write(
      args.json ? `${JSON.stringify({ ...stage, results }, null, 2)}\n` : `${text().join("\n")}\n`,
    );
    const isOpen = args.rewrite && (rolling || results.some(({ failed }) => failed.length > 0));
    return isOpen ? 2 : 0;
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
