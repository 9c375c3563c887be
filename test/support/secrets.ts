import { createHash } from "node:crypto";

/** Secrets that can be found again wherever and however they come out. */

const hex = (seed: string): string => createHash("sha256").update(seed).digest("hex").slice(0, 24);

/** A text that stands nowhere else, recognizable by any twelve characters of it. */
export const marker = (seed: string): string => `PLANTED${hex(seed)}`;

export const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

const pem = (what: string, seed: string): string =>
  base64(`-----BEGIN ${what}-----\n${marker(seed)}\n-----END ${what}-----\n`);

/** The names of what is planted in a kubeconfig. */
const parts = ["comment", "token", "password", "certificate", "key"] as const;

/** A right kubeconfig with a planted value in every place that is secret. */
export const plantedKubeconfig = (seed: string): string => `# ${marker(`${seed} comment`)}
apiVersion: v1
kind: Config
clusters:
  - name: planted
    cluster: { server: "https://planted.invalid:443" }
contexts:
  - name: planted
    context: { cluster: planted, user: planted }
current-context: planted
users:
  - name: planted
    user:
      token: ${marker(`${seed} token`)}
      password: 'say "${marker(`${seed} password`)}" \\ /+&%'
      client-certificate-data: ${pem("CERTIFICATE", `${seed} certificate`)}
      client-key-data: ${pem("PRIVATE KEY", `${seed} key`)}
`;

/** Every marker of a planted kubeconfig. */
export const markersOf = (seed: string): string[] => parts.map((part) => marker(`${seed} ${part}`));

/** The characters of base64 that do not hang on what stands before and after a text, at each of three offsets. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = base64("x".repeat(offset) + text);
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor((offset + text.length) / 3) * 4);
  });

const known = new Map<string, ReadonlyMap<string, string>>();

/** Halves of a marker, as they are and in every form that programs write texts in: text → form. */
function needles(mark: string): ReadonlyMap<string, string> {
  const found = known.get(mark) ?? needlesOf(mark);
  known.set(mark, found);
  return found;
}

function needlesOf(mark: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (form: string, text: string) => found.set(text, form);
  for (const [half, text] of [
    ["beginning", mark.slice(0, 19)],
    ["end", mark.slice(-12)],
  ] as const) {
    add(`${half} in clear`, text);
    add(`${half} in capitals`, text.toUpperCase());
    add(`${half} in hexadecimal digits`, Buffer.from(text).toString("hex"));
    add(`${half} in percent signs`, Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join(""));
    add(`${half} in UTF-16`, Array.from(text).join("\0"));
    add(`${half} backwards`, Array.from(text).reverse().join(""));
  }
  for (const once of inBase64(mark)) {
    add("in base64", once);
    add("in base64 or base64url", once.replaceAll("+", "-").replaceAll("/", "_"));
    // A key in a kubeconfig in a Kubernetes Secret.
    inBase64(once).forEach((twice) => add("in base64 of base64", twice));
  }
  return found;
}

/**
 * Where planted values came out: "place: form", never the value itself.
 * @param places name → text
 */
export function leaks(
  places: Iterable<readonly [name: string, text: string]>,
  marks: readonly string[],
): string[] {
  const all = marks.flatMap((mark) => [...needles(mark)]);
  return [...places].flatMap(([name, text]) =>
    [...new Set(all.filter(([needle]) => text.includes(needle)).map(([, form]) => form))].map(
      (form) => `${name}: ${form}`,
    ),
  );
}
