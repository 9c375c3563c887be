import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Plan } from "../plan";
import { planJson } from "./planJson";

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
  const { management, releases, azure, workload } = plan.objects;
  management.forEach(({ object }, index) => {
    const name = slug(numbered(index, management.length), object.kind, object.metadata.name);
    files.set(`management/${name}.yaml`, yaml(object));
  });
  releases.forEach(({ name, inputs }) => files.set(`helm/${name}.yaml`, yaml(inputs)));
  workload.forEach(({ configMap, key, text }, index) => {
    const name = slug(numbered(index, workload.length), configMap, key.replace(/\.ya?ml$/, ""));
    files.set(`workload/${name}.yaml`, text);
  });
  azure.forEach(({ name, ...resource }) =>
    files.set(`azure/${name}.json`, `${JSON.stringify(resource, null, 2)}\n`),
  );
  plan.nodes.forEach(({ path, text }) => files.set(`nodes/${path}`, text));
  files.set("plan.json", `${JSON.stringify(planJson(plan), null, 2)}\n`);
  return files;
}

/**
 * Writes a plan into a folder, which it replaces as a whole: an interrupted run leaves the old one or the new one.
 * @returns the relative paths
 */
export function renderPlan(plan: Plan, out: string): string[] {
  const files = planFiles(plan);
  const fresh = `${out}.${process.pid}.tmp`;
  for (const [path, content] of files) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), content);
  }
  rmSync(out, { recursive: true, force: true });
  renameSync(fresh, out);
  return [...files.keys()];
}
