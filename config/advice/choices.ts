import { distance } from "fastest-levenshtein";

/** Choices that a text contains, as "Windows2022" does; a year is not a misspelling of another year. */
export function namedChoices(text: string, choices: readonly unknown[]): unknown[] {
  const named = choices.filter((choice) => /^\d+$/.test(String(choice)) && text.includes(String(choice)));
  // Of several, none is meant alone; a number is a choice as text, too.
  return new Set(named.map(String)).size === 1 ? named.slice(0, 1) : [];
}

export const closestChoice = (text: string, choices: readonly unknown[]): unknown[] =>
  choices
    .filter((choice) => !/^\d+$/.test(String(choice)))
    .map((choice) => ({ choice, far: distance(text.toLowerCase(), String(choice).toLowerCase()) }))
    // Two letters, or a quarter of a long word.
    .filter(({ far }) => far <= Math.max(2, text.length / 4))
    .sort((a, b) => a.far - b.far)
    .map(({ choice }) => choice);
