import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { ConfigError } from "../config/problem";
import { stacksOf } from "../config/stackFile";
import type { Arguments } from "./arguments";
import { readArguments, usage, UsageError } from "./arguments";
import type * as compareModule from "./diff/compareStacks";
import { exitCode } from "./diff/exitCode";
import { planStack } from "./plan";
import { PlanError } from "./planError";
import { progressLine } from "./progress";
import { checkOutput, renderPlan } from "./render/render";
import { formatPlan } from "./report";
import { formatOfFile, formatReport, writeReport } from "./reports/formats";
import type { StackReport } from "./reports/report";
import { hasColours } from "./reports/colours";
import type * as textModule from "./reports/text";

type Progress = ReturnType<typeof progressLine>;

/** What a plan alone does not need is loaded when it is needed. */
const load = createRequire(__filename);

const projectDir = resolve(__dirname, "..");
const manifestCache = process.env.CAPZ_WINDOWS_MANIFEST_CACHE;

async function planOne(
  stack: string,
  { out = `rendered/${stack}`, format, reports, host }: Arguments,
  progress: Progress,
): Promise<number> {
  // Before the work, not after.
  checkOutput(resolve(out));
  const plan = await planStack({ projectDir, stack, manifestCache, host, onProgress: progress.show });
  const files = renderPlan(plan, resolve(out));
  progress.end();
  const text = formatPlan(plan, { out, files });
  tell([{ stack, plan }], { format, reports, text });
  return 0;
}

async function compare(
  against: string,
  { stack, all, out, gate, format, reports, host }: Arguments,
  progress: Progress,
): Promise<number> {
  const stacks = stack === undefined ? stacksOf(projectDir) : [stack];
  // A program that runs in this process may run in another folder.
  const cwd = process.cwd();
  const outOf = (name: string): string =>
    resolve(cwd, out === undefined ? `rendered/${name}` : all ? join(out, name) : out);
  stacks.forEach((name) => {
    checkOutput(outOf(name));
  });
  const { compareStacks } = load("./diff/compareStacks") as typeof compareModule;
  const found = await compareStacks({
    ...{ projectDir, stacks, all, against, manifestCache, host },
    out: outOf,
    onProgress: progress.show,
  });
  progress.end();
  tell(found, { format, reports });
  return exitCode(
    found.map(({ comparison }) => comparison).filter((comparison) => comparison !== undefined),
    gate,
  );
}

/** Prints a report and writes those that are wanted as files. */
function tell(
  found: readonly StackReport[],
  { format, reports, text }: Pick<Arguments, "format" | "reports"> & { readonly text?: string },
): void {
  const textReport = (colour: boolean): string =>
    text ?? (load("./reports/text") as typeof textModule).formatComparisons(found, { colour });
  const coloured = hasColours(process.stdout);
  process.stdout.write(format === "text" ? textReport(coloured) : formatReport(found, format, textReport));
  for (const file of reports) {
    writeReport(resolve(file), formatReport(found, formatOfFile(file) ?? "text", textReport));
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const progress = progressLine(process.stderr);
  try {
    const args = readArguments(argv);
    if (args.help || (args.stack === undefined && !args.all)) {
      process.stderr.write(usage);
      return args.help ? 0 : 64;
    }
    return await (args.against === undefined
      ? planOne(args.stack ?? "", args, progress)
      : compare(args.against, args, progress));
  } catch (error) {
    progress.end();
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      return 64;
    }
    // Both carry a whole report for people; anything else is a fault of ours and shows where.
    const known = error instanceof ConfigError || error instanceof PlanError;
    process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    return 1;
  }
}

/** Ends the process when all is written, also when a program that was given up still does something in it. */
const end = (code: number): void => {
  process.exitCode = code;
  process.stdout.write("", () => {
    process.stderr.write("", () => process.exit());
  });
};

/** Exit codes: see usage. */
export function main(argv: readonly string[]): void {
  void run(argv).then(end);
}
