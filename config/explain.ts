import { type PoolChange, poolChanges, poolOptions } from "../capi/poolOptions";
import { ownValue } from "capz-windows-kit/untyped";
import { exampleOf } from "./configDocument";
import {
  allowedText,
  alternatives,
  child,
  configSchema,
  keysOf,
  nodeAt,
  typeText,
  type SchemaNode,
} from "./jsonSchema";
import type { Path } from "./steps";
import { meantKeys, nearestKeys, pageOf } from "./suggest";

/** What the schema says of one key of a stack file. */

export interface ExplainedKey {
  /** With the names that were asked for, and `[]` for an element of a list. Empty for the whole config. */
  readonly path: string;
  readonly description: string;
  readonly type: string;
  readonly required: boolean;
  /** Values in words, where the type does not say them. */
  readonly allowed?: string;
  /** Names that the keys of a mapping may have, where users choose them. */
  readonly names?: string;
  /** Where the key applies, if not everywhere. */
  readonly only?: string;
  /** What a change does to the machines that a pool has. */
  readonly change?: string;
  readonly default?: unknown;
  /** A config with the key. */
  readonly example?: unknown;
  /** The keys below it, with what they are. */
  readonly keys: Readonly<Record<string, string>>;
  readonly page: string;
}

/** There is no such key; the message says which ones are like it. */
export class UnknownKeyError extends Error {
  override readonly name = "UnknownKeyError";
}

/** The element of a list. */
const itemsOf = (node: SchemaNode): SchemaNode | undefined =>
  node.items ?? alternatives(node).find(({ items }) => items !== undefined)?.items;

const namedIn = ({ additionalProperties: named }: SchemaNode): SchemaNode | undefined =>
  typeof named === "object" ? named : undefined;

const isRequired = (node: SchemaNode, key: string): boolean => node.required?.includes(key) ?? false;

/** A path as users write it; the keys below a list are those of its elements. */
const pathOf = (path: Path): string =>
  path
    .map((key) => (typeof key === "number" || key === "#" ? "[]" : `.${key === "*" ? "NAME" : String(key)}`))
    .join("")
    .slice(1);

/** More would hide the message. */
const mostMeant = 5;

function instead(path: Path, node: SchemaNode): string {
  const meant = meantKeys(path).map(pathOf);
  if (meant.length > 0) {
    return `Do you mean ${meant.slice(0, mostMeant).join(" or ")}${meant.length > mostMeant ? ", or another" : ""}?`;
  }
  return keysOf(node).length > 0
    ? `Keys there are ${nearestKeys(path, {})}.`
    : `${pathOf(path.slice(0, -1))} has no keys.`;
}

interface Place {
  readonly path: Path;
  readonly node: SchemaNode;
  readonly required: boolean;
  readonly only?: string | undefined;
}

/** The kinds to which a key belongs, if it is not in all of them. */
function kindsOf(node: SchemaNode, name: string): string | undefined {
  const kinds = alternatives(node).filter(({ properties }) => properties?.kind !== undefined);
  const having = kinds.filter(({ properties = {} }) => Object.hasOwn(properties, name));
  return having.length === 0 || having.length === kinds.length
    ? undefined
    : `kind: ${having.map(({ properties }) => String(properties?.kind?.const)).join(" or ")}`;
}

/** One name deeper. The number of an element of a list may be left out. */
function step({ path, node, required, only }: Place, name: string): Place {
  const items = itemsOf(node);
  if (items !== undefined) {
    const element = { path: [...path, 0], node: items, required, only };
    return /^\d+$/.test(name) ? element : step(element, name);
  }
  const named = namedIn(node);
  // Nobody calls a pool `autoscale`.
  if (keysOf(named).includes(name)) {
    return step(step({ path, node, required, only }, "NAME"), name);
  }
  const inner = child(node, name);
  if (inner === undefined) {
    const wrong = [...path, name];
    throw new UnknownKeyError(`There is no key ${pathOf(wrong)}. ${instead(wrong, node)}`);
  }
  return {
    path: [...path, name],
    node: inner,
    required: isRequired(node, name),
    only: only ?? kindsOf(node, name),
  };
}

/** The kind of pools that alone has a key. */
function onlyPools([pools, ...path]: Path): string | undefined {
  const others = new Map([
    ["linuxPools", "windowsPools"],
    ["windowsPools", "linuxPools"],
  ]).get(String(pools));
  return others === undefined || nodeAt([others, ...path]) !== undefined ? undefined : String(pools);
}

/** Changes that are the same for single machines. */
const alike: readonly PoolChange[] = ["inPlace", "rolls", "recreates", "byFields"];

/** What a change of an option of pools, or of a key in it, does to their machines. */
function changeAt([pools, ...path]: Path): string | undefined {
  const name = String(pools === "poolDefaults" ? path[0] : path[1]);
  const change = /^(linuxPools|windowsPools|poolDefaults)$/.test(String(pools))
    ? ownValue<{ readonly change: PoolChange }>(poolOptions, name)?.change
    : undefined;
  if (change === undefined) {
    return undefined;
  }
  return pools === "linuxPools" || alike.includes(change)
    ? poolChanges[change]
    : `${poolChanges[change]}. With kind MachineDeployment: ${poolChanges.rolls}`;
}

/** The value at a path of a config, and nothing beside it. */
const around = (path: Path, value: unknown): unknown =>
  path.reduceRight((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);

function exampleAt({ path, node }: Place): unknown {
  const [own] = node.secret === true ? [] : (node.examples ?? []);
  const value = own ?? exampleOf(node);
  const [first = "", ...rest] = path;
  return path.length === 0 || value === undefined
    ? undefined
    : { config: { [`capz-windows:${String(first)}`]: around(rest, value) } };
}

function keysBelow(node: SchemaNode): Record<string, string> {
  const inside = itemsOf(node) ?? namedIn(node) ?? node;
  return Object.fromEntries(
    keysOf(inside).map((key) => {
      const inner = child(inside, key);
      return [key, inner?.description ?? allowedText(inner)];
    }),
  );
}

/**
 * @param asked - a path with dots, such as `windowsPools.win1.replicas`; any name stands for that of a pool, and "" for the whole config
 * @throws UnknownKeyError
 */
export function explainKey(asked: string): ExplainedKey {
  const names = asked.replace(/^capz-windows:/, "").split(/[.[\]]+/);
  const root: Place = { path: [], node: configSchema(), required: true };
  const place = names.filter((name) => name !== "").reduce(step, root);
  const { path, node, required } = place;
  const keys = keysBelow(node);
  const type = typeText(node);
  const allowed = allowedText(node);
  const nameRule = keysOf(namedIn(node)).length > 0 ? allowedText(node.propertyNames) : undefined;
  const only = place.only ?? onlyPools(path);
  const change = changeAt(path);
  const isSaid = allowed === type || (node.allowed === undefined && Object.keys(keys).length > 0);
  const example = exampleAt(place);
  return {
    ...{ path: pathOf(path), description: node.description ?? "", type, required },
    ...(!isSaid && { allowed }),
    ...(nameRule !== undefined && { names: nameRule }),
    ...(only !== undefined && { only }),
    ...(change !== undefined && { change }),
    ...(node.default !== undefined && keysOf(node).length === 0 && { default: node.default }),
    ...(example !== undefined && { example }),
    ...{ keys, page: pageOf([...path, ""]) },
  };
}
