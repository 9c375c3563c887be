import { limits } from "../../domain/bootstrap/limits";
import { formatCount, type Problem } from "../../domain/problem";
import { placeholder, writeLine } from "../../domain/writeLine";
import type { Settings } from "../settings";
import type { SshKeyFault } from "../sshKey";
import { sshKeyFault } from "../sshKey";

const messages: Record<SshKeyFault, string> = {
  private: "this is a PRIVATE key, which is not shown here; create a new key pair if it was ever committed",
  lines: "expected one line, found several",
  type: "does not begin with a supported key type",
  separator: "the key type is followed by a character that only looks like a space",
  short: "an RSA key of fewer than 2048 bits, which Azure does not accept",
  long: `longer than ${formatCount(limits.sshKey)} characters, which Cluster API does not accept in bootstrap data`,
  data: "the part after the key type is not the base64 data of a key of that type",
};

export function accessRules({ access }: Settings): Problem[] {
  const fault = sshKeyFault(access.sshPublicKey);
  if (fault === undefined) {
    return [];
  }
  return [
    {
      path: "access.sshPublicKey",
      // The value may be private. Only the first characters are shown, and only for an obvious mistake.
      ...(fault === "type" || fault === "lines"
        ? { value: `${access.sshPublicKey.trim().slice(0, 12)}...` }
        : {}),
      uses: ["access.sshPublicKey"],
      problem: messages[fault],
      allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key in base64",
      write: writeLine(
        "sshPublicKey",
        placeholder("contents of your .pub file"),
        "ssh-keygen -t ed25519 creates one",
      ),
    },
  ];
}
