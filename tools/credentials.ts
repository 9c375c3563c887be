import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { credentialForms, privateKey, type CredentialForm } from "./credentialForms";
import { memoize } from "./memoize";

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

/** The first credential at or behind a place of a text. */
function nextPlace(text: string, form: CredentialForm, from: number): Place | undefined {
  const { what, pattern, isWhole } = form;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    const start = end - (match.groups?.secret ?? match[0]).length;
    if (!text.startsWith(hiddenMark, start)) {
      return { what, start, end: isWhole ? end : valueEnd(text, start) };
    }
  }
  return undefined;
}

/** In one line; a line of 60 and more characters may have a next one, as `base64` writes. */
const base64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{24,}={0,2}/g;
const nextLine = /\r?\n[ \t]*([A-Za-z0-9+/]+={0,2})(?![^\s"'])/y;

/** The places of texts in base64: step by step, because a pattern for many lines overflows the stack. */
function encodedTexts(text: string): { readonly encoded: string; readonly start: number }[] {
  const found: { readonly encoded: string; readonly start: number }[] = [];
  base64.lastIndex = 0;
  for (let match = base64.exec(text); match !== null; match = base64.exec(text)) {
    let end = base64.lastIndex;
    let [line] = match;
    while (line.length >= 60) {
      nextLine.lastIndex = end;
      line = nextLine.exec(text)?.[1] ?? "";
      end = line === "" ? end : nextLine.lastIndex;
    }
    found.push({ encoded: text.slice(match.index, end), start: match.index });
    base64.lastIndex = end;
  }
  return found;
}

/** What may still be decoded of a text: so much that the work stays bounded, however often it is packed. */
interface Budget {
  characters: number;
}

/** A script becomes up to ten times longer. */
const budgetOf = (text: string): Budget => ({ characters: 20 * text.length });

/** What gzip has packed; what grows more is left. */
function unpacked(bytes: Buffer, budget: Budget): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return bytes;
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(20 * bytes.length, budget.characters) });
  } catch {
    return bytes;
  }
}

/** The text in base64, also of gzip; UTF-16 is that of PowerShell's -EncodedCommand. `undefined` where it is no text. */
function decodedText(encoded: string, budget: Budget): string | undefined {
  if (budget.characters < encoded.length) {
    return undefined;
  }
  const bytes = unpacked(Buffer.from(encoded, "base64"), budget);
  budget.characters -= bytes.length;
  const isWide = bytes[1] === 0 && bytes[3] === 0;
  const decoded = bytes.toString(isWide ? "utf16le" : "utf8");
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/.test(decoded) ? undefined : decoded;
}

/** Credentials in texts in base64: a key of a Secret, a login of a registry, a command. */
const encodedPlaces = (text: string, budget = budgetOf(text)): (Place & Credential)[] =>
  encodedTexts(text).flatMap(({ encoded, start }) => {
    const inner = firstCredential(decodedText(encoded, budget) ?? "", budget);
    return inner === undefined
      ? []
      : [{ what: `base64 of ${inner.what}`, isKey: inner.isKey, start, end: start + encoded.length }];
  });

function placesOf(text: string): Place[] {
  const found: Place[] = encodedPlaces(text);
  for (const form of credentialForms) {
    let place = nextPlace(text, form, 0);
    while (place !== undefined) {
      found.push(place);
      place = nextPlace(text, form, Math.max(place.end, place.start + 1));
    }
  }
  return found;
}

function firstCredential(text: string, budget: Budget): Credential | undefined {
  if (privateKey.test(text)) {
    return { what: "a private key", isKey: true };
  }
  const encoded = encodedPlaces(text, budget);
  const [key = encoded[0]] = encoded.filter(({ isKey }) => isKey);
  if (key?.isKey === true) {
    return { what: key.what, isKey: true };
  }
  const form = credentialForms.find((one) => nextPlace(text, one, 0) !== undefined);
  const what = form?.what ?? key?.what;
  return what === undefined ? undefined : { what, isKey: false };
}

/** The first credential in a text, without any part of it. A private key comes before all others. */
export const credentialIn = memoize((text: string) => firstCredential(text, budgetOf(text)));

/** What stands for a hidden text. The four digits of its hash show that it has changed, and do not tell what it is. */
const hiddenText = (what: string, text: string): string =>
  `${hiddenMark}${what}, mark ${createHash("sha256").update(text).digest("hex").slice(0, 4)})`;

/** The texts of all credentials in a text. */
export const credentialTexts = (text: string): string[] =>
  placesOf(text).map(({ start, end }) => text.slice(start, end));

/**
 * The text without its credentials. A second time it changes nothing.
 * @param ofKey - the name under which the text stands, where that makes it a credential, as in `password: abc`
 */
export function hideCredentials(text: string, ofKey?: string): string {
  const keyed = ofKey === undefined || isHidden(text) ? undefined : credentialIn(`${ofKey}: ${text}`);
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

/**
 * The name under which a text stands: its key, or the name beside a `value`, as in the environment of a container.
 * @param owner - the mapping or the list that has it
 */
export function nameOf(owner: unknown, key: string | number): string | undefined {
  if (typeof key === "number") {
    return undefined;
  }
  const { name } = owner as { readonly name?: unknown };
  return key === "value" && typeof name === "string" ? name : key;
}
