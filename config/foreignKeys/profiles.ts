import { plainSize, vmTraits } from "../../platform/machines/vmSizes";
import { isRecord } from "../../tools/untyped";
import { applySteps, type Path, saysSomething, type Step, valueAt } from "../advice/steps";
import { corrections } from "../advice/corrections";
import { keysOf, nodeAt, type SchemaNode, typesOf } from "../jsonSchema";
import { windowsServerOf } from "./values";
import { foreignKeyAt, groups, isMoved } from "./lookup";
import { plainName } from "../words";

/** Translates whole mappings of other tools, such as a profile of an apimodel. */

/** Where a key of another tool belongs within the same mapping. */
function withinOwn(path: Path): { readonly to: Path; readonly as: (value: unknown) => unknown } | undefined {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const same = keysOf(nodeAt(parent)).find((own) => plainName(own) === plainName(key));
  if (same !== undefined) {
    return { to: [same], as: (value) => value };
  }
  const meaning = foreignKeyAt(path)?.meaning;
  if (meaning === undefined || !isMoved(meaning)) {
    return undefined;
  }
  const pool = groups.includes(String(parent[0])) ? 2 : parent[0] === "poolDefaults" ? 1 : 0;
  const place = [...(pool > 0 ? ["pool"] : []), ...parent.slice(pool), ""].join(".");
  const here = meaning.here.find(
    (one) => one.startsWith(place) && !(place === "" && one.startsWith("pool.")),
  );
  const to = here?.slice(place.length).split(".");
  const { as } = meaning;
  return to === undefined || nodeAt([...parent, ...to]) === undefined
    ? undefined
    : {
        to,
        as:
          as === "translated" ? (value) => translated(value, [...parent, ...to]) : (as ?? ((value) => value)),
      };
}

/** A VM size that works today: the sizes of old apimodels do not support premium disks. */
const sizeOfToday = (value: unknown): unknown =>
  typeof value === "string" && vmTraits(value)?.premium === false ? plainSize(value) : value;

/** Whether the schema accepts a plain value at a path, as far as type and limits tell. */
function fits(value: unknown, node: SchemaNode | undefined): boolean {
  const types = node === undefined ? [] : typesOf(node);
  return typeof value === "number"
    ? types.some((type) => type === "integer" || type === "number") &&
        value >= (node?.minimum ?? -Infinity) &&
        value <= (node?.maximum ?? Infinity)
    : typeof value !== "string" || (types.includes("string") && new RegExp(node?.pattern ?? "").test(value));
}

/** Adapts a value to the schema: a number that was written as text, or a disk that is too small. */
function corrected(value: unknown, node: SchemaNode | undefined): unknown {
  return node === undefined || fits(value, node)
    ? value
    : (corrections(value, node).find((one) => fits(one, node)) ?? value);
}

/** Whether a key that has no place in its mapping has one in another, with this value. */
function belongsElsewhere(path: Path, value: unknown): boolean {
  const meaning = foreignKeyAt(path)?.meaning;
  return (
    meaning !== undefined &&
    isMoved(meaning) &&
    (typeof meaning.as !== "function" || meaning.as(value) !== undefined)
  );
}

/**
 * Renames the keys of a mapping to those of the stack file. Keys of other tools without a counterpart are left out; unknown
 * ones, and those of other mappings, are kept.
 */
export function translated(value: unknown, at: Path): Record<string, unknown> | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const steps = Object.entries(value).flatMap(([key, inner]): Step[] => {
    const found = withinOwn([...at, key]);
    const own = found?.to.at(-1) === "vmSize" ? sizeOfToday(inner) : found?.as(inner);
    if (found !== undefined && own === undefined && saysSomething(inner) && typeof inner !== "boolean") {
      const node = nodeAt([...at, ...found.to]);
      const [first] = node === undefined ? [] : corrections(inner, node, found.to.at(-1));
      return first === undefined ? [] : [{ set: found.to, value: first }];
    }
    // Ways out have keys of their own (config/otherShapes.ts).
    if (at[0] === "network" && /^(outboundType|natGateway(Profile)?)$/i.test(key)) {
      return [{ set: [key], value: inner }];
    }
    return found === undefined || own === undefined
      ? // What belongs to another mapping is for the next report.
        foreignKeyAt([...at, key]) === undefined ||
        (found === undefined && belongsElsewhere([...at, key], inner))
        ? [{ set: [key], value: inner }]
        : []
      : [{ set: found.to, value: corrected(own, nodeAt([...at, ...found.to])) }];
  });
  return steps.length === 0 && Object.keys(value).length > 0 ? undefined : applySteps({}, steps);
}

const isWindows = (pool: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(pool).some(
    ([key, value]) =>
      /^(ostype|ossku|os|image|amifamily)$/.test(plainName(key)) && /windows/i.test(JSON.stringify(value)),
  );

/** A pool of kops or eksctl, whose image says which Windows it is; each of its members is a node. */
function withRelease({
  role,
  amiFamily,
  ...pool
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const image = pool.image ?? amiFamily;
  const release = typeof image === "string" && !image.includes("/") ? windowsServerOf(image) : undefined;
  const isNode = role === undefined || (typeof role === "string" && /^(node|worker)$/i.test(role));
  const own = { ...(isNode ? {} : { role }), ...pool };
  return release === undefined
    ? { ...own, ...(amiFamily === undefined ? {} : { amiFamily }) }
    : {
        ...Object.fromEntries(Object.entries(own).filter(([key]) => key !== "image")),
        windowsServer: release,
      };
}

interface PoolStep {
  readonly set: Path;
  readonly value: unknown;
}

/**
 * Steps that write each pool of a list with names, as in AKS and apimodels, or a single pool, to its place.
 * @param group - the mapping that they are in; default: by their operating system
 */
export function poolsFrom(value: unknown, root: unknown, group?: string): PoolStep[] {
  if (isRecord(value) && !("name" in value) && Object.values(value).every(isRecord)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const own = groups.find((one) => plainName(one).startsWith(plainName(name).replace(/pools?$/, "")));
      return own === undefined
        ? poolsFrom([{ ...(inner as object), name }], root, group)
        : poolsFrom(inner, root, own);
    });
  }
  const list = Array.isArray(value) ? value : [value];
  const taken = new Set<string>();
  const nameFor = (pool: Readonly<Record<string, unknown>>, own: string): string => {
    const given = typeof pool.name === "string" ? pool.name : own === "linuxPools" ? "linux" : "win";
    const name = given.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const free = [name, ...Array.from({ length: list.length + 9 }, (_, index) => `${name}${index + 2}`)].find(
      (one) => valueAt(root, [own, one]) === undefined && !taken.has(`${own}.${one}`),
    );
    taken.add(`${own}.${free ?? name}`);
    return free ?? name;
  };
  // All of them or none: a pool that is left out would be missing.
  return !list.every(isRecord)
    ? []
    : list.map((pool): PoolStep => {
        const own = group ?? (isWindows(pool) ? "windowsPools" : "linuxPools");
        const path = [own, nameFor(pool, own)];
        return { set: path, value: translated(withRelease(pool), path) ?? {} };
      });
}
