import type { OutgoingHttpHeaders } from "node:http";

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

/** Bytes of UTF-8 as characters, as the body is read. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

/** As the text stands in JSON, in base64 and in hexadecimal. Other signs for characters are decoded. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const hex = Buffer.from(text).toString("hex");
  return [
    ...[text, json, json.replaceAll("/", "\\/")].map(latin1),
    Buffer.from(text).toString("base64"),
    ...inBase64(text),
    hex,
    hex.toUpperCase(),
  ];
}

/** Shorter ones are words of the objects in a good answer, and are no login that anyone uses. */
const shortest = { good: 8, other: 3 };

const names: Readonly<Record<string, string>> = {
  '"': "quot",
  "'": "apos",
  "&": "amp",
  "<": "lt",
  ">": "gt",
};

/** A character, or what URLs, JSON, shells and HTML write for it. */
function signsOf(char: string): string {
  const code = char.charCodeAt(0);
  const own = char.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&").replace(/^(?:"|\\\\|\\\/)$/, "\\\\{0,7}$&");
  if (code > 0x7f) {
    return own;
  }
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const name = names[char];
  const inHtml = `&#(?:[xX]0{0,4}${hex}|0{0,4}${code});${name === undefined ? "" : `|&${name};`}`;
  return `(?:${own}|%(?:25)?${hex}|\\\\{1,4}(?:u00|x)${hex}|${inHtml})`;
}

/** Longer logins are none; a pattern for one would take long. */
const longest = 10_000;

/** The text without a login, whichever signs it has for its characters. */
const withoutSigns = (text: string, login: string): string =>
  login.length > longest
    ? text
    : text.replace(new RegExp(Array.from(login, signsOf).join(""), "g"), hiddenLogin);

const hasSigns = /%[2-7]|\\u00|\\["\\/x]|&(?:#|\w{2,4};)/;

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
  const text = body.toString("latin1");
  // The longest first, of which others are a part.
  const sorted = parts.map(latin1).sort((a, b) => b.length - a.length);
  const rest = hasSigns.test(text) ? sorted.reduce(withoutSigns, text) : text;
  const shown = parts
    .flatMap(formsOf)
    .filter((form) => form.length >= least && rest.includes(form))
    .sort((a, b) => b.length - a.length)
    .reduce((said, form) => said.replaceAll(form, hiddenLogin), rest);
  return shown === text ? body : Buffer.from(shown, "latin1");
}
