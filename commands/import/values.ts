import { windowsServers } from "capz-windows-platform/machines/windowsReleases";
import { fileLimits, yamlValues } from "capz-windows-kit/boundedYaml";
import { isRecord, text } from "capz-windows-kit/untyped";
import { named } from "./variables";

/** Values of CAPZ and of AKS Engine in the notation of a stack file; `undefined` for those without a counterpart. */

/** "windows-2022", "Windows2022", "ltsc2022" and "2022-Datacenter-Core" as "2022". */
export function windowsServerOf(value: unknown): string | undefined {
  const year = /20\d\d/.exec(String(value))?.[0];
  return windowsServers.find((release) => release === year);
}

export const numberIn = (value: unknown): number | undefined =>
  /^\d+$/.test(String(value)) ? Number(value) : undefined;

/** The first document of a YAML text; `undefined` if it is invalid. */
export function yamlIn(content: string): unknown {
  try {
    return yamlValues(content, fileLimits)[0];
  } catch {
    return undefined;
  }
}

const publicKey = /^(ssh-|ecdsa-)\S+ \S+/;

/** A public key, or the first one of a list as Azure has it. Anything else may be a secret, and is not repeated. */
export function publicKeyOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const inner = isRecord(first) ? (first.ssh ?? first.publicKeys ?? first.keyData) : first;
  if (Array.isArray(inner) || isRecord(inner)) {
    return publicKeyOf(inner);
  }
  const text = String(inner).trim();
  const decoded = /^[A-Za-z0-9+/=\s]+$/.test(text)
    ? Buffer.from(text, "base64").toString("utf8").trim()
    : text;
  return [text, decoded].find((one) => publicKey.test(one) && !one.includes("\n"));
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A duration of Go such as "1h30m" in seconds. A number is in seconds already. */
export function secondsOf(value: unknown): number | undefined {
  const text = String(value).trim();
  if (typeof value === "number" || /^\d+$/.test(text)) {
    return Number(value);
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([hms])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join("") === text;
  return isWhole
    ? parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (secondsIn[unit] ?? NaN), 0)
    : undefined;
}

/** Whole minutes; `undefined` for a duration with seconds. */
export function minutesOf(value: unknown): number | undefined {
  const minutes = (secondsOf(value) ?? NaN) / 60;
  return Number.isInteger(minutes) ? minutes : undefined;
}

/**
 * A name that is valid for a pool or a cluster in a stack file; other tools allow other characters.
 * @param prefix - put in front of a name that does not begin with a letter
 * @param length - the most characters that it may have
 */
export function legalName(name: unknown, prefix: string, length: number): string {
  const letters = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const begun = /^[a-z]/.test(letters) ? letters : `${prefix}-${letters}`;
  return begun.slice(0, length).replace(/-+$/, "");
}

/** The version of an image; `undefined` for the newest one, which a stack file cannot name. */
export const fixedVersion = (version: unknown): unknown =>
  /^latest$/i.test(text(version)) ? undefined : version;

/** Of a variable without a value, its name. */
export const poolName = (name: unknown): string => legalName(named(String(name)), "pool", 40);
