import fc from "fast-check";
import { isMap, parseDocument, stringify } from "yaml";
import { foreignKeys, isMoved, placesAt } from "../../config/foreignKeys/lookup";
import { keysOf, nodeAt } from "../../config/jsonSchema";
import { readYaml } from "../../config/yamlErrors";
import { rightConfigBase } from "./rightConfigBase";

/** Right stack files, each damaged in a way that keeps all that its author meant. */

type Raw = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Damages a config in a place that a number chooses; `false` if there is no such place. */
type Damage = (config: Raw, at: number, how: number) => boolean;

const isMapping = (value: unknown): value is Raw =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Raw | undefined)?.[key as string], root);

/** Below these, the schema leaves the keys to others. */
const foreign = ["overrides", "objects", "settings", "labels", "tags", "paths"];

/** The paths of a config that the schema knows. */
function places(config: Raw, path: Path = []): Path[] {
  const value = valueAt(config, path);
  if (typeof value !== "object" || value === null || foreign.includes(String(path.at(-1)))) {
    return path.length === 0 ? [] : [path];
  }
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return [...(path.length === 0 ? [] : [path]), ...keys.flatMap((key) => places(config, [...path, key]))];
}

const groups = ["linuxPools", "windowsPools"];
const isSecret = (path: Path): boolean => ["managementKubeconfig", "secretFiles"].includes(String(path[0]));

/** Damages one of the places that fit, by replacing it with what `change` returns. */
const each =
  (change: (value: unknown, path: Path, how: number) => unknown): Damage =>
  (config, at, how) => {
    const found = places(config).flatMap((path) => {
      const wrong = isSecret(path) ? undefined : change(valueAt(config, path), path, how);
      return wrong === undefined ? [] : [{ path, wrong }];
    });
    const one = found[at % found.length];
    if (one !== undefined) {
      (valueAt(config, one.path.slice(0, -1)) as Raw)[String(one.path.at(-1))] = one.wrong;
    }
    return one !== undefined;
  };

/** Gives one of the keys that fit another name. */
const renamed =
  (names: (key: string, path: Path) => readonly string[]): Damage =>
  (config, at, how) => {
    const found = places(config).flatMap((path) => {
      const key = path.at(-1);
      const isName = groups.includes(String(path.at(-2))) && path.length === 2;
      const others = typeof key !== "string" || isName || nodeAt(path) === undefined ? [] : names(key, path);
      const parent = valueAt(config, path.slice(0, -1));
      const isOption = keysOf(nodeAt(path.slice(0, -1), config)).includes(String(key));
      const free =
        isMapping(parent) && isOption ? others.filter((name) => name !== key && !(name in parent)) : [];
      return free.length === 0 ? [] : [{ path, name: free[how % free.length] ?? "" }];
    });
    const one = found[at % found.length];
    if (one !== undefined) {
      const parent = valueAt(config, one.path.slice(0, -1)) as Raw;
      parent[one.name] = parent[String(one.path.at(-1))];
      Reflect.deleteProperty(parent, String(one.path.at(-1)));
    }
    return one !== undefined;
  };

const words = (key: string): string[] => key.replace(/([a-z])([A-Z])/g, "$1 $2").split(" ");

const isPlainText = (value: unknown): value is string =>
  typeof value === "string" && /^[^\s,;]+$/.test(value);

const pick = <T>(list: readonly T[], how: number): T | undefined => list[how % list.length];

