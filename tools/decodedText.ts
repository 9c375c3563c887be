/**
 * The text in the bytes of a file or of the standard input: UTF-16 where a byte order mark says so, otherwise UTF-8. The
 * operator `>` of Windows PowerShell 5.1 writes UTF-16 LE, and many editors on Windows a byte order mark before UTF-8.
 */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const buffer = Buffer.from(bytes);
  const text =
    first === 0xff && second === 0xfe
      ? buffer.toString("utf16le")
      : first === 0xfe && second === 0xff
        ? // swap16 refuses an odd number of bytes, which a file has that was cut off.
          buffer
            .subarray(0, buffer.length - (buffer.length % 2))
            .swap16()
            .toString("utf16le")
        : buffer.toString("utf8");
  return text.replace(/^\ufeff/, "");
}
