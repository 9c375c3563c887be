import { z } from "zod";
import { crdsFolder } from "capz-types/crdsFolder";
import { memoize } from "capz-windows-kit/memoize";
import { readBundledFile } from "capz-windows-kit/readBundledFile";
import { isRecord, ownValue } from "capz-windows-kit/untyped";

/** The schemas of the CRDs of the pinned releases, as far as the program makes objects of them. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** Read only for stacks with overrides: the file is larger than most of the program. */
const schemas = memoize(
  () =>
    (
      JSON.parse(readBundledFile(crdsFolder, "schemas.json")) as {
        $defs: Readonly<Record<string, Schema>>;
      }
    ).$defs,
);

const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (schemas()[name] ?? {});
};

/** Metadata that an author may add to; of the rest the API server and the program are in charge. */
const metadata: Schema = {
  type: "object",
  properties: Object.fromEntries(
    ["labels", "annotations"].map((key) => [
      key,
      { type: "object", additionalProperties: { type: "string" } },
    ]),
  ),
};

/** Schema of what a patch of a kind may contain. */
export const objectSchema = (kind: string): Schema => ({
  type: "object",
  properties: { metadata, spec: schemas()[kind] ?? {} },
  required: ["metadata", "spec"],
});

export interface Fault {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly problem: string;
  readonly allowed: string;
}

function typeText(schema: Schema): string {
  const { type, enum: values, items, properties } = resolved(schema);
  if (values !== undefined) {
    return values.map(String).join(", ");
  }
  switch (Array.isArray(type) ? type.join() : type) {
    case "object":
      return properties === undefined ? "a mapping" : `a mapping with ${Object.keys(properties).join(", ")}`;
    case "array":
      return `a list of: ${typeText(items ?? {})}`;
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "integer,string":
      return "a whole number, or text such as 25%";
    default:
      return "text";
  }
}

const expectedText = (issue: z.core.$ZodIssue): string => {
  const at = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  // Without the value: zod names what it wants, and the report shows the value.
  return `${at === "" ? "" : `${at.replace(/^\./, "")}: `}${issue.message.replace(/^Invalid input: /, "")}`;
};

/** What is wrong with a value that stands for the whole of its schema: a list, a text, a number. */
function valueFaults(schema: Schema, value: unknown, path: readonly string[]): Fault[] {
  const { error } = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  return error === undefined
    ? []
    : [
        {
          path,
          value,
          problem: `the CRD does not allow this: ${error.issues.map(expectedText).join("; ")}`,
          allowed: typeText(schema),
        },
      ];
}

function fieldOf({ properties, additionalProperties }: Schema, key: string): Schema | undefined {
  const property = ownValue(properties, key);
  if (property !== undefined) {
    return property;
  }
  if (typeof additionalProperties === "object") {
    return additionalProperties;
  }
  return additionalProperties === false || properties !== undefined ? undefined : {};
}

/** The schema of a field of a mapping; `undefined` where the CRD has no such field. */
export const fieldSchema = (given: Schema, key: string): Schema | undefined => fieldOf(resolved(given), key);

/** Fields of a merge patch that the CRD does not have, or not with such a value. */
export function patchFaults(given: Schema, patch: unknown, path: readonly string[] = []): Fault[] {
  const schema = resolved(given);
  const isMapping = schema.properties !== undefined || schema.type === "object";
  if (!isMapping) {
    return valueFaults(schema, patch, path);
  }
  if (!isRecord(patch)) {
    return [{ path, value: patch, problem: "the CRD requires a mapping here", allowed: typeText(schema) }];
  }
  return Object.entries(patch).flatMap(([key, value]): Fault[] => {
    const field = fieldOf(schema, key);
    const at = [...path, key];
    if (field === undefined) {
      return [
        {
          path: at,
          value,
          problem: `there is no such field in ${path.length === 0 ? "what may be patched" : path.join(".")}`,
          allowed: Object.keys(schema.properties ?? {}).join(", ") || "no field at all",
        },
      ];
    }
    if (value !== null) {
      return patchFaults(field, value, at);
    }
    return schema.required?.includes(key) === true
      ? [{ path: at, value, problem: "null removes this field, which the CRD requires", allowed: "a value" }]
      : [];
  });
}

/** Required fields that an object lacks after a patch, where the patch touched the mapping that must have them. */
export function missingFields(given: Schema, merged: unknown, patch: unknown, path = ""): string[] {
  const schema = resolved(given);
  if (!isRecord(patch) || !isRecord(merged)) {
    return [];
  }
  return [
    ...(schema.required ?? []).filter((key) => merged[key] === undefined).map((key) => `${path}${key}`),
    ...Object.entries(patch).flatMap(([key, value]) =>
      missingFields(fieldOf(schema, key) ?? {}, merged[key], value, `${path}${key}.`),
    ),
  ];
}