export const damages: Readonly<Record<string, Damage>> = {
  "another spelling": renamed((key) => [
    words(key).join("_").toLowerCase(),
    words(key).join("-").toLowerCase(),
    key.slice(0, 1).toUpperCase() + key.slice(1),
  ]),
  "the key of another tool": renamed((key, path) => {
    const own = placesAt(path.slice(0, -1));
    return foreignKeys().flatMap(({ names, in: within, meaning }) =>
      isMoved(meaning) &&
      meaning.as === undefined &&
      own.some((place) => within?.includes(place) ?? place === "pool") &&
      meaning.here.some((here) =>
        own.some((place) => here === (place === "cluster" ? key : `${place}.${key}`)),
      )
        ? names
        : [],
    );
  }),
  "a number or a switch as text": each((value, path, how) =>
    typeof value === "number"
      ? String(value)
      : typeof value === "boolean" && path.length > 1
        ? pick(value ? ["true", "yes", "on"] : ["false", "no", "off"], how)
        : undefined,
  ),
  "a unit": each((value, path, how) => {
    const key = String(path.at(-1));
    return /^\d+%$/.test(String(value))
      ? String(value).replace("%", " %")
      : typeof value !== "number"
        ? undefined
        : key.endsWith("GB")
          ? pick([`${value}GB`, `${value} GB`, `${value}G`, `${value} GiB`], how)
          : key.endsWith("Seconds")
            ? value % 60 === 0 && value > 0
              ? pick([`${value / 60}m`, `${value / 60} minutes`, `${value}s`], how)
              : pick([`${value}s`, `${value} seconds`], how)
            : key.endsWith("Minutes")
              ? pick([`${value} minutes`, `${value}m`], how)
              : key.endsWith("Percent")
                ? pick([`${value}%`, `${value} %`], how)
                : undefined;
  }),
  "spaces around a text": each((value, path, how) =>
    isPlainText(value) && (nodeAt(path)?.pattern !== undefined || nodeAt(path)?.enum !== undefined)
      ? pick([`${value} `, ` ${value}`, `${value}\n`], how)
      : undefined,
  ),
  "a joined text for a list": each((value, path, how) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isPlainText) &&
    !String(path.at(-1)).endsWith("Commands")
      ? value.join(pick([", ", ",", " ", "; "], how))
      : undefined,
  ),
  "an item for a list": each((value) =>
    Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined,
  ),
  "a list for a mapping": each((value, path, how) => {
    const node = nodeAt(path);
    const isByName = typeof node?.additionalProperties === "object";
    if (!isMapping(value) || Object.keys(value).length === 0 || path.length === 0) {
      return undefined;
    }
    const entries = Object.entries(value);
    return isByName && entries.every(([, inner]) => isMapping(inner))
      ? entries.map(([name, inner]) => ({ name, ...(inner as object) }))
      : isByName && entries.every(([, inner]) => isPlainText(inner))
        ? pick(
            [
              entries.map(([name, text]) => `${name}=${String(text)}`),
              entries.map(([name, text]) => ({ name, value: text })),
              entries.map(([name, text]) => ({ [name]: text })),
            ],
            how,
          )
        : node?.properties === undefined
          ? undefined
          : entries.map(([name, inner]) => ({ [name]: inner }));
  }),
  "a mapping for a list": each((value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isMapping(item) && typeof item.name === "string")
      ? Object.fromEntries((value as { name: string }[]).map(({ name, ...rest }) => [name, rest]))
      : undefined,
  ),
  "a level too much": each((value, path, how) => {
    const isPools = path.length === 1 && groups.includes(String(path[0]));
    const key = String(path.at(-1));
    return isMapping(value) && nodeAt(path)?.properties !== undefined && Object.keys(value).length > 0
      ? { [pick([key, "spec", "options", "values"], how) ?? key]: value }
      : isPools && isMapping(value) && Object.keys(value).length > 0
        ? { [pick(["pools", key, "all"], how) ?? key]: value }
        : undefined;
  }),
  "a level lost": (config, at) => {
    const found = places(config).filter((path) => {
      const [inner, around] = [valueAt(config, path), valueAt(config, path.slice(0, -1))];
      return (
        isMapping(inner) &&
        isMapping(around) &&
        nodeAt(path)?.properties !== undefined &&
        (path.length > 2 || !groups.includes(String(path[0]))) &&
        Object.keys(inner).length > 0 &&
        Object.keys(inner).every(
          (key) => !(key in around) && !keysOf(nodeAt(path.slice(0, -1))).includes(key),
        )
      );
    });
    const path = found[at % found.length];
    if (path !== undefined) {
      const around = valueAt(config, path.slice(0, -1)) as Raw;
      const inner = around[String(path.at(-1))] as Raw;
      Reflect.deleteProperty(around, String(path.at(-1)));
      Object.assign(around, inner);
    }
    return path !== undefined;
  },
  "pools in one list": (config, _at, how) => {
    const all = groups.flatMap((group) =>
      Object.entries((config[group] ?? {}) as Raw).map(([name, pool]) => ({
        ...(pool as Raw),
        name,
        osType: group === "linuxPools" ? "Linux" : "Windows",
      })),
    );
    const names = all.map(({ name }) => name);
    if (all.length === 0 || new Set(names).size < names.length) {
      return false;
    }
    groups.forEach((group) => Reflect.deleteProperty(config, group));
    config[pick(["nodePools", "agentPoolProfiles", "pools", "workers"], how) ?? ""] = all;
    return true;
  },
  "pools by system": (config) => {
    const { linuxPools, windowsPools } = config;
    if (linuxPools === undefined || windowsPools === undefined) {
      return false;
    }
    groups.forEach((group) => Reflect.deleteProperty(config, group));
    config.pools = { linux: linuxPools, windows: windowsPools };
    return true;
  },
  "everything below the namespace": (config) => {
    const all = { ...config };
    Object.keys(all).forEach((key) => Reflect.deleteProperty(config, key));
    config["capz-windows"] = all;
    return true;
  },
  "the prefix twice": (config, at) => {
    const keys = Object.keys(config).filter((key) => !isSecret([key]));
    const key = keys[at % keys.length] ?? "";
    config[`capz-windows:${key}`] = config[key];
    Reflect.deleteProperty(config, key);
    return true;
  },
};

