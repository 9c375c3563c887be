import { lastPart } from "../../platform/azure/resourceParts";
import { windowsServers } from "../../platform/machines/windowsReleases";
import { at, isRecord, list, textAt } from "../../tools/untyped";
import { numberOf } from "../advice/units";

/** Values of other tools in this program's notation; `undefined` for those without a counterpart. */

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

/** The size of the only disk of a control plane machine, which is that of etcd. */
export const etcdDiskOf = (value: unknown): number | undefined => {
  const [only, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return more.length === 0 && /etcd/i.test(JSON.stringify(only)) ? gigabytesOf(only) : undefined;
};

/** A drive such as "f:" as its letter. */
export const letterOf = (value: unknown): string | undefined =>
  /^([a-z])(?::[\\/]?)?$/i.exec(String(value))?.[1]?.toUpperCase();

/** The type of a disk, which CAPZ has in a mapping. */
export const diskTypeOf = (value: unknown): string | undefined =>
  textOf(isRecord(value) ? value.storageAccountType : value);

/** Azure's type of a license, or a switch. */
export const hybridBenefitOf = (value: unknown): boolean | undefined =>
  /^windows_(?:server|client)$/i.test(String(value))
    ? true
    : /^none$/i.test(String(value))
      ? false
      : switchOf(value);

/** Zones as a list of texts. */
export const zonesOf = (value: unknown): unknown =>
  (Array.isArray(value) ? value : String(value).split(/[\s,]+/)).map((zone: unknown) =>
    String(zone).replace(/^.*-(?=\d$)/, ""),
  );

/** How machines are created: in a scale set, or one by one. */
export function kindOf(value: unknown): string | undefined {
  const text = String(value).toLowerCase();
  return /scalesets?$|^(flexible|uniform)$/.test(text)
    ? "MachinePool"
    : /availabilityset|virtualmachines?$|standalone/.test(text)
      ? "MachineDeployment"
      : undefined;
}

const rolloutKeys = ["maxSurge", "maxUnavailable", "deletePolicy"];

/** The parts of a strategy that a rollout has; CAPZ's are inside `rollingUpdate`. */
export function rolloutOf(value: unknown): unknown {
  const inner = isRecord(value) && isRecord(value.rollingUpdate) ? value.rollingUpdate : value;
  const given = Object.entries(isRecord(inner) ? inner : {}).filter(([key]) => key !== "type");
  return given.length === 0 || given.some(([key]) => !rolloutKeys.includes(key))
    ? undefined
    : Object.fromEntries(given);
}

const isOn = (value: unknown): boolean => /^\$?(true|yes|on|1)$/i.test(String(value));

export const isOff = (value: unknown): boolean => /^\$?(false|no|off|0)$/i.test(String(value));

/** `calico` and `none` mean the same in other tools. There is no value for any other CNI. */
export const cniOf = (value: unknown): string | undefined =>
  ["calico", "none"].find((known) => known === String(value).toLowerCase());

/** A switch for Calico, also inside a mapping with `enabled`. */
export function cniIfOn(value: unknown): string | undefined {
  const isSwitchedOn = switchOf(value);
  return isSwitchedOn === undefined ? undefined : isSwitchedOn ? "calico" : "none";
}

/** The value of a switch, for a feature that is a mapping here. */
const mappingIfOn = (value: unknown): unknown => (isOn(value) ? {} : undefined);

/** An audit log: a switch, the path of a policy, a policy, its rules, or settings of the log. */
export function auditOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return { policy: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: value as unknown[] } };
  }
  if (isRecord(value)) {
    return "rules" in value ? { policy: value } : value;
  }
  return typeof value === "string" && /\.ya?ml$|\.json$/.test(value)
    ? { policyFile: value }
    : mappingIfOn(/^enabled$/i.test(String(value)) ? true : value);
}

/** Encryption of Secrets: names of keys, or a switch, which has one key. */
export function encryptionOf(value: unknown): unknown {
  return Array.isArray(value)
    ? { keys: value as unknown[] }
    : isRecord(value) && "keys" in value
      ? value
      : switchOf(value) === true
        ? { keys: ["key1"] }
        : undefined;
}

const numberIn = (value: object, name: RegExp): number | undefined =>
  Object.entries(value)
    .filter(([key]) => name.test(key))
    .map(([, number]: [string, unknown]) => Number(number))
    .find((number) => Number.isInteger(number) && number >= 0);

