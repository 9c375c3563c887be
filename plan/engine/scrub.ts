import type { Value } from "./values";
import { Dependent, Secret, reveal, secretText, walk } from "./values";

/** Shorter ones stand in any text, and blotting them out would hide nothing. The CLI draws the line here too. */
const shortestConfig = 3;
/** Texts within secret values are often harmless words; a credential is longer. */
const shortestValue = 8;

function textsIn(value: unknown, shortest: number): string[] {
  if (typeof value === "string") {
    // Multi-line secrets appear line by line, for instance in a stack trace.
    return [value, ...value.split("\n")].map((text) => text.trim()).filter((text) => text.length >= shortest);
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((inner) => textsIn(inner, shortest))
    : [];
}

function configTexts(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return [...textsIn(value, shortestConfig), ...textsIn(parsed, shortestConfig)];
  } catch {
    return textsIn(value, shortestConfig);
  }
}

/**
 * Blots secrets out of free text: a program may put one into an error message.
 * @param config values of secret config keys
 * @param values everything recorded, in which secrets are marked
 */
export function scrubber(config: readonly string[], values: readonly Value[]): (text: string) => string {
  const found = new Set(config.flatMap(configTexts));
  for (const recorded of values) {
    walk(recorded, (value) => {
      if (value instanceof Secret || (value instanceof Dependent && value.value instanceof Secret)) {
        textsIn(reveal(value), shortestValue).forEach((text) => found.add(text));
      }
    });
  }
  // The longest first: a part of a secret that stands alone must not break up the whole.
  const secrets = [...found].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, secretText), text);
}
