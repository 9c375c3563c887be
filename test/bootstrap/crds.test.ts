import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCrdValidators } from "../support/crdSchemas";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.org }
spec:
  group: example.org
  names: { kind: Thing, plural: things }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              required: [size, mode]
              properties:
                size: { type: integer, format: int32, minimum: 1 }
                mode: { type: string, enum: [a, b], default: a }
                port: { x-kubernetes-int-or-string: true, anyOf: [{ type: integer }, { type: string }] }
                note: { type: string, nullable: true, maxLength: 3 }
                when: { type: string, format: date-time }
                labels: { type: object, additionalProperties: { type: string } }
                free: { type: object, x-kubernetes-preserve-unknown-fields: true }
                empty: { type: object }
                list: { type: array, items: { type: object, required: [name], properties: { name: { type: string } } } }
                "a/b": { type: object, properties: { x: { type: string } } }
    - name: v1alpha1
      served: false
      storage: false
      schema: { openAPIV3Schema: { type: object } }
`;

describe("the CRD validator", () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "deep", "er"), { recursive: true });
  writeFileSync(join(dir, "deep", "er", "thing.yaml"), crd);
  writeFileSync(join(dir, "other.yml"), "kind: ConfigMap\n");
  writeFileSync(join(dir, "README.md"), "not: [yaml");
  const validate = loadCrdValidators(dir);
  const thing = (spec: object, version = "v1") =>
    validate({
      apiVersion: `example.org/${version}`,
      kind: "Thing",
      metadata: { name: "x", labels: {} },
      spec,
    });

  it.each([
    [{ size: 1 }],
    [{ size: 1, mode: "b", port: 80, note: null, when: "any time" }],
    [{ size: 1, port: "http", labels: { a: "b" }, free: { any: [1] }, empty: {}, list: [{ name: "a" }] }],
  ])("accepts %j", (spec) => {
    expect(thing(spec)).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, "spec: must have required property 'size'"],
    [{ size: "1" }, "spec.size: must be integer"],
    [{ size: 0 }, "spec.size: must be >= 1"],
    [{ size: 1, mode: "c" }, "spec.mode: must be one of a, b"],
    [{ size: 1, port: true }, "spec.port: must be integer,string"],
    [{ size: 1, note: "long" }, "spec.note: must NOT have more than 3 characters"],
    [{ size: 1, color: 1 }, "spec.color: there is no such field"],
    [{ size: 1, labels: { a: 1 } }, "spec.labels.a: must be string"],
    [{ size: 1, empty: { a: 1 } }, "spec.empty.a: there is no such field"],
    [{ size: 1, list: [{ name: "a" }, {}] }, "spec.list.1: must have required property 'name'"],
    [{ size: 1, list: [{ name: "a", size: 1 }] }, "spec.list.0.size: there is no such field"],
    [{ size: 1, "a/b": { y: 1 } }, "spec.a/b.y: there is no such field"],
  ])("rejects %j", (spec, text) => {
    expect(thing(spec)).toEqual([text]);
  });

  it("reports all errors together", () => {
    expect(thing({ size: 0, color: 1 })).toHaveLength(2);
  });

  it("rejects kinds and versions that no CRD serves", () => {
    expect(thing({ size: 1 }, "v2")).toEqual([
      `apiVersion, kind: no CRD under ${dir} serves example.org/v2 Thing`,
    ]);
    expect(thing({ size: 1 }, "v1alpha1")).toHaveLength(1);
    expect(validate({})).toHaveLength(1);
  });
});
