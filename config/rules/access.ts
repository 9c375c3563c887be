import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";
import type { SshKeyFault } from "../sshKey";
import { sshKeyFault } from "../sshKey";

const texts: Record<SshKeyFault, string> = {
  private:
    "this is a PRIVATE key; it is not shown here, and you should make a new pair if it was ever committed",
  lines: "it has more than one line",
  type: "it begins with none of the key types",
  data: "the part after the key type is not the base64 data of such a key",
};

export function accessRules({ access }: Settings): Problem[] {
  const fault = sshKeyFault(access.sshPublicKey);
  if (fault === undefined) {
    return [];
  }
  return [
    {
      path: "access.sshPublicKey",
      // Whatever was pasted here may be private: only the first characters of a clear mistake are shown.
      ...(fault === "data" || fault === "private"
        ? {}
        : { value: `${access.sshPublicKey.trim().slice(0, 12)}...` }),
      uses: ["access.sshPublicKey"],
      problem: texts[fault],
      allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key in base64",
      write: "sshPublicKey: the contents of your .pub file (make one with: ssh-keygen -t ed25519)",
    },
  ];
}
