import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readBounded } from "capz-windows-kit/readBounded";
import { dirname, join, relative, sep } from "node:path";
import { stringify } from "yaml";
import { exchangeFolder, removeLeftBeside } from "capz-windows-kit/commandLine/exchangeFolder";
import type { Plan } from "../model/plan";
import { PlanError } from "../model/planError";
import type { RegisteredObject } from "../model/stackObjects";
import { othersText } from "../reports/others";
import { rightsFiles } from "./rights";
import { planJson } from "../model/planJson";

/** Relative path → content. */
export type Files = ReadonlyMap<string, string>;

const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

const slug = (...parts: readonly string[]): string => parts.join("-").toLowerCase();

/** "07": enough digits to keep the files in order in every listing. */
const numbered = (index: number, total: number): string =>
  String(index).padStart(Math.max(2, String(total).length), "0");

/** What a plan writes; the same bytes for the same stack file and program. */
export function planFiles(plan: Plan): Files {
  const files = new Map<string, string>();
  const { management, releases, azure, workload, sample } = plan.objects;
  const write = (folder: string, objects: readonly RegisteredObject[]): void => {
    objects.forEach(({ object }, index) => {
      const name = slug(numbered(index, objects.length), object.kind, object.metadata.name);
      files.set(`${folder}/${name}.yaml`, yaml(object));
    });
  };
  write("management", management);
  releases.forEach(({ name, inputs }) => files.set(`helm/${name}.yaml`, yaml(inputs)));
  workload.forEach(({ configMap, key, text }, index) => {
    const name = slug(numbered(index, workload.length), configMap, key.replace(/\.ya?ml$/, ""));
    files.set(`workload/${name}.yaml`, text);
  });
  write("sample", sample);
  azure.forEach(({ name, ...resource }) =>
    files.set(`azure/${name}.json`, `${JSON.stringify(resource, null, 2)}\n`),
  );
  plan.nodes.forEach(({ path, text }) => files.set(`nodes/${path}`, text));
  const others = othersText(plan.cluster);
  if (others !== undefined) {
    files.set("network/others.txt", others);
  }
  rightsFiles(plan.cluster).forEach(([path, text]) => files.set(`rights/${path}`, text));
  files.set("plan.json", `${JSON.stringify(planJson(plan), null, 2)}\n`);
  return files;
}

/** What a plan writes at the top of its folder. */
const entries = [
  "azure",
  "helm",
  "management",
  "network",
  "nodes",
  "sample",
  "rights",
  "workload",
  "plan.json",
];

const isOfPlan = (name: string): boolean => entries.includes(name);

/** What is not a plan's own stays in the folder. */
export function keepOthers(out: string): (old: string) => void {
  return (old) => {
    for (const name of readdirSync(old)) {
      if (!isOfPlan(name) && !existsSync(join(out, name))) {
        renameSync(join(old, name), join(out, name));
      }
    }
  };
}

/**
 * Refuses a folder with content that no plan wrote: only an earlier plan is replaced. A plan that was killed while it replaced
 * another one is undone first.
 * @throws PlanError
 */
export function checkOutput(out: string): void {
  removeLeftBeside(out, keepOthers(out));
  const stat = statSync(out, { throwIfNoEntry: false });
  if (stat === undefined) {
    return;
  }
  if (!stat.isDirectory()) {
    throw new PlanError(`--out ${out}: this is not a folder. Name a new one, or one that a plan wrote.`);
  }
  const names = readdirSync(out);
  if (names.length === 0 || existsSync(join(out, "plan.json"))) {
    return;
  }
  throw new PlanError(
    `--out ${out}: this folder has files, and no plan.json: no plan wrote it. Name a new or an empty folder.`,
  );
}

/** Follows no link, as a recursive `readdirSync` of Node.js 22 and later does. */
const pathsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });

/** Whether a folder has the files of a plan already, byte for byte, and no other ones of a plan. */
function isWritten(files: ReadonlyMap<string, string>, out: string): boolean {
  const isSame = ([path, content]: [string, string]): boolean =>
    statSync(join(out, path), { throwIfNoEntry: false })?.size === Buffer.byteLength(content) &&
    readBounded(join(out, path), Buffer.byteLength(content)).toString("utf8") === content;
  if (![...files].every(isSame)) {
    return false;
  }
  const paths = [...files.keys()].map((path) => join(out, path));
  const known = new Set(paths.flatMap((path) => [path, dirname(path), dirname(dirname(path))]));
  return pathsBelow(out)
    .map((path) => relative(out, path))
    .filter((path) => entries.some((entry) => path === entry || path.startsWith(`${entry}${sep}`)))
    .every((path) => known.has(join(out, path)));
}

/**
 * Writes a plan into a folder, which it replaces as a whole: an interrupted run leaves the old plan or the new one. Other files
 * in the folder stay. A plan that is there already is left alone.
 * @returns the relative paths
 * @throws PlanError if the folder has content that no plan wrote
 */
export function renderPlan(plan: Plan, out: string): string[] {
  checkOutput(out);
  const files = planFiles(plan);
  if (isWritten(files, out)) {
    return [...files.keys()];
  }
  const write = (folder: string): void => {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  exchangeFolder(out, write, keepOthers(out));
  return [...files.keys()];
}
