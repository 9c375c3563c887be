import { present } from "capz-windows-kit/present";
import { credentialIn, credentialOf, nameOf } from "capz-windows-kit/credentials";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { isRecord, ownValue, textAt } from "capz-windows-kit/untyped";
import { pathText, valueAt, type Path } from "../steps";
import { secretKeys } from "../schema/stack";
import type { Settings } from "../settings";

/** Credentials in values that are not secret: in the stack file, in plans, and on the nodes or in Azure. */

interface Found extends NonNullable<ReturnType<typeof credentialIn>> {
  readonly path: Path;
}

type Leaves = (key: string, value: unknown) => boolean;

/** A value without these keys; the others keep their paths. */
function without(value: unknown, leaves: Leaves): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => without(item, leaves));
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key, inner]) => !leaves(key, inner))
          .map(([key, inner]) => [key, without(inner, leaves)]),
      )
    : value;
}

const groups: Readonly<Record<string, Leaves>> = {
  // Descriptions of fields, with examples.
  "apiextensions.k8s.io": () => true,
  // What only the cluster can decrypt: at least a key of 2048 bits, whose length comes first.
  "bitnami.com": (_key, value) => typeof value === "string" && /^Ag[A-Za-z0-9+/]{340,}={0,2}$/.test(value),
  "external-secrets.io": (key) => key === "secretKey" || key.endsWith("Ref"),
};

/**
 * An object without what has words like credentials and is none: names of secrets that stand elsewhere, and ciphertext.
 * Sources: https://external-secrets.io/latest/api/externalsecret/ and https://github.com/bitnami-labs/sealed-secrets
 */
export function withoutReferences<T extends object>(object: T): T {
  const [group = ""] = textAt(object, "apiVersion").split("/");
  const leaves = ownValue(groups, group);
  return leaves === undefined ? object : (without(object, leaves) as T);
}

/** The texts of a value; those of a mapping with their name, as in `password: abc`. */
function credentialsIn(value: unknown, path: Path, name?: string): Found[] {
  if (typeof value === "string") {
    const found = credentialIn(value) ?? (name === undefined ? undefined : credentialOf(value, name));
    return present(found !== undefined && { ...found, path });
  }
  return typeof value === "object" && value !== null
    ? Object.entries(withoutReferences(value)).flatMap(([key, inner]) => {
        const step = Array.isArray(value) ? Number(key) : key;
        return credentialsIn(inner, [...path, step], nameOf(value, step));
      })
    : [];
}

/** Certificates and the SSH key have rules of their own, and the values of the other keys are secrets. */
const elsewhere = ["access", "trustedCertificates", ...secretKeys];

/** @param stack - settings, or a stack file as it is, which may be wrong */
export const credentialsOf = (stack: object): Found[] =>
  Object.entries(stack)
    .filter(([key]) => !elsewhere.includes(key))
    .flatMap(([key, value]) => credentialsIn(value, [key], key));

const isContent = (path: Path): boolean => path.at(-1) === "content" && path.at(-3) === "files";

const pools = /^(?:linuxPools|windowsPools|poolDefaults)$/;

/** Who can read a value. */
function readers(path: Path): string {
  const isOfPool = pools.test(String(path[0]));
  if (isOfPool && path.includes("vmExtensions")) {
    return "anyone who can read the machines in Azure";
  }
  if (path[0] === "extraManifests") {
    return "anyone who can read ConfigMaps of the management cluster";
  }
  return isOfPool || path[0] === "controlPlane"
    ? "every program on the nodes"
    : "anyone who can read the stack file or a plan";
}

const setSecret = "npx pulumi config set --secret capz-windows:secretFiles < FILE";

const allowed = "secrets in files[].contentFrom and in the keys that Pulumi encrypts";

/** Private keys. */
export const credentialRules = (settings: Settings): Problem[] =>
  credentialsOf(settings)
    .filter(({ isKey }) => isKey)
    .map(({ path }) => ({
      path: pathText(path),
      problem: `a private key, which is not shown here, and which ${readers(path)} could read: it is compromised, so replace it`,
      allowed,
      write: remedy(path),
    }));

const looksLike = (what: string, path: Path): string =>
  `this looks like ${what}, which ${readers(path)} can read`;

function remedy(path: Path): string {
  if (isContent(path)) {
    return `put it into files[].contentFrom.secretFile (${setSecret})`;
  }
  return String(path.at(-2)).endsWith("Commands")
    ? "let the command read it from a file with contentFrom.secretFile"
    : "use a managed identity, or what needs no password";
}

/** The warning about what looks like a credential. */
const credentialWarning = (what: string, path: Path): Warning => ({
  path: pathText(path),
  message: `${looksLike(what, path)}; ${remedy(path)}`,
});

/** What looks like another credential. */
const others = (stack: object): Found[] => credentialsOf(stack).filter(({ isKey }) => !isKey);

export const credentialWarnings = (settings: Settings): Warning[] =>
  others(settings).map(({ path, what }) => credentialWarning(what, path));

/**
 * The same for the files of extraManifests, whose private keys no rule refuses.
 * @param files - their objects, by the name of the manifest
 */
export const fileCredentials = (files: Readonly<Record<string, readonly unknown[]>>): Warning[] =>
  Object.entries(files).flatMap(([name, objects]) =>
    objects.flatMap((object, index) =>
      credentialsIn(object, []).map(({ what }) => {
        const { path, message } = credentialWarning(what, ["extraManifests", name, "file"]);
        return { path, message: `in object ${index + 1}, ${message}` };
      }),
    ),
  );

/**
 * The same as problems, for the report on a stack file that is wrong anyway. They are looked for in the file, because its
 * settings have examples in place of what is wrong.
 * @param corrected - the file after the advice about its other problems: a text that is gone needs no advice, and one that
 * has moved needs that for its new place
 */
export const credentialProblems = (config: object, corrected: object): Problem[] => {
  const left = others(corrected);
  return others(config).flatMap(({ path, what }) => {
    const now = left.find((one) => valueAt(corrected, one.path) === valueAt(config, path))?.path;
    if (now === undefined) {
      return [];
    }
    return {
      path: pathText(path),
      problem: looksLike(what, now),
      allowed,
      write: remedy(now),
    };
  });
};
