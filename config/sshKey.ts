import { ownValue } from "capz-windows-kit/untyped";
import { ECDH } from "node:crypto";
import { limits } from "../bootstrap/limits";
import { keyOnly } from "capz-windows-platform/machines/sshKey";

/**
 * Whether a text is an SSH public key that CAPZ, Azure and sshd take. CAPZ's webhook parses it with Go's
 * golang.org/x/crypto/ssh; the key of a Windows pool is not checked until a person tries to log in.
 */

/** Curves by key type (RFC 5656), by the names that OpenSSL has for them. */
const curves: Readonly<Record<string, string>> = {
  "ecdsa-sha2-nistp256": "prime256v1",
  "ecdsa-sha2-nistp384": "secp384r1",
  "ecdsa-sha2-nistp521": "secp521r1",
};

/** Key types that the OpenSSH servers of the images accept. */
const keyTypes = ["ssh-ed25519", "ssh-rsa", ...Object.keys(curves)];

export type SshKeyFault = "private" | "lines" | "type" | "separator" | "data" | "short" | "long";

/**
 * The parts of a key, each after its length in 4 bytes (RFC 4253, section 6.6); none if they do not fill it exactly.
 */
function partsOf(blob: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    const end = at + 4 > blob.length ? Infinity : at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) {
      return [];
    }
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

/** A positive number in its shortest form, as the parts of RSA keys are written; otherwise 0. */
function positive(part: Buffer): bigint {
  const [first = 0x80, second = 0] = part;
  return first >= 0x80 || (first === 0 && second < 0x80) ? 0n : BigInt(`0x${part.toString("hex")}`);
}

const bits = (value: bigint): number => value.toString(2).length;

/** The exponent as Go and OpenSSH demand it, the modulus as Azure does. */
function rsaFault(exponentPart: Buffer, modulusPart: Buffer): SshKeyFault | undefined {
  const [exponent, modulus] = [positive(exponentPart), positive(modulusPart)];
  const isOdd = exponent % 2n === 1n && modulus % 2n === 1n;
  if (!isOdd || exponent < 3n || bits(exponent) > 24 || bits(modulus) > 16_384) {
    return "data";
  }
  return bits(modulus) < 2048 ? "short" : undefined;
}

function isOnCurve(point: Buffer, curve: string): boolean {
  try {
    // Throws for a point that is not on the curve.
    return point[0] === 4 && ECDH.convertKey(point, curve).length > 0;
  } catch {
    return false;
  }
}

function blobFault(type: string, blob: Buffer): SshKeyFault | undefined {
  const [name, first, second, ...more] = partsOf(blob);
  const curve = ownValue(curves, type);
  if (name?.toString("latin1") !== type || first === undefined || more.length > 0) {
    return "data";
  }
  if (second === undefined) {
    return type === "ssh-ed25519" && first.length === 32 ? undefined : "data";
  }
  if (type === "ssh-rsa") {
    return rsaFault(first, second);
  }
  return curve !== undefined && type.endsWith(`-${first.toString("latin1")}`) && isOnCurve(second, curve)
    ? undefined
    : "data";
}

/** Why a text is not an SSH public key, or `undefined`. The answer never contains the text, which may be private. */
export function sshKeyFault(text: string): SshKeyFault | undefined {
  if (/PRIVATE KEY/i.test(text) || text.startsWith("PuTTY-User-Key-File")) {
    return "private";
  }
  const line = text.trim();
  if (/[\r\n]/.test(line)) {
    return "lines";
  }
  // Only these two characters separate the fields; text copied from a web page may contain others that look the same.
  const [type = "", data = ""] = line.split(/[ \t]+/);
  if (!keyTypes.includes(type)) {
    return keyTypes.includes(line.split(/\s+/)[0] ?? "") ? "separator" : "type";
  }
  const blob = Buffer.from(data, "base64");
  if (blob.toString("base64") !== data) {
    return "data";
  }
  return blobFault(type, blob) ?? (keyOnly(line).length > limits.sshKey ? "long" : undefined);
}

/** Whether a valid key is of a type that Azure's documentation does not list. */
export const isEcdsaKey = (text: string): boolean => text.trim().startsWith("ecdsa-");
