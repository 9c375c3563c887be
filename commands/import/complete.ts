import { calicoVersions } from "../../addons/calicoReleases";
import { applySteps, isWithin, pathOf, pathText, valueAt, type Path, type Step } from "../../config/steps";
import { credentialsOf } from "../../config/rules/credentials";
import { checkConfig } from "../../config/check";
import { configSchema, exampleOf, nodeAt } from "../../config/jsonSchema";
import { decodeConfig } from "../../config/parse";
import { onlyInMarketplace } from "../../config/nodeImages";
import { defaultPool } from "../../platform/machines/defaults";
import { mayBeSecret, redactSecrets, type Problem } from "../../tools/problem";
import { isRecord, type Plain } from "../../tools/untyped";
import { placeholder } from "../../tools/writeLine";
import { legalName } from "./foreign";
import { type Draft, type LeftOut, type Open, Refused } from "./findings";
import { trialOf, type Question } from "./trial";
import { missingIn, named } from "./variables";

/**
 * Turns a draft into a valid stack: lists the values that only the user knows, and removes those that the rules refuse.
 */

export interface Complete extends Draft {
  readonly open: readonly Open[];
  /** Paths whose values the rules refused, and which were removed or changed. */
  readonly taken: readonly string[];
  /** The config with examples for the values that are open, so that it can be planned. */
  readonly trial: Readonly<Record<string, unknown>>;
}

