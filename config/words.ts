import { memoize } from "../tools/memoize";

/** The words of a name, in lowercase. An unknown key is compared with all names of the schema. */
export const wordsOf = memoize((name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.\s]+/),
);

/** Normalizes a name for comparison: case, hyphens, underscores, dots and spaces are ignored. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[-_. ]/g, "");
