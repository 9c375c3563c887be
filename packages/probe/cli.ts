import { resolve } from "node:path";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack } from "capz-windows-kit/commandLine/stack";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { exchange } from "capz-windows-kit/io/exchange";
import { KubeconfigError } from "capz-windows-doctor/cluster/connect";
import { reach } from "capz-windows-doctor/ofStack";
import { UnreadError } from "capz-windows-doctor/unread";
import { type RunCommand, runCommand } from "capz-windows-doctor/cluster/stack";
import { ConfigError } from "capz-windows-kit/problem";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { hasColors, progressLine } from "capz-windows-kit/io/terminal";
import { RefusedError } from "./client";
import { BusyError } from "./lifetime";
import { RestartError } from "./restart";
import { exitCode, format, formatOfFile } from "./report";
import { probe, type ProbeOptions } from "./run";

const definition = defineCommand({
  call: "npm run probe --",
  about: "Measures on real nodes what no plan can show: MTU, packets, DNS, Services, volumes, kubelets.",
  args: stackArgument,
  options: [
    "stack",
    "configFile",
    "kubeconfig",
    "workloadKubeconfig",
    "reboot",
    "timeout",
    "probeFormat",
    "json",
    "probeReports",
  ],
  notes:
    "It runs pods, a load balancer and disks in its own namespace, capz-windows-probe, and removes them, also after Ctrl-C.",
  examples: {
    "npm run probe -- prod": "What the cluster of a stack really does",
    "npm run probe -- prod --report probe.md": "For a report to others",
  },
  exitCodes: {
    0: "everything is as planned",
    1: "a cluster cannot be read, or the run ended early",
    2: "something could not be measured",
    3: "findings",
    130: "interrupted",
  },
});

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = projectDir) {
  const { values, args } = parseCommand(definition, argv, env);
  const format = values.json ? "json" : (values.probeFormat ?? "text");
  return { ...values, format, stack: chosenStack(values, args, dir) };
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
  answer(
    definition,
    argv,
    [ConfigError, KubeconfigError, UnreadError, BusyError, RefusedError, RestartError],
    async () => {
      const all: ProbeCommandOptions = {
        ...{ projectDir, run: runCommand, pollMs: 3000 },
        lifetime: { aliveMs: 10_000, deletionSeconds: 10 * 60 },
        ...replaced,
      };
      const args = readArguments(argv, process.env, all.projectDir);
      const facts = stackReader.read().factsOfStack(all.projectDir, args.stack, args.configFile);
      const send = await reach("workload", args, facts, all);
      const progress = progressLine(process.stderr);
      const { signal, interrupted, forget } = endings(args.timeout);
      try {
        const report = await probe({
          ...{ stack: args.stack, facts, send, signal, reboot: args.reboot, fetchText },
          ...{ say: progress.show, pollMs: all.pollMs, lifetime: all.lifetime },
        });
        progress.end();
        for (const file of args.probeReports) {
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

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
