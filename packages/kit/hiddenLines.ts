import { hiddenText, hideCredentials } from "./credentials";
import { privateKey } from "./credentialTokens";

/** Credentials in the lines of a diff, which keep their number. */

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
    places.forEach((index, at) => {
      shown[index] = side[at] ?? "";
    });
  }
  return shown;
}
