import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { SchemaNode } from "./jsonSchema";
import { allowedText, configSchema, keysOf, nodeAt } from "./jsonSchema";
import type { Problem } from "../domain/problem";
import { isRecord } from "../domain/untyped";
import { refusedKey } from "./refusedKeys";
import type { StackConfig } from "./schema/stack";
import { secretKeys, stackSchema } from "./schema/stack";

/** Raw config: top-level key without the `capz-windows:` prefix → text or already structured value. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** Stands for an encrypted secret in an offline plan, which knows that it is set but not its value. */
export const unknownSecret = "[secret: not decrypted by the plan]";

const isSecretKey = (key: PropertyKey | undefined): boolean => secretKeys.includes(String(key));

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join(".");

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );
}

/** A line of YAML for the stack file, with the key of the innermost mapping. */
function writeLine(path: readonly PropertyKey[], example: unknown): string {
  const key = path.filter((part) => typeof part === "string").at(-1);
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return path.length === 1 ? `capz-windows:${String(key)}: ${text}` : `${String(key)}: ${text}`;
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isRecord(value)) {
    return "a mapping";
  }
  return value === null ? "nothing" : typeof value === "string" ? "text" : `a ${typeof value}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  object: "a mapping",
  string: "text",
};

const expected = (node: SchemaNode | undefined): string =>
  typeNames[keysOf(node).length > 0 ? "object" : (node?.type ?? "")] ?? "another type";

function unknownKey(path: readonly PropertyKey[], key: string, value: unknown): Problem {
  const refused = refusedKey(pathText([...path, key]));
  if (refused) {
    // The value is omitted, because it may be a password.
    return { path: pathText([...path, key]), ...refused };
  }
  const knownKeys = keysOf(nodeAt(path));
  const nearest = knownKeys.length > 0 ? closest(key.toLowerCase(), knownKeys) : undefined;
  const suggestion =
    knownKeys.find((name) => key.toLowerCase().startsWith(name.toLowerCase())) ??
    (nearest !== undefined &&
    distance(key.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, key.length / 3)
      ? nearest
      : undefined);
  const prefix = path.length === 0 ? "capz-windows:" : "";
  return {
    path: pathText([...path, key]),
    // The key may be a misspelled secret key, whose value must not be shown.
    ...(path.length === 0 ? {} : { value }),
    problem: suggestion === undefined ? "unknown key" : `unknown key; did you mean ${suggestion}?`,
    allowed: knownKeys.join(", "),
    write:
      suggestion === undefined
        ? `remove ${prefix}${key}`
        : `rename ${prefix}${key} to ${prefix}${suggestion}`,
  };
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, root: unknown): Problem[] {
  const path = issue.path;
  const value = valueAt(root, path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(path, key, valueAt(value, [key])));
  }
  const node = nodeAt(path);
  const example = node?.examples?.[0] ?? node?.default;
  const missing = value === undefined;
  return [
    {
      path: pathText(path),
      ...(missing || isSecretKey(path[0]) ? {} : { value }),
      problem: missing ? "this key is required" : problemText(issue, node, value),
      allowed: allowedText(node),
      write: example === undefined ? "an allowed value" : writeLine(path, example),
    },
  ];
}

function problemText(issue: Issue, node: SchemaNode | undefined, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${expected(node)}, found ${describeType(value)}`;
    case "too_small":
      return issue.origin === "array"
        ? "the list is empty"
        : issue.origin === "string"
          ? "the text is empty"
          : `less than the minimum ${String(issue.minimum)}`;
    case "too_big":
      return issue.origin === "string"
        ? `longer than ${String(issue.maximum)} characters`
        : `greater than the maximum ${String(issue.maximum)}`;
    case "invalid_key":
      return "invalid name";
    default:
      return node?.enum || node?.const !== undefined ? "not an allowed value" : "invalid format";
  }
}

/** A copy of the config with examples in place of invalid values, so that the rules can check the other values. */
function replaceInvalid(root: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(root);
  for (const issue of issues) {
    const parent = valueAt(copy, issue.path.slice(0, -1));
    const key = issue.path.at(-1);
    if (issue.code === "unrecognized_keys") {
      const holder = valueAt(copy, issue.path);
      issue.keys.forEach((name) => isRecord(holder) && Reflect.deleteProperty(holder, name));
    } else if (key !== undefined && typeof parent === "object" && parent !== null) {
      const example = issue.code === "invalid_key" ? undefined : nodeAt(issue.path)?.examples?.[0];
      if (example === undefined) {
        Reflect.deleteProperty(parent, key);
      } else {
        Reflect.set(parent, key, structuredClone(example));
      }
    }
  }
  return copy;
}

/**
 * Converts the config values to the types of their schema. Pulumi passes them as text, and structured ones as JSON.
 * Text that cannot be converted is kept, so that the schema reports it.
 */
export function decodeConfig(raw: RawConfig): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const node = configSchema().properties?.[key];
    const structured = node !== undefined && (node.type === "object" || keysOf(node).length > 0);
    if (typeof value !== "string" || node === undefined) {
      root[key] = value;
    } else if (structured) {
      try {
        root[key] = JSON.parse(value);
      } catch {
        root[key] = value;
      }
    } else if (node.type === "boolean" && /^(true|false)$/.test(value)) {
      root[key] = value === "true";
    } else {
      root[key] = value;
    }
  }
  return root;
}

export interface Parsed {
  /** Missing if too much is invalid. If there are problems, some values are examples: use it for further checks only. */
  readonly config: StackConfig | undefined;
  readonly problems: readonly Problem[];
}

/** Checks each key against the schema. Examples replace invalid values, so that the cross-field rules can run. */
export function parseConfig(raw: RawConfig): Parsed {
  const root = decodeConfig(raw);
  let candidate: unknown = root;
  const problems: Problem[] = [];
  // Replacing a value can reveal further issues: a missing mapping first, then the keys inside it.
  for (let round = 0; round < 5; round++) {
    const result = stackSchema.safeParse(candidate, { reportInput: false });
    if (result.success) {
      return { config: result.data, problems };
    }
    const issues = result.error.issues;
    if (round === 0) {
      problems.push(...issues.flatMap((issue) => problemsOf(issue, root)));
    }
    candidate = replaceInvalid(candidate, issues);
  }
  return { config: undefined, problems };
}
