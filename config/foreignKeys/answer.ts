import { mayBeSecret } from "../../tools/problem";
import { isRecord } from "../../tools/untyped";
import { keyName, placeholder } from "../../tools/writeLine";
import { isWithin, type Path, pathText, saysSomething, type Step, targetsOf, valueAt } from "../advice/steps";
import { allowedText, keysOf, nodeAt, typesOf } from "../jsonSchema";
import { corrections } from "../advice/corrections";
import type { Absent, Moved } from "./foreignKey";
import { placesBelow } from "../keyPlaces";
import { inOverrides } from "../overridden";
import { commonWords, foreignKeyAt, groups, isMoved, keysHere, placesOf, targetOf } from "./lookup";
import { poolsFrom, translated } from "./profiles";
import { gigabytesOf, isOff, networkOfList, switchOf } from "./values";
import { refusedKeys } from "./refused";
import { severalKeys } from "./sshKeys";
import { plainName } from "../words";

/** What a report says about a key that does not exist. */
export interface KeyAnswer extends Absent {
  /** What to do, likeliest first. By default the key is removed. */
  readonly proposals: readonly (readonly Step[])[];
  /** Whether they leave it to the user where the value belongs. */
  readonly asks?: boolean;
}

/** A path relative to the mapping that contains another key. */
export function nameBeside(target: Path, path: Path): string {
  const parent = path.slice(0, -1);
  const isBeside = parent.every((key, index) => target[index] === key) && target.length > parent.length;
  return pathText(isBeside ? target.slice(parent.length) : target);
}

/** A value at its place. A value that looks random is not repeated, because it may be a secret. */
function setStep(target: Path, value: unknown, root: unknown): Step {
  const hidden = nodeAt(target, root)?.placeholder;
  return typeof value === "string" && mayBeSecret(value) && hidden !== undefined && target.at(-1) !== "sha256"
    ? { set: target, value: hidden, example: value }
    : { set: target, value };
}

/** Candidates for a value: unchanged, translated, and corrected as far as the schema allows. */
function proposalsFor(
  { as }: Moved,
  path: Path,
  target: Path,
  root: unknown,
  home = path.slice(0, -1),
): Step[][] {
  const given = valueAt(root, path);
  const value = as === "translated" ? translated(given, target) : as === undefined ? given : as(given);
  const node = nodeAt(target, root);
  const others = node === undefined ? [] : corrections(value ?? given, node, target.at(-1));
  // A mapping says more than the one value that it would become, unless the rest of it only names or switches that.
  const keys = Object.keys(isRecord(given) ? given : {}).filter(
    (key) => !/^(name|enabled?|option|role)$/i.test(key),
  );
  const isLess = (one: unknown): boolean =>
    isRecord(given) &&
    one !== undefined &&
    (!isRecord(one) ||
      (one === given && keysOf(node).length === 0 && typesOf(node ?? {}).includes("string"))) &&
    keys.length > (one === given.name || (one === given && "name" in given) ? 0 : 1);
  // What its keys are called here, the next report says.
  const isOther = isRecord(given) && value === undefined && keysOf(node).length > 0;
  return [
    ...severalKeys(path, target, root),
    ...(isLess(value) ? innerSteps(path, root, home) : []),
    ...(isOther ? [...innerSteps(path, root, home), [{ move: path, to: target }]] : []),
    ...(value === undefined || isLess(value)
      ? []
      : [value === given ? [{ move: path, to: target }] : [{ remove: path }, setStep(target, value, root)]]),
    ...(isLess(value) || (value === undefined && typeof as === "function")
      ? []
      : others.filter((one) => !isLess(one)).map((one) => [{ remove: path }, setStep(target, one, root)])),
  ];
}

/** Where nothing keeps what a key says, only the user knows its place: without the key, it would be another cluster. */
const open = (path: Path, place: string, root: unknown): Pick<KeyAnswer, "asks" | "note" | "proposals"> =>
  saysSomething(valueAt(root, path))
    ? {
        asks: true,
        note: `or remove ${keyName(String(path.at(-1)))}`,
        proposals: [[{ move: path, to: [placeholder(place)] }]],
      }
    : { proposals: [] };

