import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { isRecord } from "capz-windows-kit/untyped";
import type { PackageSchema } from "./schema";

/** The examples of the components: a YAML program, and the same in TypeScript. */

export interface Example {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export type Examples = Readonly<Record<string, Example>>;

export const readExamples = (): Examples =>
  parse(readFileSync(join(__dirname, "examples.yaml"), "utf8")) as Examples;

const reference = /^\$\{(\w+)(?:\.(\w+))?\}$/;

/** The resource and the output that a value refers to. */
export function referenceOf(
  value: unknown,
): { readonly resource: string; readonly output?: string } | undefined {
  const [, resource, output] = (typeof value === "string" ? reference.exec(value) : undefined) ?? [];
  return resource === undefined ? undefined : { resource, ...(output === undefined ? {} : { output }) };
}

/** The resources that a value refers to, at any depth. */
export const referencesIn = (value: unknown): string[] =>
  Array.isArray(value) || isRecord(value)
    ? [...new Set(Object.values(value).flatMap(referencesIn))]
    : [referenceOf(value)?.resource ?? []].flat();

/** The token in a schema of a component's short token in YAML; undefined for a provider. */
export const tokenOf = ({ type }: Example): string | undefined =>
  /^capz-windows:\w+$/.test(type) ? type.replace(":", ":index:") : undefined;

export const componentOf = ({ type }: Example): string => type.split(":").at(-1) ?? "";

const providerClasses: Readonly<Record<string, readonly [name: string, from: string]>> = {
  "azure-native": ["Azure", "@pulumi/azure-native/provider"],
  kubernetes: ["Kubernetes", "@pulumi/kubernetes/provider"],
};

const classOf = (example: Example): string =>
  tokenOf(example) === undefined ? (providerClasses[componentOf(example)]?.[0] ?? "") : componentOf(example);

/** A resource of the YAML program, as Pulumi YAML has it under `resources:`. */
export const inYaml = (examples: Examples, names: readonly string[]): string =>
  stringify(
    { resources: Object.fromEntries(names.map((name) => [name, examples[name]])) },
    { lineWidth: 0, flowCollectionPadding: true, aliasDuplicateObjects: false },
  ).trimEnd();

function toTypeScript(examples: Examples, schema: PackageSchema) {
  const isOptional = (resource: string, output: string): boolean => {
    const found = schema.resources[tokenOf(examples[resource]!) ?? ""];
    return found !== undefined && output in found.properties && !found.required.includes(output);
  };
  const value = (of: unknown, indent: string): string => {
    const found = referenceOf(of);
    const inner = `${indent}  `;
    if (found !== undefined) {
      const { resource, output } = found;
      return output === undefined
        ? resource
        : `${resource}.${output}${isOptional(resource, output) ? "!" : ""}`;
    }
    const short = (parts: readonly string[], [open, close]: readonly [string, string]): string => {
      const line = `${open}${parts.join(", ")}${close}`;
      return line.length <= 60 && !line.includes("\n")
        ? line
        : `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close.trim()}`;
    };
    if (Array.isArray(of)) {
      return short(
        of.map((each) => value(each, inner)),
        ["[", "]"],
      );
    }
    return isRecord(of)
      ? short(
          Object.entries(of).map(
            ([key, each]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${value(each, inner)}`,
          ),
          ["{ ", " }"],
        )
      : JSON.stringify(of);
  };
  const options = ({ providers, deletedWith, ...others }: Readonly<Record<string, unknown>>): string => {
    const [first, ...further] = Array.isArray(providers) ? (providers as unknown[]) : [];
    return value(
      {
        ...(first === undefined ? {} : further.length === 0 ? { provider: first } : { providers }),
        ...others,
        // A component in another language gets the resource itself; TypeScript programs name the Cluster in it.
        ...(deletedWith === undefined
          ? {}
          : { deletedWith: `\${${referenceOf(deletedWith)?.resource ?? ""}.cluster}` }),
      },
      "",
    );
  };
  return (name: string): string => {
    const example = examples[name]!;
    const args = value(example.properties, "").replace(/^\{ /, "{\n  ").replace(/ \}$/, ",\n}");
    const opts = example.options === undefined ? "" : `, ${options(example.options)}`;
    return `const ${name} = new ${classOf(example)}("${name}", ${args}${opts});`;
  };
}

/** Resources as statements of a TypeScript program, with their imports. */
export function inTypeScript(examples: Examples, schema: PackageSchema, names: readonly string[]): string {
  const statement = toTypeScript(examples, schema);
  const wanted = names.map((name) => examples[name]!);
  const components = [...new Set(wanted.filter((each) => tokenOf(each) !== undefined).map(componentOf))];
  const providers = Object.entries(providerClasses).filter(([name]) =>
    wanted.some(({ type }) => type === `pulumi:providers:${name}`),
  );
  return [
    ...providers.map(([, [name, from]]) => `import { Provider as ${name} } from "${from}";`),
    ...(components.length === 0
      ? []
      : [`import { ${components.sort().join(", ")} } from "capz-windows/components";`]),
    "",
    ...names.map(statement),
  ].join("\n");
}

/** All names, each after those to which it refers. */
export function inOrder(examples: Examples): string[] {
  const done = new Set<string>();
  const visit = (name: string): void => {
    if (!done.has(name)) {
      referencesIn(examples[name]).forEach(visit);
      done.add(name);
    }
  };
  Object.keys(examples).forEach(visit);
  return [...done];
}
