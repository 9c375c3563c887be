import { isRecord } from "capz-windows-kit/untyped";
import { pathText, valueAt } from "./steps";
import { child, configSchema, exampleOf, keysOf, nodeAt, type SchemaNode, typesOf } from "./jsonSchema";
import { type StackConfig, stackSchema } from "./schema/stack";
import { withoutWorkload } from "./managementStack";
import { withPoolDefaults } from "./poolDefaults";
import { unseenProblems } from "./unseen";
import { type Issue, problemsOf, type SchemaProblem, withoutRivals } from "./schemaProblems";

/** Raw config: top-level key without the `capz-windows:` prefix → text or already structured value. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** Stands for an encrypted secret in an offline plan, which knows that it is set but not its value. */
export const unknownSecret = "[secret: not decrypted by the plan]";

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
      const node = issue.code === "invalid_key" ? undefined : nodeAt(issue.path, root);
      const example = node && exampleOf(node);
      if (example === undefined && Array.isArray(parent)) {
        // Without holes: an item that is missing would be the next issue.
        parent.length = 0;
      } else if (example === undefined) {
        Reflect.deleteProperty(parent, key);
      } else {
        Reflect.set(parent, key, structuredClone(example));
      }
    }
  }
  return copy;
}

/** Numbers as texts where the schema has both: `windowsServer: 2022` can only mean one thing. */
function numbersAsText(value: unknown, node: SchemaNode | undefined): unknown {
  if (node === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => numbersAsText(item, child(node, index)));
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, numbersAsText(inner, child(node, key))]),
    );
  }
  const types = typesOf(node);
  return typeof value === "number" && types.includes("string") && types.includes("number")
    ? String(value)
    : value;
}

/** A text as JSON, or as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Converts the config values to the types of their schema. Pulumi passes them as text, and structured ones as JSON.
 * Text that cannot be converted is kept, so that the schema reports it.
 */
export function decodeConfig(raw: RawConfig): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const node = configSchema().properties?.[key];
    const structured =
      node === undefined
        ? // A mapping or list of another tool.
          typeof value === "string" && /^[{[]/.test(value)
        : ["object", "array"].includes(node.type ?? "") || keysOf(node).length > 0;
    if (value === "") {
      // A key without a value: Pulumi passes an empty text, or will pass nothing.
      root[key] = null;
    } else if (typeof value !== "string" || (node === undefined && !structured)) {
      root[key] = value;
    } else if (structured) {
      root[key] = parsed(value);
    } else if (
      node?.type === "string" &&
      /^\{.*\}$/s.test(value) &&
      node.secret !== true &&
      isRecord(parsed(value))
    ) {
      // A mapping in place of a text; no text of the schema is one.
      root[key] = parsed(value);
    } else if (node?.type === "boolean" && /^(true|false)$/.test(value)) {
      root[key] = value === "true";
    } else {
      root[key] = value;
    }
  }
  return numbersAsText(root, configSchema()) as Record<string, unknown>;
}

export interface Parsed {
  /** Missing if too much is invalid. If there are problems, some values are examples: use it for further checks only. */
  readonly config: StackConfig | undefined;
  readonly problems: readonly SchemaProblem[];
}

/** Checks decoded values (decodeConfig) against the schema. Examples replace invalid values, so that the cross-field rules can run. */
export function parseConfig(root: Readonly<Record<string, unknown>>): Parsed {
  // A correction may have put a number where a text is meant.
  const given = numbersAsText(withoutWorkload(root), configSchema());
  const unseen = unseenProblems(given, configSchema());
  let candidate = replaceInvalid(
    given,
    unseen.map(({ at, problem }) => ({ code: "custom", path: [...at], message: problem })),
  );
  const problems = new Map(unseen.map((problem) => [problem.path, problem]));
  const kinds = new Set<string>();
  // Replacing a value can reveal further issues: a missing mapping first, then the keys inside it.
  for (let round = 0; round < 5; round++) {
    const result = stackSchema.safeParse(candidate, { reportInput: false });
    if (result.success) {
      const whole = withPoolDefaults(candidate);
      const complete = whole === candidate ? result : stackSchema.safeParse(whole, { reportInput: false });
      return { config: complete.data ?? result.data, problems: withoutRivals([...problems.values()]) };
    }
    const issues = result.error.issues;
    // A mapping of an unknown kind is checked once it has one; below any other example is nothing of the user's.
    const known = issues.filter(
      ({ path }) => round === 0 || path.some((_, length) => kinds.has(pathText(path.slice(0, length)))),
    );
    for (const { path } of known.filter((issue) => issue.path.at(-1) === "kind")) {
      kinds.add(pathText(path.slice(0, -1)));
    }
    // A name and the value under it may both be wrong; the first problem is enough.
    for (const problem of known.flatMap((issue) => problemsOf(issue, root))) {
      if (!problems.has(problem.path)) {
        problems.set(problem.path, problem);
      }
    }
    candidate = replaceInvalid(candidate, issues);
  }
  return { config: undefined, problems: withoutRivals([...problems.values()]) };
}
