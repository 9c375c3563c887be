import ts from "typescript";
import { sectionsOf } from "capz-windows-doctor/access/commands";
import { reachableOf } from "capz-windows-doctor/access/model";
import { clusterSections } from "../../plan/reports/clusterRows";
import { allRules } from "capz-windows-doctor/rules/allRules";
import { hybridBenefitCommand } from "capz-windows-platform/machines/hybridBenefit";
import { replicateCommand } from "../../commands/preflight/checks/resources";
import { isItsTurn } from "capz-windows-test-kit/sample";
import { redact } from "pulumi-plan-engine";
import { readText, sourcesOf } from "../architecture/sources";
import { blocksOf, documents, spansOf } from "../docs/examples";
import { patient } from "../../packages/doctor/test/patient";
import { updateInline } from "../support/inlinePlans";
import { minimal } from "../support/stacks";
import { existing } from "../support/networks";
import { allExamples, furtherStacks, planOf } from "../support/plans";

/** Every text for a shell that documents, remedies, messages, reports and outputs print, with the place that prints it. */

export interface Printed {
  readonly where: string;
  /** A line, or a whole code block of a document. */
  readonly text: string;
}

/** How a command begins: the programs that we name, with what tells a command from a sentence about the program. */
const command = new RegExp(
  String.raw`^(?:\(umask 077 && )?(?:[A-Z][A-Z0-9_]*=\S+ +)*(?:[A-Z_]+="\$\()?(?:az [a-z]|kubectl (?:-|[a-z])|clusterctl [a-z]+ |helm (?:install|template|upgrade|repo) ` +
    String.raw`|(?:npx )?pulumi [a-z]+|(?:ssh|scp) (?:-|\S*[@{])|ssh-keygen -|(?:openssl|jq|curl|calicoctl|gh) \S)`,
);

/** A command that a sentence only speaks about: it has no arguments. */
const isMention = (text: string): boolean =>
  /^(?:az|kubectl|clusterctl|helm|(?:npx )?pulumi)(?: [a-z][a-z-]*)+(?: -o json\.?| --dry-run=server| \.\.)?$/.test(
    text,
  );

/** The texts of a source file. {value} stands for what is inserted into a template. */
function textsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      found.push(node.text);
    } else if (ts.isTemplateExpression(node)) {
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `{value}${literal.text}`).join(""));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest, true));
  return found;
}

/** Without the bracket that closes the sentence around a command. */
const unbracketed = (text: string): string =>
  text.endsWith(")") && !text.includes("(") ? text.slice(0, -1) : text;

/** What a message has as commands: its lines, what stands between backticks or after a colon, to the end of the sentence. */
const commandsIn = (text: string): string[] =>
  [
    ...text.split("\n"),
    ...[...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span),
    ...[...text.matchAll(/: ((?:az|kubectl|npx pulumi) .*)$/gm)].map(([, rest = ""]) => rest),
  ].map((line) =>
    unbracketed(
      line
        .trim()
        // A command that is a choice.
        .replace(/^# (?=az )/, "")
        .replace(/(?:, (?=[a-z]+ )| has the |; no | or of |\. [A-Z-]| to | lists | when ).*$|\.$/, ""),
    ),
  );

const inDocuments = documents
  .flatMap((document) =>
    [
      ...["sh", "bash", "console"].flatMap((language) => blocksOf(document, language)),
      ...spansOf(document),
    ].map((text) => ({ where: document, text })),
  )
  .filter(({ text }) => !isMention(text));

const inRemedies = allRules.flatMap(({ id, remedy }) =>
  remedy.map((text) => ({ where: `doctor, ${id}`, text })),
);

/** Files whose commands are taken from what they print. */
const madeOfParts = [
  "packages/platform/machines/hybridBenefit.ts",
  "addons/deletion.ts",
  "commands/preflight/checks/resources.ts",
];

/** Messages. Commands of access and of the outputs are made of parts: they are taken from what is printed. */
const inSources = () =>
  sourcesOf([
    ...["bootstrap", "capi", "commands", "components", "config"],
    ...["addons", "older", "packages", "plan"],
  ])
    .filter(({ path }) => !/^packages\/doctor\/(rules|access)\//.test(path) && !madeOfParts.includes(path))
    .flatMap(({ path }) =>
      textsOf(path)
        .flatMap(commandsIn)
        .map((text) => ({ where: path, text })),
    )
    .filter(({ text }) => !isMention(text));

const stringsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Those with most kinds of commands, and a third of the others. */
const ofRun = (stacks: readonly string[]): readonly string[] =>
  stacks.filter(
    (stack, index) => ["everything", "private", "management"].includes(stack) || isItsTurn(index, 3),
  );

const inOutputs = async () =>
  (
    await Promise.all(
      ofRun(allExamples).map(async (stack) =>
        stringsIn(redact((await planOf(stack)).update.outputs))
          .flatMap(commandsIn)
          .map((text) => ({
            where: `outputs of ${stack}`,
            text,
          })),
      ),
    )
  ).flat();

/** Such as those that make what others must make, also where Azure chooses an address for it. */
const inPlans = async () =>
  (
    await Promise.all([
      ...ofRun([...allExamples, ...furtherStacks]).map(async (stack) => ({
        stack,
        plan: await planOf(stack),
      })),
      updateInline({ ...minimal(), ...existing({}) }).then((plan) => ({ stack: "a VNET of others", plan })),
    ])
  ).flatMap(({ stack, plan }) =>
    clusterSections(plan.cluster)
      .flatMap(({ rows }) => rows.flatMap(({ lines }) => lines))
      .flatMap((line) =>
        typeof line === "string"
          ? []
          : [{ where: `plan of ${stack}`, text: line.command.replace(/^# (?=az )/, "") }],
      ),
  );

const inAccess = () =>
  [{}, { bastion: "hub/hub-bastion" }, { jump: "ops@10.0.0.4:2222" }].flatMap((targets) =>
    sectionsOf(reachableOf(patient().snapshot(), new Map()), targets).flatMap(({ title, commands }) =>
      commands.map((one) => ({ where: `access, ${title}`, text: one.command })),
    ),
  );

const image =
  "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/images/providers/Microsoft.Compute/galleries/windows/images/win2022/versions/1.0.0";

const made = [
  { where: "preflight", text: replicateCommand(image, "westeurope") },
  ...(["MachinePool", "MachineDeployment"] as const).map((kind) => ({
    where: "hybrid benefit",
    text: hybridBenefitCommand(
      { kind, computerNamePrefix: kind === "MachinePool" ? "win1" : "win1-" },
      "prod",
    ),
  })),
];

export async function printed(): Promise<Printed[]> {
  const seen = new Set<string>();
  return [
    ...inRemedies,
    ...inDocuments,
    ...inSources(),
    ...(await inOutputs()),
    ...(await inPlans()),
    ...inAccess(),
    ...made,
  ].filter(({ text }) => {
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew && text.split("\n").some((line) => command.test(line.trim()));
  });
}
