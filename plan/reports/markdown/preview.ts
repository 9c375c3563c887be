import { clip } from "capz-windows-kit/visible";
import { firstLines } from "../values";
import { details, section } from "./blocks";
import { type Section, commentLimit, fit } from "./budget";
import type { MarkdownOptions } from "./markdownReport";
import { cell, code, fenced, linkTo } from "capz-windows-kit/markdown";

/** What commands/pipeline/preview.ts writes of a real preview. */
export interface Preview {
  readonly stack: string;
  readonly result: "unchanged" | "changes" | "failed";
  /** Sorted by URN; `paths` are of the properties that change. */
  readonly operations: readonly {
    readonly op: string;
    readonly urn: string;
    readonly paths: readonly string[];
  }[];
  /** As Pulumi printed it, without credentials. */
  readonly text: string;
}

/** Worst first; operations that are not listed come last. */
const order = ["delete", "delete-replaced", "replace", "create-replacement", "update", "create"];

const step = (op: string): number => (order.includes(op) ? order.indexOf(op) : order.length);

/** Pulumi reports a replacement three times: as a whole, and as its two halves. */
const halves = new Set(["create-replacement", "delete-replaced"]);

const results = { unchanged: "✅ nothing changes", changes: "changes", failed: "❌ failed" } as const;

function counts({ result, operations }: Preview): string {
  const byOp = new Map<string, number>();
  for (const { op } of operations.filter((operation) => !halves.has(operation.op))) {
    byOp.set(op, (byOp.get(op) ?? 0) + 1);
  }
  const summary = [...byOp].sort(([a], [b]) => step(a) - step(b)).map(([op, count]) => `${count} ${op}`);
  return result === "changes" ? summary.join(", ") : results[result];
}

/** Characters of one stack's output, so that those of other stacks fit too. */
const maxOutput = 20_000;

function previewSection(preview: Preview): Section {
  const { stack, operations, text, result } = preview;
  const sorted = operations
    .filter(({ op }) => !halves.has(op))
    .sort((a, b) => step(a.op) - step(b.op) || (a.urn < b.urn ? -1 : 1));
  const list = sorted.map(({ op, urn, paths }) => {
    const [, , type = "", name = urn] = urn.split("::");
    const changed =
      paths.length === 0
        ? ""
        : `: ${paths
            .slice(0, 8)
            .map((path) => code(path, 80))
            .join(", ")}`;
    const more = paths.length > 8 ? ` and ${paths.length - 8} more` : "";
    const text = `- **${op}** ${code(name)} ${code(type.split("$").at(-1) ?? type)}${changed}${more}\n`;
    return { text: () => text, rank: 100 + step(op), noun: "operation" };
  });
  const lines = clip(firstLines(text.trimEnd().split("\n"), 400, 240).join("\n"), maxOutput);
  const output = { text: () => `${fenced([lines])}\n`, rank: 200, noun: "output of Pulumi" };
  return section(
    `### ${code(stack)}: ${counts(preview)}\n\n`,
    [section("", list), details("Output of Pulumi", result === "unchanged" ? [] : [output])],
    "",
  );
}

/** The results of real previews as a comment on a pull request. */
export function previewMarkdown(
  previews: readonly Preview[],
  { whole, limit = commentLimit }: MarkdownOptions = {},
): string {
  const place = whole === undefined ? "the run has everything" : linkTo("everything is in the run", whole);
  const rows = previews.map((preview) => ({
    text: () => `| ${cell(preview.stack)} | ${counts(preview)} |\n`,
    rank: 0,
    noun: "stack",
  }));
  const document = section(
    "## Preview\n\n",
    [
      section("| stack | operations |\n| --- | --- |\n", rows),
      ...previews.filter(({ result }) => result !== "unchanged").map(previewSection),
    ],
    "",
  );
  return fit(document, limit, (missing) => `\n> **Cut to fit:** ${missing}; ${place}.\n`);
}
