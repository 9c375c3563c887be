import type { z } from "zod";
import type { Problem } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { placeholder } from "capz-windows-kit/writeLine";
import { allowedText, choicesOf, isChoice, isNamed, keysOf, nodeAt, type SchemaNode } from "./jsonSchema";
import { reasonAgainst, refusedKeys } from "./refused";
import { secretKeys } from "./schema/stack";
import { type Path, pathText, stepsText, targetsOf, valueAt } from "./steps";
import { correction, nearestKeys, type Suggestion, suggestKey, suggestName, suggestValue } from "./suggest";

export type Issue = z.core.$ZodIssue;

/** A problem of the schema. */
export interface SchemaProblem extends Problem {
  readonly fault: "missing" | "name" | "unknown" | "value";
  readonly at: Path;
  /** The path about which the rules cannot say anything; missing if the key is independent of all others. */
  readonly hides?: string | undefined;
}

const isSecretKey = (key: PropertyKey | undefined): boolean => secretKeys.includes(String(key));

function describeType(value: unknown): string {
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isRecord(value)) {
    return "a mapping";
  }
  if (value === null) {
    return "nothing";
  }
  return typeof value === "string" ? "text" : `a ${typeof value}`;
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

const looksLikeIpv6 = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]*:[0-9a-f:]+(\/\d+)?$/i.test(value);

