import { isRecord } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { choicesOf, nodeAt, type SchemaNode } from "./jsonSchema";

/** Unknown keys whose values tell which key is meant. */

/** Values that say what they are: ARM IDs, GUIDs, networks, digests and days. An address may be that of anything. */
const telling =
  /^(\/subscriptions\/.+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\d.]+\/\d+|sha256:[0-9a-f]{64}|\d{4}-\d\d-\d\d)$/i;

/** What is alone in mappings: the ID in `{id: …}`, the list in `{addressPrefixes: […]}`. */
function onlyLeaf(value: unknown): unknown {
  const [only, ...more] = isRecord(value) ? Object.values(value) : [];
  return isRecord(value) ? (more.length === 0 ? onlyLeaf(only) : undefined) : value;
}

/** The only key of the mapping that takes such a value, or such a list, and has none. */
export function byValue(path: Path, known: readonly string[], root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const leaf = onlyLeaf(valueAt(root, path));
  const values = [leaf].flat();
  const takes = (node: SchemaNode | undefined): boolean =>
    node !== undefined &&
    (node.type === "string" || choicesOf(node).length > 0) &&
    values.every((value) =>
      choicesOf(node).length > 0
        ? choicesOf(node).includes(value)
        : (node.pattern !== undefined || node.format !== undefined) &&
          telling.test(String(value)) &&
          new RegExp(node.pattern ?? "", "i").test(String(value)),
    );
  const free =
    parent.length > 0 && values.length > 0 && values.every((value) => typeof value === "string")
      ? known.filter((name) => valueAt(root, [...parent, name]) === undefined)
      : [];
  const plain = free.filter((name) => !Array.isArray(leaf) && takes(nodeAt([...parent, name], root)));
  const lists = free.filter((name) => takes(nodeAt([...parent, name], root)?.items));
  const [name = "", ...more] = plain.length > 0 ? plain : lists;
  const value = plain.length > 0 ? leaf : values;
  const target = [...parent, name];
  return name === "" || more.length > 0
    ? []
    : value === valueAt(root, path)
      ? [[{ move: path, to: target }]]
      : [[{ remove: path }, { set: target, value }]];
}