/** The range of an autoscaler: a mapping such as `{minCount: 1, maxCount: 5}`, or a switch. */
export function rangeOf(value: unknown): unknown {
  if (!isRecord(value)) {
    return mappingIfOn(value);
  }
  const [min, max] = [numberIn(value, /^min/i), numberIn(value, /^max/i)];
  return min === undefined && max === undefined
    ? mappingIfOn(value)
    : { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** AKS's priority of machines, as the mapping for spot machines. */
export const spotOf = (value: unknown): unknown =>
  isOn(value) || /^(spot|low)$/i.test(String(value)) ? {} : undefined;

/** A switch, also inside a mapping with `enabled`. */
export function switchOf(value: unknown): boolean | undefined {
  const inner = isRecord(value) ? value.enabled : value;
  return isOn(inner) ? true : isOff(inner) ? false : undefined;
}

export const oppositeOf = (value: unknown): boolean | undefined => {
  const own = switchOf(value);
  return own === undefined ? undefined : !own;
};

/** A switch here is a mapping with `enabled`. */
export const enabledOf = (value: unknown): unknown =>
  isRecord(value) ? value : isOn(value) ? { enabled: true } : isOff(value) ? { enabled: false } : undefined;

/** A switch for a private API server. */
export const privateOf = (value: unknown): unknown =>
  isRecord(value) ? value : isOn(value) ? { private: true } : undefined;

/** An internal load balancer of CAPZ, or its address, as a private API server. */
export function internalOf(value: unknown): unknown {
  const type = (textAt(value, "type") || textAt(value, "scheme")).toLowerCase();
  const ip = typeof value === "string" ? value : textAt(list(at(value, "frontendIPs"))[0], "privateIP");
  return type === "internal" || (type === "" && ip !== "")
    ? { private: true, ...(ip === "" ? {} : { ip }) }
    : undefined;
}

/** The name in an ARM ID, or the name itself. */
export const lastPartOf = (value: unknown): string | undefined =>
  typeof value === "string" ? lastPart(value) : undefined;

/** A private DNS zone by its name or its ARM ID. */
export const zoneOf = (value: unknown): unknown =>
  typeof value !== "string"
    ? undefined
    : value.startsWith("/")
      ? { zoneId: value }
      : value.includes(".")
        ? { zoneName: value }
        : undefined;

/** A mapping, where a text means something else. */
export const mappingOf = (value: unknown): unknown => (isRecord(value) ? value : undefined);

/** Values of keys that mean something else here. */
export const nothing = (): undefined => undefined;

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A single text as a list with it. */
export const oneOrMore = (value: unknown): unknown => (typeof value === "string" ? [value] : value);

/** AKS's switch for a CNI that users bring. */
export const noneUnlessOff = (value: unknown): string | undefined => (isOff(value) ? undefined : "none");

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
export const networkOfList = (value: unknown): unknown => {
  const list = isRecord(value)
    ? (value.cidrBlocks ?? value.cidr ?? value.addressSpace ?? value.addressPrefix ?? value.addressPrefixes)
    : value;
  return Array.isArray(list) ? (list.length === 1 ? list[0] : undefined) : list;
};

/** A list of networks or names; a single one becomes a list, and so does a mapping with one list. */
export const listOf = (value: unknown): unknown => {
  const [inner, ...more] = isRecord(value) ? Object.values(value) : [value];
  return Array.isArray(inner)
    ? inner
    : more.length === 0 && typeof inner === "string"
      ? inner.split(/[\s,]+/)
      : undefined;
};

/** A duration in minutes, also in a mapping with a `timeout`. */
export const minutesOf = (value: unknown): number | undefined => {
  const own = isRecord(value) ? value.timeout : value;
  return typeof own === "number" ? own : numberOf(String(own), "minutes");
};

/** The version in a text such as "cluster-api:v1.14.2". */
export const versionIn = (value: unknown): string | undefined => /v\d+(\.\d+){2}\S*/.exec(String(value))?.[0];

/** Names of a list of exceptions of a proxy; a name with a dot before it is for all below it. */
export const hostsOf = (value: unknown): unknown =>
  (typeof value === "string" ? value.split(/[\s,;]+/) : [value].flat()).map((one) =>
    String(one).replace(/^\*(?=\.)/, ""),
  );

/** Only `true` exists: an API server that is not internal has no such mapping. */
export const isInternal = (value: unknown): true | undefined =>
  /^(internal|private)$/i.test(String(value)) ? true : undefined;

export const hyperVOf = (value: unknown): boolean | undefined =>
  /^hyper-?v$/i.test(String(value)) ? true : /^process$/i.test(String(value)) ? false : undefined;

/** Minutes in seconds. */
export const secondsOfMinutes = (value: unknown): number | undefined => {
  const minutes = minutesOf(value);
  return minutes === undefined ? undefined : minutes * 60;
};

/** A duration such as "1h30m" or "30 minutes" in seconds. The unit of a number is in the name of its key, if anywhere. */
export const secondsOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : numberOf(String(value), "seconds");

/** The length of a prefix, `/30`. */
export const bitsOf = (value: unknown): unknown => {
  const [, bits] = /^\/(\d+)$/.exec(String(value)) ?? [];
  return bits === undefined ? value : Number(bits);
};

/** A jump host as the bastion that it is. */
export const jumpHostOf = (value: unknown): unknown =>
  typeof value === "string" ? { kind: "jumpHost", jumpHost: value } : value;

/** A level of Pod Security, as the one below which pods are refused. */
export const podSecurityOf = (value: unknown): unknown =>
  typeof value === "string" ? { enforce: value.toLowerCase() } : value;
