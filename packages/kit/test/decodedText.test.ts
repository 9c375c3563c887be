import { decodedText } from "capz-windows-kit/decodedText";

const text = "größe: 1 # 😀\r\n";
const utf16le = Buffer.from(`\ufeff${text}`, "utf16le");

describe("a text is the same", () => {
  it.each([
    ["in UTF-8", Buffer.from(text)],
    ["in UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["in UTF-16 LE, as Windows PowerShell 5.1 writes it", utf16le],
    ["in UTF-16 BE", Buffer.from(utf16le).swap16()],
    ["in UTF-16 BE without the end of its last letter", Buffer.from([...Buffer.from(utf16le).swap16(), 0])],
  ])("%s", (_, bytes) => {
    const before = Buffer.from(bytes);
    expect(decodedText(bytes)).toBe(text);
    expect(bytes).toEqual(before);
  });
});

it("is empty without bytes, and with a byte order mark only", () => {
  expect(
    [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]].map((bytes) => decodedText(Buffer.from(bytes))),
  ).toEqual([...["", "", "", ""]]);
});

it("loses a byte order mark at the beginning only", () => {
  expect(decodedText(Buffer.from("\ufeff\ufeffa\ufeff"))).toBe("\ufeffa\ufeff");
});
