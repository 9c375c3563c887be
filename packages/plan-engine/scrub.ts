import type { Value } from "./values";
import { Dependent, Secret, reveal, secretText, walk } from "./values";

/** Shorter texts occur anywhere, and redacting them would hide nothing. The CLI has the same limit. */
const shortestConfig = 3;
/** Shorter texts within secret values are mostly ordinary words; a credential is longer. */
const shortestValue = 8;

/** Matches the value after the name of a credential: `token: …`, `"client-key-data":"…"`, `--client-secret=…`. */
const named =
  /(?:token|passw(?:or)?d|passphrase|secret|key|auth|credentials?|-data)["']?\s*[:=]\s*["']?([^\s"',;}]+)/gi;

/** A line that is a key of YAML without a value: it occurs in other texts, too, and is no secret. */
const onlyKey = /^[\s-]*[A-Za-z]+:\s*$/;

/** A text, each of its lines (a stack trace prints them separately), and the credentials that it names. */
function partsOf(text: string, shortest: number): string[] {
  const lines = text
    .split("\n")
    .filter((line, _, all) => all.length === 1 || !onlyKey.test(line))
    .flatMap((line) => [line, line.replace(/^[\s-]+/, "")]);
  const credentials = [...text.matchAll(named)].map(([, credential = ""]) => credential);
  return [
    text,
    ...[text, ...lines].map((part) => part.trim()),
    ...credentials.filter((credential) => credential.length >= shortestValue),
  ].filter((part) => part.trim().length >= shortest);
}

function textsIn(value: unknown, shortest: number): string[] {
  if (typeof value === "string") {
    return partsOf(value, shortest);
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((inner) => textsIn(inner, shortest))
    : [];
}

function configTexts(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return [...textsIn(value, shortestConfig), ...textsIn(parsed, shortestConfig)];
  } catch {
    return textsIn(value, shortestConfig);
  }
}

/** A text and its encodings for JSON, URLs, Kubernetes Secrets and headers. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  return text.length < shortestValue
    ? [text]
    : [
        text,
        JSON.stringify(text).slice(1, -1),
        // As `util.inspect` prints it.
        text.replaceAll("\\", "\\\\"),
        encodeURIComponent(bytes.toString("utf8")),
        bytes.toString("base64"),
        bytes.toString("base64url"),
        bytes.toString("hex"),
      ];
}

/**
 * Returns a function that replaces secrets in free text: a program may put one into an error message.
 * @param config values of secret config keys
 * @param values everything recorded, in which secrets are marked
 */
export function scrubber(config: readonly string[], values: readonly Value[]): (text: string) => string {
  const found = new Set(config.flatMap(configTexts).flatMap(formsOf));
  for (const recorded of values) {
    walk(recorded, (value) => {
      if (value instanceof Secret || (value instanceof Dependent && value.value instanceof Secret)) {
        textsIn(reveal(value), shortestValue)
          .flatMap(formsOf)
          .forEach((text) => found.add(text));
      }
    });
  }
  // The longest first: if a part of a secret were replaced first, the whole would not be found any more.
  const secrets = [...found].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, secretText), text);
}
