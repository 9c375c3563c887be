import { weekDays } from "../../platform/azure/aks";
import type { SchemaNode } from "../jsonSchema";

/** Days, times of day and windows of time in other notations. */

/** A difference to UTC in another notation, such as "+1" and "(UTC+01:00) Amsterdam". */
export function offsets(text: string, { allowed = "" }: SchemaNode): string[] {
  const [, sign = "", hours = "", minutes = "00"] = /([+-])(\d\d?)(?::?(\d\d))?(?!\d)/.exec(text) ?? [];
  return allowed.startsWith("+HH:MM") && hours !== "" ? [`${sign}${hours.padStart(2, "0")}:${minutes}`] : [];
}

/** A time of day such as "7:30" and "10 pm" as HH:MM. */
export function timesOfDay(text: string): string[] {
  const [, hour, minutes = "00", half] = /^(\d{1,2})(?::(\d\d))?\s*([ap]m|uhr|h)?$/i.exec(text) ?? [];
  if (hour === undefined || (half === undefined && !text.includes(":"))) {
    return [];
  }
  const hours = /m$/i.test(half ?? "")
    ? (Number(hour) % 12) + (/p/i.test(half ?? "") ? 12 : 0)
    : Number(hour);
  return [`${String(hours).padStart(2, "0")}:${minutes}`];
}

const months = "janfebmaraprmayjunjulaugsepoctnovdec";

/** The parts of 31 March 2027. */
function named(parts: readonly string[] | null): string[] | undefined {
  const [, day = "", month = "", year = ""] = parts ?? [];
  const at = months.indexOf(month.toLowerCase());
  return month === "" || at % 3 !== 0 ? undefined : [year, String(at / 3 + 1), day];
}

/** The parts of 3/31/2027 and 31/3/2027, one of which can only be a day. */
function ofSlashes(parts: readonly string[] | null): string[] | undefined {
  const [, a = "", b = "", year = ""] = parts ?? [];
  return Number(b) > 12 ? [year, a, b] : Number(a) > 12 ? [year, b, a] : undefined;
}

/** A day in another notation; of two numbers that may both be a month, none is known to be it. */
export function days(text: string, { allowed = "" }: SchemaNode): string[] {
  const [year, month, day] =
    /^(\d{4})[-/. ](\d\d?)[-/. ](\d\d?)$/.exec(text)?.slice(1) ??
    /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text)?.slice(1).reverse() ??
    named(/^(\d\d?)[-. ]+([a-z]{3})[a-z]*[-. ,]+(\d{4})$/i.exec(text)) ??
    ofSlashes(/^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text)) ??
    [];
  return !allowed.startsWith("a day as") || year === undefined || month === undefined || day === undefined
    ? []
    : [[year, month.padStart(2, "0"), day.padStart(2, "0")].join("-")];
}

/** "Sunday 02:00-06:00" as a window of each week; one that ends the day after ends after midnight. */
export function windowsFrom(text: string, { properties }: SchemaNode): unknown[] {
  const time = "\\d{1,2}(?::\\d\\d)?(?:\\s*[ap]m)?";
  const [, name = "", from = "", to, offset] =
    new RegExp(
      `^([a-z]{3})[a-z]*[\\s,@:]+(?:at\\s+)?(${time})(?:\\s*(?:-|–|to|until)\\s*(?:[a-z]{3,9}:)?(${time}))?(?:\\s+(.+))?$`,
      "i",
    ).exec(text) ?? [];
  const dayOfWeek = weekDays.find((day) => day.toLowerCase().startsWith(name.toLowerCase()));
  const [[startTime], [endTime]] = [timesOfDay(from), timesOfDay(to ?? "")];
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const hours =
    startTime === undefined || endTime === undefined
      ? undefined
      : ((minutes(endTime) - minutes(startTime) + 24 * 60) % (24 * 60)) / 60;
  const [utcOffset] = offset === "UTC" ? ["+00:00"] : offsets(offset ?? "", properties?.utcOffset ?? {});
  return properties?.dayOfWeek === undefined ||
    name === "" ||
    (offset !== undefined && utcOffset === undefined) ||
    dayOfWeek === undefined ||
    startTime === undefined ||
    (to !== undefined && hours === undefined)
    ? []
    : [
        {
          dayOfWeek,
          startTime,
          ...(hours === undefined ? {} : { durationHours: hours }),
          ...(offset === undefined ? {} : { utcOffset }),
        },
      ];
}
