import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crdsFolder } from "capz-types/crdsFolder";
import { listTypes } from "capz-types/crds/listTypes";

/** The three things that are generated of one CRD agree: its types, the schema of its spec, and how its lists are merged. */

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

const { $defs: schemas } = JSON.parse(readFileSync(join(crdsFolder, "schemas.json"), "utf8")) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** The schema of a field of a spec, such as `files[].contentFrom`. */
function schemaAt(kind: string, path: string): Schema | undefined {
  let schema = schemas[kind];
  for (const part of path.split(/\.|(?=\[\])/)) {
    schema = schemas[schema?.$ref?.split("/").at(-1) ?? ""] ?? schema;
    schema = part === "[]" ? schema?.items : (schema?.properties?.[part] ?? schema?.additionalProperties);
  }
  return schema;
}

const lists = Object.entries(listTypes).flatMap(([object, paths]) => {
  const [, kind = ""] = object.split(" ");
  return Object.keys(paths).map((path) => ({ kind, path: path.replace(/^spec\./, "") }));
});

it("each list of an object with a schema is one in the schema, too", () => {
  const known = lists.filter(({ kind }) => kind in schemas);
  expect(known.length).toBeGreaterThan(100);
  expect(known.filter(({ kind, path }) => schemaAt(kind, path)?.type !== "array")).toEqual([]);
});

it.each(Object.keys(schemas))("%s has a type, and a spec with fields", (kind) => {
  const files = ["addons", "azure", "bootstrap", "cluster", "controlPlane", "operator"];
  const types = files.map((file) => readFileSync(join(crdsFolder, `${file}.ts`), "utf8")).join("\n");
  expect(types).toContain(`export type ${kind} = {`);
  expect(types).toContain(`export type ${kind}Spec = {`);
  expect(Object.keys(schemas[kind]?.properties ?? {}).length).toBeGreaterThan(0);
});
