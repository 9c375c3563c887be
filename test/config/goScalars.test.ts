import { readYaml } from "../../config/yamlErrors";

/** Words that Pulumi's reader of YAML takes for something else (gopkg.in/yaml.v3 v3.0.1, resolve.go). */

const told = (text: string): string[] => {
  const read = readYaml(text);
  return "problems" in read
    ? read.problems.map(({ path, problem, allowed, write }) =>
        [`${path}: ${problem}`, `allowed: ${allowed}`, `write: ${write}`].join("; "),
      )
    : [];
};

const inNumbers = "allowed: text in quotes, or a number without _, leading zeros, zeros at its end and 0b";

it.each([
  [
    "a day",
    "until: 2027-03-31",
    'line 1, column 8: Pulumi reads 2027-03-31 as a time, not as text, at the key until; allowed: text in quotes; write: until: "2027-03-31"',
  ],
  [
    "a day with a time, in a list",
    "config:\n  days: [ok, 2027-3-1 05:00:00]",
    'line 2, column 14: Pulumi reads 2027-3-1 05:00:00 as a time, not as text, at the key days; allowed: text in quotes; write: "2027-3-1 05:00:00"',
  ],
  [
    "a day as a key",
    "2027-03-31: a",
    'line 1, column 1: Pulumi reads 2027-03-31 as a time, not as text; allowed: text in quotes; write: "2027-03-31":',
  ],
  [
    "a value whose key needs quotes",
    '"a: b": 2027-03-31',
    'line 1, column 9: Pulumi reads 2027-03-31 as a time, not as text, at the key a: b; allowed: text in quotes; write: "a: b": "2027-03-31"',
  ],
  [
    "a line that is too long to be shown",
    `${"a".repeat(290)}: 2027-03-31`,
    `line 1, column 293: ${"Pulumi reads 2027-03-31 as a time, not as text, at the key ".padEnd(300, "a")} … (49 more characters); allowed: text in quotes; write: undefined`,
  ],
  [
    "an octal number",
    "replicas: 010",
    `line 1, column 11: Pulumi reads 010 as the number 8, at the key replicas; ${inNumbers}; write: replicas: "010" # or, for a number: 8`,
  ],
  [
    "a binary number",
    "a: -0b101",
    `line 1, column 4: Pulumi reads -0b101 as the number -5, at the key a; ${inNumbers}; write: a: "-0b101" # or, for a number: -5`,
  ],
  [
    "a number in groups",
    "a: 1_000",
    `line 1, column 4: Pulumi reads 1_000 as the number 1000, at the key a; ${inNumbers}; write: a: "1_000" # or, for a number: 1000`,
  ],
  [
    "a number without end",
    "a: -.inf",
    'line 1, column 4: Pulumi reads -.inf as a number that JSON does not have, not as text, at the key a; allowed: text in quotes; write: a: "-.inf"',
  ],
  [
    "a tag",
    "a: !!binary aGk=",
    "line 1, column 13: Pulumi and this program do not read a tag alike, at the key a; allowed: values without a tag such as !!binary; write: the value without the tag, a text in quotes",
  ],
  [
    "what may be a secret, which is not shown",
    "password: 010",
    `line 1, column 11: Pulumi reads a value as another number; ${inNumbers}; write: the value in quotes`,
  ],
])("says where %s is", (_, text, expected) => {
  expect(told(text)).toEqual([expected]);
});

it.each([
  ["words in quotes", "a: '010'\nb: \"2027-03-31\"\nc: |\n  1_000\n"],
  [
    "numbers that are the same",
    "a: 10\nb: 0\nc: -3\nd: 0x1F\ne: 0o17\nf: 1.10\ng: 1e3\nh: .5\ni: +1\nj: 089\nl: 12345678901234567890\nk: 1.\n",
  ],
  [
    "words that only look so",
    "a: 2027-03\nb: 2027-03-31-1\nc: _1\nd: 1_000a\ne: 10.0.0.0/8\nf: v1.35.6\ng: 0b12\nh: 1:30\ni: 2027-13-31\nj: 2027-2-29\n",
  ],
  ["words of YAML 1.1 that are text in both", "a: yes\nb: off\nc: n\nd: null\ne: ~\nf: True\n"],
  ["tags that say what is there", "a: !!str 010\nb: !!map {c: d}\ne: !!seq [f]\n"],
])("says nothing of %s", (_, text) => {
  expect(told(text)).toEqual([]);
});

it("keeps how a number is written where a text is meant", () => {
  const read = readYaml("j: 1.10\nk: [1.5, 2.50, 12345678901234567890]\nl: 1.10\n", ([key]) => key !== "l");
  expect("problems" in read ? read.problems.map(({ write }) => write) : []).toEqual([
    'j: "1.10" # or, for a number: 1.1',
    '"2.50" # or, for a number: 2.5',
    '"12345678901234567890" # or, for a number: 12345678901234567000',
  ]);
});
