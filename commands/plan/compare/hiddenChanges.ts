import { privateKey } from "../../../tools/credentialForms";
import { hiddenText, hideCredentials, nameOf } from "../../../tools/credentials";
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

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----\s*$/;

/** Private keys are hidden by line: as a whole, each would hide all lines around it. */
function withoutKeys(lines: readonly string[]): string[] {
  let isInKey = false;
  return lines.map((line) => {
    const isBody = isInKey && /^\s*[\w+/=-]+\s*$/.test(line);
    isInKey = keyBegin.test(line) || isBody || (isInKey && /^\s*(?:[\w-]+: .*)?$/.test(line));
    return isBody || privateKey.test(line) ? hiddenText("a private key", line) : line;
  });
}

/** One side of a diff; a name and its value may be on two lines. */
function hiddenSide(lines: readonly string[], head: RegExp): string[] {
  const heads = lines.map((line) => head.exec(line)?.[0] ?? "");
  const texts = withoutKeys(lines.map((line, index) => line.slice(heads[index]?.length)));
  const hidden = hideCredentials(texts.join("\n")).split("\n");
  // A credential on some lines becomes one.
  const shown = hidden.length === lines.length ? hidden : texts.map((line) => hideCredentials(line));
  return shown.map((line, index) => `${heads[index] ?? ""}${line}`);
}

/**
 * The lines of a diff: of a value that changes, only one is behind the line that names it.
 * @param head - what stands before the text of a line, with the sign of its change
 */
export function hiddenLines(lines: readonly string[], head: RegExp): string[] {
  const shown = [...lines];
  for (const otherSide of ["+", "-"]) {
    const places = lines.flatMap((line, index) =>
      head.exec(line)?.[0].trim().split(" ")[0] === otherSide ? [] : [index],
    );
    const side = hiddenSide(
      places.map((index) => shown[index] ?? ""),
      head,
    );
    places.forEach((index, at) => (shown[index] = side[at] ?? ""));
  }
  return shown;
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
