import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Severity } from "../../../plan/impact/impact";
import { type Edit, editOf } from "../../support/planDocuments";
import type { PlanName } from "./plans";

/**
 * A change and what one rule says of it. In cases/, a paragraph is a case: RULE SEVERITY, the number of nodes, and the names of
 * two plans (without them, the plan `base` is compared with itself), and below it:
 *
 *     set RESOURCE PATH JSON       an edit for changes that no stack file can make, because the rules of the config or the
 *                                  program prevent them; with `before`, of the first plan
 *     remove RESOURCE PATH         an input
 *     text RESOURCE JSON JSON      another text in what an add-on delivers
 *     options RESOURCE JSON        Pulumi's options
 *     without RESOURCE             the resource, or all whose names begin so, with a `*`
 *     also RULE, RULE              all other rules that apply to an edit
 *     = TEXT                       the whole line
 *     > TEXT                       a part of the advice, which is missing where there is none; `$ COMMAND`: its commands
 */
export interface Case {
  readonly rule: string;
  readonly severity: Severity;
  readonly nodes: number;
  readonly what: string;
  readonly instead?: string;
  readonly commands: readonly string[];
  readonly from: PlanName;
  readonly to: PlanName;
  readonly edit?: Edit;
  readonly editBefore?: Edit;
  readonly also: readonly string[];
}

const editsOf = (lines: readonly string[]): Edit | undefined =>
  lines.length === 0
    ? undefined
    : (document) => lines.map(editOf).reduce((edited, edit) => edit(edited), document);

function caseOf(paragraph: string): Case {
  const [head = "", ...lines] = paragraph.split("\n").filter((line) => !line.startsWith("# "));
  const after = (start: string): string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  const [, rule = "", severity, nodes = 0, from = "base", to = "base"] =
    /^(\S+) (\w+)(?:, (\d+) nodes)?(?:, (\w+) → (\w+))?$/.exec(head) ?? [];
  const [instead, edit] = [
    after("> ")[0],
    editsOf(lines.filter((line) => !/^(?:before|also|[=>$]) /.test(line))),
  ];
  const editBefore = editsOf(after("before "));
  return {
    ...{ rule, severity: severity as Severity, nodes: Number(nodes) },
    ...{
      what: after("= ")[0] ?? "",
      commands: after("$ "),
      also: after("also ").flatMap((text) => text.split(", ")),
    },
    ...{ from: from as PlanName, to: to as PlanName },
    ...(instead !== undefined && { instead }),
    ...(edit && { edit }),
    ...(editBefore && { editBefore }),
  };
}

const dir = join(__dirname, "cases");

export const cases: readonly Case[] = readdirSync(dir)
  .sort()
  .flatMap((file) => readFileSync(join(dir, file), "utf8").trimEnd().split("\n\n").map(caseOf));
