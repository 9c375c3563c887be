import fc from "fast-check";
import { hideCredentials } from "capz-windows-kit/credentials";
import { decodedReadings, readingsOf } from "capz-windows-kit/escapes";

/** One reader of signs for characters, of bytes and of texts. */

/** Each way to write a character, as two readers knew before there was one. */
const ways: readonly ((code: number) => string)[] = [
  (code) => `%${code.toString(16)}`,
  (code) => `%25${code.toString(16)}`,
  ...[1, 2, 3, 4].flatMap((slashes) => [
    (code: number) => `${"\\".repeat(slashes)}u00${code.toString(16).toUpperCase()}`,
    (code: number) => `${"\\".repeat(slashes)}x${code.toString(16)}`,
  ]),
  (code) => `&#x${code.toString(16)};`,
  (code) => `&#${code};`,
];

it("texts are read in every way, also by turns, with the place of each character", () => {
  const written = fc.array(
    fc.record({
      code: fc.integer({ min: 0x20, max: 0x7e }),
      way: fc.integer({ min: -1, max: ways.length - 1 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(written, (signs) => {
      const plain = signs.map(({ code }) => String.fromCharCode(code)).join("");
      // A sign of its own would be read again.
      fc.pre(!/[%\\&]/.test(plain));
      const parts = signs.map(({ code, way }) => ways[way]?.(code) ?? String.fromCharCode(code));
      const text = parts.join("");
      const last = decodedReadings(text).at(-1);
      expect(last?.text ?? text).toBe(plain);
      const starts = parts.map((_, index) => parts.slice(0, index).join("").length);
      expect([...starts, text.length]).toEqual(
        Array.from({ length: plain.length + 1 }, (_, index) => last?.placeOf(index) ?? index),
      );
    }),
  );
});

it("a credential is hidden in every way and by turns", () => {
  const planted = "kX7pQ2mZ9vB4nR6t";
  fc.assert(
    fc.property(fc.array(fc.nat(ways.length), { minLength: 20, maxLength: 20 }), (chosen) => {
      const text = Array.from(`password=${planted}`)
        .map((char, index) => ways[chosen[index % 20] ?? 0]?.(char.charCodeAt(0)) ?? char)
        .join("");
      const hidden = hideCredentials(`a ${text}`);
      expect(hidden).toMatch(/^a .*\(not shown: a password, mark \w{4}\)$/);
      expect(decodedReadings(hidden).at(-1)?.text ?? hidden).not.toContain("pQ2mZ9");
    }),
  );
});

it.each([
  ["beyond ASCII", "p\\u00e9\\ud83d\\ude00&#128512;%e9x", "pé😀😀éx"],
  ["names of HTML", "&lt;&quot;&apos;&amp;&gt;", "<\"'&>"],
])("%s", (_, text, plain) => {
  expect(decodedReadings(text)[0]?.text).toBe(plain);
});

it("quotes and line ends of a text stay as they are written, and those of bytes are read", () => {
  const text = 'a\\"b\\\\c\\u000ad%0ae&#10;';
  expect(decodedReadings(text)).toEqual([]);
  expect(readingsOf(Buffer.from(text)).map(String)).toEqual([text, 'a"b\\c\nd\ne\n']);
});

it("takes time that is linear in the length of a text", () => {
  const time = (length: number): number => {
    const text = "%41\\u0042&#67;".repeat(length / 13);
    const start = performance.now();
    decodedReadings(text);
    return performance.now() - start;
  };
  time(100_000);
  expect(time(1_000_000)).toBeLessThan(60 * Math.max(time(100_000), 1));
});
