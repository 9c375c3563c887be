import { parseSync } from "@swc/core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/stacks";
import { mutants, mutated } from "./mutants";

/** What `npm run mutate` breaks on purpose; whether tests notice is for that script to find out. */

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");

it("every mutant still fits the program: its text occurs exactly once", () => {
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

it("every mutant is a program: no test dies of its syntax", () => {
  for (const mutant of mutants.filter(({ file }) => file.endsWith(".ts"))) {
    expect(() => parseSync(mutated(mutant, read(mutant.file)), { syntax: "typescript" })).not.toThrow();
  }
});

it("there are at least 60, and none is there twice", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mutants.map(({ file, from }) => `${file} ${from}`)).size).toBe(mutants.length);
});
