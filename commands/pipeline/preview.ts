import { spawn } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { inTemporaryFolder } from "capz-windows-kit/commandLine/temporaryFolder";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { hideCredentials } from "capz-windows-kit/credentials";
import { hiddenLines } from "capz-windows-kit/hiddenLines";
import type { Preview } from "../../plan/reports/markdown/preview";
import { compareOperations, readEvents } from "./operations";

/** One `pulumi preview`, whose text and operations are written to a file for comments, approvals and drift. */

/** A file that is not what a command of this program wrote; the message says which. */
export class PipelineError extends Error {
  override readonly name = "PipelineError";
}

export interface PreviewOptions {
  readonly stack: string;
  readonly out: string;
  /** The file of an approved preview. */
  readonly approved?: string | undefined;
  readonly refresh: boolean;
  readonly expectNoChanges: boolean;
  /** Pulumi's command-line tool. */
  readonly pulumi: string;
}

/** Pulumi's operations are words such as `create-replacement`; they stand unescaped in a comment. */
const operationSchema = z.object({
  op: z.string().regex(/^[a-z-]{1,40}$/),
  urn: z.string(),
  paths: z.array(z.string()),
});

/** It stands in a comment of HTML. */
const stackSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/);

const previewSchema = z.object({
  stack: stackSchema,
  result: z.enum(["unchanged", "changes", "failed"]),
  operations: z.array(operationSchema).max(100_000),
  text: z.string(),
}) satisfies z.ZodType<Preview>;

/**
 * Reads a report that may come from a fork's pull request. A link is refused, because it could point to another file of this
 * machine.
 * @throws PipelineError
 */
export function readUntrusted(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PipelineError(`${file}: no regular file`);
  }
  return readBoundedText(file, mostBytes.report);
}

/**
 * The result of a preview; one that wrote no file has failed.
 * @throws PipelineError
 */
export function readPreview(file: string): Preview {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    const stack = basename(file, ".json");
    if (!stackSchema.safeParse(stack).success) {
      throw new PipelineError(`${file}: the name of a stack has letters, digits, _, . and - only.`);
    }
    const text = "There is no preview; see the run.";
    return { stack, result: "failed", operations: [], text };
  }
  const content = readUntrusted(file);
  try {
    return previewSchema.parse(JSON.parse(content));
  } catch {
    // Without the parser's words, which quote the text.
    throw new PipelineError(`${file}: this is not what \`pipeline preview\` writes.`);
  }
}

/** The sign of a change, and the place in a list. */
const head = /^ *(?:[+~-]{1,2} )?(?: *\[\d+\]: )?/;
const place = /^( *(?:[+~-]{1,2} *)?\[\d+\]: )/;
const listItem = new RegExp(`${place.source}- `);

/** A line with one value or, of a change, with two behind one name: `password: "old" => "new"`. */
function hiddenValues(line: string): string {
  const name = /^ *(?:[+~-]{1,2} *)?([^\s":]+) *: /.exec(line)?.[1];
  return line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)/g, (quoted) => {
    try {
      const value = JSON.parse(quoted) as string;
      const hidden = hideCredentials(value, name);
      return hidden === value ? quoted : JSON.stringify(hidden);
    } catch {
      // Escapes that JSON does not know: what follows reads the text as it is.
      return quoted;
    }
  });
}

/** The second value, where the line before it made a credential of the first one. */
const hiddenPair = (line: string): string =>
  line.replace(
    /("\(not shown: [^()]*\)" => )(.+)$/,
    (_, first: string, second: string) => first + hideCredentials(second, "password"),
  );

/** Pulumi's text without credentials: it hides only what it knows as secrets, and the state may have others. */
function hiddenDiff(text: string): string {
  // Items of a list as YAML has them, so that an option and its value are seen as one.
  const lines = text.split("\n").map((line) => hiddenValues(line).replace(place, "$1- "));
  return hiddenLines(lines, head)
    .map((line) => hiddenPair(line.replace(listItem, "$1")))
    .join("\n");
}

/** Before the first line of a step, as in `+ kubernetes:core/v1:Secret: (create)`. */
const stepStart = /(?=^ *(?:[+~-]{1,2} *)?[\w.-]+:[\w./-]*:[\w./-]+: \([\w -]+\))/m;

