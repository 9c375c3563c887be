import { windowsServers } from "../../platform/machines/windowsReleases";
import { isRecord } from "../../tools/untyped";

/** Values of CAPZ and of AKS Engine in the notation of a stack file; `undefined` for those without a counterpart. */

/** "windows-2022", "Windows2022", "ltsc2022" and "2022-Datacenter-Core" as "2022". */
export function windowsServerOf(value: unknown): string | undefined {
  const year = /20\d\d/.exec(String(value))?.[0];
  return windowsServers.find((release) => release === year);
}

/** The size of a disk, which may be in a mapping such as CAPZ's `osDisk`. */
export function gigabytesOf(value: unknown): number | undefined {
  const size = isRecord(value) ? (value.diskSizeGB ?? value.sizeGB) : value;
  const [, digits] = /^(\d+)\s*(?:Gi?B?)?$/i.exec(String(size)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Zones as a list of texts, without the name of a region. */
export const zonesOf = (value: unknown): unknown =>
  (Array.isArray(value) ? value : String(value).split(/[\s,]+/)).map((zone: unknown) =>
    String(zone).replace(/^.*-(?=\d$)/, ""),
  );

const rolloutKeys = ["maxSurge", "maxUnavailable", "deletePolicy"];

/** The parts of a strategy that a rollout has; CAPZ's are inside `rollingUpdate`. */
export function rolloutOf(value: unknown): unknown {
  const inner = isRecord(value) && isRecord(value.rollingUpdate) ? value.rollingUpdate : value;
  const given = Object.entries(isRecord(inner) ? inner : {}).filter(([key]) => key !== "type");
  return given.length === 0 || given.some(([key]) => !rolloutKeys.includes(key))
    ? undefined
    : Object.fromEntries(given);
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

/** One network: the first of a list with one. */
export function networkOfList(value: unknown): unknown {
  const list = isRecord(value)
    ? (value.cidrBlocks ?? value.cidr ?? value.addressSpace ?? value.addressPrefix ?? value.addressPrefixes)
    : value;
  if (!Array.isArray(list)) {
    return list;
  }
  return list.length === 1 ? list[0] : undefined;
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
