import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { SchemaNode } from "./jsonSchema";
import { allowedText, configSchema, keysOf, nodeAt } from "./jsonSchema";
import type { Problem } from "../domain/problem";
import { refusedKey } from "./refusedKeys";
import type { StackConfig } from "./schema/stack";
import { secretKeys, stackSchema } from "./schema/stack";

/** Raw config: top-level key without the `capz-windows:` prefix → text or already structured value. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** Stands for a secret that the plan does not decrypt: present, and its value unknown. */
export const unknownSecret = "[secret: not decrypted by the plan]";

const isSecretKey = (key: PropertyKey | undefined): boolean => secretKeys.includes(String(key));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join(".");

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );
}

/** One line of YAML for the stack file; below the top level, the key of the innermost mapping. */
function writeLine(path: readonly PropertyKey[], example: unknown): string {
  const key = path.filter((part) => typeof part === "string").at(-1);
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return path.length === 1 ? `capz-windows:${String(key)}: ${text}` : `${String(key)}: ${text}`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) {
    return "a list";
  }
  return isObject(value) ? "a mapping" : value === null ? "nothing" : `a ${typeof value}`;
}

const expected = (node: SchemaNode | undefined): string =>
  node?.type === "array"
    ? "a list"
    : keysOf(node).length > 0 || node?.type === "object"
      ? "a mapping"
      : node?.type === "integer"
        ? "a whole number"
        : `a ${node?.type ?? "value"}`;

function unknownKey(path: readonly PropertyKey[], key: string, value: unknown): Problem {
  const refused = refusedKey(pathText([...path, key]));
  if (refused) {
    // Without the value: it may be a password.
    return { path: pathText([...path, key]), ...refused };
  }
  const known = keysOf(nodeAt(path));
  const near = known.length > 0 ? closest(key.toLowerCase(), known) : undefined;
  const close =
    known.find((name) => key.toLowerCase().startsWith(name.toLowerCase())) ??
    (near !== undefined && distance(key.toLowerCase(), near.toLowerCase()) <= Math.max(2, key.length / 3)
      ? near
      : undefined);
  return {
    path: pathText([...path, key]),
    // A misspelt secret key must not be echoed either.
    ...(path.length === 0 ? {} : { value }),
    problem: close === undefined ? "there is no such key" : `there is no such key; did you mean ${close}?`,
    allowed: known.join(", "),
    write:
      close === undefined
        ? `take ${key} out`
        : `${path.length === 0 ? "capz-windows:" : ""}${close}: instead of ${key}:`,
  };
}

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, root: unknown): Problem[] {
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
      problem: missing ? "it is missing" : problemText(issue, node, value),
      allowed: allowedText(node),
      write: example === undefined ? `a value as allowed` : writeLine(path, example),
    },
  ];
}

function problemText(issue: Issue, node: SchemaNode | undefined, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return `${expected(node)} is wanted, this is ${describe(value)}`;
    case "too_small":
      return issue.origin === "array" ? "the list is empty" : `it is smaller than ${String(issue.minimum)}`;
    case "too_big":
      return `it is larger than ${String(issue.maximum)}`;
    case "invalid_key":
      return "the name does not have the right form";
    default:
      return node?.enum || node?.const !== undefined
        ? "it is none of the allowed values"
        : "it does not have the right form";
  }
}

/** A value that the schema accepts, so that the rest of the config can be judged too. */
function repaired(root: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(root);
  for (const issue of issues) {
    const parent = valueAt(copy, issue.path.slice(0, -1));
    const key = issue.path.at(-1);
    if (issue.code === "unrecognized_keys") {
      const holder = valueAt(copy, issue.path);
      issue.keys.forEach((name) => isObject(holder) && Reflect.deleteProperty(holder, name));
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

/** Config values travel as text; structured ones as JSON. Turns each into what its schema wants. */
export function typed(raw: RawConfig): Record<string, unknown> {
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
  /** Missing when the config is beyond repair; never used for a deployment when there are problems. */
  readonly config: StackConfig | undefined;
  readonly problems: readonly Problem[];
}

/** Checks every key for itself. Where something is wrong, an example stands in so that cross-field rules can go on. */
export function parseConfig(raw: RawConfig): Parsed {
  const root = typed(raw);
  let candidate: unknown = root;
  const problems: Problem[] = [];
  // A repaired value can show what was hidden behind it (a whole missing mapping, then its parts), so try again.
  for (let round = 0; round < 5; round++) {
    const result = stackSchema.safeParse(candidate, { reportInput: false });
    if (result.success) {
      return { config: result.data, problems };
    }
    const issues = result.error.issues;
    if (round === 0) {
      problems.push(...issues.flatMap((issue) => explain(issue, root)));
    }
    candidate = repaired(candidate, issues);
  }
  return { config: undefined, problems };
}
