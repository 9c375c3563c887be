import { parse } from "yaml";
import fc from "fast-check";
import { plainYaml, yamlDocuments, yamlValues, YamlError } from "capz-windows-kit/boundedYaml";

/** The one reader of YAML of others: its time follows from the length of the text. */

const limits = { bytes: 1_000_000, values: 10_000 };

const refused = (text: string, options = {}): string | undefined => {
  try {
    yamlValues(text, limits, options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(YamlError);
    return (error as YamlError).message;
  }
};

const levels = (count: number, line: (level: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const large = "aliases of aliases make more than 10,000 values";

it.each<readonly [what: string, text: string, message: unknown]>([
  [
    "aliases of aliases",
    `a0: &a0 [x]\n${levels(30, (n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`)}`,
    large,
  ],
  [
    "merge keys of merge keys",
    `m0: &m0 {k: 1}\n${levels(30, (n) => `m${n + 1}: &m${n + 1} {<<: [*m${n}, *m${n}, *m${n}], k${n}: 1}`)}`,
    large,
  ],
  [
    "merge keys, one after the other",
    `m0: &m0 {k: 1}\n${levels(30, (n) => `m${n + 1}: &m${n + 1}\n  a: {<<: *m${n}}\n  b: {<<: *m${n}}`)}`,
    large,
  ],
  ["many aliases", `a: &a 1\nb: [${"*a, ".repeat(3_000)}]`, large],
  ["an alias in its own anchor", "a: &a [*a]", "an alias is inside its own anchor"],
  ["a merge of itself", "a: &a {<<: *a, b: 1}", "an alias is inside its own anchor"],
  ...["5", "~", "abc", "[5]", "[*m, 5]", "*s"].map(
    (value) =>
      [
        `a merge of ${value}`,
        `m: &m {a: 1}\ns: &s 5\nb: {<<: ${value}}`,
        "the value of a merge key (<<) is neither a mapping nor a list of mappings",
      ] as const,
  ),
  [
    "five hundred keys inside one another",
    `${"? ".repeat(500)}1`,
    "A key must be a text, not a mapping or a list at line 1, column 3",
  ],
  [
    "a key that is an alias of a list",
    "a: &a [x]\nb: {*a : 1}",
    "A key must be a text, not a mapping or a list at line 2, column 5",
  ],
  ...["[", "{a: ", "- "].map(
    (open) =>
      [
        `5,000 times ${open}`,
        open.repeat(5_000),
        expect.stringMatching(/^Too many mappings or lists inside one another at line 1, column \d+$/),
      ] as const,
  ),
])("%s is refused in a moment", (_what, text, message) => {
  const started = process.cpuUsage();
  expect(refused(text, { merge: true })).toEqual(message);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
});

it.each([
  ["a: 1\nb: 2\na: 3", "Map keys must be unique at line 3, column 1"],
  ['{1: a, "1": b}', "Map keys must be unique at line 1, column 8"],
  ['true: a\n"true": b', "Map keys must be unique at line 2, column 1"],
  ["a: 1 # b\rc: 2", "U+000D ends a line that editors do not end at line 1, column 9"],
  ["a: 1 # b\u0085c: 2", "U+0085 ends a line that editors do not end at line 1, column 9"],
  ["a: 1\r\nb: 2 # c\u2028d: 3", "U+2028 ends a line that editors do not end at line 2, column 9"],
  ["a: 'b\u2029c'", "U+2029 ends a line that editors do not end at line 1, column 6"],
  ["a: *b", "Unresolved alias (the anchor must be set before the alias) at line 1, column 4"],
  [
    "a: [",
    "Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5",
  ],
])("%j is no YAML", (text, message) => {
  expect(refused(text)).toBe(message);
});

it("more bytes than a caller takes are not read", () => {
  expect(refused(`a: ${"x".repeat(1_000_000)}`)).toBe("it has more than 1,000,000 characters");
});

it.each(["- a\n", "[],", "a: b, "])(
  "more lines and values than the package can take are not read: %j",
  (part) => {
    const text = `[${part.repeat(1_000_001)}]`;
    const read = () => yamlValues(text, { bytes: 100_000_000, values: 10_000_000 });
    expect(read).toThrow("it has more than 1,000,000 lines and values");
  },
);

it.each([
  ["documents", "a: 1\n---\n".repeat(6_000), false],
  ["levels", "[".repeat(100_000), false],
  ["brackets", "a: [", true],
])("too many %s are YAML that is not read", (_what, text, isSyntax) => {
  const read = () => yamlValues(text, { bytes: 1_000_000, values: 10_000 });
  expect(read).toThrow(expect.objectContaining({ document: 1, isSyntax }) as Error);
});

it.each([
  ["a mapping", "", "k"],
  ["an ordered mapping", "!!omap\n", "- k"],
])("keys of %s are not compared with each other", (_what, tag, key) => {
  const started = process.cpuUsage();
  const text = tag + levels(40_000, (n) => `${key}${n}: v`);
  expect(Object.keys(yamlValues(text, limits)[0] as object)).toHaveLength(40_000);
  // To compare all of them takes more than 20 seconds.
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
});

it.each(
  ["", "%YAML 1.1\n---\n"].flatMap((head) =>
    [{}, { version: "1.1" }, { schema: "core" }].map((o) => [head, o]),
  ),
)("%j, %j: tags of ordered mappings, pairs and sets change nothing, as in Go's readers", (head, options) => {
  const text = `${head as string}a: !!omap [k: 1, k: 2]\nb: !!pairs [k: 1]\nc: !!set {k, l}\n`;
  expect(yamlValues(text, limits, options as object)).toEqual([
    { a: [{ k: 1 }, { k: 2 }], b: [{ k: 1 }], c: { k: null, l: null } },
  ]);
});

it("reads aliases and merge keys as the package does", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "x", "*a", "*b"),
      fc.array(tie("value"), { maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
      fc
        .uniqueArray(fc.constantFrom("k", "l", "m"), { maxLength: 3 })
        .chain((keys) => fc.tuple(...keys.map((key) => tie("value").map((one) => `${key}: ${String(one)}`))))
        .map((all) => `{${all.join(", ")}}`),
      fc.constantFrom("{<<: *a}", "{<<: [*a, *a], k: 2}"),
    ),
  })).value;
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (all) => {
      const text = `a: &a {k: 1}\nb: &b [x, *a]\nc: [${all.join(", ")}]`;
      const [document] = yamlDocuments(text, { merge: true });
      expect(document && plainYaml(document, 10_000)).toEqual({
        value: parse(text, { merge: true }) as unknown,
      });
    }),
    { numRuns: 300 },
  );
});
