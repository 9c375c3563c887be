import type { z } from "zod";
import { knownReleases } from "../domain/kubernetesReleases";
import { networkOf } from "../domain/network/addressing";
import { isRecord } from "../domain/untyped";
import { corrections, exampleOf, suggestion } from "./advice/corrections";
import type { SchemaProblem } from "./advice/proposals";
import type { Path, Step } from "./advice/steps";
import { pathText, stepsText, targetsOf, valueAt } from "./advice/steps";
import { answerTo } from "./foreignKeys/answer";
import type { SchemaNode } from "./jsonSchema";
import { allowedText, isChoice, keysOf, nodeAt } from "./jsonSchema";
import { secretKeys } from "./schema/stack";
import { misspelled, placesOf, unknownKeyProblem } from "./unknownKeys";

export type Issue = z.core.$ZodIssue;

const isSecretKey = (key: PropertyKey | undefined): boolean => secretKeys.includes(String(key));

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
      return isChoice(node) ? "not an allowed value" : "invalid format";
  }
}

const free = (names: readonly string[], taken: object): string[] => names.filter((name) => !(name in taken));

/** How names begin that are proposed. */
const stems: Readonly<Record<string, string>> = { linuxPools: "linux", windowsPools: "win" };

/** A name that users chose and that is not allowed, for instance of a pool. */
function nameProblem(path: Path, root: unknown): SchemaProblem {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const names = nodeAt(parent, root)?.propertyNames;
  const taken = valueAt(root, parent) as object;
  const stem = stems[String(parent.at(-1))] ?? "key";
  const other = [
    ...(names ? corrections(name, names) : []),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `${stem}${index}`),
  ].filter((text) => typeof text === "string");
  // A mapping that is missing as well is mended in the same step.
  const isEmpty = valueAt(root, path) === null && keysOf(nodeAt(path, root)).length > 0;
  const proposals = free(other, taken).map((text): Step[] =>
    isEmpty
      ? [{ remove: path }, { set: [...parent, text], value: {} }]
      : [{ move: path, to: [...parent, text] }],
  );
  return {
    at: path,
    path: pathText(path),
    problem: isEmpty ? "invalid name, with nothing below it" : "invalid name",
    allowed: names?.allowed ?? "text of 1 to 512 characters",
    write: stepsText(proposals[0] ?? [], path),
    proposals,
    hides: pathText(path),
  };
}

/** A mapping without anything in it, whose keys stand beside it instead of below it. */
function indentation(
  path: Path,
  value: unknown,
  root: unknown,
): Pick<SchemaProblem, "problem" | "proposals"> | undefined {
  const node = nodeAt(path, root);
  const parent = path.slice(0, -1);
  const siblings = valueAt(root, parent);
  if (value !== null || !isRecord(siblings) || keysOf(node).length === 0) {
    return undefined;
  }
  const known = new Set(keysOf(node));
  const own = new Set(path.length === 1 ? [] : Object.keys(nodeAt(parent, root)?.properties ?? {}));
  const after = Object.keys(siblings).slice(Object.keys(siblings).indexOf(String(path.at(-1))) + 1);
  const end = after.findIndex((key) => !known.has(key) || own.has(key));
  const strays = path.length === 1 ? [] : after.slice(0, end === -1 ? undefined : end);
  if (strays.length === 0) {
    return undefined;
  }
  const inner = Object.fromEntries(strays.map((key) => [key, siblings[key]]));
  return {
    problem: `empty, because ${strays.join(", ")} below it ${strays.length === 1 ? "is" : "are"} not indented further than ${String(path.at(-1))}`,
    proposals: [[{ set: path, value: inner }, ...strays.map((key): Step => ({ remove: [...parent, key] }))]],
  };
}

/** Networks that are tried where a user's is none: one of them is always free. */
const networks = ["10.20.0.0/16", "172.20.0.0/16", "192.168.0.0/17", "100.64.0.0/16", "10.60.0.0/16"];

