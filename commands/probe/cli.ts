import { resolve } from "node:path";
import { type Options, parseCommand, refuse } from "../commandLine/arguments";
import { answerTo, endWith } from "../commandLine/main";
import { projectDir } from "../commandLine/projectDir";
import { clustersOfStack, clustersUsage, settingsOfStack, stackNamed } from "../commandLine/stack";
import { exchange } from "../../io/exchange";
import { KubeconfigError } from "../cluster/connect";
import { reach } from "../doctor/ofStack";
import { UnreadError } from "../doctor/unread";
import { type RunCommand, runCommand } from "../cluster/stack";
import { ConfigError } from "../../tools/problem";
import { writeAtomically } from "../../io/atomic";
import { hasColors, progressLine } from "../../io/terminal";
import { RefusedError } from "./client";
import { BusyError } from "./lifetime";
import { RestartError } from "./restart";
import { exitCode, type ProbeFormat, format, formatOfFile, formats } from "./report";
import { probe, type ProbeOptions } from "./run";

export const usage = `Measures on real nodes what no plan can show: MTU, packets, DNS, Services, volumes, kubelets.

  npm run probe -- --stack NAME [OPTIONS]

  -s, --stack NAME the cluster of Pulumi.NAME.yaml; the kubeconfig comes from the stack's outputs or from \`az\`
${clustersUsage}
  --reboot NODE    cordon this node with Windows, restart it, and measure everything again
  --timeout MIN    longest time for the whole run (default: 90)
  --format FORMAT  what to print: text (default), markdown or json
  --json           the same as --format json
  --report FILE    also write a file, in the format of its extension: .txt, .md or .json; repeatable

It runs pods, a load balancer and disks in its own namespace, capz-windows-probe, and removes them, also after Ctrl-C.
Exit codes: 0 everything is as planned; 2 something could not be measured; 3 findings; 1 a cluster cannot be read or the
run ended early; 130 interrupted; 64 wrong arguments.
`;

export const options = {
  ...clustersOfStack,
  reboot: { type: "string" },
  timeout: { type: "string", default: "90" },
  format: { type: "string" },
  json: { type: "boolean", default: false },
  report: { type: "string", multiple: true, default: [] },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { values } = parseCommand("probe", { options }, argv, env);
  const configFile = values["config-file"];
  const stack = stackNamed(values.stack, configFile) ?? "";
  const timeoutMinutes = Number(values.timeout);
  const format = values.format ?? (values.json ? "json" : "text");
  const wrongReport = values.report.find((file) => formatOfFile(file) === undefined);
  const checks: readonly (readonly [isWrong: boolean, message: string])[] = [
    [stack === "", "Write --stack NAME."],
    [!(timeoutMinutes > 0), `--timeout ${values.timeout}: write a number of minutes, for instance 90.`],
    [values.json && format !== "json", "--json and --format exclude each other."],
    [!formats.includes(format as ProbeFormat), `--format ${format}: write one of ${formats.join(", ")}.`],
    [wrongReport !== undefined, `--report ${wrongReport ?? ""}: end it in .txt, .md or .json.`],
  ];
  refuse(values.help ? [] : checks);
  return {
    ...{ stack, configFile, timeoutMinutes, help: values.help, reboot: values.reboot },
    ...{ kubeconfig: values.kubeconfig, workloadKubeconfig: values["workload-kubeconfig"] },
    ...{ format: format as ProbeFormat, reports: values.report },
  };
}

/** What tests replace. */
export interface ProbeCommandOptions extends Pick<ProbeOptions, "pollMs" | "lifetime"> {
  readonly projectDir: string;
  readonly run: RunCommand;
}

async function fetchText(url: string): Promise<string> {
  // Without a proxy: it is the load balancer of the cluster.
  const { body } = await exchange(new URL(url), { totalMs: 10_000, maxBytes: 2 ** 20, env: {} });
  return body.toString("utf8");
}

/** Ends a run by Ctrl-C, by SIGTERM, or when its time is over. A second signal ends the process at once. */
function endings(minutes: number): {
  readonly signal: AbortSignal;
  readonly interrupted: () => boolean;
  readonly forget: () => void;
} {
  const controller = new AbortController();
  let interrupted = false;
  const stop = (name: NodeJS.Signals) => {
    if (interrupted) {
      process.exit(130);
    }
    interrupted = true;
    controller.abort(`interrupted by ${name}.`);
  };
  const timer = setTimeout(() => {
    controller.abort(`the time limit of ${minutes} minutes is over.`);
  }, minutes * 60_000);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return {
    signal: controller.signal,
    interrupted: () => interrupted,
    forget: () => {
      clearTimeout(timer);
      process.off("SIGINT", stop).off("SIGTERM", stop);
    },
  };
}

/** Runs the command line and writes to this process's output. */
export const run = (argv: readonly string[], replaced: Partial<ProbeCommandOptions> = {}): Promise<number> =>
  answerTo(
    usage,
    readArguments,
    argv,
    [ConfigError, KubeconfigError, UnreadError, BusyError, RefusedError, RestartError],
    async (args) => {
      const all: ProbeCommandOptions = {
        ...{ projectDir, run: runCommand, pollMs: 3000 },
        lifetime: { aliveMs: 10_000, deletionSeconds: 10 * 60 },
        ...replaced,
      };
      const settings = settingsOfStack(all.projectDir, args.stack, args.configFile);
      const send = await reach("workload", args, settings, all);
      const progress = progressLine(process.stderr);
      const { signal, interrupted, forget } = endings(args.timeoutMinutes);
      try {
        const report = await probe({
          ...{ stack: args.stack, settings, send, signal, reboot: args.reboot, fetchText },
          ...{ say: progress.show, pollMs: all.pollMs, lifetime: all.lifetime },
        });
        progress.end();
        for (const file of args.reports) {
          writeAtomically(resolve(file), format(report, formatOfFile(file) ?? "text"));
        }
        process.stdout.write(format(report, args.format, hasColors(process.stdout)));
        return interrupted() ? 130 : exitCode(report);
      } finally {
        progress.end();
        forget();
      }
    },
  );

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