/** Passes on whole steps, without credentials: a chunk may end in a name, or in a command for the pipeline that reads the log. */
function bySteps(pass: (text: string) => void) {
  let rest = "";
  return {
    add: (chunk: string): void => {
      const steps = `${rest}${chunk}`.split(stepStart);
      rest = steps.pop() ?? "";
      steps.forEach((step) => {
        pass(hiddenDiff(step));
      });
    },
    end: (): void => {
      pass(hiddenDiff(rest));
    },
  };
}

/** How long Pulumi may take to cancel after a signal. */
const patienceMs = 10_000;

/**
 * Runs Pulumi; its output is shown by steps, and returned. It gets the signals of this process, which ends by the same signal
 * once Pulumi has ended.
 */
function runPulumi(command: string, args: readonly string[]): Promise<{ code: number; text: string }> {
  // --event-log is a hidden flag for the Automation API; this variable enables it.
  const env = { ...process.env, PULUMI_DEBUG_COMMANDS: "true" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let received: NodeJS.Signals | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    received = signal;
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), patienceMs).unref();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  signals.forEach((signal) => process.on(signal, forward));
  let text = "";
  const outputs = (["stdout", "stderr"] as const).map((name) => {
    const steps = bySteps((shown) => {
      text += shown;
      process[name].write(shown);
    });
    child[name].setEncoding("utf8").on("data", steps.add);
    return steps;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      signals.forEach((signal) => process.removeListener(signal, forward));
      outputs.forEach(({ end }) => {
        end();
      });
      if (received !== undefined) {
        process.kill(process.pid, received);
        return;
      }
      resolve({ code: code ?? 1, text });
    });
  });
}

/** @returns Pulumi's exit code; 3 if this is not what was approved; 0 if what looks like drift is not drift */
export const preview = (options: PreviewOptions): Promise<number> =>
  // The log contains the config of the stack, so it is always deleted.
  inTemporaryFolder("preview", (work) => previewIn(work, options));

async function previewIn(work: string, options: PreviewOptions): Promise<number> {
  const { stack, out, approved, refresh, expectNoChanges, pulumi } = options;
  const log = join(work, "events.json");
  const args = ["preview", "--stack", stack, "--diff", "--suppress-outputs", "--suppress-progress"];
  args.push("--non-interactive", "--color", "never", "--event-log", log);
  if (refresh) {
    args.push("--refresh");
  }
  if (expectNoChanges) {
    args.push("--expect-no-changes");
  }
  const { code, text } = await runPulumi(pulumi, args);
  const events = existsSync(log) ? readBoundedText(log, mostBytes.events) : "";
  const { finished, operations, leftOut, isBroken } = readEvents(events, expectNoChanges);
  // With --expect-no-changes Pulumi fails on every change. If it has finished, this program decides which ones are drift.
  const judged = expectNoChanges && finished && operations.length + leftOut > 0;
  let result: Preview["result"] = operations.length > 0 ? "changes" : "unchanged";
  // No summary is no answer, whatever Pulumi ends with.
  const isSilent = code === 0 && !finished;
  if (isBroken || isSilent || (code !== 0 && !judged)) {
    result = "failed";
  }
  writeAtomically(out, `${JSON.stringify({ version: 1, stack, result, operations, text }, null, 2)}\n`);
  if (isBroken || isSilent) {
    const why = isBroken ? "a line that is no event" : "no summary";
    throw new PipelineError(`The event log of Pulumi has ${why}. The preview is kept as failed.`);
  }
  if (judged && operations.length === 0) {
    return 0;
  }
  if (code !== 0 || approved === undefined) {
    return code;
  }
  return compareWithApproved(approved, stack, operations);
}

/** @returns 3 if the operations differ from those of the approved preview */
function compareWithApproved(approved: string, stack: string, operations: Preview["operations"]): number {
  const before = readPreview(approved);
  if (before.result === "failed") {
    throw new PipelineError(`--approved ${approved}: there is no preview in it that anybody could approve.`);
  }
  if (before.stack !== stack) {
    throw new PipelineError(
      `--approved ${approved}: this is a preview of the stack ${before.stack}, not of ${stack}.`,
    );
  }
  const different = compareOperations(before.operations, operations);
  if (different.length === 0) {
    process.stderr.write(`The same ${operations.length} operations as approved.\n`);
    return 0;
  }
  process.stderr.write(
    `This is not what was approved; start the deployment again:\n  ${different.join("\n  ")}\n`,
  );
  return 3;
}
