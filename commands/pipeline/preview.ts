import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Preview } from "../plan/reports/markdown/preview";
import { inTemporaryFolder } from "../commandLine/temporaryFolder";
import { compareOperations, readEvents } from "./operations";
import { runAndShow } from "./runAndShow";
import { PipelineError } from "./service";

/** One real preview, whose text and operations are written to a file for comments, approvals and drift. */

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

const text = z.string();

const result = z.object({
  stack: text.regex(/^[A-Za-z0-9_.-]{1,100}$/),
  result: z.enum(["unchanged", "changes", "failed"]),
  operations: z.array(z.object({ op: text, urn: text, paths: z.array(text) })).max(100_000),
  text,
}) satisfies z.ZodType<Preview>;

/** The text of a preview is shorter. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The result of a preview; one that wrote no file has failed. It may come from the job of a branch, so it is parsed strictly.
 * @throws PipelineError
 */
export function readPreview(file: string): Preview {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    return {
      ...{ stack: basename(file, ".json"), result: "failed", operations: [] },
      text: "There is no preview; see the run.",
    };
  }
  // A link could point to another file of this machine.
  if (!stat.isFile() || stat.size > maxBytes) {
    throw new PipelineError(`${file}: no file of less than ${maxBytes} bytes`);
  }
  try {
    return result.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Without the parser's words, which quote the text.
    throw new PipelineError(`${file}: this is not what \`pipeline preview\` writes.`);
  }
}

/** @returns Pulumi's exit code; 3 if this is not what was approved; 0 if what looks like drift is not drift */
export const preview = (options: PreviewOptions): Promise<number> =>
  // The log contains the config of the stack, so it is always deleted.
  inTemporaryFolder("preview", (work) => previewIn(work, options));

async function previewIn(work: string, options: PreviewOptions): Promise<number> {
  const { stack, out, approved, refresh, expectNoChanges, pulumi } = options;
  const log = join(work, "events.json");
  const args = [
    ...["preview", "--stack", stack, "--diff", "--suppress-outputs", "--suppress-progress"],
    ...["--non-interactive", "--color", "never", "--event-log", log],
    ...(refresh ? ["--refresh"] : []),
    ...(expectNoChanges ? ["--expect-no-changes"] : []),
  ];
  // --event-log is a hidden flag for the Automation API; this variable enables it.
  const { code, text } = await runAndShow(pulumi, args, { ...process.env, PULUMI_DEBUG_COMMANDS: "true" });
  const events = existsSync(log) ? readFileSync(log, "utf8") : "";
  const { finished, operations, leftOut } = readEvents(events, expectNoChanges);
  // With --expect-no-changes Pulumi fails on every change. If it has finished, this program decides which ones are drift.
  const judged = expectNoChanges && finished && operations.length + leftOut > 0;
  const result = code !== 0 && !judged ? "failed" : operations.length > 0 ? "changes" : "unchanged";
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ version: 1, stack, result, operations, text }, null, 2)}\n`);
  if (judged && operations.length === 0) {
    return 0;
  }
  if (code !== 0 || approved === undefined) {
    return code;
  }
  const before = readPreview(approved);
  if (before.result === "failed") {
    throw new PipelineError(`--approved ${approved}: there is no preview in it that anybody could approve.`);
  }
  const different = compareOperations(before.operations, operations);
  const lines =
    different.length > 0
      ? `This is not what was approved; start the deployment again:\n  ${different.join("\n  ")}`
      : `The same ${operations.length} operations as approved.`;
  process.stderr.write(`${lines}\n`);
  return different.length > 0 ? 3 : 0;
}
