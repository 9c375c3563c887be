import fc from "fast-check";
import { parse } from "yaml";
import { needsDoubleQuotes } from "../../../bootstrap/userData/yamlText";
import { isPlainScalar } from "../../../bootstrap/limits";

/** How a YAML parser reads a plain text; `undefined` if it is not valid YAML. */
function parsed(text: string): unknown {
  try {
    return parse(text, { version: "1.1" });
  } catch {
    return undefined;
  }
}

const words = [
  "y",
  "N",
  "yes",
  "No",
  "TRUE",
  "false",
  "on",
  "Off",
  "null",
  "Null",
  "~",
  ".inf",
  "0x1f",
  "1e3",
  "1_000",
];

it("a text needs double quotes exactly if YAML 1.1 reads it as another type", () => {
  const piece = fc.oneof(
    fc.constantFrom(...words, " ", "#", ": ", "-", "/", "\n", "é"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const text = pieces.join("");
      // Only this parser reads E0 as a number; those of Go and Python need a digit before the exponent.
      fc.pre(!/^e[-+]?\d/i.test(text));
      // An anchor, an alias or a tag before a word: what begins with such a character is never written without quotes.
      fc.pre(!/^[&*!]/.test(text.trimStart()));
      const value = parsed(text);
      expect(needsDoubleQuotes(text)).toBe(
        value === null || ["number", "bigint", "boolean"].includes(typeof value) || value instanceof Date,
      );
    }),
    { numRuns: 3000 },
  );
  expect(words.map(needsDoubleQuotes)).toEqual(words.map(() => true));
});

it("texts that YAML reads as mappings with mappings as keys are read in bounded time", () => {
  const nested = `${"{".repeat(150)}a: b${"}: 1".repeat(150)}`;
  expect(needsDoubleQuotes(nested)).toBe(false);
  expect(isPlainScalar(nested)).toBe(false);
});
