import { configurationFaults } from "../bootstrap/kubeletConfiguration";
import { isRecord } from "../tools/untyped";
import { placeholder } from "../tools/writeLine";
import { corrections } from "./advice/corrections";
import { movesTo } from "./advice/movesTo";
import { type SchemaProblem, strayProblem } from "./advice/proposals";
import { type Path, pathText, type Step, targetsOf, valueAt } from "./advice/steps";
import { innerSteps, nameBeside, wrapped } from "./foreignKeys/answer";
import { groups } from "./foreignKeys/lookup";
import { firstWords, sameWords, wordsBelow } from "./sameWords";
import { byValue } from "./byValue";
import { plainName, wordsOf } from "./words";
import {
  allowedText,
  choicesOf,
  isChoice,
  keysOf,
  nodeAt,
  requiredOf,
  type SchemaNode,
  typesOf,
} from "./jsonSchema";

/**
 * Ways to keep what an unknown key says that no table knows: in keys of the same mapping that say the same in other words,
 * or in those that its own keys are.
 */

/** Words of a name that say how something is counted, or nothing. */
const units =
  /^(seconds?|secs?|minutes?|mins?|hours?|days?|gb|gib|mb|mib|gi|mi|percent(age)?|time|duration|period|threshold|list|url|uri|s|m)$/;

/** A name without its unit, and without the name of the mapping that it is in, as flags have it: `oidc-issuer-url`. */
function stemOf(name: string, parent = ""): string {
  const all = wordsOf(name);
  const own = all.length > 1 && wordsOf(parent)[0] === all[0] ? all.slice(1) : all;
  const stem = own.filter((word, index) => index === 0 || !units.test(word));
  return stem.join("");
}

const unitOf = (name: string): string | undefined =>
  wordsOf(name).find((word, index) => index > 0 && /^(sec|min|hour|day|[gm]i?b?$|percent)/.test(word));

/** A key that differs in its unit only: `syncPeriod: 5m` for `syncPeriodMinutes`. A number takes its unit along. */
function inOtherUnit(path: Path, known: readonly string[], root: unknown): Step[][] {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const holder = parent.findLast((one) => typeof one === "string");
  const same = known.filter((name) => stemOf(name) === stemOf(key, String(holder)));
  const target = [...parent, same[0] ?? ""];
  const node = nodeAt(target, root);
  if (same.length !== 1 || node === undefined || valueAt(root, target) !== undefined) {
    return [];
  }
  const given = valueAt(root, path);
  const [from, to] = [unitOf(key), unitOf(same[0] ?? "")];
  const value = typeof given === "number" && from !== undefined && from !== to ? `${given}${from}` : given;
  return [
    ...(value === given ? [[{ move: path, to: target }]] : []),
    ...corrections(value, node, target.at(-1)).map((one): Step[] => [
      { remove: path },
      { set: target, value: one },
    ]),
  ];
}

/** A mapping whose keys are joined to its name here, `calico: {version: v3.31.7}`, or those of another mapping. */
function inOtherMapping(path: Path, known: readonly string[], root: unknown): Step[][] {
  const value = valueAt(root, path);
  const parent = path.slice(0, -1);
  if (!isRecord(value) || Object.keys(value).length === 0) {
    return [];
  }
  const keys = Object.keys(value);
  const isFree = (name: string): boolean => valueAt(root, [...parent, name]) === undefined;
  const joined = keys.map((key) =>
    known.find((name) => plainName(name) === plainName(`${String(path.at(-1))}${key}`) && isFree(name)),
  );
  return joined.every((name) => name !== undefined)
    ? [
        [
          ...joined.map((name, index): Step => ({
            move: [...path, keys[index] ?? ""],
            to: [...parent, name],
          })),
          { remove: path },
        ],
      ]
    : siblingSteps(path, known, root);
}

