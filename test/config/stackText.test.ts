import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  isMap,
  isNode,
  isScalar,
  type Node,
  parse,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
} from "yaml";
import { checkConfig } from "../../config/check";
import { applyEach, applyToText } from "../../config/stackText";
import { type Path, type Step, targetsOf } from "../../config/steps";
import { configOf, mistakesIn, namesOf } from "../support/mistakes";
import { isThorough } from "capz-windows-test-kit/sample";
import { minimal, projectDir } from "../support/stacks";

/** A correction changes the lines of the correction, and no others. */

const configIn = (text: string): Record<string, unknown> => {
  const { config } = parse(text) as { config: Record<string, unknown> };
  const own = Object.entries(config).filter(([key]) => !key.includes(":") || key.startsWith("capz-windows:"));
  return Object.fromEntries(own.map(([key, value]) => [key.replace("capz-windows:", ""), value]));
};

/** A text after all corrections of one round. */
const corrected = (text: string): string =>
  checkConfig(configIn(text)).schema.reduce((own, { fix }) => (fix && applyToText(own, fix)) ?? own, text);

const stacks = ["dev", "everything", "hub-spoke", "pools", "private"];

/** One value of several, chosen by fast-check. */
const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const lineEnds = oneOf<(text: string) => string>([(text) => text, (text) => text.replaceAll("\n", "\r\n")]);

/** Texts of examples, and the same with a wrong name of one key. */
const renamed = stacks.flatMap((stack) => {
  const text = readFileSync(join(projectDir, "examples", `Pulumi.${stack}.yaml`), "utf8");
  return [...text.matchAll(/(?<=^ +(?:capz-windows:)?|[{,] )[a-z][A-Za-z]{4,}(?=:)/gm)].flatMap((match) =>
    namesOf(match[0], match.index)
      .filter(([, name]) => name !== match[0])
      .map(([, name]) => {
        const wrong = `${text.slice(0, match.index)}${name}${text.slice(match.index + match[0].length)}`;
        return { text, wrong };
      }),
  );
});

it("a name that is corrected gives the file as it was, to the byte", () => {
  expect(renamed.length).toBeGreaterThan(1000);
  let count = 0;
  fc.assert(
    fc.property(oneOf(renamed), lineEnds, ({ text, wrong }, withEnds) => {
      const after = corrected(withEnds(wrong));
      count += after === withEnds(text) ? 1 : 0;
      expect([withEnds(text), withEnds(wrong)]).toContain(after);
    }),
    { seed: 57, numRuns: isThorough ? 150 : 30 },
  );
  expect(count).toBeGreaterThan(isThorough ? 100 : 20);
});

/** A config as somebody writes it who has another style: four blanks, single quotes, wide colons, a comment in each line. */
function oddText(config: object): string {
  const own = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [`capz-windows:${key}`, value]),
  );
  let count = 0;
  return stringify({ config: own }, { indent: 4, singleQuote: true, lineWidth: 0 }).replace(
    /(?<=^ +(?:- )?[\w:-]+):(?: ([^\s|>].*))?$/gm,
    (_, value = "") => `:   ${value}   #  ${(count += 1)}`,
  );
}

const keysOf = ([first, ...rest]: Path): Path => ["config", `capz-windows:${String(first)}`, ...rest];

/** The lines that a part of a text touches. */
const linesBetween = (text: string, start: number, end: number): string[] =>
  text
    .split("\n")
    .slice(text.slice(0, start).split("\n").length - 1, text.slice(0, end).trimEnd().split("\n").length);

/** The lines of the key that a step is about, with its value, and of an empty mapping that it fills. */
function ownLines(text: string, step: Step): string[] {
  const document = parseDocument(text);
  const path = keysOf("move" in step ? step.move : (targetsOf([step])[0] ?? []));
  const pairs = (document.getIn(path.slice(0, -1)) as YAMLMap<Scalar, Node | null>).items;
  const pair = pairs.find(({ key }) => String(key.value) === String(path.at(-1)));
  const start = pair?.key.range?.[0] ?? 0;
  const own = linesBetween(text, start, pair?.value?.range?.[1] ?? start);
  const to = "to" in step ? keysOf(step.to) : [];
  const emptied = to.flatMap((_, index) => {
    const node = document.getIn(to.slice(0, index), true);
    const [from = 0, end = 0] = isNode(node) ? (node.range ?? []) : [];
    return isScalar(node) || (isMap(node) && node.flow === true) ? linesBetween(text, from, end) : [];
  });
  return [...own, ...emptied];
}

const mistakes = stacks.map(configOf).flatMap(mistakesIn);

it("a key or a value that is corrected leaves the lines of others, to the byte", () => {
  let count = 0;
  fc.assert(
    fc.property(oneOf(mistakes), lineEnds, ({ wrong }, withEnds) => {
      const before = withEnds(oddText(wrong));
      for (const { fix = [] } of checkConfig(configIn(before)).schema.slice(0, 2)) {
        const after = applyToText(before, fix) ?? before;
        const own = fix.flatMap((step) => ownLines(before, step));
        const others = before.split("\n").filter((line) => !own.includes(line));
        const kept = after.split("\n").filter((line) => others.includes(line));
        expect(kept).toEqual(others);
        count += after === before ? 0 : 1;
      }
    }),
    { seed: 57, numRuns: isThorough ? 200 : 40 },
  );
  expect(count).toBeGreaterThan(isThorough ? 120 : 20);
});

