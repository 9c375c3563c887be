import { parse } from "yaml";
import { isRecord } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { choicesOf, keysOf, nodeAt } from "./jsonSchema";

/** Keys that YAML reads as others than their author wrote. */

/** `replicas:3`, which without a space is a key. */
function withoutSpace(path: Path, root: unknown): Step[][] {
  const [, name = "", text = ""] = /^(\w+):([^\s:/]+)$/.exec(String(path.at(-1))) ?? [];
  const target = [...path.slice(0, -1), name];
  return valueAt(root, path) === null &&
    nodeAt(target, root) !== undefined &&
    valueAt(root, target) === undefined
    ? [[{ remove: path }, { set: target, value: parse(text) as unknown }]]
    : [];
}

/** A key of the stack file that is indented below another one. */
function indented(path: Path, root: unknown): Step[][] {
  const [, name = ""] = /^capz-windows:(\w+)$/.exec(String(path.at(-1))) ?? [];
  return path.length > 1 && keysOf(nodeAt([])).includes(name) && valueAt(root, [name]) === undefined
    ? [[{ move: path, to: [name] }]]
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

export const slips = [withoutSpace, indented, choiceInOtherWord];
