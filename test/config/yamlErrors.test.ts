import { readYaml } from "../../config/yamlErrors";

/** Files that are not valid YAML: the report has the place and the key, but no value. */

const head = "config:\n  capz-windows:clusterName: dev\n";

const yamlProblems = (text: string) => {
  const read = readYaml(text);
  return "problems" in read ? read.problems : [];
};

const told = (text: string) => yamlProblems(head + text).map(({ path, problem }) => `${path}: ${problem}`);

it("says where the second one of two equal keys is", () => {
  expect(told("  capz-windows:wait: none\n  capz-windows:clusterName: other\n")).toEqual([
    "line 4, column 3: a key is there twice in a mapping, at the key capz-windows:clusterName",
  ]);
});

it("says the same of a pool, and of keys in braces", () => {
  const pools =
    "  capz-windows:windowsPools:\n    win1: {}\n    win2: {replicas: 1, replicas: 2}\n    win1: {}\n";
  expect(told(pools)).toEqual([
    "line 5, column 25: a key is there twice in a mapping, at the key replicas",
    "line 6, column 5: a key is there twice in a mapping, at the key win1",
  ]);
});

it.each([
  [
    "a tab",
    "  capz-windows:network:\n\tmtu: 1400\n",
    "line 4, column 1: there is a tab before the first letter, at the key mtu",
  ],
  [
    "another indentation",
    "  capz-windows:network:\n      mtu: 1400\n    vnetCidr: 10.0.0.0/16\n",
    "line 5, column 1: this line is indented differently from the mapping or list it belongs to, at the key vnetCidr",
  ],
  ["a quote that is not closed", '  capz-windows:wait: "none\n', "a quote, a bracket or a colon is missing"],
  [
    "a bracket that is not closed",
    "  capz-windows:tags: {a: b\n  capz-windows:protect: true\n",
    "line 3, column 22: a quote, a bracket or a colon is missing, at the key capz-windows:tags",
  ],
  [
    "two colons in a line",
    "  capz-windows:tags: a: b\n",
    "there are two keys in one line, or a text with a colon has no quotes, at the key capz-windows:tags",
  ],
  [
    "a line that is indented further than the one before",
    "    capz-windows:wait: none\n",
    "line 3, column 5: this line is indented differently from the mapping or list it belongs to, at the key capz-windows:wait",
  ],
  [
    "a key without a colon",
    "  capz-windows:wait\n  capz-windows:protect: true\n",
    "a key is not followed by a colon and a space, at the key capz-windows:wait",
  ],
  ["an asterisk", "  capz-windows:wait: *all\n", "an asterisk refers to an anchor that does not exist"],
  [
    "a comment that Pulumi ends before the editor does",
    "  capz-windows:wait: none # safe\u2028  capz-windows:protect: false\n",
    "line 3, column 33: a character ends this line for Pulumi, and not for editors: a lone carriage return, U+0085, U+2028 or U+2029",
  ],
  ["a second document", "---\na: b\n", "line 3, column 1: a second document begins here"],
  [
    "backslashes between double quotes",
    '  capz-windows:tags: {path: "C:\\k"}\n',
    "a backslash between double quotes begins an escape sequence that YAML does not have",
  ],
])("names %s", (_what, text, problem) => {
  expect(told(text).join("\n")).toContain(problem);
});

it("shows no value, and no key that may be a secret", () => {
  const text =
    "  capz-windows:managementKubeconfig: hunter2: x\n  capz-windows:managementKubeconfig: hunter2\n";
  const report = JSON.stringify(yamlProblems(head + text));
  expect(report).not.toContain("hunter2");
  expect(report).not.toMatch(/[A-Z]{3,}_[A-Z]+/);
});

it.each(["%YAML 1.1", "%YAML 1.2"])("refuses %s, with which words mean something else", (line) => {
  expect(
    yamlProblems(`${line}\n---\nconfig: {}\n`).map(({ path, problem }) => `${path}: ${problem}`),
  ).toEqual([
    "line 1, column 1: a line with % says how to read the file, and Pulumi and this program do not follow it alike",
  ]);
});

it("finds nothing in a valid file", () => {
  expect(told("  capz-windows:wait: none\n")).toEqual([]);
});

describe("aliases", () => {
  const bomb = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    .concat(
      ["b", "c", "d", "e"].map(
        (name, index) =>
          `${name}: &${name} [${Array(10)
            .fill(`*${"abcd"[index] ?? ""}`)
            .join(", ")}]`,
      ),
    )
    .join("\n");

  it("may be many", () => {
    const text = `a: &a {x: y}\nb:\n${"- *a\n".repeat(500)}`;
    expect(readYaml(text)).toMatchObject({ value: { a: { x: "y" } } });
  });

  it.each([
    [
      "multiply",
      bomb,
      "line 2, column 8: aliases repeat values that consist of aliases, with which the file has more than 100,000 values",
    ],
    [
      "are in their own mapping",
      "x: 1\na: &a\n  b: *a\n",
      "line 3, column 6: an alias is inside its own anchor, so the value never ends",
    ],
    [
      "are in their own list",
      "a: &a [1, [*a]]\n",
      "line 1, column 12: an alias is inside its own anchor, so the value never ends",
    ],
  ])("that %s are an error", (_, text, expected) => {
    expect(yamlProblems(text).map(({ path, problem }) => `${path}: ${problem}`)).toEqual([expected]);
  });
});

it.each([
  ["a key that is there twice", (name: string) => `  ${name}: 1\n  ${name}: 2\n`],
  ["a key before an error", (name: string) => `  ${name}:\n  x: [\n`],
  ["a number that is read otherwise", (name: string) => `  ${name}: 0777\n`],
])("%s is cut, whatever its length", (_what, textOf) => {
  const lines = told(textOf("a".repeat(50_000)));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.length >= 800)).toEqual([]);
});
