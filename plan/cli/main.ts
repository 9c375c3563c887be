import "../../commands/stack/register";
import { writeLogCommands, writeMarkdown } from "capz-windows-kit/commandLine/output";
import { join, resolve } from "node:path";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { locatedMessage, withLines } from "../../commands/stack/problemLines";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { inProject } from "capz-windows-kit/commandLine/stack";
import { ConfigError } from "capz-windows-kit/problem";
import { withoutUndefined } from "capz-windows-kit/without";
import { oddStackFiles, stacksOf } from "capz-windows-kit/stackNames";
import { askOnTerminal } from "capz-windows-kit/commandLine/ask";
import { oneLine, visibleText } from "capz-windows-kit/visible";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { definition, type PlanArguments, readArguments } from "./arguments";
import { type CostOptions, withCosts } from "./costs";
import { exitCode, policyErrors } from "./exitCode";
import { changedFindings, problemsFound, stackFindings } from "./findings";
import { planStack } from "./planStack";
import { programVersion } from "./program";
import { imagesInObjects } from "../model/images";
import { hiddenPlan } from "../model/hiddenCredentials";
import type { Plan } from "../model/plan";
import { PlanError } from "../model/planError";
import { checkOutput, renderPlan } from "../render/render";
import { failedHeadline } from "../reports/headline";
import { formatPlan } from "../reports/planText";
import { formatOfFile, formatReport, isOfFindings, type Format } from "../reports/formats";
import { defaultWidth, hasColors, progressLine, widthOf } from "capz-windows-kit/io/terminal";
import { countsText, messageText } from "../reports/policyTexts";
import type { TextStyle } from "../reports/textStyle";
import type { StackReport } from "../reports/stackReport";
import type { StackComparison } from "../impact/impact";
import type { FoundInConfig } from "capz-windows-kit/finding";
import { warningsOnlyIn } from "capz-windows-kit/warningText";
import { createRequire } from "node:module";
import type * as fixModule from "./fix";
import type * as compareModule from "./compareStacks";
import type { ComparedStack, CompareOptions } from "./compareStacks";
import type * as textModule from "../reports/text";

/** What tests replace: the project folder and the function that plans. */
export interface PlanCommandOptions {
  readonly projectDir: string;
  readonly planner: typeof planStack;
  readonly fetching: CostOptions["fetching"];
  /** Such as 2026-11-25. */
  readonly today: string;
}

/** Modules that a plan alone does not need are loaded on demand. */
const load = createRequire(__filename);

/** The context of every command. */
interface Context extends PlanCommandOptions {
  readonly configFile: string | undefined;
  readonly manifestCache: string | undefined;
  readonly progress: ReturnType<typeof progressLine>;
}

const costOptions = (
  { prices }: PlanArguments,
  { projectDir, fetching, progress }: Context,
): CostOptions => ({
  ...{ projectDir, fetch: prices, onProgress: progress.show },
  onFailure: (text) => {
    progress.end();
    process.stderr.write(`${text}\n`);
  },
  ...(fetching === undefined ? {} : { fetching }),
});

/** The folder for the files of a stack's plan, as the user wrote it. */
const outOf = ({ out, all }: PlanArguments, stack: string): string => {
  if (out === undefined) {
    return `rendered/${stack}`;
  }
  return all ? join(out, stack) : out;
};

async function fixFile(stack: string, { projectDir, configFile }: Context): Promise<void> {
  const { fixStackFile, askForRest } = load("./fix") as typeof fixModule;
  const say = (lines: readonly string[]): void => {
    process.stderr.write(lines.map((line) => `${visibleText(line)}\n`).join(""));
  };
  say(fixStackFile(projectDir, stack, configFile));
  if (process.stdin.isTTY && process.stderr.isTTY) {
    say(await askForRest(projectDir, stack, configFile, askOnTerminal));
  }
}

/**
 * The stack that is asked for, or all of the folder.
 * @throws PlanError for a file that is none: it is not left out without a word
 */