/** A mapping whose keys are all those of exactly one mapping beside it that is not there: `replicas: {min: 1, max: 5}`. */
export function siblingSteps(path: Path, known: readonly string[], root: unknown): Step[][] {
  const value = valueAt(root, path);
  const parent = path.slice(0, -1);
  const fitting = known.filter((name) => {
    const inner = keysOf(nodeAt([...parent, name], root));
    return (
      isRecord(value) &&
      Object.keys(value).length > 0 &&
      Object.keys(value).every((key) => inner.includes(key))
    );
  });
  const [only, ...more] = fitting;
  const isWhole =
    only !== undefined && requiredOf(nodeAt([...parent, only], root)).every((key) => key in Object(value));
  return !isWhole || more.length > 0 || valueAt(root, [...parent, only]) !== undefined
    ? []
    : [[{ move: path, to: [...parent, only] }]];
}

/** The word for a choice, without what it is the choice of: `type` for `serviceType`. */
function lastWord(path: Path, known: readonly string[], root: unknown): Step[][] {
  const key = String(path.at(-1)).toLowerCase();
  const [name = "", ...more] = known.filter((one) => wordsOf(one).length > 1 && wordsOf(one).at(-1) === key);
  const target = [...path.slice(0, -1), name];
  const node = nodeAt(target, root);
  const choices = node === undefined ? [] : choicesOf(node);
  const given = String(valueAt(root, path)).toLowerCase();
  const choice = choices.find((one) => String(one).toLowerCase() === given);
  return more.length > 0 || choice === undefined || valueAt(root, target) !== undefined
    ? []
    : [
        choice === valueAt(root, path)
          ? [{ move: path, to: target }]
          : [{ remove: path }, { set: target, value: choice }],
      ];
}

/** Other words for keys that several mappings have: the key beside them is meant. */
const otherWords: readonly (readonly [RegExp, string])[] = [
  [/^(app|application|appclient)(id)?$/, "clientId"],
  [/^(tenant|directory)(id)?$/, "tenantId"],
  [/^(object|principal)(id)?$/, "principalId"],
  [/^mount(path|point)?$/, "letter"],
];

const inOtherWord = (path: Path, known: readonly string[], root: unknown): (readonly Step[])[] =>
  otherWords
    .filter(([pattern, name]) => pattern.test(plainName(String(path.at(-1)))) && known.includes(name))
    .map(([, name]) => [...path.slice(0, -1), name])
    .filter((target) => valueAt(root, target) === undefined && !isRecord(valueAt(root, path)))
    .flatMap((target) => movesTo(path, target, root));

/** A field of kubelet's own configuration that stands beside the mapping for it. */
function ofKubelet(path: Path, root: unknown): Step[][] {
  const key = String(path.at(-1));
  const isField =
    path.at(-2) === "kubelet" && configurationFaults({ [key]: valueAt(root, path) }, 35).length === 0;
  return isField ? [[{ move: path, to: [...path.slice(0, -1), "configuration", key] }]] : [];
}

const isPlain = (node: SchemaNode | undefined): boolean =>
  node !== undefined &&
  typesOf(node).length > 0 &&
  typesOf(node).every((type) => type !== "object" && type !== "array") &&
  keysOf(node).length === 0;

/** Steps that keep what an unknown key says. */
export function nearSteps(path: Path, root: unknown): (readonly Step[])[] {
  const value = valueAt(root, path);
  const isMapping = isRecord(value) && (Object.keys(value).length > 1 || Object.values(value).some(isRecord));
  const known = keysOf(nodeAt(path.slice(0, -1), root));
  const inner = innerSteps(path, root);
  const ways = [
    inOtherUnit(path, known, root),
    inOtherMapping(path, known, root),
    inOtherWord(path, known, root),
    lastWord(path, known, root),
    ofKubelet(path, root),
    sameWords(path, known, root),
    inner,
    firstWords(path, known, root),
    wordsBelow(path, known, root),
    byValue(path, known, root),
  ];
  // A mapping is neither a number nor a text, unless it has nothing else in it.
  const isLossy = (steps: readonly Step[]): boolean => {
    const [only, ...more] = steps.filter((step) => !("remove" in step));
    const isWhole = only !== undefined && ("set" in only || ("move" in only && only.move === path));
    return (
      isMapping && more.length === 0 && isWhole && targetsOf([only]).some((at) => isPlain(nodeAt(at, root)))
    );
  };
  const kept = ways.map((steps) =>
    steps.filter((one) => inner.some((other) => other === one) || !isLossy(one)),
  );
  return value === undefined ? [] : (kept.find((steps) => steps.length > 0) ?? []);
}

