import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { subjects } from "capz-windows-doctor/rules/allRules";
import { isThorough } from "capz-windows-test-kit/sample";
import { hostileTexts, stepsOf } from "./patternSteps";

/** Whoever may write an Event writes what the doctor's patterns are tried on. */

const ofKnowledge = subjects.flatMap(({ rules }) =>
  rules.flatMap(({ id, ...rule }) =>
    (["text", "reason", "pods", "type"] as const).flatMap((key) => {
      const value = rule[key];
      return value instanceof RegExp ? [{ where: `${id}, ${key}`, pattern: value }] : [];
    }),
  ),
);

/** The patterns that stand in a file of the program. */
function patternsIn(path: string): { where: string; pattern: RegExp }[] {
  const found: { where: string; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    const [, source, flags] = ts.isRegularExpressionLiteral(node)
      ? (/^\/([^]+)\/([a-z]*)$/.exec(node.text) ?? [])
      : [];
    if (source !== undefined) {
      found.push({ where: path, pattern: new RegExp(source, flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

/** The files of the package, without its tests. */
const filesBelow = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !/^(?:test|node_modules)$/.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)],
    );

const ofCode = filesBelow(join(__dirname, ".."))
  .filter((path) => path.endsWith(".ts"))
  .flatMap(patternsIn);

const length = 400;
/** As many as a search makes that begins at each character and looks at the rest, with a few options. */
const most = 250 * length;

/** The texts on which a search makes more steps. */
const slowOn = (pattern: RegExp): string[] =>
  hostileTexts(pattern, length).filter((text) => stepsOf(pattern, text, most) > most);

it.each([
  /hcsshim::\w*Layer\w*[^]*specified/i,
  /(?<why>.*can't remediate.*(?:the only|replicas).*)/,
  /\w*[Dd]elegations?\w*(?:CannotChange|Missing)\w*/,
  /(?:\\\\\w+\.[^]*?)?Smb[^]*denied/,
])("%s makes too many steps", (pattern) => {
  expect(slowOn(pattern).length).toBeGreaterThan(0);
});

it.each([/^(?<why>.*can't remediate.*)/m, /hcsshim::[^]*denied/, /(?<![\w.-])(?<name>[\w.-]+)-azure-json/])(
  "%s makes few",
  (pattern) => {
    expect(slowOn(pattern)).toEqual([]);
  },
);

it("counts as many steps as a text has characters for a pattern without repetition", () => {
  expect(stepsOf(/b/, "a".repeat(length), most)).toBe(length + 1);
  // From each of 11 places on: to the end, and back.
  expect(stepsOf(/a+b/, "a".repeat(10), most)).toBe(11 * 11);
});

it.each([/ab|c{2,3}?(?=d)/, /(?<!x)(?:c|xc)+d$/, /\bxx\w*?d/i])("stops at a match of %s", (pattern) => {
  expect(pattern.test("xxccd")).toBe(true);
  expect(stepsOf(pattern, `xxccd`, most)).toBeLessThan(30);
});

it("no pattern of the doctor needs more than the square of the length of a message", () => {
  const all = [...ofKnowledge, ...ofCode];
  expect(all.length).toBeGreaterThan(350);
  const some = all.filter((_, index) => isThorough || index % 6 === 0);
  expect(
    some.flatMap(({ where, pattern }) =>
      slowOn(pattern)
        .slice(0, 1)
        .map((text) => `${where}: ${pattern.source} on ${text.slice(0, 60)}`),
    ),
  ).toEqual([]);
});
