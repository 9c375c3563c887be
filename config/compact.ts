/** The items of a list whose condition is met, as in `compact([isEmpty && problem])`. */
export const compact = <T extends object>(items: readonly (T | false | undefined)[]): T[] =>
  items.filter((item): item is T => item !== false && item !== undefined);
