import { bastionKeys } from "../platform/network/bastion";
import { outboundKeys } from "../platform/network/outbound";
import { isRecord } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { wrapped } from "./foreignKeys/answer";
import { foreignKeyAt, isMoved } from "./foreignKeys/lookup";
import { alternativeFor, choicesOf, keysOf, nodeAt, type SchemaNode } from "./jsonSchema";
import { choicesWith } from "./rules/surplusKeys";
import { plainName } from "./words";

/** A required choice that is missing, where what stands beside it says which one is meant. */

/** The required choice that a key beside it has under another name: `type: aks` for `kind: aks`. */
export function choiceBeside(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = valueAt(root, parent);
  const node = nodeAt(path, root);
  const choices = node === undefined ? [] : choicesOf(node);
  const known = keysOf(nodeAt(parent));
  const [key, ...more] = Object.entries(isRecord(around) ? around : {})
    .filter(([name, value]) => !known.includes(name) && choices.includes(value))
    .map(([name]) => name);
  return valueAt(root, path) !== undefined || key === undefined || more.length > 0
    ? []
    : [[{ move: [...parent, key], to: path }]];
}

/** Choices to which keys beside them belong. */
const choicesByKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "network.outbound.type": outboundKeys,
  "network.bastion.kind": bastionKeys,
};

/** A text in place of a mapping of which only one key takes such a text, with the choice to which that key belongs. */
export function choiceOfText(path: Path, root: unknown): Step[][] {
  const value = valueAt(root, path);
  const [at, byKeys] =
    Object.entries(choicesByKeys).find(([one]) => one.startsWith(`${path.join(".")}.`)) ?? [];
  const name = at?.split(".").at(-1) ?? "";
  const [key, ...more] = Object.entries(nodeAt(path, root)?.properties ?? {})
    .filter(
      ([, { pattern }]) =>
        typeof value === "string" && pattern !== undefined && new RegExp(pattern).test(value),
    )
    .map(([one]) => one);
  const [choice, ...others] = key === undefined ? [] : choicesWith(byKeys ?? {}, [key]);
  return key === undefined || more.length > 0 || choice === undefined || others.length > 0
    ? []
    : [[{ set: path, value: { [name]: choice, [key]: value } }]];
}

/** The kind of a mapping that has most of these keys, also under names of other tools. */
function fitting(path: Path, keys: readonly string[]): SchemaNode | undefined {
  const union = nodeAt(path);
  const names = keys.map((key) => {
    const meaning = foreignKeyAt([...path, key])?.meaning;
    return meaning !== undefined && isMoved(meaning) ? (meaning.here[0]?.split(".")[1] ?? key) : key;
  });
  return union && alternativeFor(union, Object.fromEntries(names.map((name) => [name, true])));
}

/** The choice to which all keys beside it belong, where it is missing. */
export function choiceByKeys(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = valueAt(root, parent);
  const keys = Object.keys(Object(around) as object);
  const byKeys = choicesWith(choicesByKeys[path.join(".")] ?? {}, keys);
  // Without its kind, a mapping is taken for the one that has most of its keys.
  const own = path.at(-1) === "kind" ? fitting(parent, keys)?.properties?.kind?.const : undefined;
  const found = own !== undefined && keys.length > 0 ? [own] : byKeys;
  return isRecord(around) && valueAt(root, path) === undefined && found.length === 1
    ? [[{ set: path, value: found[0] }]]
    : [];
}

/**
 * The kind to which all keys of a mapping belong, where several of them are not those of the kind that it says, or none is
 * and the other kind needs no more.
 */
export function otherKind(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const { kind, ...given } = Object(valueAt(root, parent)) as Record<string, unknown>;
  const union = nodeAt(parent);
  if (kind === undefined || union === undefined) {
    return [];
  }
  // Without its kind, a mapping is taken for the one that has most of its keys.
  const fitting = alternativeFor(union, given);
  const own = fitting.properties?.kind?.const;
  const keys = Object.keys(given);
  const known = keysOf(nodeAt(parent, root));
  const others = keys.filter((key) => !known.includes(key));
  const isWhole =
    others.length === keys.length &&
    (fitting.required ?? []).every((key) => key === "kind" || keys.includes(key));
  return own !== undefined &&
    own !== kind &&
    (others.length > 1 || isWhole) &&
    keys.every((key) => keysOf(fitting).includes(key))
    ? [[{ set: [...parent, "kind"], value: own }]]
    : [];
}

/** The keys of a pool below the kind of its machines: `machineDeployment: {replicas: 4}`. */
export function belowItsKind(path: Path, root: unknown): Step[][] {
  const pool = path.slice(0, 2);
  const target = [...pool, "kind"];
  const kind = choicesOf(nodeAt(target, root) ?? {}).find(
    (one) => plainName(String(one)) === plainName(String(path.at(-1))),
  );
  return path.length === 3 &&
    kind !== undefined &&
    isRecord(valueAt(root, path)) &&
    valueAt(root, target) === undefined
    ? [[...wrapped(path, root), { set: target, value: kind }]]
    : [];
}

/** A choice in a mapping with what belongs beside it: `cni: {name: calico, version: v3.31.7}`. */
export function choiceInMapping(path: Path, root: unknown): Step[][] {
  const value = valueAt(root, path);
  const parent = path.slice(0, -1);
  const entries = Object.entries(isRecord(value) ? value : {});
  const choices = choicesOf(nodeAt(path, root) ?? {});
  const choiceOf = (one: unknown): unknown =>
    choices.find((choice) => String(choice).toLowerCase() === String(one).toLowerCase());
  const [chosen, ...more] = entries.filter(([, one]) => choiceOf(one) !== undefined);
  const beside = keysOf(nodeAt(parent, root));
  const others = entries.filter(([key]) => key !== chosen?.[0]);
  const placeOf = (key: string): string =>
    [`${String(path.at(-1))}${key}`, `${String(chosen?.[1])}${key}`]
      .map((name) => beside.find((one) => plainName(one) === plainName(name)))
      .find((one) => one !== undefined) ?? key;
  const targets = others.map(([key]) => [...parent, placeOf(key)]);
  return chosen !== undefined &&
    more.length === 0 &&
    others.length > 0 &&
    targets.every((target) => valueAt(root, target) === undefined)
    ? [
        [
          ...others.map(([key], index): Step => ({ move: [...path, key], to: targets[index] ?? [] })),
          { set: path, value: choiceOf(chosen[1]) },
        ],
      ]
    : [];
}
