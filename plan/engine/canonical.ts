import type { Recording } from "./recording";
import type { Value } from "./values";
import { redact } from "./values";

/** JSON of a record or a part of it, with fields in alphabetical order; secrets and unknowns are placeholders. */
export function toJson(part: unknown): string {
  return JSON.stringify(sortedFields(redact(part as Value)));
}

function sortedFields(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedFields);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sortedFields(inner)]),
      )
    : value;
}

const byText = <T>(list: readonly T[], text: (item: T) => string): T[] =>
  list
    .map((item) => [text(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item);

/**
 * A record without what differs between two runs of the same program: the time that it took, and the order in which
 * requests arrived, which hangs on the timing of the program.
 */
export function canonical(recording: Recording): Recording {
  return {
    ...recording,
    resources: byText(recording.resources, ({ urn }) => urn).map((resource, index) => ({
      ...resource,
      order: index + 1,
    })),
    reads: byText(recording.reads, ({ urn }) => urn),
    invokes: byText(recording.invokes, toJson),
    diagnostics: byText(recording.diagnostics, toJson),
    elapsedMs: 0,
  };
}
