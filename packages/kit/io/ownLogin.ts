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

/** As the text stands in JSON, in a URL and in base64. */
const formsOf = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString("base64"),
];

/** Shorter ones are words of the objects in a good answer, and are no login that anyone uses. */
const shortest = { good: 8, other: 3 };

/** The body of an answer without the login of its request, of which the very text is known. */
export function withoutLogin(body: Buffer, status: number, headers: OutgoingHttpHeaders, auth = ""): Buffer {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    isLogin(name) ? [value].flat().map((one) => String(one ?? "")) : [],
  );
  const basic = auth === "" ? [] : [`Basic ${Buffer.from(auth).toString("base64")}`];
  const least = status >= 200 && status < 300 ? shortest.good : shortest.other;
  const found = [...sent, ...basic]
    .flatMap(partsOf)
    .filter((part) => part.length >= least)
    .flatMap(formsOf)
    .filter((form) => body.includes(form))
    .sort((a, b) => b.length - a.length)
    .map((form) => Buffer.from(form).toString("latin1"));
  return found.length === 0
    ? body
    : Buffer.from(
        found.reduce((text, form) => text.replaceAll(form, hiddenLogin), body.toString("latin1")),
        "latin1",
      );
}
