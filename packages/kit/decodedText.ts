/**
 * The text in the bytes of a file or of the standard input: UTF-16 where a byte order mark says so, otherwise UTF-8. The
 * operator `>` of Windows PowerShell 5.1 writes UTF-16 LE, and many editors on Windows a byte order mark before UTF-8.
 */
export const decodedText = (bytes: Uint8Array): string => decoded(Buffer.from(bytes)).replace(/^\ufeff/, "");

function decoded(buffer: Buffer): string {
  const [first, second] = buffer;
  if (first === 0xff && second === 0xfe) {
    return buffer.toString("utf16le");
  }
  if (first === 0xfe && second === 0xff) {
    // swap16 refuses an odd number of bytes, which a file has that was cut off.
    const even = buffer.subarray(0, buffer.length - (buffer.length % 2));
    return even.swap16().toString("utf16le");
  }
  return buffer.toString("utf8");
}
