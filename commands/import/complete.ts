import { calicoVersions } from "../../addons/calicoReleases";
import { checkConfig } from "../../config/check";
import { configSchema, exampleOf, nodeAt } from "../../config/jsonSchema";
import { decodeConfig } from "../../config/parse";
import { onlyInMarketplace } from "../../config/nodeImages";
import { groups } from "../../config/poolDefaults";
import { credentialsOf } from "../../config/rules/credentials";
import { applySteps, isWithin, pathOf, pathText, valueAt, type Path, type Step } from "../../config/steps";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import { gpuSize, hasGpu } from "capz-windows-platform/machines/vmSizes";
import { formatCount, mayBeSecret, redactSecrets, type Problem } from "capz-windows-kit/problem";
import { mustParseCidr, overlaps, parseCidr } from "capz-windows-platform/network/addressing";
import { isRecord, textAt, type Plain } from "capz-windows-kit/untyped";
import { placeholder, writeLine } from "capz-windows-kit/writeLine";
import { type Draft, type LeftOut, type Open, Refused } from "./findings";
import { legalName } from "./values";
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
  return Object.entries(value ?? {}).flatMap(([key, inner]) =>
    questionsIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

const questionAt = (at: Path, what: string): Question => {
  const written = placeholder(what);
  return {
    ...{ at, path: pathText(at), what },
    written: nodeAt(at)?.type === "array" ? [written] : written,
  };
};

/** Required keys that the config does not have, also in optional mappings that it has. */
function missingKeys(config: unknown, at: Path = []): Question[] {
  const node = at.length === 0 ? configSchema() : nodeAt(at, config);
  const here = valueAt(config, at);
  const keys = node && [...(node.required ?? []), ...Object.keys(isRecord(here) ? here : {})];
  return [...new Set(keys)].flatMap((key): Question[] => {
    const path = [...at, key];
    const inner = nodeAt(path, config);
    const value = valueAt(config, path);
    if (isRecord(value) || (value === undefined && inner?.properties !== undefined)) {
      return missingKeys(config, path);
    }
    const what = inner?.placeholder?.slice(1, -1) ?? inner?.description ?? pathText(path);
    return value === undefined ? [questionAt(path, what)] : [];
  });
}

/** All values that only the user knows; of the draft's those where the mapping around the key is still there. */
function questionsOf(config: Plain, open: readonly Open[]): Question[] {
  const asked = open
    .filter(({ within = "" }) => within === "" || valueAt(config, pathOf(within)) !== undefined)
    .map(({ path, what }) => questionAt(pathOf(path), what))
    .filter(({ at }) => valueAt(config, at) === undefined && isRecord(valueAt(config, at.slice(0, -1))));
  const paths = asked.map(({ path }) => path);
  const missing = missingKeys(config).filter(({ path }) => !paths.includes(path));
  return [...questionsIn(config, []), ...missing, ...asked];
}

/** The newest Kubernetes release that the pinned providers support, for a source without one that they support. */
export const newestRelease = (): string =>
  String(exampleOf(configSchema().properties?.kubernetesVersion ?? {}));

/** The first problem of a config, if there is one. */
function problemIn(config: Plain): Problem | undefined {
  const decoded = decodeConfig(config);
  const { schema, crossField } = checkConfig(decoded);
  return redactSecrets([...schema, ...crossField].slice(0, 1), decoded)[0];
}

/** A text without the examples that a trial has in place of what the user is asked for: no source has them. */
const withoutExamples = (text: string, trial: Plain, questions: readonly Question[]): string =>
  questions.reduce((said, { at, written }) => {
    const example = valueAt(trial, at);
    return typeof example === "string" && example.length > 7 && typeof written === "string"
      ? said.replaceAll(example, written)
      : said;
  }, text);

/** A path with its value, shortened, but not if that may be a secret. */
function withValue(path: string, value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return text === "" || mayBeSecret(text) ? path : `${path}: ${text.slice(0, 80)}`;
}

/** What makes the rules accept a config, and what the report says of it. */
interface Change {
  readonly step: Step;
  readonly instead: string;
  /** What is reported as left out. Default: the path of the problem with its value. */
  readonly from?: string | undefined;
  /** What follows for who reaches the cluster. */
  readonly then?: string | undefined;
}

/** A range of Services for a source that names none, and whose network has Kubernetes' default in it. */
const otherServices = ["172.20.0.0/16", "192.168.128.0/17"];

/** The change that solves a problem which removing the value would not solve; `undefined` if removing it does. */
function otherValue({ path, code, missing = 1 }: Problem, config: Plain): Change | undefined {
  const at = pathOf(path);
  const version = config.kubernetesVersion;
  const change = (set: Path, value: unknown, more = "", from?: string): Change | undefined =>
    JSON.stringify(valueAt(config, set)) === JSON.stringify(value)
      ? undefined
      : { step: { set, value }, instead: `${writeLine(pathText(set), value)}${more}`, from };
  if (path === "kubernetesVersion") {
    return change(["kubernetesVersion"], newestRelease());
  }
  const isDefaultImage = at.at(-1) === "image" && valueAt(config, at) === undefined;
  // The release of Windows is judged by the version that comes, not by the one that goes.
  if ((isDefaultImage || at.at(-1) === "windowsServer") && onlyInMarketplace(String(version))) {
    return change(["kubernetesVersion"], newestRelease(), "", withValue("kubernetesVersion", version));
  }
  if (path === "clusterName" && typeof config.clusterName === "string") {
    const name = config.clusterName;
    return change(["clusterName"], legalName(name.length < 2 ? `${name}-cluster` : name, "cluster", 44));
  }
  if (path === "network.serviceCidr" && valueAt(config, at) === undefined) {
    const taken = ["vnetCidr", "podCidr"].flatMap((key) => parseCidr(textAt(config.network, key)) ?? []);
    const free = otherServices.find((one) => !taken.some((other) => overlaps(mustParseCidr(one), other)));
    return free === undefined ? undefined : change(at, free, "", "Kubernetes' default range of Services");
  }
  if (at.at(-1) === "vmSize" && hasGpu(String(valueAt(config, at)))) {
    return change(at, gpuSize, ", or another one whose GPU fits");
  }
  if (code === "linux-nodes" && valueAt(config, ["linuxPools", "linux"]) === undefined) {
    return change(["linuxPools", "linux"], { replicas: missing }, ", which is added");
  }
  if (code === "calico-too-old") {
    return change(["addons", "calicoVersion"], calicoVersions.at(-1));
  }
  const release = [...at.slice(0, 2), "windowsServer"];
  return at[0] === "windowsPools" && valueAt(config, release) === "2019"
    ? change(
        release,
        defaultPool.windowsServer,
        "; containers are rebuilt for it (npm run workloads says which)",
      )
    : undefined;
}

/** What becomes of a stack whose rules refuse a part that says where it is, or what its machines run. */
const placed = [
  { key: ["network", "apiServer"], then: "without it, the API server of this stack has a public address" },
  { key: ["network", "existing"], then: "without it, the stack makes its own VNET" },
];

/** Removes the innermost value on a path that exists and is optional; pools and groups of pools are kept. */
function removal({ path, allowed }: Problem, config: Plain): Change | undefined {
  const whole = pathOf(path);
  // Parts of an image are nothing without each other.
  const given = whole.includes("image") ? whole.slice(0, whole.indexOf("image") + 1) : whole;
  const gone = given
    .map((_, index) => given.slice(0, given.length - index))
    .find((at) => {
      const parent = at.slice(0, -1);
      const { required = [] } = (parent.length === 0 ? configSchema() : nodeAt(parent, config)) ?? {};
      const isPool = /^(linux|windows)Pools$/.test(String(at[0])) && at.length <= 2;
      // Without the public key the user is asked for it; nothing else in a stack follows from it.
      const isOptional = !required.includes(String(at.at(-1))) || at.at(-1) === "sshPublicKey";
      return valueAt(config, at) !== undefined && isOptional && !isPool;
    });
  const then = whole.includes("image")
    ? "without it, machines get the image of CAPZ's community gallery"
    : gone && placed.find(({ key }) => isWithin(key, gone) && valueAt(config, key) !== undefined)?.then;
  // What goes with a value that is only a default, the path of the problem does not say.
  const from = gone && valueAt(config, whole) === undefined ? pathText(gone) : undefined;
  return gone && { step: { remove: gone }, instead: allowed, from, then };
}

/** Each change of a stack is followed by a check of the whole. A cluster of AKS has at most 100 pools. */
const mostPools = 300;

/**
 * Removes or changes values until the rules accept the config.
 * @throws Refused when the rules refuse a value that a stack needs, or too many values
 */
export function completed(draft: Draft): Complete {
  const { open = [] } = draft;
  const pools = groups.flatMap((group) => Object.keys(draft.config[group] ?? {})).length;
  if (pools > mostPools) {
    throw new Refused(
      `The source has ${formatCount(pools)} pools, and an import takes at most ${mostPools}. Import a copy with fewer pools, and add the others to the stack file by hand.`,
    );
  }
  const credentials = credentialsOf(draft.config);
  // From the end, so that the numbers of items of lists stay right.
  let config: Plain = applySteps(draft.config, credentials.map(({ path }) => ({ remove: path })).reverse());
  const taken: string[] = credentials.map(({ path }) => pathText(path));
  const leftOut: LeftOut[] = [
    ...draft.leftOut,
    ...credentials.map(({ path, what }) => ({
      from: pathText(path),
      why: `this looks like ${what}, which is not copied`,
    })),
  ];
  for (let round = 0; round < 40; round += 1) {
    const questions = questionsOf(config, open);
    const trial = trialOf(config, questions);
    const problem = problemIn(trial);
    if (problem === undefined) {
      const isThere = ({ path }: Open): boolean => valueAt(config, pathOf(path)) !== undefined;
      return {
        config: applySteps(
          config,
          questions.map(({ at, written }) => ({ set: at, value: written })),
        ),
        open: [...questions, ...open.filter(isThere)].map(({ path, what }) => ({ path, what })),
        ...{ leftOut, taken, trial },
      };
    }
    taken.push(problem.path);
    const from = withValue(problem.path, problem.value);
    const change = otherValue(problem, config) ?? removal(problem, config);
    if (change === undefined) {
      throw new Refused(
        `${from}: ${problem.problem}. Allowed: ${problem.allowed}. Write another value there in a copy of the source, and import the copy.`,
      );
    }
    config = applySteps(config, [change.step]);
    const told = (text: string): string => withoutExamples(text, trial, questions);
    const why = told(problem.problem);
    const said = { from: told(change.from ?? from), instead: told(change.instead) };
    if (change.then === undefined) {
      leftOut.push({ ...said, why });
    } else {
      // What decides who reaches the cluster, and what its machines run, comes first in the report.
      leftOut.unshift({ ...said, why: `${why}; ${change.then}` });
    }
  }
  throw new Refused(
    `The rules of the stack file refuse too much of the source; the last were ${taken.slice(-3).join(", ")}. Import a copy without these parts, and add them to the stack file by hand.`,
  );
}
