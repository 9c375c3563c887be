import { isRecord, list, numberAt, text, textAt } from "capz-windows-kit/untyped";
import type { StepResult } from "./model";

/** Reads what the scripts in scripts/ have written into the logs of their pods. */

/** Whether lists and mappings are nested no deeper than in what the scripts write, with room. */
const isFlat = (value: unknown, levels = 16): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isFlat(each, levels - 1)));

/** The lines of a log that are results; a program on the node may have written others. */
export const resultsOf = (log: string): StepResult[] =>
  log.split(/\r?\n/).flatMap((line) => {
    try {
      const value: unknown = line.startsWith("{") ? JSON.parse(line) : undefined;
      return isRecord(value) && typeof value.step === "string" && isFlat(value)
        ? [{ ...value, step: value.step, argument: text(value.argument) }]
        : [];
    } catch {
      return [];
    }
  });

/** The last line of a log that is no result: what a shell says before it ends. */
export const lastWords = (log: string): string =>
  log
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("{"))
    .at(-1)
    ?.trim()
    .slice(0, 200) ?? "";

/** A node has fewer adapters, and tries fewer sizes. */
const most = 1_000;

/** Windows PowerShell 5.1 may write a list as {value, Count}, and a list of one as its element. */
function items(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) {
    return list(value.slice(0, most));
  }
  if (!isRecord(value)) {
    return [];
  }
  return "value" in value ? items(value.value) : [value];
}

function texts(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  if (isRecord(value)) {
    return texts(value.value);
  }
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The adapters that are up: of `ip -j address` on Linux, of Get-NetIPInterface on Windows. */
export const adaptersOf = (result: StepResult) =>
  "ip" in result
    ? items(result.ip)
        .filter((adapter) => textAt(adapter, "operstate") !== "DOWN")
        .map((adapter) => ({
          name: textAt(adapter, "ifname"),
          mtu: numberAt(adapter, "mtu") ?? NaN,
          addresses: items(adapter.addr_info)
            .filter((address) => textAt(address, "family") === "inet")
            .map((address) => textAt(address, "local")),
        }))
    : items(result.adapters)
        .filter((adapter) => textAt(adapter, "state") !== "Disconnected")
        .map((adapter) => ({
          name: textAt(adapter, "name"),
          mtu: numberAt(adapter, "mtu") ?? NaN,
          addresses: texts(adapter.addresses),
        }));

/** The sizes between which the scripts search, in bytes with the headers of IP and ICMP. */
export const searched = { lowest: 576, highest: 1500 } as const;

/** What a search for the largest packet has found. */
export type LargestPacket =
  | {
      readonly bytes: number;
      /** What happens to packets that are a byte larger; "" for the largest size that is searched. */
      readonly above: string;
    }
  | {
      readonly why: string;
      /** Whether not even the smallest packet was answered, which says nothing about sizes. */
      readonly unanswered: boolean;
    };

/**
 * Reads the sizes that a script has tried. The script searches by halves; this accepts its answer only if the tries prove
 * it: the largest size that passed, and the next byte that did not.
 */
export function largestPacket(result: StepResult): LargestPacket {
  const outer: unknown = isRecord(result.sizes) ? result.sizes.value : result.sizes;
  const tries = (Array.isArray(outer) ? outer.slice(0, most) : []).map(
    (each: unknown): readonly [number, string] => {
      const pair: unknown = isRecord(each) ? each.value : each;
      return [numberAt(pair, "0") ?? NaN, textAt(pair, "1")];
    },
  );
  const passed = tries.filter(([, status]) => status === "Success").map(([size]) => size);
  const bytes = Math.max(...passed);
  const failed = tries.filter(([, status]) => status !== "Success");
  if (passed.length === 0) {
    const [, status = ""] = failed[0] ?? [];
    return {
      why: `pings of ${searched.lowest} bytes are not answered: ${status || "no answer"}`,
      unanswered: true,
    };
  }
  if (failed.some(([size]) => size < bytes)) {
    const why = "a larger packet passed than one that was lost: packets are lost at random";
    return { why, unanswered: false };
  }
  const next = failed.find(([size]) => size === bytes + 1);
  return next === undefined && bytes < searched.highest
    ? { why: `the search ended at ${bytes} bytes`, unanswered: false }
    : { bytes, above: next?.[1] ?? "" };
}

/**
 * By how many milliseconds a clock is ahead of the one that wrote a header `Date`, at least. The header has whole seconds,
 * and it was written at some moment of the request: 0 if both clocks may agree.
 */
export function clockDifference({ before, after, date }: StepResult): number | undefined {
  const written = Date.parse(text(date));
  if (Number.isNaN(written) || typeof before !== "number" || typeof after !== "number") {
    return undefined;
  }
  const ahead = before - (written + 1000);
  const behind = written - after;
  if (ahead > 0) {
    return ahead;
  }
  return behind > 0 ? -behind : 0;
}
