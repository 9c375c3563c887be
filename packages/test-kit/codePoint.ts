import fc from "fast-check";

/**
 * Any character, as a unit of `fc.string`. fast-check's own unit "binary" takes a second to create, because it makes a table
 * of all of them.
 */
export const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
