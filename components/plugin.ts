import { createRequire } from "node:module";
import { join } from "node:path";
import type { ComponentResource, ComponentResourceOptions, Inputs } from "@pulumi/pulumi";
import { main, type ConstructResult } from "@pulumi/pulumi/provider";
import { memoize } from "capz-windows-kit/memoize";
import { readBundledFile } from "capz-windows-kit/readBundledFile";

/**
 * The plug-in by which programs in other languages use the components: `main` of package.json, which Pulumi's host of Node.js
 * starts. The SDK's own plug-in compiles and analyses all TypeScript of the project for its schema; this one has the schema in
 * a file, and loads the components for the first resource.
 */

const root = join(__dirname, "..");
const load = createRequire(__filename);

interface PluginSchema {
  readonly resources: Readonly<Record<string, { readonly properties: object }>>;
}

type Component = new (name: string, args: Inputs, opts: ComponentResourceOptions) => ComponentResource;

const { version, description } = JSON.parse(readBundledFile(root, "package.json")) as {
  readonly version: string;
  readonly description: string;
};

/** What `npm run docs` has written of the components, which knows no version. */
const readSchema = memoize((): PluginSchema => {
  const schema = JSON.parse(readBundledFile(join(root, "schema"), "plugin.json")) as PluginSchema;
  return Object.assign(schema, { version, description });
});

function construct(
  name: string,
  type: string,
  inputs: Inputs,
  options: ComponentResourceOptions,
): Promise<ConstructResult> {
  const resource = readSchema().resources[type];
  const components = load("./index") as Readonly<Record<string, Component>>;
  const Constructor = components[type.split(":").at(-1) ?? ""];
  if (resource === undefined || Constructor === undefined) {
    throw new Error(`capz-windows ${version} has no component ${type}`);
  }
  const component = new Constructor(name, inputs, options);
  const outputs = Object.keys(resource.properties).map((key) => [key, Reflect.get(component, key)] as const);
  return Promise.resolve({ urn: component.urn, state: Object.fromEntries(outputs) });
}

void main(
  { version, getSchema: () => Promise.resolve(JSON.stringify(readSchema())), construct },
  process.argv.slice(2),
);

// Pulumi has translated stacks by source maps, and of an error of the SDK translated so, `util.inspect` of Node.js 20 and 22
// makes gigabytes in half a minute (packages/plan-engine/preload.js). In a clone, scripts/typescript.js translates instead.
if (__filename.endsWith(".js")) {
  Reflect.deleteProperty(Error, "prepareStackTrace");
}
