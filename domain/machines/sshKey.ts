/** The key line as CAPZ wants it, in base64; an empty field would make its webhook put in a random key. */
export const encodedSshKey = (publicKey: string): string =>
  Buffer.from(publicKey.trim(), "utf8").toString("base64");