/** The part of the value that can be kept if its key does not exist. */
function proposalsInstead({ holds }: Absent, path: Path, root: unknown): Step[][] {
  const given = valueAt(root, path);
  const parent = path.slice(0, -1);
  if (holds === "switch") {
    return isOff(given) ? [[{ remove: parent }]] : [];
  }
  if (holds === "moved") {
    return [wrapped(path, root)];
  }
  const inner = holds === "siblings" ? innerSteps(path, root) : [];
  if (inner.length > 0) {
    return inner;
  }
  const steps: readonly Step[] =
    holds === "pools"
      ? poolsFrom(
          given,
          root,
          groups.find((group) => plainName(String(path.at(-1))).startsWith(group.slice(0, 5))),
        )
      : holds === "siblings"
        ? Object.entries(translated(given, parent) ?? {}).map(([key, value]) => ({
            set: [...parent, key],
            value,
          }))
        : [];
  const free = steps.filter((step) => "set" in step && valueAt(root, step.set) === undefined);
  const isFilled = typeof given === "object" && given !== null && Object.keys(given).length > 0;
  if (holds === "pools" && isFilled && (steps.length === 0 || free.length < steps.length)) {
    return poolsToPlace(path);
  }
  return free.length > 0 ? [[{ remove: path }, ...free]] : hasPools(given) ? poolsToPlace(path) : [];
}

/** Whatever it is, pools must not be lost. */
const poolsToPlace = (path: Path): Step[][] => [
  [{ move: path, to: [placeholder("linuxPools or windowsPools, each pool below its name")] }],
];

/** Whether there are pools somewhere inside a value of another tool. */
const hasPools = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).some(([key, inner]) => {
    const meaning = foreignKeyAt([key])?.meaning;
    const isOfPools = meaning !== undefined && !isMoved(meaning) && meaning.holds === "pools";
    return (isOfPools && Object.keys(Object(inner) as object).length > 0) || hasPools(inner);
  });

/** The keys of a mapping that is one level too deep, moved out of it. */
export function wrapped(path: Path, root: unknown): Step[] {
  const parent = path.slice(0, -1);
  const inner = valueAt(root, path);
  const keys = isRecord(inner) ? Object.keys(inner).filter((key) => key !== path.at(-1)) : [];
  return [...keys.map((key): Step => ({ move: [...path, key], to: [...parent, key] })), { remove: path }];
}

/** What only says that the mapping around it counts. */
const saysNothing = (path: Path, root: unknown): boolean =>
  (/^(is)?enabled?$/i.test(String(path.at(-1))) && switchOf(valueAt(root, path)) === true) ||
  (/^securityType$/i.test(String(path.at(-1))) &&
    valueAt(root, path) === "TrustedLaunch" &&
    // Its settings say it, too.
    isRecord(valueAt(root, [...path.slice(0, -1), "uefiSettings"]))) ||
  // The kind of an identity whose ID stands beside it.
  (path.at(-1) === "type" &&
    /identity$/i.test(String(path.at(-2))) &&
    plainName(String(valueAt(root, path))) === "userassigned" &&
    Object.keys(Object(valueAt(root, path.slice(0, -1))) as object).length > 1);

const vagueWords = /^(size|type|sku|name|version|count|id|kind|mode|value|level|path)$/i;

/** Steps for a key inside of a mapping that does not exist here, as deep as it may be; `undefined` where nothing is known. */
function pieceSteps(path: Path, home: PropertyKey[], root: unknown): readonly Step[] | undefined {
  const key = String(path.at(-1));
  const value = valueAt(root, path);
  const beside = [...home, key];
  const names = keysOf(nodeAt(home, root));
  const own = names.find((name) => plainName(name) === plainName(key));
  const joined = plainName(`${String(path.at(-2))}${key}`);
  const place = own ?? names.find((name) => plainName(name) === joined);
  if (place !== undefined) {
    return [{ move: path, to: [...home, place] }];
  }
  if (saysNothing(path, root)) {
    return [];
  }
  const inside = foreignKeyAt(path);
  // In a mapping that no table knows, a word such as `size` may be that of anything.
  const isVague = foreignKeyAt(path.slice(0, -1)) === undefined && vagueWords.test(key);
  const found = inside?.in === undefined ? (foreignKeyAt(beside) ?? inside) : inside;
  const meaning = isVague && found !== inside ? undefined : found?.meaning;
  const target = meaning !== undefined && isMoved(meaning) ? targetOf(meaning, beside, root) : undefined;
  const [first] =
    meaning === undefined || !isMoved(meaning) || target === undefined
      ? []
      : proposalsFor(meaning, path, target, root, home);
  const kept = first?.filter((step) => !("remove" in step));
  const [below, ...others] =
    kept === undefined && !commonWords.test(key) ? placesBelow(home, placesOf(key)) : [];
  if (below !== undefined && others.length === 0) {
    return [{ move: path, to: below.split(".") }];
  }
  const [only, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return (
    kept ??
    (isRecord(only) && more.length === 0
      ? piecesOf(value === only ? path : [...path, 0], home, root)
      : undefined)
  );
}

/** The same for all keys of a mapping. Those without a place come beside it, where the next report speaks of each. */
function piecesOf(path: Path, home: PropertyKey[], root: unknown): readonly Step[] | undefined {
  const keys = Object.keys(Object(valueAt(root, path)) as object);
  const parts = keys.map((key) => pieceSteps([...path, key], home, root));
  const known = parts.filter((part) => part !== undefined);
  return known.flat().length === 0 || known.length < parts.length / 2
    ? undefined
    : parts.flatMap(
        (part, index) => part ?? [{ move: [...path, keys[index] ?? ""], to: [...home, keys[index] ?? ""] }],
      );
}

/** Mappings into which other steps write, key by key. */
const apart = (steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step) =>
    "set" in step &&
    isRecord(step.value) &&
    targetsOf(steps).some((other) => other !== step.set && isWithin(other, step.set))
      ? Object.entries(step.value).map(([key, value]): Step => ({ set: [...step.set, key], value }))
      : [step],
  );

