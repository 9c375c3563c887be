import { at, isRecord } from "../../tools/untyped";
import { oneLine } from "../../tools/visible";
import type { LeftOut } from "./findings";
import type { Imported } from "./importSource";
import { named } from "./variables";

/** The report of an import: the values to fill in, and the differences from the source. */

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** With a mark where the end is missing. */
export const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** Groups parts by their reason. */
function grouped(leftOut: readonly LeftOut[]): [reason: string, from: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { from, why, instead } of leftOut) {
    const reason = instead === undefined ? why : `${why}; instead: ${instead}`;
    groups.set(reason, [...(groups.get(reason) ?? []), shortened(named(from).replace(/\s+/g, " "), 160)]);
  }
  return [...groups];
}

/** Parts by their reason, below a heading. */
const listed = (parts: readonly LeftOut[], heading: string): string[] =>
  parts.length === 0
    ? []
    : [
        heading,
        ...grouped(parts).flatMap(([reason, from]) => [`  ${reason}`, ...from.map((one) => `    ${one}`)]),
      ];

/** Texts of pools, which no detector of credentials knows completely. */
function copiedTexts({ config }: Pick<Imported, "config">): string[] {
  const copied = ["linuxPools", "windowsPools"].flatMap((pools) =>
    Object.entries(isRecord(config[pools]) ? config[pools] : {}).flatMap(([pool, keys]) =>
      ["files", "preKubeadmCommands", "postKubeadmCommands"]
        .filter((key) => at(keys, key) !== undefined)
        .map((key) => `  ${pools}.${pool}.${key}`),
    ),
  );
  return copied.length === 0
    ? []
    : ["", "Copied as they are; check that they contain no credentials:", ...copied];
}

/** Settings for which no source has a counterpart. */
const undecided = `Check these keys, which no source contains: management (by default the stack makes a management cluster), access.allowedCidrs
(only the management cluster reaches the API server), addons. Then: npm run plan -- NAME.`;

/**
 * The report as text, without a line break at the end.
 * @param target - the file that was written, or words for it
 */
export function formatImport(imported: Imported, target: string): string {
  const { kind, open, leftOut, fields, unexplained } = imported;
  const own = leftOut.filter(({ byController }) => byController !== true);
  const completed =
    fields === undefined || fields.byControllers === 0
      ? ""
      : `, and ${count(fields.byControllers, "field", "fields")} more that controllers and webhooks have written (--json has each)`;
  const counts =
    fields === undefined
      ? ": which of its fields are kept is not counted"
      : `: ${fields.same} of ${fields.all} fields are as they were${completed}`;
  const fill =
    open.length === 0
      ? []
      : [
          `Fill in, ${target} has each in angle brackets (or set the variable and run this again):`,
          ...open.map(({ path, what }) => `  ${path}: ${what}`),
          "",
        ];
  const [unknown, known] = [own.filter((one) => one.unknown), own.filter((one) => !one.unknown)];
  const left = [
    ...listed(known, `Differences from the source, ${count(known.length, "part", "parts")}:`),
    ...listed(
      unknown,
      `Not known, ${count(unknown.length, "part", "parts")}: the types of Cluster API and CAPZ here have no such field, so what it does was not looked at:`,
    ),
  ];
  const rest =
    unexplained.length === 0
      ? []
      : [
          "",
          "The overrides of these fields have no effect, which is a mistake of this program; please report it:",
          ...unexplained.map((from) => `  ${from}`),
        ];
  const lines = [
    `${kind}${counts}.`,
    "",
    ...fill,
    ...(left.length === 0 ? ["Nothing is left out."] : left),
    ...copiedTexts(imported),
    ...rest,
    "",
  ];
  return [...lines.map((line) => oneLine(line)), undecided].join("\n");
}

/** The report as JSON, for programs. The version is raised when a field changes its meaning. */
export const jsonImport = ({ kind, config, open, leftOut, fields }: Imported): string =>
  `${JSON.stringify(
    {
      version: 1,
      kind,
      config,
      open,
      leftOut: leftOut.map((one) => ({ ...one, from: named(one.from) })),
      fields,
    },
    undefined,
    2,
  )}\n`;
