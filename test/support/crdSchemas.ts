import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import type { ErrorObject, ValidateFunction } from "ajv";
import { parse } from "yaml";
import { memoize } from "capz-windows-kit/memoize";

type Schema = Readonly<Record<string, unknown>>;

interface Crd {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mapValues = (object: unknown, change: (value: Schema) => Schema): Schema =>
  isSchema(object)
    ? Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key, isSchema(value) ? change(value) : value]),
      )
    : {};

/** Whether JSON Schema does not know a keyword of Kubernetes' structural schemas, or gives it another meaning. */
const isForeign = (key: string): boolean =>
  key.startsWith("x-kubernetes-") ||
  ["format", "nullable", "default", "example", "externalDocs"].includes(key);

/**
 * A structural schema of Kubernetes as a strict JSON Schema: unknown fields are errors (the API server would drop
 * them), `x-kubernetes-int-or-string` and `nullable` become types, and a required field with a default may be missing,
 * because the API server sets defaults first. Formats and CEL rules are not checked.
 */
export function strictSchema(schema: Schema): Schema {
  const strict: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !isForeign(key)),
  );
  if (schema["x-kubernetes-int-or-string"] === true) {
    strict.type = ["integer", "string"];
    // Of int-or-string, it repeats what `type` says.
    delete strict.anyOf;
  }
  const keepsUnknown =
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema["x-kubernetes-embedded-resource"] === true;
  if (schema.type === "object" && schema.additionalProperties === undefined && !keepsUnknown) {
    strict.additionalProperties = false;
  }
  if (isSchema(schema.properties)) {
    const properties = schema.properties;
    const hasDefault = (name: unknown): boolean =>
      isSchema(properties[name as string]) && "default" in (properties[name as string] as Schema);
    strict.properties = mapValues(properties, strictSchema);
    if (Array.isArray(schema.required)) {
      strict.required = schema.required.filter((name) => !hasDefault(name));
    }
  }
  if (isSchema(schema.additionalProperties)) {
    strict.additionalProperties = strictSchema(schema.additionalProperties);
  }
  if (isSchema(schema.items)) {
    strict.items = strictSchema(schema.items);
  }
  if (schema.nullable === true && typeof strict.type === "string") {
    strict.type = [strict.type, "null"];
  }
  return strict;
}

/** The schema of a whole object. Structural schemas only say that metadata is an object; the API server validates it. */
function rootSchema(schema: Schema): Schema {
  const strict = strictSchema(schema);
  return {
    ...strict,
    properties: {
      ...(strict.properties as Schema),
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
    },
  };
}

function readable({ instancePath, keyword, params, message = "" }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const { additionalProperty, allowedValues } = params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  switch (keyword) {
    case "additionalProperties":
      return `${path === "" ? "" : `${path}.`}${additionalProperty ?? ""}: there is no such field`;
    case "enum":
      return `${path}: must be one of ${(allowedValues ?? []).join(", ")}`;
    default:
      return `${path === "" ? "object" : path}: ${message}`;
  }
}

function crdFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      return entry.isDirectory() ? crdFiles(path) : /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
}

/**
 * Validators for every served version of every CustomResourceDefinition under a folder, its subfolders included; read once.
 *
 * @returns a function that returns the errors of an object, each beginning with the path of the field; empty if the
 * object is valid. An object whose kind or version no CRD serves is an error, too.
 */
export const loadCrdValidators = memoize((dir: string): ((object: unknown) => string[]) => {
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false });
  const schemas = new Map<string, Schema>();
  const compiled = new Map<string, ValidateFunction>();
  for (const file of crdFiles(dir)) {
    const crd = parse(readFileSync(file, "utf8")) as Partial<Crd> | null;
    if (crd?.kind !== "CustomResourceDefinition" || crd.spec === undefined) {
      continue;
    }
    for (const { name, served, schema } of crd.spec.versions) {
      if (served) {
        schemas.set(`${crd.spec.group}/${name} ${crd.spec.names.kind}`, schema.openAPIV3Schema);
      }
    }
  }
  return (object) => {
    const { apiVersion = "", kind = "" } = object as { apiVersion?: string; kind?: string };
    const key = `${apiVersion} ${kind}`;
    const schema = schemas.get(key);
    if (schema === undefined) {
      return [`apiVersion, kind: no CRD under ${dir} serves ${key}`];
    }
    const validate = compiled.get(key) ?? ajv.compile(rootSchema(schema));
    compiled.set(key, validate);
    return validate(object) ? [] : (validate.errors ?? []).map(readable);
  };
});
