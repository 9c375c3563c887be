import { isRecord } from "capz-windows-kit/untyped";

/** The same schema without room for what it does not name. */
export function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) {
    return schema.map((item) => closed<unknown>(item)) as Schema;
  }
  if (!isRecord(schema)) {
    return schema;
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return (isRecord(schema.properties) ? { ...inner, additionalProperties: false } : inner) as Schema;
}