/** Mappings that are one level too deep: pools below a name, or keys below a word that is no key. */
export function levelTooDeep(path: Path, root: unknown): (readonly Step[])[] {
  const parent = path.slice(0, -1);
  const value = valueAt(root, path);
  const around = valueAt(root, parent);
  if (!isRecord(value) || !isRecord(around)) {
    return [];
  }
  const known = keysOf(nodeAt(parent, root));
  const isOfParent = (one: unknown): boolean =>
    isRecord(one) && Object.keys(one).length > 0 && Object.keys(one).some((key) => known.includes(key));
  const isPool = parent.length === 2 && groups.includes(String(parent[0]));
  const isEmptyPool = (one: unknown): boolean => isPool && isRecord(one) && Object.keys(one).length === 0;
  const others = Object.keys(around).filter((key) => !known.includes(key));
  const nested = others.some((key) => isOfParent(around[key]))
    ? others.filter((key) => isOfParent(around[key]) || isEmptyPool(around[key]))
    : [];
  if (isPool && !(nested.length === 1 && nested[0] === parent[1]) && nested.includes(String(path.at(-1)))) {
    if (nested.length === 1 && Object.keys(around).length === 1) {
      // Either name may be the pool's.
      return [
        [
          {
            move: path,
            to: [
              placeholder(
                `one of these keys: ${pathText(parent)}, ${String(parent[0])}.${String(path.at(-1))}`,
              ),
            ],
          },
        ],
      ];
    }
    const isEmpty = nested.length === Object.keys(around).length && !nested.includes(String(parent[1]));
    return [
      [
        ...nested
          .filter((key) => key !== parent[1])
          .map((key): Step => ({ move: [...parent, key], to: [String(parent[0]), key] })),
        ...(isEmpty ? [{ remove: parent }] : []),
      ],
    ];
  }
  const isNamed = typeof nodeAt(parent, root)?.additionalProperties === "object";
  return isOfParent(value) &&
    !isNamed &&
    Object.keys(value).every((key) => around[key] === undefined || key === path.at(-1))
    ? [wrapped(path, root)]
    : [];
}

/** The pools of the other operating system below those of one. */
export const isGroupInGroup = ([group, key, ...more]: Path): boolean =>
  more.length === 0 && groups.includes(String(group)) && groups.includes(String(key));

export function pullOut(path: Path, root: unknown): Step[][] {
  const [, other = ""] = path;
  const pools = valueAt(root, path);
  const moves = Object.keys(isRecord(pools) ? pools : {}).map((name): Step => ({
    move: [...path, name],
    to: [other, name],
  }));
  return valueAt(root, [other]) === undefined
    ? [[{ move: path, to: [other] }]]
    : [[...moves, { remove: path }]];
}

/** A key whose value other keys can keep. Its value is not shown, because it may be a password. */
export function keptProblem(
  path: Path,
  proposals: readonly (readonly Step[])[],
  root: unknown,
): SchemaProblem {
  const [first = []] = proposals;
  const targets = targetsOf(first).filter((target) => nodeAt(target, root) !== undefined);
  const names = targets.map((target) => nameBeside(target, path));
  const allowedAt = (target: Path): string => {
    const node = nodeAt(target, root);
    return allowedText(
      node?.type === undefined && keysOf(node).length === 0 && !isChoice(node) && node?.allowed === undefined
        ? nodeAt(target.slice(0, -1), root)
        : node,
    );
  };
  return {
    ...strayProblem(path, proposals, {
      problem: `unknown key; use the ${names.length > 1 ? "keys" : "key"} ${names.join(", ")} instead`,
      allowed: targets
        .map((target, index) => `${names.length > 1 ? `${names[index] ?? ""}: ` : ""}${allowedAt(target)}`)
        .join("; "),
    }),
    hides: targets.map(pathText)[0],
  };
}
