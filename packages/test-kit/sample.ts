import { isThorough } from "./thorough.js";

/** How many random stack files are planned and checked: CAPZ_WINDOWS_SAMPLE, which `.ci/run` raises. */
export const sampleSize = Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2);

export { isThorough };

const { CAPZ_WINDOWS_SEED: seed = "0", CAPZ_WINDOWS_LIVES: lives } = process.env;

/** Whether it is the turn of a case in this run: of so many turns one, another for each commit; of all with CAPZ_WINDOWS_LIVES=all. */
export const isItsTurn = (index: number, turns: number): boolean =>
  lives === "all" || index % turns === Number(seed) % turns;

/** A test that takes so long that only CI runs it. */
export const inCi = (...test: Parameters<jest.It>): void => {
  (isThorough ? it : it.skip)(...test);
};
