import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { credentialForms } from "./credentialForms";
import { type CredentialForm, privateKey } from "./credentialTokens";
import { decodedReadings, type Reading } from "./escapes";
import { memoize } from "./memoize";
import { present } from "./present";

/** Credentials in texts that are no place for them: finds them, and hides them wherever a text is shown. */

interface Credential {
  /** With an article. */
  readonly what: string;
  /** Whether it is a private key, which has no other use than as a secret. */
  readonly isKey: boolean;
}

/** Where a credential stands in a text. */
interface Place {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
};

/** The end of a value in quotes; a doubled or an escaped quote does not end it. */
function quotedEnd(text: string, start: number, quote: string): number {
  const end = lineEnd(text, start);
  for (let at = start; at < end; at += 1) {
    const isEscape = text[at] === "\\" || text[at] === "`";
    if (isEscape || (text[at] === quote && text[at + 1] === quote)) {
      at += 1;
    } else if (text[at] === quote) {
      return at;
    }
  }
  return end;
}

/**
 * The end of a value whose first character a form has found. Without quotes it is the end of the line, because only the shell
 * knows where the value ends: too much is hidden rather than too little.
 */
function valueEnd(text: string, start: number): number {
  const quote = text[start - 1] ?? "";
  const isQuoted = /["'`]/.test(quote) && text[start - 2] !== "\\";
  return isQuoted ? quotedEnd(text, start, quote) : lineEnd(text, start);
}

/** The beginning of what stands for a hidden text. */
const hiddenMark = "(not shown: ";

/** Brackets, quotes and commas of lists of arguments, in JSON and in YAML; one in brackets is no usage text, as in `[--token TOKEN]`. */
const listSigns = new RegExp(
  [
    String.raw`\\{0,4}["'],\s{0,200}\\{0,4}["']`,
    String.raw`[[({"'\\]{1,8}(?=--?[A-Za-z])(?!--?[\w-]{1,60}[ =][A-Z_-]{1,60}[\])}|])`,
    String.raw`(?<=\[[^\]\n]{0,300}),[ \t]{1,40}(?=-)|(?<=[[ ]--?[\w-]{1,60}),[ \t]{1,40}(?=[^\]\n]{1,300}\])`,
    String.raw`["']?\r?\n[ \t]{0,40}- ["']?(?=-)|(?<=\n[ \t]{0,40}- ["']?--?[\w-]{1,60})["']?\r?\n[ \t]{0,40}- ["']?`,
  ].join("|"),
  "g",
);

const itself = (index: number): number => index;

/** The text, where it has options in lists the command line that they make, and the text without other signs for characters. */
function readingsOf(text: string): Reading[] {
  const readings: Reading[] = [{ text, quoted: text, placeOf: itself }];
  if (/["'[({ ]--?[A-Za-z]/.test(text)) {
    const line = `\n${text}`.replace(listSigns, (signs) => " ".repeat(signs.length)).slice(1);
    readings.push(...present(line !== text && { text: line, quoted: text, placeOf: itself }));
  }
  return [...readings, ...decodedReadings(text)];
}

/** The forms that a reading may have. */
function formsFor({ text }: Reading): CredentialForm[] {
  const has = new Map<RegExp, boolean>();
  return credentialForms.filter(({ needs }) => {
    if (needs !== undefined && !has.has(needs)) {
      has.set(needs, needs.test(text));
    }
    return needs === undefined || has.get(needs) === true;
  });
}

/** The first credential at or behind a place of a reading, with its places there. */
function nextPlace({ text, quoted }: Reading, form: CredentialForm, from: number): Place | undefined {
  const { what, pattern, isWhole } = form;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    const start = end - (match.groups?.secret ?? match[0]).length;
    if (!quoted.startsWith(hiddenMark, start)) {
      return { what, start, end: isWhole ? end : valueEnd(quoted, start) };
    }
  }
  return undefined;
}

/** In one line; a line of 60 and more characters may have a next one, as `base64` writes. Tokens and URLs have - and _. */
const base64 = /(?<![\w+/-])[\w+/-]{24,}={0,2}/g;
const nextLine = /\r?\n[ \t]*([A-Za-z0-9+/]+={0,2})(?![^\s"'])/y;

const hex = /(?<![\da-wyz])(?:[\da-f]{2}){16,}(?![\da-z])/gi;

/** A text in base64 or in hexadecimal. */
interface Encoded {
  readonly encoding: "base64" | "hex";
  readonly encoded: string;
  readonly start: number;
}

/** The places of texts in base64: step by step, because a pattern for many lines overflows the stack. */
function encodedTexts(text: string): Encoded[] {
  const found: Encoded[] = [];
  base64.lastIndex = 0;
  for (let match = base64.exec(text); match !== null; match = base64.exec(text)) {
    let end = base64.lastIndex;
    let [line] = match;
    while (line.length >= 60) {
      nextLine.lastIndex = end;
      line = nextLine.exec(text)?.[1] ?? "";
      end = line === "" ? end : nextLine.lastIndex;
    }
    found.push({ encoding: "base64", encoded: text.slice(match.index, end), start: match.index });
    base64.lastIndex = end;
  }
  const inHex = [...text.matchAll(hex)];
  return [
    ...found,
    ...inHex.map(({ 0: encoded, index }): Encoded => ({ encoding: "hex", encoded, start: index })),
  ];
}

/** Longer texts are not searched, and are hidden as a whole: patterns overflow the stack of V8 from some million characters on. */
const longest = 1_000_000;

/** What may still be decoded of a text: so much that the work stays bounded, however often it is packed. */
interface Budget {
  characters: number;
}

/** A script becomes up to ten times longer. */
const budgetOf = (text: string): Budget => ({ characters: Math.min(20 * text.length, 4 * longest) });

/** A file in a Secret has two; what is packed more often is not searched. */
const mostLevels = 2;

const tooLong = { what: "text that is too long to be searched", isKey: false };
const tooPacked = { what: "text that is packed too often or too tightly to be searched", isKey: false };

/** What gzip has packed; `undefined` for what grows too much, or is broken. */
function unpacked(bytes: Buffer, budget: Budget): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return bytes;
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(20 * bytes.length, budget.characters) });
  } catch {
    return undefined;
  }
}

