import fc from "fast-check";
import { parseDocument } from "yaml";
import { goScalars } from "capz-windows-kit/goScalars";
import { yamlValue } from "capz-windows-kit/writeLine";

it("all texts and numbers that this program writes are read alike", () => {
  const word = fc.stringMatching(/^[-+]?[0-9box._:eET-]{1,12}$/);
  const value = fc.oneof(
    word,
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(fc.array(value), fc.dictionary(word, value), (list, mapping) => {
      const document = parseDocument(`a: ${yamlValue(list)}\nb: ${yamlValue(mapping)}\n`);
      expect(goScalars(document)).toEqual([]);
      expect(document.toJS()).toEqual({ a: list, b: { ...mapping } });
    }),
  );
});
