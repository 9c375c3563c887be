import { resolve } from "node:path";
import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { memoize } from "capz-windows-kit/memoize";
import { readBundledFile } from "capz-windows-kit/readBundledFile";
import { ownValue } from "capz-windows-kit/untyped";

/** What `npm run docs` has written of the components: schema/components.json, which the package has, too. */

const properties = z.record(
  z.string(),
  z.strictObject({
    /** Values of a choice with ` | ` between them. */
    type: z.string(),
    description: z.string(),
    required: z.boolean(),
    /** In words. */
    default: z.string().optional(),
    /** Whether it, or an item of it, may be an output of another resource. */
    output: z.boolean(),
  }),
);

const component = z.strictObject({
  token: z.string(),
  description: z.string(),
  /** The shortest program, without the components to which it refers: these, by their names in it. */
  program: z.strictObject({
    typescript: z.string(),
    yaml: z.string(),
    refers: z.record(z.string(), z.string()),
  }),
  notes: z.array(z.string()),
  /** Numbers of the resources that the program makes, by type token. */
  makes: z.record(z.string(), z.number()),
  costs: z.string(),
  destroys: z.array(z.string()),
  args: properties,
  outputs: properties,
});

const type = z.strictObject({ description: z.string(), fields: properties });

const file = z.strictObject({
  version: z.literal(1),
  components: z.record(z.string(), component),
  types: z.record(z.string(), type),
});

export type Component = z.infer<typeof component>;
export type ComponentType = z.infer<typeof type>;
export type Properties = z.infer<typeof properties>;
export type ComponentsFile = z.infer<typeof file>;

export const readComponents = memoize((): ComponentsFile =>
  file.parse(JSON.parse(readBundledFile(resolve(__dirname, "../../schema"), "components.json"))),
);

/** Names of components and of their types begin with a capital, keys of stack files never. */
export const isComponentName = (asked: string): boolean => /^[A-Z]/.test(asked);

/** There is no such component; the message says which one is like it. */
export class UnknownComponentError extends Error {
  override readonly name = "UnknownComponentError";
}

/**
 * What is known of a component, or of a type of its args and outputs.
 * @throws UnknownComponentError
 */
export function findComponent(
  name: string,
): { readonly component: Component } | { readonly type: ComponentType } {
  const { components, types } = readComponents();
  const found = ownValue(components, name);
  if (found !== undefined) {
    return { component: found };
  }
  const foundType = ownValue(types, name);
  if (foundType !== undefined) {
    return { type: foundType };
  }
  const [nearest = ""] = [...Object.keys(components), ...Object.keys(types)].sort(
    (a, b) => distance(a, name) - distance(b, name),
  );
  throw new UnknownComponentError(
    `There is no component or type ${JSON.stringify(name.slice(0, 60))}. Do you mean ${nearest}? docs/components.md has all components.`,
  );
}
