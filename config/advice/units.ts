/** Numbers that were written as text. */

/** Units by what a number of a key counts, with their size in it. */
const units: readonly (readonly [key: RegExp, sizes: Readonly<Record<string, number>>])[] = [
  [/seconds$/i, { s: 1, m: 60, h: 3600, d: 86_400 }],
  [/minutes$/i, { s: 1 / 60, m: 1, h: 60, d: 1440 }],
  [/hours$/i, { m: 1 / 60, h: 1, d: 24 }],
  [/days$/i, { h: 1 / 24, d: 1, w: 7 }],
  [/Gi?B$/, { m: 1 / 1024, g: 1, t: 1024 }],
  [/Mi?B?$/, { k: 1 / 1024, m: 1, g: 1024 }],
  [/percent$/i, { "%": 1 }],
];

/** How many of the next smaller unit each unit has. */
const smallerUnits: readonly (readonly [key: RegExp, count: number])[] = [
  [/seconds$/i, 1000],
  [/(minutes|hours)$/i, 60],
  [/days$/i, 24],
  [/Gi?B$/, 1024],
];

/** A number of the next smaller unit in the unit of a key, if that is a whole one: 300 seconds where minutes belong. */
export function fromSmallerUnit(value: number, key: PropertyKey | undefined): number[] {
  const [, count] = smallerUnits.find(([pattern]) => pattern.test(String(key))) ?? [];
  return count === undefined || value % count !== 0 ? [] : [value / count];
}

const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const partsOf = /(\d[\d_,]*(?:\.\d+)?)\s*([a-z%]*)/gi;

/** The number that a text is, with its units in the unit of the key: "1h 30m", "128 GB", "three". */
export function numberOf(text: string, key: PropertyKey | undefined): number | undefined {
  // A TimeSpan of .NET, and a duration of ISO 8601.
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d)$/.exec(text.trim()) ?? [];
  const [, date, time] = /^P(\d+D)?(?:T((?:\d+[HMS])+))?$/i.exec(text.trim()) ?? [];
  if (hours !== undefined || date !== undefined || time !== undefined) {
    const plain = hours === undefined ? `${date ?? ""}${time ?? ""}` : `${hours}h${minutes}m${seconds}s`;
    return numberOf(plain, key);
  }
  const word = words.indexOf(text.trim().toLowerCase());
  const parts = [...text.matchAll(partsOf)];
  if (word >= 0 || parts.length === 0 || text.replace(partsOf, "").trim() !== "") {
    return word >= 0 ? word : /^-\d+$/.test(text) ? Number(text) : undefined;
  }
  const sizes = units.find(([pattern]) => pattern.test(String(key)))?.[1] ?? {};
  const sum = parts.reduce((total, [, digits = "", unit = ""]) => {
    const isCount = unit === "" || /^(?:bytes?|nodes?|machines?|pods?)$/i.test(unit);
    const size = isCount && parts.length === 1 ? 1 : sizes[unit.toLowerCase().slice(0, 1)];
    return total + Number(digits.replace(/[_,]/g, "")) * (size ?? NaN);
  }, 0);
  return Number.isFinite(sum) ? sum : undefined;
}