/** The keys of a mapping that does not exist here, each in its place: those of the mapping around it, and of other tools. */
export function innerSteps(path: Path, root: unknown, home = path.slice(0, -1)): Step[][] {
  const steps = apart(isRecord(valueAt(root, path)) ? (piecesOf(path, home, root) ?? []) : []);
  const targets = targetsOf(steps);
  const isFree = targets.every(
    (target, index) =>
      !isWithin(path, target) &&
      valueAt(root, target) === undefined &&
      targets.every((other, at) => at === index || !isWithin(other, target)),
  );
  return targets.length > 0 && isFree ? [[...steps, { remove: path }]] : [];
}

/** What is known about a key that the schema does not have. */
export function answerTo(path: Path, root: unknown): KeyAnswer | undefined {
  const refused = refusedKeys.find((key) => key.path.test(path.map(String).join(".")))?.answer;
  // Switched on or off, Calico is a choice; anything else is its release.
  const isSwitch = path.at(-1) === "calico" && switchOf(valueAt(root, path)) !== undefined;
  // With a size, etcd is its disk.
  const isEtcdDisk = path.at(-1) === "etcd" && gigabytesOf(valueAt(root, path)) !== undefined;
  // With a range, a VNET is that range.
  const isRange = path.at(-1) === "vnet" && /^[\d.]+\/\d+$/.test(String(networkOfList(valueAt(root, path))));
  // Without their IDs, the kind of identities says nothing.
  const isKind =
    path.at(-1) === "identity" &&
    /^((System|User)Assigned)+$|^None$/i.test(String(valueAt(root, path)).replace(/[\s,]/g, ""));
  const own = isKind
    ? "kindOfIdentity"
    : isSwitch
      ? "enableCalico"
      : isEtcdDisk
        ? "etcdDisk"
        : isRange
          ? "addressSpace"
          : path.at(-1);
  const meaning = refused ?? foreignKeyAt([...path.slice(0, -1), own ?? ""])?.meaning;
  if (meaning === undefined || !isMoved(meaning)) {
    const instead = meaning === undefined ? [] : proposalsInstead(meaning, path, root);
    const isPatch = meaning?.allowed.includes("overrides") === true;
    const proposals = isPatch && instead.length === 0 ? inOverrides(path, root) : instead;
    const given = valueAt(root, path);
    const isMapping = typeof given === "object" && given !== null;
    const isSaid = isMapping || (typeof given !== "boolean" && switchOf(given) === undefined);
    const isOpen =
      proposals.length === 0 &&
      ((path.length > 1 && (isMapping || isPatch)) || (isSaid && meaning?.holds === undefined));
    return meaning && { ...meaning, proposals, ...(isOpen ? open(path, "one of these", root) : {}) };
  }
  const target = targetOf(meaning, path, root);
  const everywhere = meaning.here.flatMap(keysHere).join(", ");
  if (target === undefined) {
    return {
      problem: `unknown key; write ${meaning.subject} as ${everywhere}`,
      allowed: everywhere,
      ...open(path, "one of these keys", root),
    };
  }
  const there = valueAt(root, target);
  // A mapping joins the one that is there, key by key.
  const isFree = there === undefined || (isRecord(there) && isRecord(valueAt(root, path)));
  const proposals = isFree ? proposalsFor(meaning, path, target, root) : [];
  return {
    problem: `unknown key; write ${meaning.subject} as ${nameBeside(target, path)}`,
    allowed: allowedText(nodeAt(target, root)),
    proposals,
    ...(isFree && proposals.length === 0 ? open(path, `${nameBeside(target, path)} in its form`, root) : {}),
  };
}
