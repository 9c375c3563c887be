import fc from "fast-check";
import { parseAllDocuments, stringify } from "yaml";
import { readYamlStream, toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { always } from "capz-windows-test-kit/always";

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    "",
    null,
    "yes",
    "0644",
    "1e3",
    "0x1f",
    "~",
    "2024-01-01",
    "=",
    "<<",
    "a: b",
    "#",
    "\n",
    " x\n\ty",
  ),
);
const { object } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    tie("value"),
    { maxKeys: 4 },
  ),
}));

it.each(["\r", "\u0085", "\u2028", "\u2029"])("no text with %j can end a line of a manifest", (end) => {
  const written = {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
    data: { text: `a${end}kind: Secret`, [`b${end}kind: Secret`]: "c" },
  };
  const text = toYamlStream([written]);
  expect(text).not.toMatch(/\r|\u0085|\u2028|\u2029/);
  expect(readYamlStream(text)).toEqual({ values: [written], errors: [] });
});

describe("readYamlStream", () => {
  it(
    "reads what the writer of manifests writes, and every document like the general YAML parser",
    always(fc.array(object, { minLength: 1, maxLength: 3 }), (objects) => {
      const text = objects
        .map((one) => stringify(one, { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 }))
        .join("---\n");
      expect(readYamlStream(text)).toEqual({ values: objects, errors: [] });
      const documents = parseAllDocuments(text);
      const read: unknown[] = "empty" in documents ? [] : documents.map((one): unknown => one.toJS());
      expect(readYamlStream(text).values).toEqual(read);
    }),
  );

  it.each([
    ["big: 1e3\nday: 2024-01-01\n"],
    ["octal: 0o644\nhex: 0x1f\nnothing: ~\ninfinite: .inf\n"],
    ["text: |\n  ---\n  a\n---\n# only a comment\n---\nb: &x [1]\nc: *x\n"],
  ])("reads %j as the reader of people's files does", (text) => {
    const documents = parseAllDocuments(text);
    const read = "empty" in documents ? [] : documents.map((one): unknown => one.toJS());
    expect(readYamlStream(text)).toEqual({ values: read, errors: [] });
  });

  it("reads words of YAML 1.1 as Kubernetes does, unless they are quoted", () => {
    expect(readYamlStream('a: [yes, On, y]\nb: [NO, off, N]\nc: ["yes", yEs, nope]\n').values).toEqual([
      { a: [true, true, true], b: [false, false, false], c: ["yes", "yEs", "nope"] },
    ]);
  });

  it("reads no document in which Kubernetes finds other values, and quoted ones as they are", () => {
    const { values, errors } = readYamlStream(
      'a: &x {b: 1}\n<<: *x\n---\nkind: !!binary UG9k\n---\na: {!x b: 1}\n---\n"<<": !!str 1\nb: a!!c\n',
    );
    expect(values).toEqual([{ "<<": "1", b: "a!!c" }]);
    expect(errors).toEqual([
      "line 2 has a merge key (<<), which Kubernetes reads otherwise than this program",
      "line 4 has a tag, which Kubernetes reads otherwise than this program",
      "line 6 has a tag, which Kubernetes reads otherwise than this program",
    ]);
  });

  it("looks through a stream of many documents once for what ends its lines", () => {
    const text = Array.from({ length: 50 }, (_, index) => `a: ${index}\n`).join("---\n");
    const search = jest.spyOn(String.prototype, "search");
    expect(readYamlStream(text).values).toHaveLength(50);
    const whole = search.mock.contexts.filter((one) => String(one) === text);
    search.mockRestore();
    expect(whole).toHaveLength(1);
  });

  it("keeps the valid documents of a broken stream, and says why the others are invalid", () => {
    expect(readYamlStream("a: 1\n---\nb: [\n---\nc: 3\n")).toEqual({
      values: [{ a: 1 }, { c: 3 }],
      errors: [expect.stringMatching(/line 4, column 1/)],
    });
  });
});
