import fc from "fast-check";
import { parse } from "yaml";
import { yamlValue } from "capz-windows-kit/writeLine";

describe("yamlValue", () => {
  it.each([
    ["1.30", '"1.30"'],
    ["yes", '"yes"'],
    ["a\nb", '"a\\nb"'],
    [{ urn: "a\nb", list: ["x", "no", 1] }, '{urn: "a\\nb", list: [x, "no", 1]}'],
    ["a ".repeat(100), `"${"a ".repeat(100)}"`],
  ])("writes %j as %s", (value, text) => {
    expect(yamlValue(value)).toBe(text);
  });

  it("writes one line, which is read as the same value", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("a\nb", "-----BEGIN\nx\n", "\r\n", "k: v\n\tw"));
    const value = fc.oneof(text, fc.array(text), fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), text));
    fc.assert(
      fc.property(value, (one) => {
        const line = yamlValue(one);
        expect(line).not.toMatch(/[\r\n]/);
        expect(parse(line)).toEqual(one);
      }),
    );
  });
});
