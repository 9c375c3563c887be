/** Bytes in which characters stand as other signs, read in time that is linear in their number. */

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

const digitAt = (bytes: Buffer, at: number): number => digits[bytes[at] ?? 0] ?? -1;

/** The number in so many hexadecimal digits, or -1. */
function hexAt(bytes: Buffer, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = digitAt(bytes, at);
    if (digit < 0) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

/** As URLs write a byte. */
function inUrl(bytes: Buffer, at: number): Sign | undefined {
  const code = hexAt(bytes, at + 1, 2);
  return code < 0 ? undefined : { code, length: 3, isByte: true };
}

const isSurrogate = (code: number, first: number): boolean => code >= first && code < first + 0x400;

function ofUtf16(bytes: Buffer, at: number): Sign | undefined {
  const code = hexAt(bytes, at + 2, 4);
  const isPair = isSurrogate(code, 0xd800) && bytes[at + 6] === backslash && bytes[at + 7] === letterU;
  const second = isPair ? hexAt(bytes, at + 8, 4) : -1;
  if (isSurrogate(second, 0xdc00)) {
    return { code: 0x10000 + (code - 0xd800) * 0x400 + second - 0xdc00, length: 12, isByte: false };
  }
  return code < 0 ? undefined : { code, length: 6, isByte: false };
}

/** As JSON, programs and shells write a character behind a backslash. */
function behindBackslash(bytes: Buffer, at: number): Sign | undefined {
  const next = bytes[at + 1] ?? 0;
  if (next === quote || next === backslash || next === slash || next === apostrophe) {
    return { code: next, length: 2, isByte: true };
  }
  if (next === letterU) {
    return ofUtf16(bytes, at);
  }
  const code = next === letterX ? hexAt(bytes, at + 2, 2) : -1;
  return code < 0 ? undefined : { code, length: 4, isByte: true };
}

const names = Object.entries({ quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" }).map(([name, char]) => ({
  bytes: Buffer.from(`&${name};`),
  second: name.charCodeAt(0),
  code: char.charCodeAt(0),
}));

const startsAt = (bytes: Buffer, at: number, name: Buffer): boolean =>
  name.every((byte, index) => bytes[at + index] === byte);

/** As HTML writes a character. */
function inHtml(bytes: Buffer, at: number): Sign | undefined {
  if (bytes[at + 1] !== 0x23) {
    const name = names.find((one) => one.second === bytes[at + 1] && startsAt(bytes, at, one.bytes));
    return name && { code: name.code, length: name.bytes.length, isByte: true };
  }
  const isHex = bytes[at + 2] === letterX || bytes[at + 2] === 0x58;
  const [base, start] = isHex ? [16, at + 3] : [10, at + 2];
  let [code, end] = [0, start];
  for (; end < start + mostDigits; end += 1) {
    const digit = digitAt(bytes, end);
    if (digit < 0 || digit >= base) {
      break;
    }
    code = code * base + digit;
  }
  const isWhole = end > start && bytes[end] === 0x3b && code <= lastCode;
  return isWhole ? { code, length: end + 1 - at, isByte: false } : undefined;
}

function signAt(bytes: Buffer, at: number): Sign | undefined {
  switch (bytes[at]) {
    case percent:
      return inUrl(bytes, at);
    case backslash:
      return behindBackslash(bytes, at);
    case ampersand:
      return inHtml(bytes, at);
    default:
      return undefined;
  }
}

/** Calls with each place and its length, and with the bytes that stand for it: none is longer than its sign. */
function decoded(
  bytes: Buffer,
  visit?: (at: number, length: number, from: number, to: number) => void,
): Buffer {
  const read = Buffer.alloc(bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length;) {
    const from = to;
    const sign = signAt(bytes, at);
    if (sign === undefined || sign.isByte || sign.code < 0x80) {
      read[to] = sign?.code ?? bytes[at] ?? 0;
      to += 1;
    } else {
      to += read.write(String.fromCodePoint(sign.code), to);
    }
    const length = sign?.length ?? 1;
    visit?.(at, length, from, to);
    at += length;
  }
  return read.subarray(0, to);
}

/** Programs that quote each other write signs for signs; more often than so nobody does. */
const mostReadings = 5;

/** The bytes as they are, then with their signs decoded once, twice and so on, until there are none. */
export function readingsOf(bytes: Buffer): Buffer[] {
  const readings = [bytes];
  for (let last = bytes; readings.length < mostReadings;) {
    const next = decoded(last);
    if (next.length === last.length) {
      break;
    }
    readings.push(next);
    last = next;
  }
  return readings;
}

/** Marks the signs in the bytes whose decoded bytes are marked. */
export function markSigns(bytes: Buffer, ofDecoded: Uint8Array, marks: Uint8Array): void {
  decoded(bytes, (at, length, from, to) => {
    for (let index = from; index < to; index += 1) {
      if (ofDecoded[index] === 1) {
        marks.fill(1, at, at + length);
        return;
      }
    }
  });
}
