/** Key types that Azure and the OpenSSH servers of the images accept. */
const keyTypes = [
  "ssh-ed25519",
  "ssh-rsa",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
];

export type SshKeyFault = "private" | "lines" | "type" | "data";

/** Why a text is not an SSH public key, or `undefined`. The answer never contains the text, which may be private. */
export function sshKeyFault(text: string): SshKeyFault | undefined {
  if (/PRIVATE KEY/i.test(text) || text.startsWith("PuTTY-User-Key-File")) {
    return "private";
  }
  const line = text.trim();
  if (/[\r\n]/.test(line)) {
    return "lines";
  }
  const [type = "", data = ""] = line.split(/\s+/);
  if (!keyTypes.includes(type)) {
    return "type";
  }
  // The blob begins with the length and the name of the key type (RFC 4253, section 6.6).
  const blob = Buffer.from(data, "base64");
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0;
  const inner = blob.subarray(4, 4 + length).toString("latin1");
  return inner === type && blob.length > 4 + length ? undefined : "data";
}
