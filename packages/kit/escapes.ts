/**
 * Bytes and texts in which characters stand as other signs, as in URLs, JSON, shells and HTML, read in time that is linear in
 * their number.
 */

/** Bytes, or the units of a text. */
type Units = Uint8Array | Uint16Array;

/** What stands at one place: a byte or a character, and the number of bytes that say it. */
interface Sign {
  readonly code: number;
  readonly length: number;
  readonly isByte: boolean;
}

const percent = 0x25;
const backslash = 0x5c;
const ampersand = 0x26;
const quote = 0x22;
const apostrophe = 0x27;
const slash = 0x2f;
const letterU = 0x75;
const letterX = 0x78;
const lastCode = 0x10ffff;
/** With leading zeros, as some programs write them. */
const mostDigits = 7;

const digits = new Int8Array(256).fill(-1);
for (const [value, digit] of Array.from("0123456789abcdef").entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

const digitAt = (units: Units, at: number): number => digits[units[at] ?? 0] ?? -1;

/** The number in so many hexadecimal digits, or -1. */
function hexAt(units: Units, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = digitAt(units, at);
    if (digit < 0) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

/** As URLs write a byte. */
function inUrl(units: Units, at: number): Sign | undefined {
  const code = hexAt(units, at + 1, 2);
  return code < 0 ? undefined : { code, length: 3, isByte: true };
}

const isSurrogate = (code: number, first: number): boolean => code >= first && code < first + 0x400;

function ofUtf16(units: Units, at: number): Sign | undefined {
  const code = hexAt(units, at + 2, 4);
  const isPair = isSurrogate(code, 0xd800) && units[at + 6] === backslash && units[at + 7] === letterU;
  const second = isPair ? hexAt(units, at + 8, 4) : -1;
  if (isSurrogate(second, 0xdc00)) {
    return { code: 0x10000 + (code - 0xd800) * 0x400 + second - 0xdc00, length: 12, isByte: false };
  }
  return code < 0 ? undefined : { code, length: 6, isByte: false };
}

/** Programs that quote each other write so many backslashes for one. */
const mostBackslashes = 4;

/** In a text, whose quotes say where a value ends, characters alone: with all of the backslashes before them. */
function behindBackslashes(units: Units, at: number): Sign | undefined {
  let last = at;
  while (units[last + 1] === backslash && last - at + 1 < mostBackslashes) {
    last += 1;
  }
  const next = units[last + 1];
  const sign = next === letterU || next === letterX ? behindBackslash(units, last) : undefined;
  return sign && { ...sign, length: sign.length + last - at };
}

/** As JSON, programs and shells write a character behind a backslash. */
function behindBackslash(units: Units, at: number): Sign | undefined {
  const next = units[at + 1] ?? 0;
  if (next === quote || next === backslash || next === slash || next === apostrophe) {
    return { code: next, length: 2, isByte: true };
  }
  if (next === letterU) {
    return ofUtf16(units, at);
  }
  const code = next === letterX ? hexAt(units, at + 2, 2) : -1;
  return code < 0 ? undefined : { code, length: 4, isByte: true };
}

const names = Object.entries({ quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" }).map(([name, char]) => ({
  signs: Uint8Array.from(Buffer.from(`&${name};`)),
  second: name.charCodeAt(0),
  code: char.charCodeAt(0),
}));

const startsAt = (units: Units, at: number, signs: Uint8Array): boolean =>
  signs.every((one, index) => units[at + index] === one);

/** As HTML writes a character. */
function inHtml(units: Units, at: number): Sign | undefined {
  if (units[at + 1] !== 0x23) {
    const name = names.find((one) => one.second === units[at + 1] && startsAt(units, at, one.signs));
    return name && { code: name.code, length: name.signs.length, isByte: true };
  }
  const isHex = units[at + 2] === letterX || units[at + 2] === 0x58;
  const [base, start] = isHex ? [16, at + 3] : [10, at + 2];
  let [code, end] = [0, start];
  for (; end < start + mostDigits; end += 1) {
    const digit = digitAt(units, end);
    if (digit < 0 || digit >= base) {
      break;
    }
    code = code * base + digit;
  }
  const isWhole = end > start && units[end] === 0x3b && code <= lastCode;
  return isWhole ? { code, length: end + 1 - at, isByte: false } : undefined;
}

/** The first that a text has; those before are line ends and the like, at which values end. */
const firstOfText = 0x20;

function signAt(units: Units, at: number): Sign | undefined {
  const isText = units instanceof Uint16Array;
  switch (units[at]) {
    case percent:
      return inText(inUrl(units, at), isText);
    case backslash:
      return inText((isText ? behindBackslashes : behindBackslash)(units, at), isText);
    case ampersand:
      return inText(inHtml(units, at), isText);
    default:
      return undefined;
  }
}

const inText = (sign: Sign | undefined, isText: boolean): Sign | undefined =>
  isText && (sign?.code ?? 0) < firstOfText ? undefined : sign;

/** Writes a character into units. @returns where the next one stands */
function write(into: Units, to: number, { code, isByte }: Sign): number {
  if (isByte || code < 0x80) {
    into[to] = code;
    return to + 1;
  }
  const text = String.fromCodePoint(code);
  if (into instanceof Uint8Array) {
    return to + Buffer.from(into.buffer, into.byteOffset, into.length).write(text, to);
  }
  for (let index = 0; index < text.length; index += 1) {
    into[to + index] = text.charCodeAt(index);
  }
  return to + text.length;
}

/** Calls with each place and its length, and with the units that stand for it: none is longer than its sign. */
function decoded<T extends Units>(
  units: T,
  visit?: (at: number, length: number, from: number, to: number) => void,
): T {
  const read = new (units.constructor as new (length: number) => T)(units.length);
  let to = 0;
  for (let at = 0; at < units.length;) {
    const from = to;
    const sign = signAt(units, at);
    to = write(read, to, sign ?? { code: units[at] ?? 0, length: 1, isByte: true });
    visit?.(at, sign?.length ?? 1, from, to);
    at += sign?.length ?? 1;
  }
  return read.subarray(0, to) as T;
}

/** Programs that quote each other write signs for signs; more often than so nobody does. */
const mostReadings = 5;

/** The bytes as they are, then with their signs decoded once, twice and so on, until there are none. */
export function readingsOf(bytes: Buffer): Buffer[] {
  const readings = [bytes];
  for (let last = new Uint8Array(bytes); readings.length < mostReadings;) {
    const next = decoded(last);
    if (next.length === last.length) {
      break;
    }
    readings.push(Buffer.from(next.buffer, next.byteOffset, next.length));
    last = next;
  }
  return readings;
}

/** Marks the signs in the bytes whose decoded bytes are marked. */
export function markSigns(bytes: Buffer, ofDecoded: Uint8Array, marks: Uint8Array): void {
  decoded(new Uint8Array(bytes), (at, length, from, to) => {
    for (let index = from; index < to; index += 1) {
      if (ofDecoded[index] === 1) {
        marks.fill(1, at, at + length);
        return;
      }
    }
  });
}

/** A text as a program reads it. */
export interface Reading {
  readonly text: string;
  /** The same with its quotes, by which the end of a value is found. */
  readonly quoted: string;
  /** Where a character stands in the text itself. */
  readonly placeOf: (index: number) => number;
}

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));

const textOf = (units: Uint16Array): string =>
  Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le");

/** Most texts have none, and paths of Windows have backslashes. */
const mayHaveSigns = /%[\da-f]{2}|\\[ux][\da-f]{2}|&(?:#|[a-z]{2,4};)/i;

/** The text with its signs decoded once, twice and so on; quotes stay as they are written. */
export function decodedReadings(text: string): Reading[] {
  const readings: Reading[] = [];
  if (!mayHaveSigns.test(text)) {
    return readings;
  }
  let places: (index: number) => number = (index) => index;
  for (let last = unitsOf(text); readings.length < mostReadings;) {
    const [placeOf, starts] = [places, new Uint32Array(last.length)];
    const next = decoded(last, (at, _, from, to) => {
      starts.fill(placeOf(at), from, to);
    });
    if (next.length === last.length) {
      break;
    }
    places = (index) => starts[index] ?? 0;
    const read = textOf(next);
    readings.push({ text: read, quoted: read, placeOf: withEnd(places, next.length, text.length) });
    last = next;
  }
  return readings;
}

/** The end of a reading is that of the text. */
const withEnd =
  (placeOf: (index: number) => number, length: number, end: number) =>
  (index: number): number =>
    index < length ? placeOf(index) : end;
