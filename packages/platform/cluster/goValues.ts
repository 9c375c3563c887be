import ipaddr from "ipaddr.js";
import { quantityPattern } from "capz-windows-kit/quantity";

/** How Go's flag packages read values from texts: spf13/pflag v1.0.10 and k8s.io/component-base v0.36 cli/flag; etcd: flag of Go. */

/** Go's durations: numbers with units, without blanks. Source: time.ParseDuration. */
export const goDuration = /^[-+]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/;

/** Seconds of a Go duration; `undefined` for any other text. */
export function goSeconds(text: string): number | undefined {
  if (!goDuration.test(text)) {
    return undefined;
  }
  const units = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    seconds += Number(number) * units[unit as keyof typeof units];
  }
  return text.startsWith("-") ? -seconds : seconds;
}

const goBoolean = /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/;
/** Numbers of strconv.ParseFloat, but for NaN and infinities. */
export const decimal = /^[-+]?(\d+(?:\.\d*)?|\.\d+)([eE][-+]?\d+)?$/;

/** A whole number in the notations of Go (strconv.ParseInt, base 0): 0x1f, 0o17, 017, 0b1 and 1_000 too. */
export function goWhole(text: string): bigint | undefined {
  const [, sign = "", digits = ""] =
    /^([-+]?)(0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0(?:_?[0-7])*|0b(?:_?[01])+|[1-9](?:_?\d)*)$/i.exec(text) ?? [];
  if (digits === "") {
    return undefined;
  }
  const octal = /^0[0-7_]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = BigInt(octal.replaceAll("_", ""));
  return sign === "-" ? -value : value;
}

/** The number that Go reads in a text; NaN for none. */
export const goNumberOf = (text: string): number =>
  Number(goWhole(text) ?? (decimal.test(text) ? text : NaN));

/** Of a type without a sign, ParseUint takes none at all. */
function wholeFault(text: string, least: bigint, most: bigint): string | undefined {
  const value = least === 0n && /^[-+]/.test(text) ? undefined : goWhole(text);
  return value === undefined || value < least || value > most
    ? `a whole number from ${least} to ${most}`
    : undefined;
}

const pairs = (text: string): string[] => text.split(",").filter((pair) => pair !== "");

/** Names and values of a flag with pairs such as a=b,c=d, without the blanks around them. */
export const pairsIn = (text: string, sign = "="): Record<string, string> =>
  Object.fromEntries(
    pairs(text).map((pair) => {
      const [name = "", ...value] = pair.split(sign);
      return [name.trim(), value.join(sign).trim()];
    }),
  );

const pairsFault = (entries: readonly string[], sign: string): string | undefined =>
  entries.every((pair) => pair.includes(sign)) ? undefined : `pairs such as name${sign}value`;

/** Go's net.ParseIP. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

const mostPort = 65_535;

/** First and last port; `undefined` for any other text. Source: k8s.io/apimachinery v0.36.3 pkg/util/net/port_range.go. */
export function portsIn(text: string): readonly [first: number, last: number] | undefined {
  const [, from, sign, to = from] = /^(\d+)(?:([-+])(\d+))?$/.exec(text) ?? [];
  const [first, second] = [Number(from), Number(to)];
  const last = sign === "+" ? first + second : second;
  return first <= last && last <= mostPort ? [first, last] : undefined;
}

/** Entries of a flag that takes a list. Source: spf13/pflag string_slice.go, which reads it as CSV. */
export const sliceOf = (text: string): string[] => (text === "" ? [] : text.replaceAll('"', "").split(","));

/** Source: k8s.io/component-base v0.36.3 logs/api/v1/pflags.go. */
const isVerbosity = (text: string): boolean =>
  pairs(text).every((pair) => Number(/^[^=]+=(\d+)$/.exec(pair)?.[1]) < 2 ** 31);

/** Source: k8s.io/component-base v0.36.3 cli/flag/namedcertkey_flag.go. */
function isCertificatePair(text: string): boolean {
  const [files = "", ...names] = text.split(":");
  return files.split(",").length === 2 && (names.length === 0 || names.join(":").trim() !== "");
}

/** Host and port of a URL, none of a socket's. Source: etcd v3.6.8 and v3.7.0 client/pkg/types/urls.go. */
export function hostsIn(text: string): (string | undefined)[] | undefined {
  const found = text
    .split(",")
    .map((url) =>
      /^(?:https?:\/\/(?:[^\s/?#@]*@)?(?:\[([^\s[\]]*)\]|([^\s/?#@:[\]]*)):\d*(?:[?#]\S*)?|unixs?:\S*)$/i.exec(
        url.trim(),
      ),
    );
  return found.includes(null) ? undefined : found.map((url) => url?.[1] ?? url?.[2]);
}

/** What a flag of a type in Go takes, if it does not take a text; `undefined` if it does, or for a type that is not known here. */
export function goValueFault(type: string, text: string): string | undefined {
  switch (type) {
    case "bool":
      return goBoolean.test(text) ? undefined : "true or false";
    case "duration":
      return goDuration.test(text) ? undefined : "a duration such as 30s or 5m";
    case "float32":
    case "float64":
      return decimal.test(text) ? undefined : "a number";
    case "int":
    case "int64":
      return wholeFault(text, -(2n ** 63n), 2n ** 63n - 1n);
    case "int32":
      return wholeFault(text, -(2n ** 31n), 2n ** 31n - 1n);
    case "Level":
      // It reads decimal digits alone: k8s.io/component-base v0.36.3 logs/api/v1/pflags.go.
      return /^\d+$/.test(text) && Number(text) < 2 ** 31 ? undefined : "a whole number from 0 on";
    case "uint":
    case "uint64":
      return wholeFault(text, 0n, 2n ** 64n - 1n);
    case "flags.uint32Value":
      return wholeFault(text, 0n, 2n ** 32n - 1n);
    case "quantity":
      return quantityPattern.test(text) ? undefined : "a quantity such as 512Mi";
    case "ip":
      return isAddress(text.trim()) ? undefined : "an IP address";
    case "portRange":
      return portsIn(text) === undefined ? `ports up to ${mostPort}, such as 30000-32767` : undefined;
    case "pattern=N,...":
      return isVerbosity(text) ? undefined : "pairs such as controller=4";
    case "int32Slice":
      return text.split(",").some((one) => goWhole(one) === undefined)
        ? "whole numbers, separated by commas"
        : undefined;
    case "namedCertKey":
      return isCertificatePair(text) ? undefined : "a file and the file of its key, such as a.crt,a.key";
    case "flags.UniqueURLs":
      // Nothing, and for one flag a star, are no URLs, and right.
      return text === "" || text === "*" || hostsIn(text) !== undefined
        ? undefined
        : "URLs with a port and no path, such as http://127.0.0.1:2381";
    case "mapStringBool":
    case "colonSeparatedMultimapStringString":
      // The latter is the type of feature gates.
      return pairs(text).every((pair) => goBoolean.test(pair.split("=")[1] ?? ""))
        ? undefined
        : "pairs such as Name=true";
    case "mapStringString":
    case "stringToString":
      return pairsFault(pairs(text), "=");
    case "langlePairs":
      return pairsFault(pairs(text), "<");
    case "headers":
      return pairsFault(pairs(text), ":");
    case "onePair":
      return pairsFault([text], "=");
    default:
      return undefined;
  }
}
