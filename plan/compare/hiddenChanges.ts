import { hiddenLines } from "capz-windows-kit/hiddenLines";
import { hideCredentials, nameOf } from "capz-windows-kit/credentials";
import type { PropertyChange, StackDiff } from "./stackDiff";

/**
 * Credentials in what a comparison shows, wherever they come from: also from a manifest of others, or from a plan whose stack
 * file is not known.
 */

function hiddenValue(value: unknown, name?: string): unknown {
  if (typeof value === "string") {
    return hideCredentials(value, name);
  }
  if (Array.isArray(value)) {
    return value.map((inner, index) => hiddenValue(inner, nameOf(value, index)));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, hiddenValue(inner, nameOf(value, key))]),
      )
    : value;
}

export const hiddenChange = (change: PropertyChange): PropertyChange => {
  const name = change.path.split(".").at(-1);
  return {
    path: change.path,
    ...("before" in change ? { before: hiddenValue(change.before, name) } : {}),
    ...("after" in change ? { after: hiddenValue(change.after, name) } : {}),
    ...(change.text === undefined ? {} : { text: hiddenLines(change.text, /^(?!@@)./) }),
  };
};

export const hiddenDiff = (diff: StackDiff): StackDiff => ({
  ...diff,
  changes: diff.changes.map((change) => ({
    ...change,
    properties: change.properties.map(hiddenChange),
    options: change.options.map(hiddenChange),
  })),
  outputs: diff.outputs.map(hiddenChange),
  nodes: diff.nodes.map(hiddenChange),
});
