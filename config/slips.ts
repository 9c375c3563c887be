import { parse } from "yaml";
import { isRecord } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { choicesOf, keysOf, nodeAt, type SchemaNode } from "./jsonSchema";
import { plainName } from "./words";

/** Keys that YAML reads as others than their author wrote. */

/** A key that has its value, because there is no space after the colon. */
const withoutSpaceIn =
  (spelling: RegExp, valueOf: (text: string, node: SchemaNode) => unknown) =>
  (path: Path, root: unknown): Step[][] => {
    const [, name = "", text = ""] = spelling.exec(String(path.at(-1))) ?? [];
    const target = [...path.slice(0, -1), name];
    const node = name === "" || valueAt(root, path) !== null ? undefined : nodeAt(target, root);
    const value = node === undefined ? undefined : valueOf(text, node);
    return value !== undefined && valueAt(root, target) === undefined
      ? [[{ remove: path }, { set: target, value }]]
      : [];
  };

/** `replicas:3` */
const withoutSpace = withoutSpaceIn(/^(\w+):([^\s:/]+)$/, (text) => parse(text) as unknown);

/** The same for a name of the user's, such as that of a label. */
export const nameWithoutSpace = withoutSpaceIn(/^(.+):([^:\s]+)$/, (text, { type }) =>
  type === "string" ? text : undefined,
);

/** A pool beside the mapping of pools to which it belongs, by its options or its name. */
function poolBeside(path: Path, root: unknown): Step[][] {
  const [name = ""] = path.map(String);
  const keys = Object.keys(Object(valueAt(root, path)) as object);
  const isPool = keys.length > 0 && keys.every((key) => keysOf(nodeAt(["windowsPools", name])).includes(key));
  const group =
    keys.includes("windowsServer") || /^win/i.test(name)
      ? "windowsPools"
      : /^lin/i.test(name)
        ? "linuxPools"
        : undefined;
  return path.length === 1 && isPool && group !== undefined && valueAt(root, [group, name]) === undefined
    ? [[{ move: path, to: [group, name] }]]
    : [];
}

/** A key of the stack file that is indented below another one. */
function indented(path: Path, root: unknown): Step[][] {
  const [, name = ""] = /^capz-windows:(\w+)$/.exec(String(path.at(-1))) ?? [];
  return path.length > 1 && keysOf(nodeAt([])).includes(name) && valueAt(root, [name]) === undefined
    ? [[{ move: path, to: [name] }]]
    : [];
}

/** A key with the mappings around it in its name, as flags and environment variables have them: `rollout.maxSurge: 3`. */
function joinedPath(path: Path, root: unknown): Step[][] {
  const parts = String(path.at(-1)).split(/[.:/]|__/);
  const target = parts.reduce<Path | undefined>(
    (at, part) => {
      const own = keysOf(at && nodeAt(at, root)).find((key) => plainName(key) === plainName(part));
      const next = at && [...at, own ?? part];
      return next === undefined || nodeAt(next, root) === undefined ? undefined : next;
    },
    path.slice(0, -1),
  );
  return parts.length > 1 && target !== undefined && valueAt(root, target) === undefined
    ? [[{ move: path, to: target }]]
    : [];
}

/** The required choice under another name: `kind: nat` for `type: nat`. */
function choiceInOtherWord(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const { required = [], properties = {} } = nodeAt(parent, root) ?? {};
  const value = valueAt(root, path);
  const [name, ...others] = required.filter(
    (one) =>
      isRecord(valueAt(root, parent)) &&
      valueAt(root, [...parent, one]) === undefined &&
      choicesOf(properties[one] ?? {}).includes(value),
  );
  return name === undefined || others.length > 0 ? [] : [[{ move: path, to: [...parent, name] }]];
}

export const slips = [withoutSpace, joinedPath, poolBeside, indented, choiceInOtherWord];