/** UTF-16 is that of PowerShell's -EncodedCommand. `undefined` for what is no text. */
function textOf(bytes: Buffer): string | undefined {
  const isWide = bytes[1] === 0 && bytes[3] === 0;
  const text = bytes.toString(isWide ? "utf16le" : "utf8");
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/.test(text) ? undefined : text;
}

/** The name of a hash right before its value. */
const hashName =
  /(?:hash|(?<![a-z])sha\d{0,3}|digest|integrity|checksum)["'\])]{0,3}\s{0,3}[:=-]{1,2}>?\s{0,3}["']?(?:sha\d{3}-)?$/i;

/** As storage, Cosmos DB and Log Analytics have them: 64 bytes that are no text. A SHA-512 has as many. */
const storageKey = { what: "a key of an Azure service", isKey: false };

/** The credential in an encoded text, also of gzip. What is not searched may have one. */
function credentialInside(
  { encoded, encoding }: Encoded,
  budget: Budget,
  level: number,
  isHash: boolean,
): Credential | undefined {
  if (budget.characters < encoded.length) {
    return tooPacked;
  }
  const bytes = unpacked(Buffer.from(encoded, encoding), budget);
  if (bytes === undefined) {
    return tooPacked;
  }
  budget.characters -= bytes.length;
  const text = textOf(bytes);
  if (text === undefined) {
    return present(bytes.length === 64 && encoded.length === 88 && !isHash && storageKey)[0];
  }
  return level > mostLevels ? tooPacked : firstCredential(text, budget, level);
}

/** Credentials in encoded texts: a key of a Secret, a login of a registry, a command. */
const encodedPlaces = (text: string, budget = budgetOf(text), level = 1): (Place & Credential)[] =>
  encodedTexts(text).flatMap((one) => {
    const { encoded, encoding, start } = one;
    const isHash = hashName.test(text.slice(Math.max(0, start - 40), start));
    const inner = credentialInside(one, budget, level, isHash);
    return present(
      inner !== undefined && {
        what: `${encoding} of ${inner.what}`,
        isKey: inner.isKey,
        start,
        end: start + encoded.length,
      },
    );
  });

function placesOf(text: string): Place[] {
  if (text.length > longest) {
    return [{ ...tooLong, start: 0, end: text.length }];
  }
  const found: Place[] = encodedPlaces(text);
  for (const reading of readingsOf(text)) {
    const { placeOf } = reading;
    for (const form of formsFor(reading)) {
      let place = nextPlace(reading, form, 0);
      while (place !== undefined) {
        found.push({ ...place, start: placeOf(place.start), end: placeOf(place.end) });
        place = nextPlace(reading, form, Math.max(place.end, place.start + 1));
      }
    }
  }
  return found;
}

function firstCredential(text: string, budget: Budget, level: number): Credential | undefined {
  if (privateKey.test(text)) {
    return { what: "a private key", isKey: true };
  }
  const encoded = encodedPlaces(text, budget, level + 1);
  const [key = encoded[0]] = encoded.filter(({ isKey }) => isKey);
  if (key?.isKey === true) {
    return { what: key.what, isKey: true };
  }
  const readings = readingsOf(text);
  const possible = readings.map((reading) => new Set(formsFor(reading)));
  const form = credentialForms.find((one) =>
    readings.some((reading, index) => possible[index]?.has(one) && nextPlace(reading, one, 0) !== undefined),
  );
  const what = form?.what ?? key?.what;
  return what === undefined ? undefined : { what, isKey: false };
}

/** The first credential in a text, or that it may have one, without any part of it. A private key comes before all others. */
export const credentialIn = memoize((text: string) =>
  text.length > longest ? tooLong : firstCredential(text, budgetOf(text), 0),
);

/** The credential that a text is by its name, as in `password: abc`, or by the arguments before it. */
export const credentialOf = (text: string, name: string): Credential | undefined =>
  credentialIn(name.endsWith(" ") ? name + text : `${name}: ${text}`);

/** What stands for a hidden text. The four digits of its hash show that it has changed, and do not tell what it is. */
export const hiddenText = (what: string, text: string): string =>
  `${hiddenMark}${what}, mark ${createHash("sha256").update(text).digest("hex").slice(0, 4)})`;

/** The texts of all credentials in a text. */
export const credentialTexts = (text: string): string[] =>
  placesOf(text).map(({ start, end }) => text.slice(start, end));

/**
 * The text without its credentials. A second time it changes nothing.
 * @param ofKey - the name under which the text stands, where that makes it a credential, as in `password: abc`
 */
export function hideCredentials(text: string, ofKey?: string): string {
  const keyed = ofKey === undefined || isHidden(text) ? undefined : credentialOf(text, ofKey);
  const own = credentialIn(text);
  if (own?.isKey === true || (own === undefined && keyed !== undefined)) {
    return hiddenText((own ?? keyed)?.what ?? "", text);
  }
  if (own === undefined) {
    return text;
  }
  let shown = "";
  let from = 0;
  for (const { what, start, end } of placesOf(text).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end > from) {
      const begin = Math.max(start, from);
      shown += text.slice(from, begin) + (begin > start ? "" : hiddenText(what, text.slice(begin, end)));
      from = end;
    }
  }
  return shown + text.slice(from);
}

