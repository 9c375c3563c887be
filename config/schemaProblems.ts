import type { z } from "zod";
import { hasKnownImages, proposedRelease, proposedReleases } from "../platform/kubernetesReleases";
import { networkOf } from "../platform/network/addressing";
import { isRecord } from "../tools/untyped";
import { corrections } from "./advice/corrections";
import { exampleOf, suggestion } from "./advice/examples";
import { diskValue } from "./advice/disks";
import { strayProblem, type SchemaProblem } from "./advice/proposals";
import { type Path, pathText, type Step, stepsText, valueAt } from "./advice/steps";
import { bastionSubnet } from "./otherShapes";
import { ownMeaning } from "./ownMeaning";
import { foreignKeyAt, placesOf } from "./foreignKeys/lookup";
import { reasonAgainst } from "./foreignKeys/refused";
import { textOf } from "./foreignKeys/values";
import { allowedText, choicesOf, isChoice, keysOf, nodeAt, type SchemaNode } from "./jsonSchema";
import { isGroupInGroup, siblingSteps } from "./nearKeys";
import { secretKeys } from "./schema/stack";
import { stems } from "./keyPlaces";
import { unknownKeyProblem } from "./unknownKeys";
import { wrappedPools } from "./wrappedPools";

export type Issue = z.core.$ZodIssue;

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
    case "invalid_key":
      return "invalid name";
    default:
      if (
        typeof value === "string" &&
        node?.format === "cidrv4" &&
        /^[0-9a-f]*:[0-9a-f:]+(\/\d+)?$/i.test(value)
      ) {
        return "an IPv6 network; networks here are IPv4 only";
      }
      return isChoice(node) ? "not an allowed value" : "invalid format";
  }
}

/** Names that a mapping accepts and does not have yet. */
const free = (names: readonly unknown[], node: SchemaNode | undefined, taken: object): string[] =>
  names.filter(
    (name): name is string =>
      typeof name === "string" &&
      name !== "" &&
      name.length <= (node?.maxLength ?? Infinity) &&
      new RegExp(node?.pattern ?? "").test(name) &&
      !(name in taken),
  );

/** A name that users chose and that is not allowed, for instance of a pool. */
function nameProblem(path: Path, root: unknown): SchemaProblem {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const names = nodeAt(parent, root)?.propertyNames;
  const taken = valueAt(root, parent) as object;
  const stem = stems[String(parent.at(-1))] ?? "key";
  // Items of a list that became a mapping by their numbers have their names inside.
  const inner = valueAt(root, [...path, "name"]);
  const other = [
    ...(names && /^\d+$/.test(name) && typeof inner === "string"
      ? [inner, ...corrections(inner, names)]
      : []),
    ...(names ? corrections(name, names) : []),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `${stem}${index}`),
  ];
  // If the mapping is missing as well, it is added in the same step.
  const isEmpty = valueAt(root, path) === null && keysOf(nodeAt(path, root)).length > 0;
  const proposals = [
    ...bastionSubnet(path, root),
    ...free(other, names, taken).map((text): Step[] =>
      isEmpty
        ? [{ remove: path }, { set: [...parent, text], value: {} }]
        : [{ move: path, to: [...parent, text] }],
    ),
  ];
  return {
    fault: "name",
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
  // Pools and the like are below names of the user's, and Pulumi sorts the keys of a stack.
  const isNamed = typeof node?.additionalProperties === "object" && parent.length === 0;
  if (value !== null || !isRecord(siblings) || (keysOf(node).length === 0 && !isNamed)) {
    return undefined;
  }
  const own = new Set(Object.keys(nodeAt(parent, root)?.properties ?? {}));
  const after = Object.keys(siblings).slice(Object.keys(siblings).indexOf(String(path.at(-1))) + 1);
  const end = after.findIndex((key) => !keysOf(node).includes(key) || own.has(key));
  const strays = isNamed
    ? Object.keys(siblings).filter(
        (key) =>
          isRecord(siblings[key]) && !own.has(key) && !foreignKeyAt([key]) && placesOf(key).length === 0,
      )
    : after.slice(0, end === -1 ? undefined : end);
  if (strays.length === 0) {
    return undefined;
  }
  const inner = Object.fromEntries(strays.map((key) => [key, siblings[key]]));
  return {
    problem: `empty, because ${strays.join(", ")} below it ${strays.length === 1 ? "is" : "are"} not indented further than ${String(path.at(-1))}`,
    proposals: [
      path.length === 1
        ? // Without their values, among which there may be secrets.
          strays.map((key): Step => ({ move: [key], to: [...path, key] }))
        : [{ set: path, value: inner }, ...strays.map((key): Step => ({ remove: [...parent, key] }))],
    ],
  };
}

/** Networks that are tried if the user's value is not a network: one of them is always free. */
const networks = ["10.20.0.0/16", "172.20.0.0/16", "192.168.0.0/17", "100.64.0.0/16", "10.60.0.0/16"];

