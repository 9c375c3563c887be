import { mayBeSecret } from "../../tools/problem";
import { isRecord } from "../../tools/untyped";
import { placeholder } from "../../tools/writeLine";
import type { Path, Step } from "../advice/steps";
import { isWithin, pathText, targetsOf, valueAt } from "../advice/steps";
import { allowedText, keysOf, nodeAt } from "../jsonSchema";
import { corrections } from "../advice/corrections";
import type { Absent, Moved } from "./foreignKey";
import { foreignKeyAt, groups, isMoved, keysHere, plainName, targetOf } from "./lookup";
import { poolsFrom, translated } from "./profiles";
import { gigabytesOf, isOff, networkOfList, publicKeyOf, switchOf } from "./values";
import { refusedKeys } from "./refused";

/** What a report says about a key that does not exist. */
export interface Answer extends Absent {
  /** What to do, likeliest first. By default the key is removed. */
  readonly proposals: readonly (readonly Step[])[];
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
  return typeof value === "string" && mayBeSecret(value) && hidden !== undefined
    ? { set: target, value: hidden, example: value }
    : { set: target, value };
}

/** Several public keys where one belongs: the others are further keys. Keys are moved, because a text may not repeat them. */
export function severalKeys(path: Path, target: Path, root: unknown): Step[][] {
  const keys = valueAt(root, path);
  const further = ["access", "additionalSshPublicKeys"];
  return pathText(target) === "access.sshPublicKey" &&
    Array.isArray(keys) &&
    keys.length > 1 &&
    keys.every((key) => publicKeyOf(key) === key) &&
    valueAt(root, further) === undefined
    ? [
        [
          { move: path, to: further },
          { move: [...further, 0], to: target },
        ],
      ]
    : [];
}

/** Candidates for a value: unchanged, translated, and corrected as far as the schema allows. */
function proposalsFor({ as }: Moved, path: Path, target: Path, root: unknown): Step[][] {
  const given = valueAt(root, path);
  const value = as === "translated" ? translated(given, target) : as === undefined ? given : as(given);
  const node = nodeAt(target, root);
  const others = node === undefined ? [] : corrections(value ?? given, node, target.at(-1));
  // A mapping says more than the one value that it would become.
  const isMore = isRecord(given) && Object.keys(given).length > 1 && value !== undefined && !isRecord(value);
  // What its keys are called here, the next report says.
  const isOther = isRecord(given) && value === undefined && keysOf(node).length > 0;
  return [
    ...severalKeys(path, target, root),
    ...(isMore ? innerSteps(path, root) : []),
    ...(isOther ? [[{ move: path, to: target }]] : []),
    ...(value === undefined
      ? []
      : [value === given ? [{ move: path, to: target }] : [{ remove: path }, setStep(target, value, root)]]),
    ...(value === undefined && typeof as === "function"
      ? []
      : others.map((one) => [{ remove: path }, setStep(target, one, root)])),
  ];
}

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

/**
 * The keys of a mapping that does not exist here, each in its place: those of the mapping around it, and those of other
 * tools. Keys without a place come beside them, where the next report speaks of each.
 */
export function innerSteps(path: Path, root: unknown): Step[][] {
  const value = valueAt(root, path);
  const parent = path.slice(0, -1);
  const own = keysOf(nodeAt(parent, root));
  const keys = Object.keys(isRecord(value) ? value : {});
  const parts = keys.map((key): readonly Step[] | undefined => {
    const inner = [...path, key];
    if (own.includes(key)) {
      return [{ move: inner, to: [...parent, key] }];
    }
    const meaning = (foreignKeyAt(inner) ?? foreignKeyAt([...parent, key]))?.meaning;
    const target = meaning !== undefined && isMoved(meaning) ? targetOf(meaning, inner, root) : undefined;
    const [first] =
      meaning === undefined || !isMoved(meaning) || target === undefined
        ? []
        : proposalsFor(meaning, inner, target, root);
    return first?.filter((step) => !("remove" in step));
  });
  const steps = parts.flatMap(
    (part, index) => part ?? [{ move: [...path, keys[index] ?? ""], to: [...parent, keys[index] ?? ""] }],
  );
  const targets = targetsOf(steps);
  const isFree = targets.every(
    (target, index) =>
      valueAt(root, target) === undefined &&
      targets.every((other, at) => at === index || !isWithin(other, target)),
  );
  const kept = parts.filter((part) => part !== undefined);
  return kept.length > 0 && kept.length >= parts.length / 2 && isFree && !keys.includes(String(path.at(-1)))
    ? [[...steps, { remove: path }]]
    : [];
}

/** What is known about a key that the schema does not have. */
export function answerTo(path: Path, root: unknown): Answer | undefined {
  const refused = refusedKeys.find((key) => key.path.test(path.map(String).join(".")))?.answer;
  // Switched on or off, Calico is a choice; anything else is its release.
  const isSwitch = path.at(-1) === "calico" && switchOf(valueAt(root, path)) !== undefined;
  // With a size, etcd is its disk.
  const isEtcdDisk = path.at(-1) === "etcd" && gigabytesOf(valueAt(root, path)) !== undefined;
  // With a range, a VNET is that range.
  const isRange = path.at(-1) === "vnet" && /^[\d.]+\/\d+$/.test(String(networkOfList(valueAt(root, path))));
  const own = isSwitch ? "enableCalico" : isEtcdDisk ? "etcdDisk" : isRange ? "addressSpace" : path.at(-1);
  const meaning = refused ?? foreignKeyAt([...path.slice(0, -1), own ?? ""])?.meaning;
  if (meaning === undefined || !isMoved(meaning)) {
    return meaning && { ...meaning, proposals: proposalsInstead(meaning, path, root) };
  }
  const target = targetOf(meaning, path, root);
  const everywhere = meaning.here.flatMap(keysHere).join(", ");
  if (target === undefined) {
    return {
      problem: `unknown key; write ${meaning.subject} as ${everywhere}`,
      allowed: everywhere,
      note: `see ${everywhere}`,
      proposals: [],
    };
  }
  return {
    problem: `unknown key; write ${meaning.subject} as ${nameBeside(target, path)}`,
    allowed: allowedText(nodeAt(target, root)),
    proposals: valueAt(root, target) === undefined ? proposalsFor(meaning, path, target, root) : [],
  };
}
