import { resolve } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { ConfigError } from "capz-windows-kit/problem";
import { shown, withoutMiddle } from "capz-windows-kit/visible";
import { hasColors, progressLine, silentLine, widthOf } from "capz-windows-kit/io/terminal";
import { withoutCredentials } from "../cluster/clean";
import { savedSnapshot } from "../cluster/saved";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { diagnose } from "../diagnose";
import { exitCode } from "../exitCode";
import type { Diagnosis } from "../diagnosis";
import type { Snapshot } from "../cluster/snapshot";
import { connect, KubeconfigError } from "../cluster/connect";
import { RecordedError } from "../cluster/recorded";
import { runCommand } from "../cluster/stack";
import { explained, nearestIds } from "../report/explain";
import { formatJson } from "../report/json";
import { formatText, type TerminalStyle } from "../report/text";
import { definition, type DoctorArguments, readArguments } from "./arguments";
import { snapshotReader, type SourceOptions } from "../cluster/source";
import { watch } from "./watch";

/** What tests replace. */
export interface DoctorOptions extends SourceOptions {
  readonly pollMs: number;
}

const styleOf = (stream: NodeJS.WriteStream): TerminalStyle => ({
  color: hasColors(stream),
  width: widthOf(stream),
});

async function diagnosed(args: DoctorArguments, options: DoctorOptions): Promise<Diagnosis> {
  const { save, json } = args;
  const keep = (snapshot: Snapshot): Snapshot => {
    if (save !== undefined) {
      writeAtomically(resolve(save), shown(`${JSON.stringify(savedSnapshot(snapshot), null, 1)}\n`), 0o600);
    }
    return snapshot;
  };
  const read = await snapshotReader(args, options);
  if (!args.watch) {
    return diagnose(keep(await read()));
  }
  const { stdout, stderr } = process;
  return watch({
    read: async () => keep(await read()),
    until: Date.now() + args.timeout * 60_000,
    everyMs: options.pollMs,
    write: (text) => (json ? stderr : stdout).write(text),
    // A log gets the lines of the steps only, without a progress line.
    progress: stderr.isTTY ? progressLine(stderr) : silentLine,
    report: (diagnosis) => formatText({ ...diagnosis, steps: [] }, styleOf(stdout)),
  });
}

/** @throws UsageError when the doctor knows nothing of this text */
function explain(asked: string, json: boolean): number {
  const text = explained(asked, widthOf(process.stdout), json);
  if (text === undefined) {
    const quoted = withoutCredentials(asked);
    throw new UsageError(
      /\s/.test(asked)
        ? `--explain ${quoted}: no cause has this text. Paste the whole message, with its last line, or let the doctor read the cluster: npm run doctor -- STACK.`
        : `--explain ${quoted}: no cause has this ID or this text. IDs like it are ${nearestIds(asked).join(", ")}.`,
    );
  }
  process.stdout.write(text);
  return 0;
}

/** Runs the command line and writes to this process's output. */
export const run = (argv: readonly string[], options: Partial<DoctorOptions> = {}): Promise<number> =>
  answer(definition, argv, [ConfigError, RecordedError, KubeconfigError], async () => {
    const args = readArguments(argv, process.env, options.projectDir);
    if (args.explain !== undefined) {
      return explain(withoutMiddle(args.explain), args.json);
    }
    const diagnosis = await diagnosed(args, {
      ...{ projectDir, run: runCommand, connect, pollMs: 5000 },
      ...options,
    });
    process.stdout.write(args.json ? formatJson(diagnosis) : formatText(diagnosis, styleOf(process.stdout)));
    return exitCode(diagnosis);
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