/** Values that may fit the rest of the config where the usual ones do not. */
function fallbacks(path: Path, node: SchemaNode, root: unknown): readonly unknown[] {
  const key = String(path.at(-1));
  if (key === "kubernetesVersion" && path.length === 1) {
    return knownReleases;
  }
  if (path[0] === "network" && key.endsWith("Cidr")) {
    const given = Object.values(valueAt(root, ["network"]) as object).flatMap((text) =>
      typeof text === "string" ? networkOf(text.replace(/\/\d+$/, "/16")).slice(0, 1) : [],
    );
    return [...given, ...networks];
  }
  const { minimum, maximum } = node;
  return [node.default, maximum, minimum];
}

/** Whether a value that is no mapping stands among named mappings, under the name of an option. */
function isStray(path: Path, value: unknown, root: unknown): boolean {
  const parent = nodeAt(path.slice(0, -1), root);
  return (
    typeof parent?.additionalProperties === "object" &&
    keysOf(parent.additionalProperties).length > 0 &&
    !isRecord(value) &&
    value !== null &&
    placesOf(String(path.at(-1))).length > 0
  );
}

/** A required key that is there under a misspelled name, or under that of another tool, perhaps at the top. */
function renamed(path: Path, root: unknown): (readonly Step[])[] {
  const parents = path.length === 1 ? [[]] : [path.slice(0, -1), []];
  return parents.flatMap((parent, index) => {
    const siblings = valueAt(root, parent);
    const known = keysOf(nodeAt(parent, root));
    const unknown = Object.keys(isRecord(siblings) ? siblings : {}).filter((key) => !known.includes(key));
    const misspelt = index === 0 ? unknown.filter((key) => misspelled(key, known) === path.at(-1)) : [];
    const foreign = unknown.flatMap((key) => answerTo([...parent, key], root)?.proposals ?? []);
    return [
      ...misspelt.map((key): readonly Step[] => [{ move: [...parent, key], to: path }]),
      ...foreign.filter((steps) =>
        targetsOf(steps).some((target) => path.every((key, at) => target[at] === key)),
      ),
    ];
  });
}

/** An image says nothing without one of its forms, so it goes or changes as a whole. */
function wholeImage(path: Path, root: unknown): Step[][] {
  const image = path.slice(0, -1);
  const gallery = image.at(-1) === "image" ? nodeAt([...image, "computeGallery"], root) : undefined;
  return gallery === undefined
    ? []
    : [
        [{ remove: image }],
        [
          {
            set: image,
            value: { computeGallery: suggestion(gallery) },
            // A name that tells nothing about the operating system.
            example: { computeGallery: { ...(exampleOf(gallery) as object), name: "own" } },
          },
        ],
      ];
}

function valueProblem(issue: Issue, root: unknown): SchemaProblem {
  const path = issue.path;
  const value = valueAt(root, path);
  const node = nodeAt(path, root);
  const missing = value === undefined;
  const secret = isSecretKey(path[0]);
  const shifted = indentation(path, value, root);
  const [own, example] = node ? [suggestion(node), exampleOf(node)] : [];
  const values = node
    ? [
        ...(missing || secret ? [] : corrections(value, node)),
        own,
        ...(missing || secret ? [] : fallbacks(path, node, root)),
      ].filter((one) => one !== undefined)
    : [];
  const proposals: (readonly Step[])[] = [
    ...(missing ? renamed(path, root) : []),
    ...(shifted?.proposals ?? []),
    ...values.map((one): Step[] => [{ set: path, value: one, ...(one === own ? { example } : {}) }]),
    ...(missing ? [] : [[{ remove: path } as const]]),
    ...wholeImage(path, root),
  ];
  return {
    at: path,
    path: pathText(path),
    ...(missing || secret ? {} : { value }),
    problem: missing ? "this key is required" : (shifted?.problem ?? problemText(issue, node, value)),
    allowed: allowedText(node),
    write: stepsText(proposals[0] ?? [], path),
    proposals,
    hides: pathText(path),
  };
}

/** What an issue of the schema means for the user. */
export function problemsOf(issue: Issue, root: unknown): SchemaProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKeyProblem([...issue.path, key], root));
  }
  if (isStray(issue.path, valueAt(root, issue.path), root)) {
    return [unknownKeyProblem(issue.path, root)];
  }
  return issue.code === "invalid_key" ? [nameProblem(issue.path, root)] : [valueProblem(issue, root)];
}
