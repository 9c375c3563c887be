import { parseSync } from "@swc/core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/stacks";
import { mutants, mutated } from "./mutants";

/** The mutants of `npm run mutate`. Whether tests notice them is determined by that script. */

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");

it("the text of every mutant occurs exactly once in the program", () => {
  const wrong = mutants
    .map(({ file, from, to }) => ({
      file,
      from,
      found: read(file).split(from).length - 1,
      same: from === to,
    }))
    .filter(({ found, same }) => found !== 1 || same);
  expect(wrong).toEqual([]);
});

it("every mutant has valid syntax", () => {
  for (const mutant of mutants.filter(({ file }) => file.endsWith(".ts"))) {
    expect(() => parseSync(mutated(mutant, read(mutant.file)), { syntax: "typescript" })).not.toThrow();
  }
});

it("there are at least 60, and none is duplicated", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mutants.map(({ file, from }) => `${file} ${from}`)).size).toBe(mutants.length);
});
