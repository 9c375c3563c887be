import { cidrSize, parseCidr } from "capz-windows-platform/network/addressing";

/** Long lists of ranges in the order of addresses: a proof looks for each of thousands of addresses in thousands of ranges. */

/** First and last address of a range or of one address; nothing for other texts, such as service tags and IPv6. */
export function boundsOf(text: string): readonly [first: number, last: number] | undefined {
  const cidr = parseCidr(text.includes("/") ? text : `${text}/32`);
  return cidr && [cidr.first, cidr.first + cidrSize(cidr) - 1];
}

/** How many numbers of an ascending list are at most a limit. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Computes once for each object, which must never change. */
export function once<Of extends object, T>(compute: (object: Of) => T): (object: Of) => T {
  const known = new WeakMap<Of, T>();
  return (object) => {
    const found = known.get(object) ?? compute(object);
    known.set(object, found);
    return found;
  };
}

/** The ranges by their first addresses, with the last address of all ranges up to each, and the texts that are no ranges. */
const sortedRanges = once((texts: readonly string[]) => {
  const ranges = texts.map(boundsOf).filter((bounds) => bounds !== undefined);
  ranges.sort(([a], [b]) => a - b);
  let last = -1;
  return {
    firsts: ranges.map(([first]) => first),
    lasts: ranges.map(([, end]) => (last = Math.max(last, end))),
    others: texts.filter((text) => boundsOf(text) === undefined),
  };
});

export const isInside = (ranges: readonly string[], address: number): boolean => {
  const { firsts, lasts } = sortedRanges(ranges);
  return (lasts[countUpTo(firsts, address) - 1] ?? -1) >= address;
};

/** Texts of a list that are no ranges of IPv4, such as service tags. */
export const tagsIn = (prefixes: readonly string[]): readonly string[] => sortedRanges(prefixes).others;

/** Where ranges begin and end, in the order of addresses, with the places that they have in the list. */
const sortedCuts = once((prefixes: readonly string[]) => {
  const cuts = prefixes
    .flatMap((prefix) => {
      const bounds = boundsOf(prefix);
      return bounds === undefined ? [] : [bounds[0], bounds[1] + 1];
    })
    .map((at, place) => ({ at, place }))
    .sort((a, b) => a.at - b.at);
  return { cuts, addresses: cuts.map(({ at }) => at) };
});

/** The addresses of ranges at which any of the given prefixes begins or ends: between two, all are alike. */
export function samples(cidrs: readonly string[], ...lists: readonly (readonly string[])[]): number[] {
  const inside = (prefixes: readonly string[], [first, last]: readonly [number, number]): number[] => {
    const { cuts, addresses } = sortedCuts(prefixes);
    return cuts
      .slice(countUpTo(addresses, first), countUpTo(addresses, last))
      .sort((a, b) => a.place - b.place)
      .map(({ at }) => at);
  };
  const found = cidrs.flatMap((cidr) => {
    const bounds = boundsOf(cidr);
    return bounds === undefined
      ? []
      : [
          bounds[0],
          ...lists.flatMap((prefixes) => (bounds[0] === bounds[1] ? [] : inside(prefixes, bounds))),
        ];
  });
  return [...new Set(found)];
}
