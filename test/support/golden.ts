import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { stringify } from "yaml";
import { stacksOf } from "../../config/stackNames";
import { textDiff } from "../../commands/plan/compare/text";
import type { Plan } from "../../commands/plan/model/plan";
import type { PlanDocument } from "../../commands/plan/model/planDocument";
import { parsePlanDocument } from "../../commands/plan/model/planDocument";
import { planJson } from "../../commands/plan/model/planJson";
import type { Files } from "../../commands/plan/render/render";
import { planFiles } from "../../commands/plan/render/render";
import { planStack } from "../../commands/plan/cli/planStack";

/**
 * The reviewed output of a plan of each example: hashes of its files in the format of sha256sum, and a folder with those
 * that are kept as they are.
 */
const goldenDir = "test/golden";

/**
 * The files of examples that are kept as they are: together, they have every kind of object. All others differ from these in
 * few lines, or repeat them, like the objects of a smaller example and a KubeadmConfig and the user data that comes of it; a
 * plan against HEAD shows what changes in them.
 */
const keptFiles: Readonly<Record<string, RegExp>> = {
  dev: /^(azure\/cluster-api-|nodes\/|sample\/)/,
  dockershim: /^management\/\d+-(configmap|kubeadmconfig-win)/,
  // Single machines are told what the pools with Windows are, and both storage drivers have the same parts.
  everything: /^(?!nodes\/|management\/\d+-(kubeadmconfig-(spot|win1)-|configmap-everything-azure-file))/,
};

const isKept = (stack: string, path: string): boolean => keptFiles[stack]?.test(path) === true;

const examplesDir = "examples";

/** Copies of the examples, which tests plan: a user may change or delete an example, and no test fails. */
const stacksDir = "test/stacks";

const stackFile = (dir: string, stack: string): string => `${dir}/Pulumi.${stack}.yaml`;

/** Lines of a changed file that are shown; `git diff` has the rest after `npm run golden`. */
const shownLines = 40;

/**
 * Maps URNs to titles such as "MachinePool win1", for every resource whose inputs are a file of the plan; Azure's files
 * are named after the resources.
 */
function inputsElsewhere({ objects }: Plan, { resources }: PlanDocument): Map<string, string | undefined> {
  const named = new Set([...objects.azure, ...objects.releases].map(({ name }) => name));
  const files = resources.filter(({ custom, name }) => custom && named.has(name));
  return new Map([
    ...files.map(({ urn }) => [urn, undefined] as const),
    ...[...objects.management, ...objects.sample].map(
      ({ urn, object }) => [urn, `${object.kind} ${object.metadata.name}`] as const,
    ),
  ]);
}

/** A field only if it is not empty. */
const unlessEmpty = (key: string, value: object | undefined): object =>
  value === undefined || Object.keys(value).length === 0 ? {} : { [key]: value };

/**
 * What plan.json has and no other file of a plan: URNs, parents, providers, dependencies and options of all resources,
 * the inputs of those without a file of their own (not of components, whose children repeat them), outputs and
 * warnings. Other resources are named by their logical names where these are unique.
 */
function resourcesText(plan: Plan): string {
  const document = parsePlanDocument(JSON.stringify(planJson(plan)), "plan.json");
  const elsewhere = inputsElsewhere(plan, document);
  const names = new Map(document.resources.map(({ urn, name }) => [urn, name]));
  const isUnique = (name: string): boolean =>
    [...names.values()].filter((other) => other === name).length === 1;
  const reference = (urn: string): string => {
    const name = names.get(urn);
    return name !== undefined && isUnique(name) ? name : urn;
  };
  const dependenciesOf = new Map(document.resources.map(({ urn, dependencies }) => [urn, dependencies]));
  /** Children depend on what their component depends on, which is said in few words. */
  const shortDependencies = (parent: string | undefined, all: readonly string[]): string[] => {
    const inherited = new Set(dependenciesOf.get(parent ?? ""));
    const own = all.filter((urn) => !inherited.has(urn));
    return parent === undefined || inherited.size < 2 || own.length + inherited.size > all.length
      ? all.map(reference)
      : [`those of ${reference(parent)}`, ...own.map(reference)];
  };
  const references = (value: unknown): unknown => (typeof value === "string" ? reference(value) : value);
  const resources = document.resources.map(
    ({ urn, custom, parent, provider, inputs, options, dependencies }) => ({
      urn,
      ...(elsewhere.get(urn) === undefined ? {} : { object: elsewhere.get(urn) }),
      ...(parent === undefined ? {} : { parent: reference(parent) }),
      ...(provider === undefined ? {} : { provider: reference(provider) }),
      ...unlessEmpty("inputs", custom && !elsewhere.has(urn) ? inputs : undefined),
      ...unlessEmpty(
        "options",
        Object.fromEntries(Object.entries(options).map(([option, value]) => [option, references(value)])),
      ),
      ...unlessEmpty("dependencies", shortDependencies(parent, dependencies)),
    }),
  );
  const { outputs, warnings } = document;
  return stringify({ resources, outputs, warnings }, { lineWidth: 0, aliasDuplicateObjects: false });
}

