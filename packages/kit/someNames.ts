import { formatCount } from "./problem";

/** "a, b and 1,000 others": the first names of a list that may be long. */
export const someNames = (names: readonly string[], most: number): string =>
  names.length <= most + 1
    ? names.join(", ")
    : `${names.slice(0, most).join(", ")} and ${formatCount(names.length - most)} others`;
