import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { loadSettings } from "../../config/load";
import { ConfigError } from "../../tools/problem";
import { follow, isHidden, problemsOfText } from "../support/advice";
import { isThorough } from "../support/sample";
import { configOf, damaged, damages, withAnchors, type Damaged } from "../support/damagedStacks";

/**
 * Whoever follows the advice about a damaged stack file to the letter gets the cluster that was meant, or has another problem
 * to think about: never another cluster. `CAPZ_WINDOWS_DAMAGED` is a number of files,
 * `CAPZ_WINDOWS_DAMAGED_SEED` chooses others: about one of 700 with several mistakes at once still fails. Without it the files
 * are the same for every commit, so that none is judged by advice that it did not change.
 */

const files = Number(process.env.CAPZ_WINDOWS_DAMAGED ?? (isThorough ? 300 : 40));

const settingsOf = (config: Readonly<Record<string, unknown>>): unknown => {
  try {
    return loadSettings(config, "test").settings;
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
};

/** The values in which two settings differ. */
function difference(one: unknown, other: unknown, path = ""): string[] {
  if (isDeepStrictEqual(one, other)) {
    return [];
  }
  const isBoth = [one, other].every((value) => typeof value === "object" && value !== null);
  return isBoth
    ? [...new Set([...Object.keys(one as object), ...Object.keys(other as object)])].flatMap((key) =>
        difference(
          (one as Record<string, unknown>)[key],
          (other as Record<string, unknown>)[key],
          `${path}.${key}`,
        ),
      )
    : [`differs: ${path} ${JSON.stringify(one)} became ${JSON.stringify(other)}`];
}

/** More than a file has mistakes. */
const rounds = 60;

type End = { readonly end: "meant" | "asks" } | { readonly end: "another"; readonly steps: string };

function endOf({ right, wrong }: Damaged): End {
  const expected = settingsOf(right);
  const yaml = withAnchors(wrong);
  let text = JSON.stringify({ config: configOf(yaml) });
  const steps: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const [first] = problemsOfText(text);
    if (first === undefined) {
      const { config } = JSON.parse(text) as { config: Record<string, unknown> };
      const after = settingsOf(
        Object.fromEntries(
          Object.entries(config).map(([key, value]) => [key.replace("capz-windows:", ""), value]),
        ),
      );
      return isDeepStrictEqual(JSON.parse(JSON.stringify(after)), JSON.parse(JSON.stringify(expected)))
        ? { end: "meant" }
        : {
            end: "another",
            steps: [
              ...steps,
              difference(expected, after).join("\n"),
              process.env.CAPZ_WINDOWS_DAMAGED === undefined ? "" : yaml,
            ].join("\n"),
          };
    }
    if (isHidden(first) || /[<>]/.test(first.write)) {
      return { end: "asks" };
    }
    steps.push(`${first.path}: ${first.problem}\n  write ${first.write}`);
    try {
      text = follow(text, first);
    } catch (error) {
      return { end: "another", steps: [yaml, ...steps, String(error)].join("\n") };
    }
  }
  return { end: "asks" };
}

const chosen = fc
  .sample(damaged, { numRuns: files, seed: Number(process.env.CAPZ_WINDOWS_DAMAGED_SEED ?? 28) })
  .filter(({ names, right }) => names.length > 0 && settingsOf(right) !== undefined);
const ends = chosen.map((one) => ({ names: one.names, ...endOf(one) }));

it.each(Object.keys(damages))("%s never leads to another cluster", (name) => {
  const own = ends.filter(({ names }) => names.at(-1) === name);
  expect(own.length).toBeGreaterThan(files < 300 ? -1 : 0);
  expect(
    own.flatMap((one) => (one.end === "another" ? [`${one.names.join(", ")}\n${one.steps}`] : [])),
  ).toEqual([]);
});

it("most advice leads to the cluster that was meant", () => {
  const meant = ends.filter(({ end }) => end === "meant").length;
  expect(meant / ends.length).toBeGreaterThan(0.6);
});