const isHidden = (text: string): boolean => /^\(not shown: [^()]*, mark [0-9a-f]{4}\)$/.test(text);

/** What makes an item of a list a credential, with a space at its end: the first words of a command, and the option before it. */
function argumentsBefore(items: readonly unknown[], index: number): string | undefined {
  const isWord = (item: unknown): item is string => typeof item === "string" && !/\s/.test(item);
  const start = items.slice(0, Math.min(index, 4));
  const end = start.findIndex((item) => !isWord(item) || item.startsWith("-"));
  const option = items.slice(Math.max(index - 1, 0), index);
  const words = [
    ...(end < 0 ? start : start.slice(0, end)),
    ...option.filter((item) => isWord(item) && item.startsWith("-")),
  ];
  const before = words.join(" ");
  return before !== "" && typeof items[index] === "string" && credentialIn(before) === undefined
    ? `${before} `
    : undefined;
}

/**
 * The name under which a text stands: its key, or the name beside a `value`, as in the environment of a container; in a list the
 * command line before it.
 * @param owner - the mapping or the list that has it
 */
export function nameOf(owner: unknown, key: string | number): string | undefined {
  if (typeof key === "number") {
    return Array.isArray(owner) ? argumentsBefore(owner, key) : undefined;
  }
  const { name } = owner as { readonly name?: unknown };
  return key === "value" && typeof name === "string" ? name : key;
}
