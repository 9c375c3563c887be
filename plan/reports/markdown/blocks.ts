import type { Block, Section } from "./budget";

/** The pieces of a report in Markdown, by their importance. */

/** Most important first. */
const tiers = [
  "overview",
  "failure",
  "author",
  "impact",
  "cost",
  "warning",
  "policy",
  "change",
  "node",
  "output",
  "plan",
] as const;

/** @param step - within its tier, smaller is worse; below a hundred */
export const block = (
  tier: (typeof tiers)[number],
  step: number,
  noun: string,
  text: () => string,
): Block => ({
  rank: tiers.indexOf(tier) * 100 + step,
  noun,
  text,
});

export const details = (summary: string, parts: readonly (Block | Section)[]): Section => ({
  open: `<details><summary>${summary}</summary>\n\n`,
  close: "</details>\n\n",
  parts,
});

export const section = (open: string, parts: readonly (Block | Section)[], close = "\n"): Section => ({
  open,
  close,
  parts,
});
