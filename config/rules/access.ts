import { present } from "capz-windows-kit/present";
import { limits } from "../../bootstrap/limits";
import { keyCharacters } from "../../bootstrap/sshKeys";
import { formatCount, type Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { type SshKeyFault, sshKeyFault } from "../sshKey";

const messages: Record<SshKeyFault, string> = {
  private: "this is a PRIVATE key, which is not shown here; create a new key pair if it was ever committed",
  lines: "expected one line, found several",
  type: "does not begin with a supported key type",
  separator: "the key type is followed by a character that only looks like a space",
  short: "an RSA key of fewer than 2048 bits, which Azure does not accept",
  long: `longer than ${formatCount(limits.sshKey)} characters, which Cluster API does not accept in bootstrap data`,
  data: "the part after the key type is not the base64 data of a key of that type",
};

const allowed =
  "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key in base64 (ssh-keygen -t ed25519 creates one)";

function keyProblems(path: string, key: string): Problem[] {
  const fault = sshKeyFault(key);
  return present(
    fault !== undefined && {
      path,
      // The value may be private. Only the first characters are shown, and only for an obvious mistake.
      ...(fault === "type" || fault === "lines" ? { value: `${key.trim().slice(0, 12)}...` } : {}),
      problem: messages[fault],
      allowed,
    },
  );
}

/** Cluster API takes a file of so many characters, and Windows has all keys in one. */
function lengthProblems({ sshPublicKey, additionalSshPublicKeys: more }: Settings["access"]): Problem[] {
  const characters = keyCharacters([sshPublicKey, ...more]);
  return present(
    characters > limits.content && {
      path: "access.additionalSshPublicKeys",
      uses: ["access"],
      problem: `the keys have ${formatCount(characters)} characters in total`,
      allowed: `at most ${formatCount(limits.content)}, because Windows nodes get them in one file, whose size Cluster API limits`,
    },
  );
}

export const accessRules = ({ access }: Settings): Problem[] => [
  ...lengthProblems(access),
  ...keyProblems("access.sshPublicKey", access.sshPublicKey),
  ...access.additionalSshPublicKeys.flatMap((key, index) =>
    keyProblems(`access.additionalSshPublicKeys[${index}]`, key),
  ),
];
