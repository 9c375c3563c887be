/** A list without the elements whose condition does not hold: `present(first, isSecond && second)`. */
export const present = <T>(...elements: readonly (T | false | undefined)[]): T[] =>
  elements.filter((element): element is T => element !== undefined && element !== false);
