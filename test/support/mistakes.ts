import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isChoice, isNamed, nodeAt } from "../../config/jsonSchema";
import { decodeConfig } from "../../config/parse";
import { type Path, valueAt } from "../../config/steps";
import { isRecord } from "capz-windows-kit/untyped";
import { exampleFile, projectDir } from "./stacks";

/** Mistakes of the hand in stack files. */

type Raw = Record<string, unknown>;

/** A mistake that a hand makes, and the config with it. */
export interface Mistake {
  readonly kind: string;
  readonly at: Path;
  readonly wrong: Raw;
  readonly right: Raw;
}

const changed = (config: Raw, path: Path, change: (parent: Raw, key: string) => void): Raw => {
  const copy = structuredClone(config);
  change(valueAt(copy, path.slice(0, -1)) as Raw, String(path.at(-1)));
  return copy;
};

/** Renames a key in its place. */
const renamed = (config: Raw, path: Path, name: string): Raw =>
  changed(config, path, (parent, key) => {
    const value = parent[key];
    Reflect.deleteProperty(parent, key);
    parent[name] = value;
  });

export const namesOf = (key: string, at: number): [kind: string, name: string][] => {
  const index = 1 + (at % Math.max(1, key.length - 2));
  return [
    ["letter lost", `${key.slice(0, index)}${key.slice(index + 1)}`],
    [
      "letters swapped",
      `${key.slice(0, index)}${key[index + 1] ?? ""}${key[index] ?? ""}${key.slice(index + 2)}`,
    ],
    ["snake case", key.replace(/([A-Z]+)/g, "_$1").toLowerCase()],
    ["capital", `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`],
    ["singular", key.replace(/s$/, "")],
  ];
};

/** A value in another form. */
function valuesOf(value: unknown, path: Path): [kind: string, value: unknown][] {
  if (typeof value === "number") {
    return [["number as text", String(value)]];
  }
  if (typeof value === "boolean") {
    return [["switch as word", value ? "yes" : "no"]];
  }
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")) {
    return [["list as text", value.join(", ")]];
  }
  return typeof value === "string" && isChoice(nodeAt(path))
    ? [["case of a choice", value.toUpperCase()]]
    : [];
}

function placesIn(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  return isRecord(value)
    ? [...own, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
    : own;
}

/** A key that stands beside its mapping; an empty mapping is nothing in YAML. */
function lifted(config: Raw, path: Path): Raw | undefined {
  const copy = structuredClone(config);
  const parent = valueAt(copy, path.slice(0, -1)) as Raw;
  const outer = valueAt(copy, path.slice(0, -2)) as Raw;
  const key = String(path.at(-1));
  if (path.length < 2 || key in outer || isNamed(nodeAt(path.slice(0, -2)))) {
    return undefined;
  }
  outer[key] = parent[key];
  Reflect.deleteProperty(parent, key);
  if (Object.keys(parent).length === 0) {
    outer[String(path.at(-2))] = null;
  }
  return copy;
}

export function mistakesIn(right: Raw): Mistake[] {
  return placesIn(right).flatMap((at, index) => {
    const key = String(at.at(-1));
    const isOwn = isNamed(nodeAt(at.slice(0, -1))) || at.includes("overrides");
    const value = valueAt(right, at);
    const parent = valueAt(right, at.slice(0, -1)) as Raw;
    const high = isOwn ? undefined : lifted(right, at);
    return [
      ...(isOwn ? [] : namesOf(key, index))
        .filter(([, name]) => name !== key && !(name in parent))
        .map(([kind, name]) => ({ kind, at, right, wrong: renamed(right, at, name) })),
      ...valuesOf(value, at).map(([kind, other]) => ({
        ...{ kind, at, right },
        wrong: changed(right, at, (holder) => {
          holder[key] = other;
        }),
      })),
      ...(high === undefined ? [] : [{ kind: "one level too high", at, right, wrong: high }]),
    ];
  });
}

/** The config of an example, without its secrets. */
export const configOf = (stack: string): Raw => {
  const file = parse(readFileSync(join(projectDir, exampleFile(stack)), "utf8")) as { config: Raw };
  return decodeConfig(
    Object.fromEntries(
      Object.entries(file.config)
        .filter(([key, value]) => key.startsWith("capz-windows:") && !(isRecord(value) && "secure" in value))
        .map(([key, value]) => [key.replace("capz-windows:", ""), value]),
    ),
  );
};