describe("a stack file", () => {
  const text = `# Ours.
config:
  capz-windows:windowsPools:
    win1:
      # How many.
      count: 2 # two
      zones: "1, 2"
  capz-windows:podCidr: 192.168.0.0/16
`;

  it("is corrected in its text, with its comments", () => {
    const config = parse(text.replaceAll("capz-windows:", "")) as { config: Record<string, unknown> };
    const { schema } = checkConfig({ ...minimal(), ...config.config });
    expect(
      applyToText(
        text,
        schema.flatMap(({ fix = [] }) => fix),
      ),
    ).toBe(`# Ours.
config:
  capz-windows:windowsPools:
    win1:
      # How many.
      replicas: 2 # two
      zones: ["1", "2"]
  capz-windows:network:
    podCidr: 192.168.0.0/16
`);
  });

  it.each<[string, string, Path, Path, string]>([
    [
      "behind the dash of a list",
      "a:\n  - b: 1 # c\n    d: 2\n",
      ["a", 0, "b"],
      ["e"],
      "a:\n  - d: 2\ncapz-windows:e: 1 # c\n",
    ],
    [
      "alone in its mapping",
      "a:\n  b: 1 # c\nd: 2\n",
      ["a", "b"],
      ["e"],
      "a: {}\nd: 2\ncapz-windows:e: 1 # c\n",
    ],
    ["alone between braces", "a: { b: 1 } # c\n", ["a", "b"], ["e"], "a: {} # c\ncapz-windows:e: 1\n"],
    ["last between braces", "a: { d: 2, 'b': 1 }\n", ["a", "b"], ["e"], "a: { d: 2 }\n'capz-windows:e': 1\n"],
    ["for a mapping with braces", "b: 1 # c\na: {d: 2}\n", ["b"], ["a", "b"], " # c\na: {d: 2, b: 1}\n"],
    ["for null", "a: ~ # c\nb: '1'\n", ["b"], ["a", "d", "e"], 'a: { d: {e: "1"} } # c\n'],
    [
      "of several lines",
      "a:\n    b: |\n      x\n\n        y\n    d: 2\ne:\n f: 3",
      ["a", "b"],
      ["e", "b"],
      "a:\n    d: 2\ne:\n f: 3\n b: |\n   x\n\n     y",
    ],
  ])("has the moved key %s", (_what, before, move, to, after) => {
    const inConfig = (text: string): string => `config:\n${text.replace(/^(?=.)/gm, "  ")}`;
    expect(applyToText(inConfig(before), [{ move, to }])).toBe(inConfig(after));
  });

  it.each<[string, string, Step]>([
    ["without the key", "config: {}\n", { move: ["a"], to: ["b"] }],
    ["whose target exists", "config: {a: 1, b: 2}\n", { move: ["a"], to: ["b"] }],
    ["with an alias", "config: {a: &x 1, c: *x}\n", { move: ["a"], to: ["b"] }],
    ["that is no YAML", "config: {a: 1\n", { move: ["a"], to: ["b"] }],
  ])("%s stays as it is", (_what, own, step) => {
    expect(applyToText(own, [step])).toBeUndefined();
  });
});

it("many fixes on one reading give what they give one after the other, and each says whether it was applied", () => {
  const dev = readFileSync(join(projectDir, "examples/Pulumi.dev.yaml"), "utf8");
  const pool = (index: number): string =>
    `    w${index}:\n      ${index % 2 === 0 ? "replica: 1" : 'replicas: "1"'} # ${index}\n`;
  const pools = Array.from({ length: 40 }, (_, index) => pool(index)).join("");
  const moved = ["osDiskGB: 200", "vmSize: Standard_D4s_v5", "maxPods: 40"]
    .map((line) => `  capz-windows:windowsPools.w0.${line}\n`)
    .join("");
  const text = dev.replace(/ {2}capz-windows:windowsPools:\n/, `${moved}$&${pools}`);
  const fixes = checkConfig(configIn(text)).schema.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  expect(fixes.length).toBeGreaterThan(40);
  const { text: after, applied } = applyEach(text, fixes);
  expect(after).toBe(corrected(text));
  expect(fixes.filter((fix) => !applied.has(fix))).toEqual([]);
  const unknown: readonly Step[] = [{ set: ["noSuchKey"], value: 1 }];
  const some = applyEach(text, [unknown, ...fixes.slice(0, 2)]);
  expect([...some.applied]).toEqual(fixes.slice(0, 2));
  // Two values for one key: the first one counts, and the second one is written after it.
  const [first, second] = [1, 2].map((value): Step[] => [{ set: ["clusterName"], value }]);
  expect(applyEach(dev, [first!, second!]).text).toContain("capz-windows:clusterName: 2");
  const aliases = `${dev}x: &a 1\ny: *a\n`;
  expect(applyEach(aliases, [first!])).toEqual({ text: aliases, applied: new Set() });
});