/**
 * The golden files of a plan: the files that a plan writes, without repetitions. plan.json repeats all others; its
 * unique content is in resources.yaml. workload/ repeats the texts of the ConfigMaps in management/.
 */
export function goldenFiles(plan: Plan): Files {
  const files = [...planFiles(plan)].filter(
    ([path]) => path !== "plan.json" && !path.startsWith("workload/"),
  );
  return new Map([...files, ["resources.yaml", resourcesText(plan)]]);
}

/** The files of a stack as test/golden has them: texts, and hashes of those that are not kept. */
const asGolden = (stack: string, files: Files): Files =>
  new Map(
    [...files].map(([path, text]) => [
      path,
      isKept(stack, path) ? text : createHash("sha256").update(text).digest("hex"),
    ]),
  );

/** Copies the examples for tests, and rewrites all golden files, without pinned manifests, so that the result is the same on every machine. */
export async function rewriteGolden(
  projectDir: string,
  onStack: (stack: string, files: number) => void,
): Promise<void> {
  const root = join(projectDir, goldenDir);
  const plans: Plan[] = [];
  for (const stack of stacksOf(join(projectDir, examplesDir))) {
    copyFileSync(
      join(projectDir, stackFile(examplesDir, stack)),
      join(projectDir, stackFile(stacksDir, stack)),
    );
  }
  for (const stack of stacksOf(join(projectDir, stacksDir))) {
    plans.push(await planStack({ projectDir, stack, configFile: stackFile(stacksDir, stack) }));
  }
  rmSync(root, { recursive: true, force: true });
  for (const plan of plans) {
    const files = [...asGolden(plan.stack, goldenFiles(plan))];
    const sums = files.filter(([path]) => !isKept(plan.stack, path));
    const written = [
      ...files
        .filter(([path]) => isKept(plan.stack, path))
        .map(([path, text]) => [join(plan.stack, path), text] as const),
      [`${plan.stack}.sha256`, sums.map(([path, hash]) => `${hash}  ${path}\n`).join("")] as const,
    ];
    for (const [path, text] of written) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    onStack(plan.stack, files.length);
  }
}

function filesBelow(root: string, dir = root): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(root, path) : [relative(root, path).split(sep).join("/")];
  });
}

/** Each file that differs; none when both sides are the same bytes. Texts come with the first lines of their difference. */
function changedFiles(stack: string, base: Files, head: Files): string[] {
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

/** What test/golden has of a stack. */
function goldenOf(root: string, stack: string): Files {
  const dir = join(root, stack);
  const texts = existsSync(dir) ? filesBelow(dir) : [];
  const sums = existsSync(`${dir}.sha256`) ? readFileSync(`${dir}.sha256`, "utf8") : "";
  const lines = sums.split("\n").filter((line) => line !== "");
  return new Map([
    ...texts.map((path) => [path, readFileSync(join(dir, path), "utf8")] as const),
    ...lines.map((line) => line.split("  ").reverse() as [string, string]),
  ]);
}

/**
 * How the golden files of a stack differ from its plan, for reviewers.
 * @param head as goldenFiles returns them
 * @returns `undefined` if nothing differs
 */
export function goldenDifference(projectDir: string, stack: string, head: Files): string | undefined {
  const golden = goldenOf(join(projectDir, goldenDir), stack);
  const changed = changedFiles(stack, golden, asGolden(stack, head));
  return changed.length === 0
    ? undefined
    : [
        `The plan of ${stack} is not what ${goldenDir}/${stack}${stack in keptFiles ? "" : ".sha256"} says:`,
        "",
        ...changed,
        "",
        "What the change means for a cluster that runs:",
        `  npm run plan -- --config-file ${stackFile(stacksDir, stack)} --against HEAD`,
        "If that is intended, `npm run golden` writes the files again.",
      ].join("\n");
}
