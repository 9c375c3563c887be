/** An SSH public key in base64, as CAPZ expects it. If the field is empty, CAPZ's webhook sets a random key. */
export const encodedSshKey = (publicKey: string): string =>
  Buffer.from(publicKey.trim(), "utf8").toString("base64");

/** A key without its comment, which only people read. */
export const keyOnly = (publicKey: string): string =>
  publicKey
    .trim()
    .split(/[ \t]+/)
    .slice(0, 2)
    .join(" ");
