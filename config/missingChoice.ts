import { bastionKeys } from "../platform/network/bastion";
import { outboundKeys } from "../platform/network/outbound";
import { isRecord } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { choicesOf, keysOf, nodeAt } from "./jsonSchema";
import { choicesWith } from "./rules/surplusKeys";

/** A required choice that is missing, where what stands beside it says which one is meant. */

/** The required choice that a key beside it has under another name: `type: aks` for `kind: aks`. */
export function choiceBeside(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = valueAt(root, parent);
  const node = nodeAt(path, root);
  const choices = node === undefined ? [] : choicesOf(node);
  const known = keysOf(nodeAt(parent));
  const [key, ...more] = Object.entries(isRecord(around) ? around : {})
    .filter(([name, value]) => !known.includes(name) && choices.includes(value))
    .map(([name]) => name);
  return valueAt(root, path) !== undefined || key === undefined || more.length > 0
    ? []
    : [[{ move: [...parent, key], to: path }]];
}

/** Choices to which keys beside them belong. */
const choicesByKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "network.outbound.type": outboundKeys,
  "network.bastion.kind": bastionKeys,
};

/** The choice to which all keys beside it belong, where it is missing. */
export function choiceByKeys(path: Path, root: unknown): Step[][] {
  const keys = Object.keys(Object(valueAt(root, path.slice(0, -1))) as object);
  const [choice, ...others] = choicesWith(choicesByKeys[path.join(".")] ?? {}, keys);
  return valueAt(root, path) === undefined && choice !== undefined && others.length === 0
    ? [[{ set: path, value: choice }]]
    : [];
}
