import type { OutgoingHttpHeaders } from "node:http";
import { markSigns, readingsOf } from "../escapes";

/** What answers quote of the login of their request, as proxies do that help to find mistakes. */

const hiddenLogin = "(not shown: the login of this command)";

const isLogin = (header: string): boolean => /auth|token|cookie|key|secret|password/i.test(header);

/** What stands for one login: without the name of its kind, decoded, and the part behind a colon. */
function partsOf(header: string): string[] {
  const login = header.replace(/^[A-Za-z]+ +/, "");
  const whole = /^basic /i.test(header) ? Buffer.from(login, "base64").toString("utf8") : login;
  return [login, whole, whole.slice(whole.indexOf(":") + 1)];
}

/** The signs of base64 that say only the text, behind 0 to 2 other bytes: a login is often a part of what is encoded. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const signs = bytes
      .toString("base64")
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [signs, signs.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** The bytes of a text, in UTF-8 and, where they differ, as old programs and headers write them. */
function bytesOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text);
  return utf8.length > text.length && /^[\0-\u00ff]*$/.test(text)
    ? [utf8, Buffer.from(text, "latin1")]
    : [utf8];
}

/** As the text stands in JSON, in base64 and in hexadecimal. Other signs for characters are decoded. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const hex = Buffer.from(text).toString("hex");
  return [
    ...[text, json, json.replaceAll("/", "\\/")].flatMap((form) =>
      bytesOf(form).map((bytes) => bytes.toString("latin1")),
    ),
    Buffer.from(text).toString("base64"),
    ...inBase64(text),
    hex,
    hex.toUpperCase(),
  ];
}

/** Shorter ones are words of the objects in a good answer, and are no login that anyone uses. */
const shortest = { good: 8, other: 3 };

/** A byte for each byte of the text: 1 where a login stands. */
function marksOf(text: Buffer, logins: readonly Buffer[]): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  for (const login of logins) {
    for (let at = text.indexOf(login); at !== -1; at = text.indexOf(login, at + login.length)) {
      marks ??= new Uint8Array(text.length);
      marks.fill(1, at, at + login.length);
    }
  }
  return marks;
}

/** The text with other words for each run of marked bytes. */
function withoutMarked(text: Buffer, marks: Uint8Array): Buffer {
  const words = Buffer.from(hiddenLogin);
  const isStart = (at: number): boolean => marks[at] === 1 && marks[at - 1] !== 1;
  let runs = 0;
  for (let at = 0; at < text.length; at += 1) {
    runs += isStart(at) ? 1 : 0;
  }
  const shown = Buffer.alloc(text.length + runs * words.length);
  let to = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (isStart(at)) {
      to += words.copy(shown, to);
    } else if (marks[at] !== 1) {
      shown[to] = text[at] ?? 0;
      to += 1;
    }
  }
  return shown.subarray(0, to);
}

/**
 * The text without the logins, whichever signs it has for their characters. No pattern is made of a login: one of a long
 * login takes seconds, and the error of one that is too long quotes it.
 */
function withoutSigns(text: Buffer, parts: readonly string[], least: number): Buffer {
  const readings = readingsOf(text);
  if (readings.length === 1) {
    return text;
  }
  // A login can have signs of its own, which are decoded with the text.
  const logins = parts.flatMap(bytesOf).flatMap(readingsOf);
  const sought = logins.filter((login) => login.length >= least);
  const marks = readings.reduceRight<Uint8Array | undefined>((ofDecoded, reading) => {
    const own = marksOf(reading, sought);
    if (ofDecoded === undefined) {
      return own;
    }
    const all = own ?? new Uint8Array(reading.length);
    markSigns(reading, ofDecoded, all);
    return all;
  }, undefined);
  return marks === undefined ? text : withoutMarked(text, marks);
}

/** The body of an answer without the login of its request, of which the very text is known. */
export function withoutLogin(body: Buffer, status: number, headers: OutgoingHttpHeaders, auth = ""): Buffer {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    isLogin(name) ? [value].flat().map((one) => String(one ?? "")) : [],
  );
  const basic = auth === "" ? [] : [`Basic ${Buffer.from(auth).toString("base64")}`];
  const least = status >= 200 && status < 300 ? shortest.good : shortest.other;
  const all = [...sent, ...basic].flatMap(partsOf).filter((part) => part.length >= least);
  const parts = [...new Set(all)];
  if (parts.length === 0) {
    return body;
  }
  const rest = withoutSigns(body, parts, least).toString("latin1");
  const shown = parts
    .flatMap(formsOf)
    .filter((form) => form.length >= least && rest.includes(form))
    .sort((a, b) => b.length - a.length)
    .reduce((said, form) => said.replaceAll(form, hiddenLogin), rest);
  return shown === body.toString("latin1") ? body : Buffer.from(shown, "latin1");
}