function problemText(issue: Issue, node: SchemaNode | undefined, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${expected(node)}, found ${describeType(value)}`;
    case "too_small":
      if (issue.origin === "array") {
        return "the list is empty";
      }
      return issue.origin === "string"
        ? "the text is empty"
        : `less than the minimum ${String(issue.minimum)}`;
    case "too_big":
      return issue.origin === "string"
        ? `longer than ${String(issue.maximum)} characters`
        : `greater than the maximum ${String(issue.maximum)}`;
    default:
      if (node?.format === "cidrv4" && looksLikeIpv6(value)) {
        return "an IPv6 network; networks here are IPv4 only";
      }
      return isChoice(node) ? "not an allowed value" : "invalid format";
  }
}

/** What the user has to write for a key that is missing: what the schema asks for, never a value of an example. */
function openValue(node: SchemaNode | undefined): unknown {
  const { placeholder: own, properties = {}, required = [] } = node ?? {};
  if (own !== undefined || required.length === 0) {
    return own ?? placeholder(choicesOf(node ?? {}).join(" or ") || "an allowed value");
  }
  return Object.fromEntries(required.map((key) => [key, openValue(properties[key])]));
}

/** What the user has to write in place of a wrong value. */
function openLine(path: Path, node: SchemaNode | undefined, value: unknown): string {
  const { placeholder: own } = node ?? {};
  if (value === null && keysOf(node).length > 0) {
    return stepsText(
      [{ set: path, value: placeholder("its keys or an empty mapping for the defaults") }],
      path,
    );
  }
  return stepsText([{ set: path, value: own ?? placeholder("an allowed value") }], path);
}

function missingProblem(path: Path, node: SchemaNode | undefined): SchemaProblem {
  return {
    ...{ fault: "missing", at: path, path: pathText(path) },
    problem: "this key is required",
    allowed: allowedText(node),
    write: stepsText([{ set: path, value: openValue(node) }], path),
    hides: pathText(path),
  };
}

/** A key beside a missing one that is unknown and means it: in a mapping of several kinds the schema does not name it. */
function meantFor(path: Path, root: unknown): Path | undefined {
  const parent = path.slice(0, -1);
  const beside = valueAt(root, parent);
  const known = keysOf(nodeAt(parent, root));
  const strays = Object.keys(isRecord(beside) && parent.length > 0 ? beside : {}).filter(
    (key) => !known.includes(key),
  );
  return strays
    .map((key) => [...parent, key])
    .find((stray) => {
      const suggested = suggestKey(stray, root);
      const targets = "steps" in suggested ? targetsOf(suggested.steps) : [];
      return targets.some((target) => pathText(target) === pathText(path));
    });
}

function valueProblem(issue: Issue, root: unknown): SchemaProblem {
  const path = issue.path;
  const value = valueAt(root, path);
  const node = nodeAt(path, root);
  if (value === undefined) {
    const stray = meantFor(path, root);
    return stray === undefined ? missingProblem(path, node) : unknownKeyProblem(stray, root);
  }
  const secret = isSecretKey(path[0]);
  const suggested: Suggestion = secret ? { question: "" } : suggestValue(path, root);
  return {
    ...{ fault: "value", at: path, path: pathText(path) },
    ...(secret ? {} : { value }),
    problem: reasonAgainst(path, value) ?? problemText(issue, node, value),
    allowed: allowedText(node),
    ...("steps" in suggested ? correction(suggested, path) : { write: openLine(path, node, value) }),
    hides: pathText(path),
  };
}

/** A name that users chose and that is not allowed, for instance of a pool. */
function nameProblem(path: Path, root: unknown): SchemaProblem {
  return {
    ...{ fault: "name", at: path, path: pathText(path) },
    problem: "invalid name",
    allowed: nodeAt(path.slice(0, -1), root)?.propertyNames?.allowed ?? "text of 1 to 512 characters",
    ...correction(suggestName(path, root), path),
    hides: pathText(path),
  };
}

function unknownKeyProblem(path: Path, root: unknown): SchemaProblem {
  const refused = refusedKeys.find((one) => one.path.test(pathText(path)));
  if (refused !== undefined) {
    const { problem, allowed, note } = refused;
    const write = `remove ${String(path.at(-1))}${note === undefined ? "" : ` # ${note}`}`;
    return { fault: "unknown", at: path, path: pathText(path), problem, allowed, write };
  }
  const suggested = suggestKey(path, root);
  const [target] = "steps" in suggested ? targetsOf(suggested.steps) : [];
  return {
    ...{ fault: "unknown", at: path, path: pathText(path) },
    problem: "unknown key",
    allowed: target === undefined ? nearestKeys(path, root) : pathText(target),
    ...correction(suggested, path),
    hides: target && pathText(target),
  };
}

/** Whether a value that is no mapping stands among the mappings that users name, under the name of one of their keys. */
function isStray(path: Path, root: unknown): boolean {
  const { additionalProperties: inner } = nodeAt(path.slice(0, -1), root) ?? {};
  const value = valueAt(root, path);
  return (
    isRecord(inner) &&
    isNamed({ additionalProperties: inner }) &&
    keysOf(inner).includes(String(path.at(-1))) &&
    value !== null &&
    value !== undefined &&
    !isRecord(value)
  );
}

function strayProblem(path: Path): SchemaProblem {
  const names = pathText(path.slice(0, -1));
  return {
    ...{ fault: "unknown", at: path, path: pathText(path) },
    problem: "this key stands beside the names, not below one of them",
    allowed: `${names}.NAME.${String(path.at(-1))}`,
    write: `move ${String(path.at(-1))} to ${names}.<name>.${String(path.at(-1))}`,
  };
}

/** Problems of which no two would write to one place: only the user knows which of them is meant. */
export function withoutRivals(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const targets = problems.flatMap(({ fix = [] }) => targetsOf(fix).map(pathText));
  const last = new Map(targets.map((target, index) => [target, index]));
  const rivals = new Set(targets.filter((target, index) => last.get(target) !== index));
  return problems.map((problem): SchemaProblem => {
    const { fix = [], ...rest } = problem;
    const rival = targetsOf(fix)
      .map(pathText)
      .find((target) => rivals.has(target));
    return rival === undefined ? problem : { ...rest, write: `<${rival}, which several keys seem to mean>` };
  });
}

/** Turns an issue of the schema into problems for the user. */
export function problemsOf(issue: Issue, root: unknown): SchemaProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKeyProblem([...issue.path, key], root));
  }
  if (issue.code === "invalid_key") {
    return [nameProblem(issue.path, root)];
  }
  return [isStray(issue.path, root) ? strayProblem(issue.path) : valueProblem(issue, root)];
}