/** A stack file in YAML, in which pools that have something in common share it by an anchor and a merge key. */
export function withAnchors(config: Raw): string {
  const document = parseDocument(
    stringify(
      {
        config: Object.fromEntries(
          Object.entries(config).map(([key, value]) => [`capz-windows:${key}`, value]),
        ),
      },
      { aliasDuplicateObjects: false },
    ),
    { merge: true },
  );
  for (const group of groups) {
    const pools = config[group];
    const [first, second] = isMapping(pools) ? Object.keys(pools) : [];
    const path = ["config", `capz-windows:${group}`];
    if (first !== undefined && second !== undefined && isMap(document.getIn([...path, first], true))) {
      const [one, two] = [(pools as Raw)[first] as Raw, (pools as Raw)[second] as Raw];
      if (isMapping(two) && Object.keys(one).length > 0 && Object.keys(one).every((key) => key in two)) {
        const alias = document.createAlias(document.getIn([...path, first], true) as never, "shared");
        const own = Object.entries(two).filter(
          ([key, value]) => JSON.stringify(one[key]) !== JSON.stringify(value),
        );
        document.setIn(
          [...path, second],
          document.createNode(Object.fromEntries(own), { aliasDuplicateObjects: false }),
        );
        document.setIn([...path, second, "<<"], alias);
      }
    }
  }
  return document.toString();
}

/** The config of a stack file, in JSON, as advice is followed in it. */
export function configOf(yaml: string): Raw {
  const read = readYaml(yaml);
  return "value" in read ? (read.value as { config: Raw }).config : {};
}

export interface Damaged {
  readonly right: Raw;
  readonly wrong: Raw;
  readonly names: readonly string[];
}

/** Every second pool has what the first has, so that merge keys have something to share. */
const shared = (config: Raw): Raw => {
  const copy = structuredClone(config);
  for (const group of groups) {
    const pools = copy[group];
    const [first, second] = isMapping(pools) ? Object.keys(pools) : [];
    if (isMapping(pools) && first !== undefined && second !== undefined) {
      pools[second] = { ...(pools[first] as Raw), replicas: 3 };
    }
  }
  return copy;
};

export const damaged: fc.Arbitrary<Damaged> = fc
  .tuple(
    rightConfigBase,
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.nat(), fc.nat()), {
      minLength: 1,
      maxLength: 2,
    }),
    fc.boolean(),
  )
  .map(([own, chosen, isShared]) => {
    const right = isShared ? shared(own) : own;
    const wrong = structuredClone(right);
    const names = chosen.flatMap(([name, at, how]) =>
      damages[name]?.(wrong, at, how) === true ? [name] : [],
    );
    return { right, wrong, names };
  });
