import { hideCredentials } from "capz-windows-kit/credentials";
import { oneLine } from "capz-windows-kit/visible";
import type { LeftOut } from "./findings";
import type { Imported } from "./importSource";
import { toCheck } from "./trusted";
import { named } from "./variables";

/** The report of an import: the values to fill in, and the differences from the source. */

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

/** With a mark where the end is missing. */
export const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** Lines below a heading; nothing without lines. */
const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`), ""];

/** Parts by their reason. */
function grouped(leftOut: readonly LeftOut[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { from, why, instead } of leftOut) {
    const reason = instead === undefined ? why : `${why}; instead: ${instead}`;
    groups.set(reason, [
      ...(groups.get(reason) ?? []),
      `  ${shortened(hideCredentials(named(from)).replace(/\s+/g, " "), 160)}`,
    ]);
  }
  return [...groups].flat(2);
}

/** Settings for which no source has a counterpart. */
const undecided = `Check these keys, which no source contains: management (by default the stack makes a management cluster), access.allowedCidrs
(only the management cluster reaches the API server), addons. Then: npm run plan -- NAME.`;

function countsOf(fields: Imported["fields"]): string {
  if (fields === undefined) {
    return ": which of its fields are kept is not counted";
  }
  const { all, same, byControllers } = fields;
  const more =
    byControllers === 0
      ? ""
      : `, and ${count(byControllers, "field")} more that controllers and webhooks have written (--json has each)`;
  return `: ${same} of ${all} fields are as they were${more}`;
}

/**
 * The report as text, without a line break at the end.
 * @param target - the file that was written, or words for it
 */
export function formatImport(imported: Imported, target: string): string {
  const { kind, open, leftOut, fields, unexplained } = imported;
  const own = leftOut.filter(({ byController }) => byController !== true);
  const [unknown, known] = [own.filter((one) => one.unknown), own.filter((one) => !one.unknown)];
  const lines = [
    `${kind}${countsOf(fields)}.`,
    "",
    ...section(
      `Fill in, ${target} has each in angle brackets (or give the variable with --variables FILE):`,
      open.map(({ path, what }) => `${path}: ${what}`),
    ),
    ...section(`Differences from the source, ${count(known.length, "part")}:`, grouped(known)),
    ...section(
      `Not known, ${count(unknown.length, "part")}: the types of Cluster API and CAPZ here have no such field, so what it does was not looked at:`,
      grouped(unknown),
    ),
    ...(own.length === 0 ? ["Nothing is left out.", ""] : []),
    ...section(
      "Copied from the source; check who is behind them, and that they contain no credentials:",
      toCheck(imported.config),
    ),
    ...section(
      "The overrides of these fields have no effect, which is a mistake of this program; please report it:",
      unexplained.map((path) => hideCredentials(path)),
    ),
  ];
  return [...lines.map((line) => oneLine(line)), undecided].join("\n");
}

/** The report as JSON, for programs. The version is raised when a field changes its meaning. */
export const jsonImport = ({ kind, config, open, leftOut, fields }: Imported): string => {
  const shown = leftOut.map((one) => ({ ...one, from: hideCredentials(named(one.from)) }));
  return `${JSON.stringify({ version: 1, kind, config, open, toCheck: toCheck(config), leftOut: shown, fields }, undefined, 2)}\n`;
};
