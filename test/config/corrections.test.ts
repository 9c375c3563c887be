import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Alias, aliases } from "../../config/aliases";
import { touching } from "../../config/check";
import { choicesOf, nodeAt } from "../../config/jsonSchema";
import { loadSettings } from "../../config/load";
import { applyToText } from "../../config/stackText";
import { isWithin, type Path, pathText, type Step, targetsOf } from "../../config/steps";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { isThorough } from "capz-windows-test-kit/sample";
import { minimal, stackText } from "../support/stacks";
import { cases } from "./ruleCases";

/** What `plan --fix` writes solves its problem, makes no other one, and keeps what the author of the file meant. */

type Raw = Readonly<Record<string, unknown>>;

const configOf = (text: string): Raw => {
  const { config } = parse(text) as { config: Raw };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("capz-windows:", ""), value ?? ""]),
  );
};

function problemsOf(text: string): readonly Problem[] {
  try {
    loadSettings(configOf(text), "Pulumi.test.yaml");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

type Word = readonly [path: Path, text: string];

const switches: Readonly<Record<string, string>> = { yes: "true", on: "true", no: "false", off: "false" };

/** The values below a path. Their forms are no difference: a list is its items, a text its words, and a number is a text. */
function valuesIn(value: unknown, path: Path = []): Word[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, inner]) => valuesIn(inner, [...path, key]));
  }
  const items = Array.isArray(value) ? value : [value ?? ""];
  return items.flatMap((item, index) =>
    isRecord(item)
      ? valuesIn(item, [...path, index])
      : String(item)
          .toLowerCase()
          .split(/[\s,;]+/)
          .filter((word) => word !== "")
          .map((word): Word => [path, switches[word] ?? word]),
  );
}

/** Where a value is after a step. */
const moved = (path: Path, step: Step): Path =>
  "move" in step && isWithin(path, step.move) ? [...step.to, ...path.slice(step.move.length)] : path;

const linesOf = (values: readonly Word[]): string[] =>
  values.map(([path, text]) => `${pathText(path)}: ${text}`).sort();

/** Who reaches the cluster, with which identity, where it is, how many machines there are, and what is deleted. */
const decisive =
  /^(access|azure|clusterName|namespace|protect|management)\b|^network\.(apiServer|existing|outbound|bastion|peerings|vnetCidr)\b|identity|authentication|encryption|\.(replicas|autoscale|zones|kind|spot|deletion)\b/i;

const targets = new Set(aliases.map(({ to }) => to.split(".").at(-1)));

/** Whether a step takes what decides to another section of the file, where aliases.ts does not know the key. */
function strays(step: Step): boolean {
  const isAcross = "move" in step && step.move.length > 1 && step.move[0] !== step.to[0];
  return isAcross && decisive.test(pathText(step.to)) && !targets.has(String(step.to.at(-1)));
}

/** What is wrong about the corrections of a stack file. */
function faultsIn(text: string): string[] {
  const before = problemsOf(text);
  const known = before.map(({ path, problem }) => `${path}: ${problem}`);
  return before
    .filter(({ fix }) => fix !== undefined)
    .flatMap(({ path, problem, fix = [] }) => {
      const after = applyToText(text, fix) ?? "config: {}";
      const left = problemsOf(after);
      // What was not read under its wrong name may be wrong, too, or too little.
      const isMoved = (at: string): boolean =>
        touching(targetsOf(fix).map((target) => pathText(target.length > 1 ? target.slice(0, -1) : target)))(
          at,
        );
      const meant = valuesIn(configOf(text)).map(([at, word]): Word => [fix.reduce(moved, at), word]);
      const faults = [
        ...left.filter((one) => one.path === path && one.problem === problem).map(() => "is still there"),
        ...left
          .filter((one) => !known.includes(`${one.path}: ${one.problem}`) && !isMoved(one.path))
          .map((one) => `leads to ${one.path}: ${one.problem}`),
        ...fix.filter(strays).map(() => "is about something else"),
        ...(linesOf(valuesIn(configOf(after))).join() === linesOf(meant).join() ? [] : ["changes a value"]),
      ];
      return faults.map((fault) => `${path}: ${problem} ${fault}: ${JSON.stringify(fix)}`);
    });
}

/** A part of the corpora, each time the same; in CI all. */
const part = <T>(all: readonly T[]): T[] => all.filter((_, index) => isThorough || index % 6 === 0);

/** Configs that a line each of a file has, without some keys of the smallest config. */
const linesIn = (file: string, line: RegExp): Raw[] =>
  [...readFileSync(join(__dirname, file), "utf8").matchAll(line)].map(([, without = "", text = ""]) => ({
    ...Object.fromEntries(Object.entries(minimal()).filter(([key]) => !without.split(", ").includes(key))),
    ...(parse(text.startsWith("{") ? text : `{ ${text} }`) as Raw),
  }));

it.each<[string, readonly Raw[]]>([
  ["of the rules", cases.map(([, wrong]) => ({ ...minimal(), ...wrong }))],
  ["of people who know other tools", linesIn("elsewhere.txt", /^(?:without (.*)\n)?- (.*)$/gm)],
])("the files %s", (_what, files) => {
  expect(files.length).toBeGreaterThan(30);
  expect(part(files.map(stackText)).flatMap(faultsIn)).toEqual([]);
});

it("the files that only their authors can correct stay as they are", () => {
  const questions = linesIn("questions.txt", /^(?:without (.*?): )?(\{.*)$/gm).map(stackText);
  expect(questions.length).toBeGreaterThan(200);
  const isFixed = (text: string): boolean => problemsOf(text).some(({ fix }) => fix !== undefined);
  expect(part(questions).filter(isFixed)).toEqual([]);
});

/** Files with a name of an alias in each of its mappings, with a value that the key may have. */
function filesOf({ to, names, in: places = [to.split(".").slice(0, -1).join(".")] as never }: Alias): Raw[] {
  const pathOf = (place: string): Path => {
    const keys = place.replace(/^pool\b/, "windowsPools.any").split(".");
    return keys.filter((key) => key !== "").map((key) => ({ "*": "any", "#": 0 })[key] ?? key);
  };
  const node = nodeAt(pathOf(to)) ?? {};
  const fitting = node.examples?.[0] ?? choicesOf(node)[0] ?? node.minimum ?? node.default ?? {};
  const around = (inner: unknown, key: PropertyKey): unknown => (key === 0 ? [inner] : { [key]: inner });
  const fileOf = (path: Path): Raw => ({ ...minimal(), ...(path.reduceRight(around, fitting) as Raw) });
  return places.flatMap((place) => names.map((name) => fileOf([...pathOf(place), name])));
}

it("the files with a name of another tool", () => {
  expect(part(aliases.flatMap(filesOf).map(stackText)).flatMap(faultsIn)).toEqual([]);
});
