import { compact } from "../compact";
import { credentialIn } from "../../tools/credentials";
import type { Problem, Warning } from "../../tools/problem";
import { writeLine, placeholder } from "../../tools/writeLine";
import { pathText, type Path } from "../advice/steps";
import { secretKeys } from "../schema/stack";
import type { Settings } from "../settings";

/** Credentials in values that are not secret: in the stack file, in plans, and on the nodes or in Azure. */

interface Found extends NonNullable<ReturnType<typeof credentialIn>> {
  readonly path: Path;
}

/** The texts of a value; those of a mapping with their key, as in `password: abc`. */
export function credentialsIn(value: unknown, path: Path): Found[] {
  if (typeof value === "string") {
    const key = path.at(-1);
    const found =
      credentialIn(value) ?? (typeof key === "string" ? credentialIn(`${key}: ${value}`) : undefined);
    return compact([found !== undefined && { ...found, path }]);
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        credentialsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [];
}

/** Certificates and the SSH key have rules of their own, and the values of the other keys are secrets. */
const elsewhere = ["access", "trustedCertificates", ...secretKeys];

const credentials = (settings: Settings): Found[] =>
  Object.entries(settings)
    .filter(([key]) => !elsewhere.includes(key))
    .flatMap(([key, value]) => credentialsIn(value, [key]));

const isContent = (path: Path): boolean => path.at(-1) === "content" && path.at(-3) === "files";

/** Who can read a value. */
const readers = (path: Path): string =>
  /^(linux|windows)Pools$/.test(String(path[0])) && path.includes("vmExtensions")
    ? "anyone who can read the machines in Azure"
    : path[0] === "extraManifests"
      ? "anyone who can read ConfigMaps of the management cluster"
      : /^(linux|windows)Pools$|^controlPlane$/.test(String(path[0]))
        ? "every program on the nodes"
        : "anyone who can read the stack file or a plan";

const setSecret = "npx pulumi config set --secret capz-windows:secretFiles < FILE";

/** Removes the innermost value that has a name, or an item of a list. */
function removal(path: Path): string {
  const from = typeof path.at(-1) === "number" ? -2 : -1;
  return `remove ${pathText(path.slice(from))} # in ${pathText(path.slice(0, from))}`;
}

/** The content of a file as a secret, with the key that has it. */
const fromSecret = (file: string, { secretFiles }: Settings): string =>
  [
    `remove content # in ${file}`,
    `${writeLine("contentFrom", { secretFile: placeholder("name of a content in secretFiles") })} # in ${file}`,
    ...(secretFiles === undefined ? [setSecret] : []),
  ].join("; ");

/** Private keys. */
export const credentialRules = (settings: Settings): Problem[] =>
  credentials(settings)
    .filter(({ isKey }) => isKey)
    .map(({ path }) => ({
      path: pathText(path),
      uses: [pathText(path)],
      problem: `a private key, which is not shown here, and which ${readers(path)} could read: it is compromised, so replace it`,
      allowed: "secrets in files[].contentFrom and in the keys that Pulumi encrypts",
      write: isContent(path) ? fromSecret(pathText(path.slice(0, -1)), settings) : removal(path),
    }));

/**
 * The warning about what looks like a credential.
 * @param place - key of the stack file
 * @param rest - the rest of the path, where `place` is not the whole one
 */
export const credentialWarning = (what: string, place: Path, rest: Path = []): Warning => {
  const path = [...place, ...rest];
  return {
    path: pathText(place),
    message: `this looks like ${what}, which ${readers(path)} can read; ${
      isContent(path)
        ? `put it into files[].contentFrom.secretFile (${setSecret})`
        : String(path.at(-2)).endsWith("Commands")
          ? "let the command read it from a file with contentFrom.secretFile"
          : "use a managed identity, or what needs no password"
    }`,
  };
};

/** What looks like another credential. */
export const credentialWarnings = (settings: Settings): Warning[] =>
  credentials(settings)
    .filter(({ isKey }) => !isKey)
    .map(({ path, what }) => credentialWarning(what, path));