function stacksToPlan(stack: string | undefined, projectDir: string): readonly string[] {
  if (stack !== undefined) {
    return [stack];
  }
  const [odd] = oddStackFiles(projectDir);
  if (odd !== undefined) {
    throw new PlanError(
      `${oneLine(odd)} names no stack: a name has up to 100 letters, digits, '-', '_' and '.'. Rename the file, or name the stack to plan.`,
    );
  }
  return stacksOf(projectDir);
}

async function planStacks(args: PlanArguments, context: Context): Promise<number> {
  const { projectDir, configFile, planner, manifestCache, progress } = context;
  const stacks = stacksToPlan(args.stack, projectDir);
  if (stacks.length === 0) {
    throw new PlanError("The folder has no Pulumi.NAME.yaml.");
  }
  // Checked before the work, so that a wrong folder is reported at once.
  stacks.forEach((stack) => {
    checkOutput(resolve(outOf(args, stack)));
  });
  const planned: { stack: string; plan: Plan; out: string; files: readonly string[] }[] = [];
  const failures: { stack: string; error: ConfigError | PlanError }[] = [];
  for (const stack of stacks) {
    try {
      if (args.fix) {
        await fixFile(stack, context);
      }
      const plan = hiddenPlan(
        await planner({
          ...{ projectDir, stack, configFile, manifestCache, host: args.host, onProgress: progress.show },
        }),
      );
      const out = outOf(args, stack);
      planned.push({ stack, plan, out, files: renderPlan(plan, resolve(out)) });
    } catch (error) {
      if (!args.all || !(error instanceof ConfigError || error instanceof PlanError)) {
        throw error;
      }
      failures.push({ stack, error });
    }
  }
  const found = await withCosts(
    planned.map(({ stack, plan }) => ({ stack, plan, program: programVersion(projectDir) })),
    costOptions(args, context),
  );
  progress.end();
  const reports = withFindings(found, context);
  const failed = failures.map(({ stack, error }) => failedReport(stack, error, projectDir));
  report([...reports, ...failed], args, (style) =>
    planned
      .map(({ plan, out, files }, index) => formatPlan(plan, { ...reports[index], out, files }, style))
      .join("\n"),
  );
  if (failures.length === 0) {
    return ended(reports, args);
  }
  const messages = failures.map(({ error }) => locatedMessage(projectDir, error));
  const names = failures.map(({ stack }) => stack).join(", ");
  process.stderr.write(
    `${messages.join("\n\n")}\n\nExit code 1: ${failures.length} of ${stacks.length} stacks cannot be planned: ${names}.\n`,
  );
  return 1;
}

/** What is known of a stack that cannot be planned, beside others that can. */
const failedReport = (stack: string, error: ConfigError | PlanError, projectDir: string): StackReport => ({
  stack,
  headline: failedHeadline(error.message),
  findings: error instanceof ConfigError ? problemsFound(projectDir, error) : [],
});

async function compare(
  against: CompareOptions["against"],
  args: PlanArguments,
  context: Context,
): Promise<number> {
  const { stack, all, host } = args;
  const { projectDir, configFile, planner, manifestCache, progress } = context;
  const stacks = stacksToPlan(stack, projectDir);
  // A program that runs in this process may run in another folder.
  const cwd = process.cwd();
  const out = (name: string): string => resolve(cwd, outOf(args, name));
  stacks.forEach((name) => {
    checkOutput(out(name));
  });
  const { compareStacks } = load("./compareStacks") as typeof compareModule;
  const compared = await compareStacks({
    ...{ projectDir, planner, stacks, all, against, configFile, manifestCache, host },
    ...{ out, onProgress: progress.show },
  });
  const found = await withCosts(compared, costOptions(args, context));
  progress.end();
  const { formatComparisons } = load("../reports/text") as typeof textModule;
  const reports = withFindings(found, context);
  report(reports, args, (style) => formatComparisons(reports, style));
  return ended(reports, args);
}

/** The exit code, with its reason where no change is the reason. */
function ended(reports: readonly StackReport[], args: PlanArguments): number {
  const code = exitCode(reports, args);
  if (code === 4) {
    process.stderr.write(
      `Exit code 4: ${countsText(policyErrors(reports))} of policies. Mend it, accept it until a day (docs/policies.md, "Exceptions"), or add --allow-policy-errors.\n`,
    );
  }
  return code;
}

