import { memoize } from "../../tools/memoize";
import { isRecord } from "../../tools/untyped";
import { type Path, valueAt } from "../advice/steps";
import { nodeAt } from "../jsonSchema";
import { plainName } from "../words";
import { optionPaths } from "../schemaDocs";
import { clusterKeys } from "./cluster";
import { diskKeys } from "./disks";
import { readTable, type Absent, type ForeignKey, type Moved } from "./foreignKey";
import { managementKeys } from "./management";
import { networkKeys } from "./network";
import { poolKeys } from "./pools";
import { securityKeys } from "./security";

/** All foreign keys. */
export const foreignKeys = memoize((): readonly ForeignKey[] =>
  [poolKeys, diskKeys, securityKeys, clusterKeys, managementKeys, networkKeys].flatMap(readTable),
);

/** Paths of the options by their names in lowercase. */
const pathsByName = memoize((): ReadonlyMap<string, readonly string[]> => {
  const byName = new Map<string, string[]>();
  for (const path of optionPaths()) {
    const name = plainName(path.split(".").at(-1) ?? "");
    if (name.startsWith("<")) {
      continue;
    }
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return byName;
});

/** Paths of the options with this name elsewhere in the stack file. */
export const placesOf = (key: string): readonly string[] => pathsByName().get(plainName(key)) ?? [];

/** Words that each mapping has with a meaning that depends on it. */
export const commonWords = /^(type|name|enabled|kind|id|url|keys|policy|users|groups)$/i;

export const groups = ["linuxPools", "windowsPools"];

/** The names of items of lists, and of mappings by names of users, in the tables. */
const items: Readonly<Record<string, string>> = {
  dataDisks: "dataDisk",
  files: "file",
  oidc: "issuer",
  extraManifests: "manifest",
  peerings: "peering",
  policyExceptions: "policyException",
  vmExtensions: "vmExtension",
};

/** The names under which a mapping may be meant by `in` of a foreign key. */
export function placesAt(parent: Path): readonly string[] {
  const [first, ...rest] = parent.map(String);
  if (first === undefined) {
    return ["cluster"];
  }
  if (groups.includes(first) && rest.length === 1) {
    return ["pool", first];
  }
  if (first === "poolDefaults" && rest.length === 0) {
    return ["pool", first];
  }
  const list = rest.at(-2) ?? first;
  const isItem =
    typeof parent.at(-1) === "number" ||
    list === "peerings" ||
    (first === "extraManifests" && rest.length === 1);
  const last = isItem ? (items[list] ?? list) : (rest.at(-1) ?? first);
  return ["marketplace", "computeGallery"].includes(last) ? ["image", last] : [last];
}

/** The mappings of pools that a foreign key is about. */
const groupsOf = (place: string): readonly string[] =>
  place === "pool" ? groups : groups.filter((group) => group === `${place}s`);

/** Paths of existing keys as users read them; `pool.x` becomes one for each kind of pool that has it. */
export function keysHere(here: string): string[] {
  const known = optionPaths();
  const [place = "", ...rest] = here.split(".");
  const paths = groupsOf(place).map((group) => [group, "<name>", ...rest].join("."));
  return (paths.length > 0 ? paths : [here]).filter((path) => known.includes(path));
}

export const isMoved = (meaning: Moved | Absent): meaning is Moved => "subject" in meaning;

const byName = memoize((): ReadonlyMap<string, readonly ForeignKey[]> => {
  const found = new Map<string, ForeignKey[]>();
  for (const key of foreignKeys()) {
    for (const name of new Set(key.names.map(plainName))) {
      found.set(name, [...(found.get(name) ?? []), key]);
    }
  }
  return found;
});

/** The foreign key of a name in a mapping. */
export function foreignKeyAt(path: Path): ForeignKey | undefined {
  const places = placesAt(path.slice(0, -1));
  const candidates = byName().get(plainName(String(path.at(-1)))) ?? [];
  return (
    candidates.find((key) => key.in?.some((place) => places.includes(place))) ??
    candidates.find((key) => key.in === undefined)
  );
}

/** All pools of a config that have a key, as paths of it. */
const inPools = (within: readonly string[], rest: Path, root: unknown): Path[] =>
  within.flatMap((group) => {
    const pools = valueAt(root, [group]);
    return Object.keys(isRecord(pools) ? pools : {})
      .map((name) => [group, name, ...rest])
      .filter((path) => nodeAt(path, root) !== undefined);
  });

/** Where the value of a key belongs; `undefined` where several places may be meant. */
export function targetOf({ here }: Moved, path: Path, root: unknown): Path | undefined {
  const places = placesAt(path.slice(0, -1));
  const pool = groups.includes(String(path[0]))
    ? path.slice(0, 2)
    : path[0] === "poolDefaults"
      ? path.slice(0, 1)
      : undefined;
  const targets = here.map((one) => {
    const [place = "", ...rest] = one.split(".");
    const own = places.includes(place);
    if (Object.values(items).includes(place)) {
      return { own, paths: own ? [[...path.slice(0, -1), ...rest]] : [] };
    }
    const within = groupsOf(place);
    if (within.length === 0) {
      const full = rest.length === 0 ? [place] : [place, ...rest];
      return {
        own: own || path[0] === place || (rest.length === 0 && places.includes("cluster")),
        paths: [full],
      };
    }
    return pool === undefined
      ? { own, paths: inPools(within, rest, root) }
      : { own: true, paths: [[...pool, ...rest]].filter((full) => nodeAt(full, root) !== undefined) };
  });
  const meant = targets.filter(({ own }) => own);
  const paths = (meant.length > 0 ? meant : targets).flatMap(({ paths: all }) => all);
  const [only, ...more] = paths;
  // Below management, the same key of the management cluster is meant.
  const inner = ["management", ...(only ?? [])];
  return more.length > 0
    ? undefined
    : path[0] === "management" && nodeAt(inner, root) !== undefined
      ? inner
      : only;
}
