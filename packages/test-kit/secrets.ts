import { createHash } from "node:crypto";

/** Plants secrets that can be found in any output, in any encoding. */

const hex = (seed: string): string => createHash("sha256").update(seed).digest("hex").slice(0, 24);

/** A unique text, which any twelve of its characters identify. */
export const marker = (seed: string): string => `PLANTED${hex(seed)}`;

export const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

const pem = (what: string, seed: string): string =>
  base64(`-----BEGIN ${what}-----\n${marker(seed)}\n-----END ${what}-----\n`);

/** The names of the secrets that are planted in a kubeconfig. */
const parts = ["comment", "token", "password", "certificate", "key"] as const;

/** A valid kubeconfig with a planted secret in every secret field. */
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

/** The part of a text's base64 that does not depend on the text around it, at each of the three offsets. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = base64("x".repeat(offset) + text);
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor((offset + text.length) / 3) * 4);
  });

const known = new Map<string, ReadonlyMap<string, string>>();

/** Halves of a marker in every encoding that programs use: encoded text → name of the encoding. */
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
    // Like a key in a kubeconfig that is in a Kubernetes Secret.
    inBase64(once).forEach((twice) => add("in base64 of base64", twice));
  }
  return found;
}

/**
 * The places in which planted values were found, as "place: encoding", without the value itself.
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
