import fc from "fast-check";
import { canonicalJson, contentHash, hashedName } from "../../capi/contentHash";
import { always } from "capz-windows-test-kit/always";

describe("a content hash", () => {
  it(
    "does not depend on the order of an object's keys",
    always(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
      const reversed = Object.fromEntries(Object.entries(content).reverse());
      expect(contentHash(reversed)).toBe(contentHash(content));
      expect(JSON.parse(canonicalJson(content))).toEqual(JSON.parse(JSON.stringify(content)));
    }),
  );

  it(
    "changes with every value and with the order of a list",
    always(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      fc.pre(canonicalJson(a) !== canonicalJson(b));
      expect(contentHash({ a })).not.toBe(contentHash({ a: b }));
      expect(contentHash([a, b])).not.toBe(contentHash([b, a]));
    }),
  );

  it("keeps the longest object names within 63 characters", () => {
    expect(hashedName(`${"c".repeat(44)}-cp`, {})).toHaveLength(44 + 3 + 9);
    expect(hashedName("p".repeat(40), {})).toMatch(/^p{40}-[0-9a-f]{8}$/);
  });
});
