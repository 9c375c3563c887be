/** What a run of every day has time for; with CAPZ_WINDOWS_LIVES=all a run has all. */

export const isWholeRun = process.env.CAPZ_WINDOWS_LIVES === "all";

const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? 0);

/** Some in their order, other ones for each commit; all of them in a whole run. */
export const ofRun = <T>(all: readonly T[], count: number): readonly T[] =>
  isWholeRun
    ? all
    : all.filter((_, index) => (index + all.length - (seed % all.length)) % all.length < count);

/** Where a sequence begins of which a day has a part; with the first one in a whole run. */
export const beginsAt = (length: number, count: number): number =>
  isWholeRun ? 0 : seed % (length - count + 1);

/** Says among the skipped tests what this run leaves out. */
export function sayLeftOut(what: string, all: readonly string[], chosen: readonly string[] = []): void {
  const left = all.filter((each) => !chosen.includes(each));
  if (!isWholeRun && left.length > 0) {
    it.skip(`${left.length} of ${all.length} ${what} need CAPZ_WINDOWS_LIVES=all: ${left.join("; ")}`, () =>
      undefined);
  }
}