/** Values that may fit the rest of the config where the usual ones do not. */
function fallbacks(path: Path, node: SchemaNode, root: unknown): readonly unknown[] {
  const key = String(path.at(-1));
  if (key === "kubernetesVersion" && path.length === 1) {
    return [proposedRelease, ...proposedReleases];
  }
  if (path[0] === "network" && key.endsWith("Cidr")) {
    const given = Object.values(valueAt(root, ["network"]) as object).flatMap((text) =>
      typeof text === "string" ? networkOf(text.replace(/(\/\d+)?$/, "/16")).slice(0, 1) : [],
    );
    return [...given, ...networks];
  }
  const { minimum, maximum } = node;
  const isEmpty = ["[]", "{}"].includes(JSON.stringify(node.default));
  return [isEmpty ? undefined : node.default, ...choicesOf(node), maximum, minimum];
}

/** Whether a value that is not a mapping stands among named mappings, under the name of an option. */
function isStray(path: Path, value: unknown, root: unknown): boolean {
  const parent = nodeAt(path.slice(0, -1), root);
  return (
    typeof parent?.additionalProperties === "object" &&
    keysOf(parent.additionalProperties).length > 0 &&
    value !== null &&
    (isRecord(value)
      ? keysOf(parent.additionalProperties).includes(String(path.at(-1))) &&
        !Object.keys(value).some(
          (key) =>
            keysOf(parent.additionalProperties as SchemaNode).includes(key) ||
            foreignKeyAt([...path, key])?.in?.includes("pool") === true,
        )
      : // A path is a manifest, whatever its name.
        placesOf(String(path.at(-1))).length > 0 && !/\.(ya?ml|json)$/i.test(textOf(value) ?? ""))
  );
}

/** An image needs one of its forms, so it is removed or changed as a whole. */
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
            // A name that does not suggest an operating system.
            example: { computeGallery: { ...(exampleOf(gallery) as object), name: "own" } },
          },
        ],
      ];
}

/** Nodes of a version need images, and it is not known whether those have been published. */
function imageNote(path: Path, value: unknown): { readonly note?: string } {
  const isOfNodes = path.at(-1) === "kubernetesVersion" && path[0] !== "management";
  return isOfNodes && typeof value === "string" && !hasKnownImages(value)
    ? { note: "if its images are published (docs/images.md)" }
    : {};
}

/** Whether a suggestion has a placeholder for the user to fill in, unlike an example. */
const hasOwn = (suggested: unknown): boolean => JSON.stringify(suggested ?? null).includes("<");

function valueProblem(issue: Issue, root: unknown): SchemaProblem {
  const path = issue.path;
  const value = valueAt(root, path);
  const node = nodeAt(path, root);
  const missing = value === undefined;
  const secret = isSecretKey(path[0]);
  const shifted = indentation(path, value, root);
  const [own, example] = node ? [suggestion(node), exampleOf(node)] : [];
  const set = (one: unknown): Step[] => [
    { set: path, value: one, ...(one === own ? { example } : {}), ...imageNote(path, one) },
  ];
  const proposals: (readonly Step[])[] = [
    ...(shifted?.proposals ?? []),
    ...(ownMeaning(path, root) ?? []),
    ...(node === undefined || missing || secret ? [] : corrections(value, node, path.at(-1)).map(set)),
    ...(secret ? [] : siblingSteps(path, keysOf(nodeAt(path.slice(0, -1), root)), root)),
  ];
  const losing: (readonly Step[])[] = [
    ...(node === undefined
      ? []
      : [
          ...diskValue(path, root),
          ...(missing || hasOwn(own) ? [own] : []),
          ...(missing || secret ? [] : fallbacks(path, node, root)),
        ]
    )
      .filter((one) => one !== undefined)
      .map(set),
    ...(missing ? [] : [[{ remove: path } as const]]),
    ...wholeImage(path, root),
    ...(missing || own === undefined ? [] : [[{ set: path, value: own, example }]]),
  ];
  const faultOfValue = shifted === undefined ? "value" : "misplaced";
  return {
    fault: missing ? "missing" : faultOfValue,
    at: path,
    path: pathText(path),
    ...(missing || secret ? {} : { value }),
    problem: missing
      ? "this key is required"
      : (shifted?.problem ?? reasonAgainst(path, value) ?? problemText(issue, node, value)),
    allowed: allowedText(node),
    write: stepsText(proposals[0] ?? losing[0] ?? [], path),
    proposals,
    losing,
    hides: pathText(path),
  };
}

/** For so many unknown keys of a mapping their places are looked for; a report has no more of them. */
const mostSearched = 25;

/** Turns an issue of the schema into problems for the user. */
export function problemsOf(issue: Issue, root: unknown): SchemaProblem[] {
  const outer = issue.path.slice(0, 2);
  const around = valueAt(root, outer);
  const lifted = wrappedPools(outer, root);
  if (lifted !== undefined) {
    return [lifted];
  }
  if (outer.length === 2 && isRecord(around) && (isGroupInGroup(outer) || isStray(outer, around, root))) {
    return [unknownKeyProblem(outer, root)];
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key, index) => {
      const path = [...issue.path, key];
      return index < mostSearched
        ? unknownKeyProblem(path, root)
        : strayProblem(path, [], { problem: "unknown key", allowed: "the keys of docs/config.md" });
    });
  }
  if (isStray(issue.path, valueAt(root, issue.path), root)) {
    return [unknownKeyProblem(issue.path, root)];
  }
  return issue.code === "invalid_key" ? [nameProblem(issue.path, root)] : [valueProblem(issue, root)];
}
