import { type ComparedPlan, configValue } from "../model/planDocument";
import { hiddenChange } from "./hiddenChanges";
import { present } from "capz-windows-kit/present";
import { differences } from "./properties";
import type { Authored, PropertyChange } from "./stackDiff";

/** What the author of a change did. */

const valuesOf = (project: string, config: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(`${project}:`, ""), configValue(value)]),
  );

const isSecret = (value: unknown): boolean => /^\[secret\b/.test(String(value));

/** Secrets of the stack file whose ciphertext has changed: a plan cannot say what follows, because it decrypts none. */
export const changedSecrets = (authored: Authored | undefined): string[] =>
  (authored?.config ?? [])
    .filter(({ before, after }) => isSecret(before) && isSecret(after))
    .map(({ path }) => path);

/** The keys of Pulumi's files that say who can read the state, and what else sets config: names as there. */
const ofPulumi = {
  backend: "backend",
  secretsProvider: "secretsprovider",
  environments: "environment",
} as const;
const keyPath = "key of the secrets";
const projectPath = "Pulumi.yaml: ";

/** What differs in them. A plan of a former release does not say which key it was. */
function stateChanges(
  { state: base = {} }: ComparedPlan,
  { state: head = {} }: ComparedPlan,
): PropertyChange[] {
  const named = Object.entries(ofPulumi).flatMap(([field, path]) =>
    differences(base[field as keyof typeof ofPulumi], head[field as keyof typeof ofPulumi], undefined, path),
  );
  const [before, after] = [base.secretsKey, head.secretsKey];
  const isOther = before !== undefined && after !== undefined && before !== after;
  const project =
    base.projectFile === undefined || head.projectFile === undefined
      ? []
      : differences(base.projectFile, head.projectFile);
  return [
    ...named,
    ...present(isOther && { path: keyPath, before, after }),
    ...project.map((change) => ({ ...change, path: `${projectPath}${change.path}` })),
  ];
}

const statePaths: readonly string[] = [...Object.values(ofPulumi), keyPath];

/** Keys of Pulumi and of plug-ins, whose meaning a plan does not know. */
const ofOthers = (path: string): boolean => /^\["[^"]+:/.test(path) && !path.startsWith('["capz-windows:');

/** What says who reads secrets, what sets config and what Pulumi runs has changed, though no resource has. */
export const changedState = (authored: Authored | undefined): string[] =>
  (authored?.config ?? [])
    .map(({ path }) => path)
    .filter((path) => statePaths.includes(path) || path.startsWith(projectPath) || ofOthers(path));

/** @returns `undefined` if a side was planned by a release that did not write down its config */
export function authoredChanges(base: ComparedPlan, head: ComparedPlan): Authored | undefined {
  if (base.config === undefined || head.config === undefined) {
    return undefined;
  }
  // Plans of old releases, and those of a project without its packages, have none.
  const [before = "", after = ""] = [base.program, head.program];
  return {
    config: [
      ...differences(valuesOf(base.project, base.config), valuesOf(head.project, head.config)),
      ...stateChanges(base, head),
    ].map(hiddenChange),
    ...([before, after].includes("") || before === after ? {} : { program: { before, after } }),
  };
}
