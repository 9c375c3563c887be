/** One thing that is broken on purpose. Its text occurs exactly once in the file. */
export interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What would go wrong with it. */
  readonly breaks: string;
}

type Change = readonly [from: string, to: string, breaks: string];

export const inFile = (file: string, changes: readonly Change[]): Mutant[] =>
  changes.map(([from, to, breaks]) => ({ file, from, to, breaks }));
