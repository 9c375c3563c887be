import { memoize } from "../../tools/memoize";
import { parse } from "yaml";
import { checkConfig } from "../../config/check";
import { decodeConfig } from "../../config/parse";
import { loadSettings } from "../../config/load";
import { asText } from "../../config/stackFile";
import { known } from "./placeholders";
import type { Problem } from "../../tools/problem";
import { ConfigError } from "../../tools/problem";

/**
 * Applies the advice of a report to the text of a stack file, exactly as `Problem.write` says, and fills in the
 * placeholders in angle brackets, as a user would.
 */

type Raw = Readonly<Record<string, unknown>>;
type Key = string | number;

const prefix = "capz-windows:";

export const kubeconfig = JSON.stringify({
  kind: "Config",
  clusters: [{ name: "c" }],
  contexts: [{ name: "c" }],
  users: [{ name: "c" }],
  "current-context": "c",
});

/** The contents of secretFiles, with every name that a case uses. */
const secretFiles = "licence.key: a\nother.key: b\n";

function fillIn(text: string): string {
  return text
    .replace("YYYYMMDD>", "20240717")
    .replace(/<(?=\d+\.\d+\.20240717)/, "")
    .replace(/<[^<>]*>/g, (found) => {
      const value = known[found];
      if (value === undefined) {
        throw new Error(`There is no value to write for ${found}.`);
      }
      return value;
    });
}

/** A stack file in JSON, which is YAML, too, and takes a fraction of the time to read and to write. */
export const stackText = (raw: Raw): string =>
  JSON.stringify({
    config: Object.fromEntries(Object.entries(raw).map(([key, value]) => [`${prefix}${key}`, value])),
  });

const rawOf = (text: string): Record<string, unknown> =>
  (JSON.parse(text) as { config: Record<string, unknown> }).config;

/**
 * The config of a stack file, as Pulumi passes it to the program. Remembered, as are the others that take a text, because
 * each text is checked once for each of its problems.
 */
const configOf = memoize((text: string): Readonly<Record<string, string>> => {
  return Object.fromEntries(
    Object.entries(rawOf(text)).map(([key, value]) => [
      key.slice(prefix.length),
      value === null ? "" : asText(value),
    ]),
  );
});

const check = memoize((text: string) => checkConfig(decodeConfig(configOf(text))));

/**
 * Paths of problems that a report leaves out: those that may be consequences of others, and those of keys that cannot be
 * checked while the kind of their mapping is wrong.
 */
export const hiddenIn = memoize((text: string): string[] => {
  const { hidden, schema } = check(text);
  const management = (decodeConfig(configOf(text)).management ?? {}) as Raw;
  const withoutKind = schema.some(({ path }) => path === "management.kind");
  return [
    ...hidden.map(({ path }) => path),
    ...(withoutKind ? Object.keys(management).map((key) => `management.${key}`) : []),
  ];
});

/** The problems that a report would have, without their advice, which takes time. */
export function foundIn(text: string): readonly Pick<Problem, "path" | "problem">[] {
  const { schema, crossField } = check(text);
  return [...schema, ...crossField];
}

/** The problems that a report on a stack file has. */
export const problemsOfText = memoize((text: string): readonly Problem[] => {
  const raw = configOf(text);
  try {
    loadSettings(raw, "Pulumi.test.yaml");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
});

/** The keys of a path that a report prints. */
function keysOf(path: string): Key[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain = ""], at) =>
      quoted !== undefined
        ? (JSON.parse(`"${quoted}"`) as string)
        : index !== undefined
          ? Number(index)
          : at > 0 || plain.startsWith(prefix)
            ? plain
            : `${prefix}${plain}`,
  );
}

const keysText = (keys: readonly Key[]): string =>
  keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");

const quotable = /"(?:[^"\\]|\\.)*"|\S+/.source;
const verbs = new RegExp(`^(remove|rename|move) (${quotable})(?: to (${quotable}))?$`);

type Collection = Record<Key, unknown>;

const isCollection = (value: unknown): value is Collection => typeof value === "object" && value !== null;

const valueAt = (root: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>((value, key) => (isCollection(value) ? value[key] : undefined), root);

const has = (root: unknown, path: readonly Key[]): boolean => valueAt(root, path) !== undefined;

/** Writes a value; what is above it and no collection becomes a mapping. */
function set(root: Collection, path: readonly Key[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<Collection>((above, key) => {
    const inner = isCollection(above[key]) ? above[key] : {};
    above[key] = inner;
    return inner;
  }, root);
  parent[path.at(-1)!] = value;
}

function remove(root: Collection, path: readonly Key[]): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1)!;
  if (Array.isArray(parent)) {
    parent.splice(Number(key), 1);
  } else if (isCollection(parent)) {
    Reflect.deleteProperty(parent, key);
  }
}

