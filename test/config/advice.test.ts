import fc from "fast-check";
import {
  faults,
  faultsAtOnce,
  follow,
  foundIn,
  isHidden,
  problemsOfText,
  stackText,
} from "../support/advice";
import { wrongConfig } from "../support/wrongConfigs";
import { cases } from "./ruleCases";
import { isThorough } from "../support/sample";
import { minimal } from "../support/stacks";

/** The advice of every report solves its problem and causes no other one. */

it.each(cases)("the advice about %s", (_what, wrong) => {
  const text = stackText({ ...minimal(), ...wrong });
  expect(problemsOfText(text)).not.toEqual([]);
  expect(faults(text)).toEqual([]);
});

/** More rounds than a file has mistakes; each round solves one problem. */
const rounds = 40;

/** The problems that remain after the first advice of each report has been followed, again and again. */
function leftAfterAll(text: string): readonly string[] {
  let current = text;
  for (let round = 0; round < rounds; round++) {
    const [first] = problemsOfText(current);
    if (first === undefined) {
      return [];
    }
    if (isHidden(first)) {
      return [];
    }
    current = follow(current, first);
  }
  return problemsOfText(current).map(({ path, write }) => `${path}: ${write}`);
}

const files = isThorough ? 250 : 25;

describe(`${files} generated files with mistakes`, () => {
  const texts = fc.sample(wrongConfig, { numRuns: files, seed: 20261122 }).map(stackText);

  it("have problems that are each solved by their own advice", () => {
    expect(texts.filter((text) => foundIn(text).length > 0).length).toBeGreaterThan(0.8 * files);
    expect(texts.flatMap(faults)).toEqual([]);
  });

  it("are valid after all advice of the first report, except for a few that need a second report", () => {
    // Two pieces of advice that are each correct may still conflict, such as by choosing the same free range, or a
    // version and an image for another one, or subnets of pools in a VNET that then has no room for them.
    expect(texts.flatMap(faultsAtOnce).slice(Math.ceil(files * 0.02))).toEqual([]);
  });

  it("are valid after all advice", () => {
    expect(texts.slice(0, files / 8).flatMap(leftAfterAll)).toEqual([]);
  });
});