/** The findings of the stack files that are there: a removed stack has none. */
const withFindings = (
  found: readonly ComparedStack[],
  { projectDir, configFile, today }: Context,
): StackReport[] =>
  found.map(({ baseConfig, ...one }) => {
    if (one.comparison?.status === "removed") {
      return one;
    }
    const images = one.plan && imagesInObjects(one.plan.objects);
    const findings = stackFindings(projectDir, one.stack, configFile, today, images);
    const file = { projectDir, stack: one.stack, configFile, today };
    const changed = baseConfig && changedFindings(file, baseConfig);
    const comparison = one.comparison && changed && withGone(one.comparison, changed.gone);
    return { ...one, findings, ...withoutUndefined({ comparison, newFindings: changed?.added }) };
  });

/** With the warnings and errors of policies that a change ends, of which some are warnings of a plan, too. */
function withGone(comparison: StackComparison, gone: readonly FoundInConfig[]): StackComparison {
  const { fixedWarnings } = comparison;
  const texts = gone
    .filter(({ level, accepted }) => level !== "note" && accepted === undefined)
    .map(messageText);
  return { ...comparison, fixedWarnings: [...fixedWarnings, ...warningsOnlyIn(texts, fixedWarnings)] };
}

/** Annotations are commands for a pipeline, which nothing else that is printed may be. */
function print(text: string, format: Format): void {
  if (format === "github") {
    writeLogCommands(text);
  } else if (format === "markdown") {
    writeMarkdown(text);
  } else {
    process.stdout.write(text);
  }
}

/** A stack file that is wrong has no plan, but formats of findings have its problems. */
function reportProblems(
  { format, reports, stack = "" }: PlanArguments,
  findings: NonNullable<StackReport["findings"]>,
): void {
  const formatted = (wanted: Format | undefined): string | undefined =>
    wanted === undefined || wanted === "text" || !isOfFindings(wanted)
      ? undefined
      : formatReport([{ stack, findings }], wanted);
  print(formatted(format) ?? "", format);
  for (const file of reports) {
    const text = formatted(formatOfFile(file));
    if (text !== undefined) {
      writeAtomically(resolve(file), text);
    }
  }
}

/** Prints a report and writes those that are wanted as files. */
function report(
  found: readonly StackReport[],
  { format, reports, verbose }: Pick<PlanArguments, "format" | "reports" | "verbose">,
  text: (style: TextStyle) => string,
): void {
  const { stdout } = process;
  const formatted = (wanted: Format, style: Omit<TextStyle, "verbose">): string =>
    wanted === "text" ? text({ ...style, verbose }) : formatReport(found, wanted);
  print(formatted(format, { color: hasColors(stdout), width: widthOf(stdout) }), format);
  for (const file of reports) {
    const plain = { color: false, width: defaultWidth };
    writeAtomically(resolve(file), formatted(formatOfFile(file) ?? "text", plain));
  }
}

/**
 * Runs the command line and writes to this process's output.
 * @returns the exit code, see its definition
 */
export function run(argv: readonly string[], options: Partial<PlanCommandOptions> = {}): Promise<number> {
  const progress = progressLine(process.stderr);
  return answer(definition, argv, [ConfigError, PlanError], () => {
    const args = readArguments(argv, process.env, options.projectDir);
    const context: Context = {
      ...{ projectDir, planner: planStack, progress, fetching: undefined },
      today: new Date().toISOString().slice(0, 10),
      manifestCache: process.env.CAPZ_WINDOWS_MANIFEST_CACHE,
      ...options,
      configFile: inProject(options.projectDir ?? projectDir, args.configFile),
    };
    const { against } = args;
    const planned = against === undefined ? planStacks(args, context) : compare(against, args, context);
    return planned
      .catch((error: unknown) => {
        if (error instanceof ConfigError) {
          reportProblems(args, problemsFound(context.projectDir, error));
          throw withLines(context.projectDir, error);
        }
        throw error;
      })
      .finally(progress.end);
  });
}

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
