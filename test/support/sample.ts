/** How many random stack files are planned and checked: CAPZ_WINDOWS_SAMPLE, which `.ci/run` raises. */
export const sampleSize = Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2);

/** Whether tests of thousands of combinations check all of them, as in CI, and not a part to save time. */
export const isThorough = sampleSize > 2 || process.env.CI === "true";

/** A test that takes so long that only CI runs it. */
export const inCi = (...test: Parameters<jest.It>): void => {
  (isThorough ? it : it.skip)(...test);
};
