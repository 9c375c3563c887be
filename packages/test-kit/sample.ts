import { isThorough } from "./thorough.js";

/** How many random stack files are planned and checked: CAPZ_WINDOWS_SAMPLE, which `.ci/run` raises. */
export const sampleSize = Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2);

export { isThorough };

/** A test that takes so long that only CI runs it. */
export const inCi = (...test: Parameters<jest.It>): void => {
  (isThorough ? it : it.skip)(...test);
};
