import type { SchemaNode } from "../jsonSchema";

/** A value from the schema: for keys that must be there, those of its parts. */
function fromSchema(node: SchemaNode, leaf: (node: SchemaNode) => unknown): unknown {
  const { properties, required } = node;
  const own = leaf(node);
  if (own === undefined && properties && required && required.length > 0) {
    return Object.fromEntries(
      required.map((key) => {
        const inner = properties[key];
        return [key, inner?.const ?? (inner && fromSchema(inner, leaf))];
      }),
    );
  }
  return own ?? node.examples?.[0] ?? node.default ?? node.const;
}

/** What to write if nothing but the schema is known: a placeholder, an example or the default. */
export const suggestion = (node: SchemaNode): unknown =>
  fromSchema(
    node,
    ({ placeholder, items }) =>
      placeholder ?? (items?.placeholder === undefined ? undefined : [items.placeholder]),
  );

/** A valid value, for checks of other values. */
export const exampleOf = (node: SchemaNode): unknown => fromSchema(node, ({ examples }) => examples?.[0]);
