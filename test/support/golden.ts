import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { parse } from "yaml";
import { stacksOf } from "capz-windows-kit/stackNames";
import { textDiff } from "../../plan/compare/text";
import type { Plan } from "../../plan/model/plan";
import type { PlanDocument } from "capz-windows-contract";
import type { Files } from "../../plan/render/render";
import { planFiles } from "../../plan/render/render";
import { planStack } from "../../plan/cli/planStack";
import { recordedFacts, recordedFactsFile, recordedText } from "./recordedFacts";
import { exampleFile } from "./stacks";

/** The reviewed output of a plan of each example: a hash of each group of its files, and those that are kept as they are. */
const goldenDir = "test/golden";

/** A line for each stack and group of files, in the format of sha256sum. */
const sumsFile = "sums.sha256";

/**
 * The files of the first example that are kept as they are: its control plane, its Windows pool, and the order in which all
 * resources are made. A plan against the base shows what changes in all others, as CI does.
 */
const keptFiles = /^(order\.txt|management\/(kubeadmcontrolplane-.*|\w+-win1.*))$/;

const isKept = (stack: string, path: string): boolean => stack === "dev" && keptFiles.test(path);

/** What a hash is of: the files of one folder, of management/ those apart that make machines. */
const groupOf = (path: string): string =>
  /^management\/(azuremachine|kubeadm|machine)/.test(path) ? "machines" : path.split("/")[0]!;

/** The copy of an example that tests plan, so that a user may delete an example and no test fails: one line, without comments. */
export const copyOf = (example: string): string =>
  `config: ${JSON.stringify((parse(example) as { readonly config: object }).config)}\n`;

/** Lines of a changed file that are shown; `git diff` has the rest after `npm run golden`. */
const shownLines = 40;

/** What each resource waits for, of which a comparison of plans says nothing; children wait for what their parent does, too. */
function orderText({ resources }: Plan): string {
  const found = new Map(resources.map((resource) => [resource.urn, resource]));
  const lines = resources.map(({ name, type, parent = "", dependencies }) => {
    const inherited = found.get(parent)?.dependencies ?? [];
    const own = dependencies
      .filter((urn) => !inherited.includes(urn))
      .map((urn) => found.get(urn)?.name ?? urn);
    return `${name} (${type})${own.length === 0 ? "" : ` after ${own.join(", ")}`}\n`;
  });
  return lines.sort().join("");
}

/** Of plan.json what Pulumi has, and not the words about it, each of which would change the hashes of all stacks. */
function resourcesOf(planJson: string): readonly [path: string, text: string] {
  const { resources, outputs } = JSON.parse(planJson) as Pick<PlanDocument, "resources" | "outputs">;
  return ["resources.json", JSON.stringify({ resources, outputs })];
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * What test/golden has of a plan: the hash of each group of the files that it writes, and the texts that are kept. Files
 * are not numbered, so that a new object does not change the names of those after it.
 */
export function goldenOf(plan: Plan): Files {
  const files = [...planFiles(plan), ["order.txt", orderText(plan)] as const]
    .map(([path, text]) => [path.replace(/(?<=^management\/)\d+-/, ""), text] as const)
    .map((file) => (file[0] === "plan.json" ? resourcesOf(file[1]) : file));
  const groups = [...new Set(files.map(([path]) => groupOf(path)))].sort();
  const sums = groups.map((group) => {
    const members = files.filter(([path]) => groupOf(path) === group).sort();
    return [group, hash(JSON.stringify(members))] as const;
  });
  return new Map([...sums, ...files.filter(([path]) => isKept(plan.stack, path))]);
}

/** Copies the examples for tests, and rewrites all golden files, without pinned manifests, so that the result is the same on every machine. */
export async function rewriteGolden(
  projectDir: string,
  onStack: (stack: string, files: number) => void,
): Promise<void> {
  const root = join(projectDir, goldenDir);
  const sums: string[] = [];
  const plans: Plan[] = [];
  for (const stack of stacksOf(join(projectDir, "examples"))) {
    const example = readFileSync(join(projectDir, `examples/Pulumi.${stack}.yaml`), "utf8");
    writeFileSync(join(projectDir, exampleFile(stack)), copyOf(example));
  }
  for (const stack of stacksOf(join(projectDir, "test/stacks"))) {
    plans.push(await planStack({ projectDir, stack, configFile: exampleFile(stack) }));
  }
  for (const [name, facts] of Object.entries(recordedFacts)) {
    writeFileSync(join(projectDir, recordedFactsFile(name)), recordedText(facts()));
  }
  rmSync(root, { recursive: true, force: true });
  for (const plan of plans) {
    const { stack } = plan;
    const golden = [...goldenOf(plan)];
    for (const [path, text] of golden) {
      if (isKept(stack, path)) {
        mkdirSync(dirname(join(root, stack, path)), { recursive: true });
        writeFileSync(join(root, stack, path), text);
      } else {
        sums.push(`${text}  ${stack}/${path}\n`);
      }
    }
    onStack(stack, golden.length);
  }
  writeFileSync(join(root, sumsFile), sums.join(""));
}

/** What test/golden says of a stack. */
function readGolden(root: string, stack: string): Files {
  const dir = join(root, stack);
  const paths = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }) : [];
  const texts = paths.filter((path) => statSync(join(dir, path)).isFile());
  const sums = readFileSync(join(root, sumsFile), "utf8").matchAll(/^(\S+) {2}(\S+?)\/(\S+)$/gm);
  return new Map([
    ...texts.map((path) => [path.split(sep).join("/"), readFileSync(join(dir, path), "utf8")] as const),
    ...[...sums].filter(([, , of]) => of === stack).map(([, sum = "", , path = ""]) => [path, sum] as const),
  ]);
}

/** Each entry that differs. Texts come with the first lines of their difference. */
function changedEntries(stack: string, base: Files, head: Files): string[] {
  return [...new Set([...base.keys(), ...head.keys()])].sort().flatMap((path) => {
    const [before, after] = [base.get(path), head.get(path)];
    if (before === after) {
      return [];
    }
    if (before === undefined || after === undefined) {
      return [`${before === undefined ? "new" : "deleted"}  ${path}`];
    }
    const lines = isKept(stack, path) ? textDiff(before, after) : [];
    const rest = lines.length - shownLines;
    return [
      `changed  ${path}`,
      ...lines.slice(0, shownLines).map((line) => `  ${line}`),
      ...(rest > 0 ? [`  ... and ${rest} more lines`] : []),
    ];
  });
}

/**
 * How test/golden differs from a plan, for reviewers.
 * @param head as goldenOf returns it
 * @returns `undefined` if nothing differs
 */
export function goldenDifference(projectDir: string, stack: string, head: Files): string | undefined {
  const changed = changedEntries(stack, readGolden(join(projectDir, goldenDir), stack), head);
  return changed.length === 0
    ? undefined
    : [
        `The plan of ${stack} is not what ${goldenDir} says:`,
        "",
        ...changed,
        "",
        "What the change means for a cluster that runs:",
        `  npm run plan -- --config-file ${exampleFile(stack)} --against origin/main`,
        "If that is intended, `npm run golden` writes the files again.",
      ].join("\n");
}
