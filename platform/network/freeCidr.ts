import type { Cidr } from "./addressing";
import { cidrSize, contains, formatCidr, mustParseCidr, overlaps, privateCidrs } from "./addressing";

/** The first network of a prefix length, inside another network, that overlaps none of the taken ones. */
export function freeInside(outer: string, prefix: number, taken: readonly string[]): string | undefined {
  const whole = mustParseCidr(outer);
  const others = taken.map(mustParseCidr);
  const size = 2 ** (32 - prefix);
  let candidate: Cidr = { first: whole.first, prefix };
  while (contains(whole, candidate)) {
    const found = candidate;
    const other = others.find((one) => overlaps(one, found));
    if (other === undefined) {
      return formatCidr(found);
    }
    candidate = { first: Math.ceil((other.first + cidrSize(other)) / size) * size, prefix };
  }
  return undefined;
}

/**
 * A private network that overlaps none of the taken ones: the preferred one if it is free, otherwise one of the wanted
 * prefix length, otherwise a smaller one.
 */
export function freeCidr(preferred: string, prefix: number, taken: readonly string[]): string {
  const others = taken.map(mustParseCidr);
  const isFree = (text: string): boolean => !others.some((other) => overlaps(other, mustParseCidr(text)));
  if (isFree(preferred)) {
    return preferred;
  }
  for (let length = prefix; length <= 24; length++) {
    for (const outer of privateCidrs) {
      const found = length < mustParseCidr(outer).prefix ? undefined : freeInside(outer, length, taken);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return preferred;
}