/** Renames a key, which keeps its place. */
function rename(root: Collection, path: readonly Key[], name: Key): void {
  const map = valueAt(root, path.slice(0, -1)) as Collection;
  const entries = Object.entries(map);
  for (const [key, value] of entries) {
    Reflect.deleteProperty(map, key);
    map[key === path.at(-1) ? name : key] = value;
  }
}

function apply(config: Collection, at: readonly Key[], step: string): void {
  const place = / # in ((?:[\w<>.-]|\[\d+\]|\["(?:[^"\\]|\\.)*"\])+)/.exec(step)?.[1]?.replace(/\.$/, "");
  const inList = typeof at.at(-1) === "number";
  const parent = place === undefined ? at.slice(0, inList ? -2 : -1) : keysOf(place);
  const full = (key: string): Key[] => {
    const [, list, index] = /^(.+)\[(\d+)\]$/.exec(key) ?? [];
    return key.startsWith(prefix)
      ? [key]
      : list !== undefined
        ? [...parent, list, Number(index)]
        : [...parent, key.startsWith('"') ? (JSON.parse(key) as string) : key];
  };
  const words = step.replace(/ # .*$/, "");
  const [, verb, one, two] = verbs.exec(words) ?? [];
  if (/^npx pulumi config set --secret capz-windows:(\w+) < FILE$/.test(words)) {
    const key = /--secret capz-windows:(\w+)/.exec(words)?.[1] ?? "";
    set(config, [`${prefix}${key}`], key === "secretFiles" ? secretFiles : kubeconfig);
  } else if (/^npx pulumi config rm capz-windows:\w+$/.test(words)) {
    remove(config, [`${prefix}${words.split(":").at(-1) ?? ""}`]);
  } else if (verb === "remove" && one !== undefined) {
    const path = [full(one), ...at.map((_, depth) => at.slice(0, depth + 1))].find(
      (candidate, index) => has(config, candidate) && (index === 0 || keysText(candidate).endsWith(one)),
    );
    if (path === undefined) {
      throw new Error(`There is no ${one} to remove.`);
    }
    remove(config, path);
  } else if (verb === "rename" && one !== undefined && two !== undefined) {
    if (!has(config, full(one))) {
      throw new Error(`There is no ${one} to rename.`);
    }
    rename(config, full(one), full(two).at(-1)!);
  } else if (verb === "move" && one !== undefined && two !== undefined) {
    // From beside the problem's key, or from a path.
    const from = has(config, full(one)) ? full(one) : keysOf(one);
    const value = valueAt(config, from);
    remove(config, from);
    set(config, keysOf(two), value);
  } else if (step.startsWith("- ")) {
    set(config, at, (parse(fillIn(words)) as unknown[])[0]);
  } else {
    const line = parse(fillIn(step.replace(/ # .*<.*$/, ""))) as Record<string, unknown> | string;
    const entries = typeof line === "object" ? Object.entries(line) : [];
    if (entries.length !== 1) {
      throw new Error(`Not a line for a stack file: ${step}`);
    }
    entries.forEach(([key, value]) => {
      set(config, full(key), value);
    });
  }
}

function followSteps(text: string, steps: readonly Problem[]): string {
  const config = rawOf(text);
  steps.forEach(({ path, write }) => {
    apply(config, keysOf(path), write);
  });
  return JSON.stringify({ config });
}

/** The stack file after the advice about one problem has been followed. */
export const follow = (text: string, problem: Problem): string => followSteps(text, stepsOf(problem));

/** Puts renames last, because the names are part of the paths below them. */
const namesLast = (problems: readonly Problem[]): Problem[] => [
  ...problems.filter(({ write }) => !write.startsWith("rename ")),
  ...problems.filter(({ write }) => write.startsWith("rename ")),
];

/** The index of the list item that an advice removes. */
const removedItem = (write: string): number => Number(/^remove \S+\[(\d+)\]/.exec(write)?.[1] ?? Infinity);

/** Sorts so that the last items of lists are removed first, because a removal changes the index of later items. */
const itemsLast = (problems: readonly Problem[]): Problem[] =>
  [...problems].sort((a, b) => {
    const [one, other] = [removedItem(a.write), removedItem(b.write)];
    return one === other ? 0 : other - one;
  });

/** The single steps of an advice. */
const stepsOf = ({ path, write, ...rest }: Problem): Problem[] =>
  write
    .split(/; (?=remove |rename |move |- |npx |[\w:-]+: )/)
    .map((step) => ({ ...rest, path, write: step }));

/** What a step removes, and where. Two problems may advise the same removal, which is done once. */
function removal({ path, write }: Problem): string | undefined {
  const keys = keysOf(path);
  const [, what] = /^remove (\S+)/.exec(write) ?? [];
  // A top-level key is the same wherever its removal is advised.
  return what?.startsWith(prefix) === true
    ? what
    : what && `${keysText(keys.slice(0, typeof keys.at(-1) === "number" ? -2 : -1))} ${what}`;
}

/** Sorts so that a value becomes a mapping before another key is moved into it. */
const movesLast = (problems: readonly Problem[]): Problem[] => [
  ...problems.filter(({ write }) => !write.startsWith("move ")),
  ...problems.filter(({ write }) => write.startsWith("move ")),
];

/** The stack file after all advice of one report has been followed. */
export const followAll = memoize((text: string, problems: readonly Problem[]): string =>
  followSteps(
    text,
    namesLast(itemsLast(movesLast(problems)))
      .flatMap(stepsOf)
      .filter((step, index, all) => {
        const own = removal(step);
        return own === undefined || all.findIndex((other) => removal(other) === own) === index;
      }),
  ),
);

/** Advice that only the user can follow: the value is not shown, or is not known to be what the user meant. */
export const isHidden = ({ write }: Problem): boolean =>
  write.includes("(not shown)") ||
  write.includes("<an allowed value>") ||
  / to (?:extraManifests\.<name>|"?<)/.test(write);

/** Whether an advice writes a value to a path or around it. */
const writesTo = (path: string, problem: Problem): boolean =>
  stepsOf(problem).some(({ write }) => {
    const [, moved, key, place] =
      /^(?:(?:rename|move) \S+ to (\S+)|([\w.:-]+): .*?(?: # in (\S+))?$)/.exec(write) ?? [];
    // A name with dots is in quotes.
    const own = problem.path.replace(/(\["(?:[^"\\]|\\.)*"\]|(^|\.)[^.[\]]+)$/, "");
    const parent = place ?? own;
    const to = (moved ?? key)?.replace(prefix, "");
    const full =
      to === undefined
        ? path
        : moved?.includes(".") === true || key?.startsWith(prefix) === true || parent === ""
          ? to
          : `${parent}.${to}`;
    return (
      to !== undefined &&
      path !== problem.path &&
      (path === full || path === to || path.startsWith(`${full}.`) || path.startsWith(`${full}[`))
    );
  });

/** Problems that remain or are new after the advice about each problem has been followed alone; empty if it is right. */
export function faults(text: string): string[] {
  const before = problemsOfText(text);
  return before.flatMap((problem) => {
    if (isHidden(problem)) {
      return [];
    }
    const label = `${problem.path}: ${problem.problem}\n  write ${problem.write}`;
    const rest = before.filter((other) => other !== problem);
    const others = [...rest.map(({ path }) => path), ...hiddenIn(text)];
    // A rename changes a name in paths, and a removal the index of later items.
    const [, verb, name, to] = verbs.exec(problem.write.replace(/; .*| # .*$/, "")) ?? [];
    const from = verb === "rename" ? name : undefined;
    const place = (path: string): string =>
      path.replace(/\[\d+\]/g, "[]").replace(from === undefined ? /$^/ : `.${from}`, `.${to ?? ""}`);
    const newIn = (after: string): readonly Pick<Problem, "path" | "problem">[] =>
      foundIn(after).filter(({ path }) => !others.map(place).includes(place(path)));
    try {
      const after = follow(text, problem);
      const found = newIn(after);
      // If the advice about another key adds a key that is missing beside this one, the report does not name it.
      const told = found.length === 0 || rest.some(isHidden) ? [] : newIn(followAll(text, before));
      return (
        found
          .filter(({ path }) => path === problem.path || told.some((other) => other.path === path))
          // A value that was moved may be wrong in its place, where the next report names it.
          .filter(({ path }) => !writesTo(path, problem))
          // An empty mapping may be too little for another key.
          .filter(({ path }) => path === problem.path || !problem.problem.endsWith("found nothing"))
          // So may a key be that a switch has use for, when the advice turns the switch as another key of the file says.
          .filter(({ problem: what }) => !turnsOff(what, problem))
          .map(({ path, problem: what }) => `${label}\n  then ${path}: ${what}`)
      );
    } catch (error) {
      return [`${label}\n  ${String(error)}`];
    }
  });
}

/** Whether a problem is that a key has no use, because the advice about another one has turned off what uses it. */
const turnsOff = (what: string, problem: Problem): boolean => {
  const [, user] = /^not used without .* \(([\w.]+)\)$/.exec(what) ?? [];
  return (
    user !== undefined &&
    stepsOf(problem).some(({ write }) => write.startsWith(`${user.split(".").at(-1)}: false`))
  );
};

/** Problems that remain or are new after all advice of a report has been followed, except those that it cannot know. */
export function faultsAtOnce(text: string): string[] {
  const before = problemsOfText(text);
  if (before.some(isHidden)) {
    return [];
  }
  const others = hiddenIn(text);
  const after = followAll(text, before);
  return (
    foundIn(after)
      .filter(({ path }) => !others.includes(path))
      // A value that was moved may be wrong in its place, where the next report names it.
      .filter(({ path }) => !before.some((problem) => writesTo(path, problem)))
      .map(
        ({ path, problem }) =>
          `${before.map((one) => `${one.path}: ${one.problem}\n  write ${one.write}`).join("\n")}\n  then ${path}: ${problem}`,
      )
  );
}
