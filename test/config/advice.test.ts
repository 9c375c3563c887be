import fc from "fast-check";
import { faults, faultsAtOnce, follow, foundIn, problemsOfText, stackText } from "../support/advice";
import { wrongConfig } from "../support/wrongConfigs";
import { allCases } from "./allCases";
import { minimal } from "../support/stacks";

/** Whatever a report says, doing what it says ends the problem and makes no other one. */

it.each(allCases)("the advice about %s", (_what, wrong) => {
  const text = stackText({ ...minimal(), ...wrong });
  expect(problemsOfText(text)).not.toEqual([]);
  expect(faults(text)).toEqual([]);
});

/** More than the mistakes of a file; a round ends one problem. */
const rounds = 40;

/** The problems that are left when a user follows the first advice again and again. */
function leftAfterAll(text: string): readonly string[] {
  let current = text;
  for (let round = 0; round < rounds; round++) {
    const [first] = problemsOfText(current);
    if (first === undefined) {
      return [];
    }
    if (first.write.includes("(not shown)")) {
      return [];
    }
    current = follow(current, first);
  }
  return problemsOfText(current).map(({ path, write }) => `${path}: ${write}`);
}

/** 100 files, and 500 with the sample of `.ci/run`. */
const files = Math.min(500, 50 * Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2));

describe(`${files} generated files with mistakes`, () => {
  const texts = fc.sample(wrongConfig, { numRuns: files, seed: 20261122 }).map(stackText);

  it("have problems, each of which ends by its advice alone", () => {
    expect(texts.filter((text) => foundIn(text).length > 0).length).toBeGreaterThan(0.8 * files);
    expect(texts.flatMap(faults)).toEqual([]);
  });

  it("are right when all advice of the first report is followed at once, but for a few that need a second one", () => {
    // Each advice is right for a file in which the others are followed; two that are chosen for one another may still meet
    // in the same free range, or in a version and the image for it.
    expect(texts.flatMap(faultsAtOnce).slice(Math.ceil(files * 0.03))).toEqual([]);
  });

  it("are right after all advice", () => {
    expect(texts.slice(0, files / 8).flatMap(leftAfterAll)).toEqual([]);
  });
});
