import { isRecord } from "capz-windows-kit/untyped";
import { referenceOf, referencesIn, tokenOf, type Examples } from "./program";
import type { PackageSchema, Property } from "./schema";

/** Compares a YAML program with the schema of the components, as a language host of another language would. */

/** What is wrong with a program, one a line; nothing when it is right. */
export function faultsOf(examples: Examples, schema: PackageSchema): string[] {
  /** @returns what is wrong with a mapping that has these properties */
  const fieldFaults = (
    path: string,
    of: unknown,
    properties: Readonly<Record<string, Property>>,
    required: readonly string[],
  ): string[] =>
    isRecord(of)
      ? [
          ...required.filter((name) => !(name in of)).map((name) => `${path}: ${name} is required`),
          ...Object.entries(of).flatMap(([name, value]) => {
            const property = properties[name];
            return property === undefined
              ? [`${path}: there is no ${name}`]
              : valueFaults(`${path}.${name}`, value, property);
          }),
        ]
      : [`${path}: must be a mapping`];

  const referenceFaults = (path: string, resource: string, output: string, { plain }: Property): string[] => {
    const target = examples[resource];
    const found = target === undefined ? undefined : schema.resources[tokenOf(target) ?? ""];
    return [
      ...(found !== undefined && output in found.properties
        ? []
        : [`${path}: there is no ${resource}.${output}`]),
      ...(plain === true ? [`${path}: must be known when the program runs`] : []),
    ];
  };

  const valueFaults = (path: string, value: unknown, property: Property): string[] => {
    const { $ref, type, items, additionalProperties } = property;
    const reference = referenceOf(value);
    if (reference !== undefined) {
      return referenceFaults(path, reference.resource, reference.output ?? "", property);
    }
    if ($ref !== undefined) {
      const {
        enum: values,
        properties = {},
        required = [],
      } = schema.types[$ref.replace("#/types/", "")] ?? {};
      return values === undefined
        ? fieldFaults(path, value, properties, required)
        : values.some((each) => each.value === value)
          ? []
          : [`${path}: must be one of ${values.map((each) => each.value).join(", ")}`];
    }
    if (items !== undefined) {
      return Array.isArray(value)
        ? value.flatMap((each, index) => valueFaults(`${path}[${index}]`, each, items))
        : [`${path}: must be a list`];
    }
    if (additionalProperties !== undefined) {
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, each]) =>
            valueFaults(`${path}.${key}`, each, additionalProperties),
          )
        : [`${path}: must be a mapping`];
    }
    return typeof value === type ? [] : [`${path}: must be a ${type ?? "value"}`];
  };

  return Object.entries(examples).flatMap(([name, example]) => {
    const { type, properties, options } = example;
    const resource = schema.resources[tokenOf(example) ?? ""];
    const unknown = referencesIn(options)
      .filter((each) => !(each in examples))
      .map((each) => `${name}: there is no ${each}`);
    return resource === undefined
      ? /^pulumi:providers:(azure-native|kubernetes)$/.test(type)
        ? unknown
        : [`${name}: there is no type ${type}`]
      : [...unknown, ...fieldFaults(name, properties, resource.inputProperties, resource.requiredInputs)];
  });
}