function questionsIn(value: unknown, at: Path): Question[] {
  if (typeof value === "string") {
    const names = missingIn(value);
    return names.length === 0
      ? []
      : [{ at, path: pathText(at), what: names.join(", "), written: named(value) }];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    questionsIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

const questionAt = (path: Path, written: string): Question => ({
  ...{ at: path, path: pathText(path), what: written.slice(1, -1) },
  written: nodeAt(path)?.type === "array" ? [written] : written,
});

/** Required keys that the config does not have, also in optional mappings that it has. */
function missingKeys(config: unknown): Question[] {
  const visit = (at: Path): Question[] => {
    const node = at.length === 0 ? configSchema() : nodeAt(at, config);
    const here = valueAt(config, at);
    const keys =
      node === undefined ? [] : [...(node.required ?? []), ...Object.keys(isRecord(here) ? here : {})];
    return [...new Set(keys)].flatMap((key): Question[] => {
      const path = [...at, key];
      const inner = nodeAt(path, config);
      const value = valueAt(config, path);
      if (value !== undefined) {
        return isRecord(value) ? visit(path) : [];
      }
      if (inner?.properties !== undefined) {
        return visit(path);
      }
      const what = inner?.placeholder ?? placeholder(inner?.description ?? pathText(path));
      return [questionAt(path, what)];
    });
  };
  return visit([]);
}

/** What a draft asks for and does not have, where the mapping around it is still there. */
const missingOpen = (config: unknown, open: readonly Open[] = []): Question[] =>
  open
    .map(({ path, what }) => questionAt(pathOf(path), placeholder(what)))
    .filter(({ at }) => valueAt(config, at) === undefined && isRecord(valueAt(config, at.slice(0, -1))));

/** The innermost value on a path that exists and is optional; pools and groups of pools are kept. */
function removable(config: unknown, given: Path): Path | undefined {
  // Parts of an image are nothing without each other.
  const path = given.includes("image") ? given.slice(0, given.indexOf("image") + 1) : given;
  for (let length = path.length; length > 0; length -= 1) {
    const at = path.slice(0, length);
    const parent = at.slice(0, -1);
    const isRequired = (parent.length === 0 ? configSchema() : nodeAt(parent, config))?.required?.includes(
      String(at.at(-1)),
    );
    const isPool = /^(linux|windows)Pools$/.test(String(at[0])) && at.length <= 2;
    // Without the public key the user is asked for it; nothing else in a stack follows from it.
    if (
      valueAt(config, at) !== undefined &&
      (isRequired !== true || at.at(-1) === "sshPublicKey") &&
      !isPool
    ) {
      return at;
    }
  }
  return undefined;
}

/** The newest Kubernetes release that the pinned providers support, for a source without one that they support. */
export const newestRelease = (): string =>
  String(exampleOf(configSchema().properties?.kubernetesVersion ?? {}));

const problemsOf = (config: Plain): readonly Problem[] => {
  const decoded = decodeConfig(config);
  const { schema, crossField } = checkConfig(decoded);
  return redactSecrets([...schema, ...crossField], decoded);
};

/** A value for a message, after a colon and shortened; empty if it may be a secret. */
function valueText(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return text === "" || mayBeSecret(text) ? "" : `: ${text.slice(0, 80)}`;
}

const clusterNameOf = (name: string): string =>
  legalName(name.length < 2 ? `${name}-cluster` : name, "cluster", 44);

/** The change that solves a problem which removing the value would not solve; `undefined` if removing it does. */
function insteadOf(
  { path, code, missing: replicas = 1 }: Problem,
  config: Plain,
): { readonly steps: readonly Step[]; readonly instead: string } | undefined {
  const pool = pathOf(path).slice(0, 2);
  if (path === "clusterName" && typeof config.clusterName === "string") {
    const name = clusterNameOf(config.clusterName);
    return name === config.clusterName
      ? undefined
      : { steps: [{ set: ["clusterName"], value: name }], instead: `clusterName: ${name}` };
  }
  if (code === "linux-nodes") {
    const at = ["linuxPools", "linux"];
    return valueAt(config, at) === undefined
      ? {
          steps: [{ set: at, value: { replicas } }],
          instead: `linuxPools.linux: {replicas: ${replicas}}, which is added`,
        }
      : undefined;
  }
  if (code === "calico-too-old") {
    const newest = calicoVersions.at(-1);
    const at = ["addons", "calicoVersion"];
    return valueAt(config, at) === newest
      ? undefined
      : { steps: [{ set: at, value: newest }], instead: `addons.calicoVersion: ${newest}` };
  }
  const release = [...pool, "windowsServer"];
  const { windowsServer } = defaultPool;
  return pool[0] === "windowsPools" && valueAt(config, release) === "2019"
    ? {
        steps: [{ set: release, value: windowsServer }],
        instead: `${pathText(release)}: "${windowsServer}"; containers are rebuilt for it (npm run workloads says which)`,
      }
    : undefined;
}

const credentialLeftOut = ({ path, what }: { readonly path: Path; readonly what: string }): LeftOut => ({
  from: pathText(path),
  why: `this looks like ${what}, which is not copied`,
});

/** From the end, so that the numbers of items of lists stay right. */
const withoutPaths = (config: Plain, found: readonly { readonly path: Path }[]): Plain =>
  applySteps(structuredClone(config), found.map(({ path }) => ({ remove: path })).reverse());

/** What becomes of a stack whose rules refuse a part that says where it is. */
const placed = [
  { at: ["network", "apiServer"], then: "without it, the API server of this stack has a public address" },
  { at: ["network", "existing"], then: "without it, the stack makes its own VNET" },
] as const;

/**
 * Removes or changes values until the rules accept the config.
 * @throws Refused when the rules refuse a value that a stack needs, or too many values
 */
export function completed(draft: Draft): Complete {
  const credentials = credentialsOf(draft.config);
  let config: Plain = withoutPaths(draft.config, credentials);
  const leftOut: LeftOut[] = [...draft.leftOut, ...credentials.map(credentialLeftOut)];
  const taken: string[] = credentials.map(({ path }) => pathText(path));
  for (let round = 0; round < 40; round += 1) {
    const asked = missingOpen(config, draft.open);
    const known = new Set(asked.map(({ path }) => path));
    const questions = [
      ...questionsIn(config, []),
      ...missingKeys(config).filter(({ path }) => !known.has(path)),
      ...asked,
    ];
    const trial = trialOf(config, questions);
    const open = [
      ...questions,
      ...(draft.open ?? []).filter(({ path }) => valueAt(config, pathOf(path)) !== undefined),
    ].map(({ path, what }) => ({ path, what }));
    const [problem] = problemsOf(trial);
    if (problem === undefined) {
      const written = applySteps(
        config,
        questions.map(({ at, written: value }) => ({ set: at, value })),
      );
      return { config: written, leftOut, open, taken, trial };
    }
    const at = pathOf(problem.path);
    const from = `${problem.path}${valueText(problem.value)}`;
    taken.push(problem.path);
    const version = valueAt(config, ["kubernetesVersion"]);
    const hasNoImage =
      at.at(-1) === "image" && valueAt(config, at) === undefined && onlyInMarketplace(String(version));
    // The release of Windows is judged by the version that comes, not by the one that goes.
    const goes = hasNoImage || (at.at(-1) === "windowsServer" && onlyInMarketplace(String(version)));
    if ((problem.path === "kubernetesVersion" || goes) && version !== newestRelease()) {
      config = applySteps(config, [{ set: ["kubernetesVersion"], value: newestRelease() }]);
      leftOut.push({
        from: goes ? `kubernetesVersion${valueText(version)}` : from,
        why: problem.problem,
        instead: `kubernetesVersion: ${newestRelease()}`,
      });
      continue;
    }
    const changed = insteadOf(problem, config);
    if (changed !== undefined) {
      config = applySteps(config, changed.steps);
      leftOut.push({ from, why: problem.problem, instead: changed.instead });
      continue;
    }
    const gone = removable(config, at);
    if (gone === undefined) {
      throw new Refused(
        `${from}: ${problem.problem}. Allowed: ${problem.allowed}. Write another value there in a copy of the source, such as\n  ${problem.write}\nand import the copy.`,
      );
    }
    config = applySteps(config, [{ remove: gone }]);
    const lost = placed.find(({ at: key }) => isWithin(key, gone));
    if (lost === undefined) {
      leftOut.push({ from, why: problem.problem, instead: problem.allowed });
    } else {
      // What decides who reaches the cluster comes first in the report.
      const why = `${problem.problem}; ${lost.then}`;
      leftOut.unshift({ from, why, instead: problem.allowed });
    }
  }
  throw new Refused(
    `The rules of the stack file refuse too much of the source; the last were ${taken.slice(-3).join(", ")}. Import a copy without these parts, and add them to the stack file by hand.`,
  );
}
