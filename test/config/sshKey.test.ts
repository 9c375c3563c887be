import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { loadSettings } from "../../config/load";
import { sshKeyFault } from "../../config/sshKey";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { today } from "../support/platforms";
import { minimal, publicKey, reportWith } from "../support/stacks";

const part = (content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const keyOf = (type: string, ...parts: readonly (Buffer | string)[]): string =>
  `${type} ${Buffer.concat([type, ...parts].map(part)).toString("base64")}`;

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url");

/** A number of an RSA key, with a leading zero byte if its first bit is set, because it is positive. */
const number = (value: Buffer): Buffer =>
  value[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), value]) : value;

const jwk = (key: { publicKey: { export: (options: { format: "jwk" }) => Record<string, unknown> } }) =>
  key.publicKey.export({ format: "jwk" }) as Record<string, string>;

const rsa = jwk(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const [exponent, modulus] = [number(bytes(rsa.e)), number(bytes(rsa.n))];
const pointOf = (namedCurve: string): Buffer => {
  const { x, y } = jwk(generateKeyPairSync("ec", { namedCurve }));
  return Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
};
const ed25519 = bytes(jwk(generateKeyPairSync("ed25519")).x);
const p256 = pointOf("P-256");

const right = {
  ed25519: keyOf("ssh-ed25519", ed25519),
  rsa: keyOf("ssh-rsa", exponent, modulus),
  p256: keyOf("ecdsa-sha2-nistp256", "nistp256", p256),
  p384: keyOf("ecdsa-sha2-nistp384", "nistp384", pointOf("P-384")),
  p521: keyOf("ecdsa-sha2-nistp521", "nistp521", pointOf("P-521")),
  "with a comment": `${publicKey} and more`,
  "with a tab": publicKey.replace(" ", "\t"),
  "in white space": `\n  ${publicKey}\n`,
};

it.each(Object.entries(right))("a key is valid: %s", (_, key) => {
  expect(sshKeyFault(key)).toBeUndefined();
});

const offCurve = Buffer.from(p256);
offCurve[64]! ^= 1;

it.each([
  ["of 31 bytes", keyOf("ssh-ed25519", ed25519.subarray(1))],
  ["of 33 bytes", keyOf("ssh-ed25519", Buffer.concat([ed25519, Buffer.alloc(1)]))],
  ["with a part too many", keyOf("ssh-ed25519", ed25519, "x")],
  ["cut off", right.ed25519.slice(0, -4)],
  ["with characters after it", `${right.ed25519}AAAA`],
  ["with junk inside", right.ed25519.replace("AAAAC3", "AAAA!C3")],
  ["in the other base64 alphabet", keyOf("ssh-ed25519", Buffer.alloc(32, 0xff)).replaceAll("/", "_")],
  ["without padding", keyOf("ssh-rsa", exponent, modulus).replace(/=+$/, "").concat("A")],
  ["of another type", right.ed25519.replace("ssh-ed25519", "ssh-rsa")],
  ["RSA without a modulus", keyOf("ssh-rsa", exponent)],
  ["RSA with an empty modulus", keyOf("ssh-rsa", exponent, "")],
  ["RSA with the exponent 1", keyOf("ssh-rsa", Buffer.from([1]), modulus)],
  ["RSA with an even exponent", keyOf("ssh-rsa", Buffer.from([4]), modulus)],
  ["RSA with an exponent of 25 bits", keyOf("ssh-rsa", Buffer.from([1, 0, 0, 1]), modulus)],
  ["RSA with a negative modulus", keyOf("ssh-rsa", exponent, modulus.subarray(1))],
  ["ECDSA off its curve", keyOf("ecdsa-sha2-nistp256", "nistp256", offCurve)],
  ["ECDSA with another curve's name", keyOf("ecdsa-sha2-nistp256", "nistp384", p256)],
  ["ECDSA at infinity", keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(1))],
  ["ECDSA on a curve that its type has not", keyOf("ecdsa-sha2-nistp384", "nistp384", p256)],
])("a key that is broken: %s", (_, key) => {
  expect(sshKeyFault(key)).toBe("data");
});

it.each(["\u00a0", "\f", "\v", "\u3000"])("%j does not separate fields", (space) => {
  expect(sshKeyFault(publicKey.replace(" ", space))).toBe("separator");
});

it("a key with a changed length, or with one byte more or less, is invalid", () => {
  const [type = "", data = ""] = publicKey.split(" ");
  const blob = Buffer.from(data, "base64");
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 2, 3, 15, 16, 17, 18), fc.nat({ max: 7 }), (index, bit) => {
      const changed = Buffer.from(blob);
      changed[index]! ^= 1 << bit;
      expect(sshKeyFault(`${type} ${changed.toString("base64")}`)).toBe("data");
    }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: blob.length - 1 }),
      fc.uint8Array({ minLength: 1 }),
      (end, more) => {
        expect(sshKeyFault(`${type} ${blob.subarray(0, end).toString("base64")}`)).toBe("data");
        expect(sshKeyFault(`${type} ${Buffer.concat([blob, more]).toString("base64")}`)).toBe("data");
      },
    ),
  );
});

const problemOf = (sshPublicKey: string) =>
  /problem +(.*)/.exec(reportWith({ access: { sshPublicKey }, windowsPools: { win1: {} } }))?.[1];

it("each fault has a message of its own, at the key of the stack file", () => {
  const short = jwk(generateKeyPairSync("rsa", { modulusLength: 1024 }));
  expect(problemOf(keyOf("ssh-rsa", exponent, number(bytes(short.n))))).toBe(
    "an RSA key of fewer than 2048 bits, which Azure does not accept",
  );
  expect(problemOf(publicKey.replace(" ", "\u00a0"))).toBe(
    "the key type is followed by a character that only looks like a space",
  );
  const long = Buffer.concat([Buffer.alloc(1), Buffer.alloc(2000, 0xff)]);
  expect(
    reportWith({ access: { sshPublicKey: keyOf("ssh-rsa", exponent, long) }, windowsPools: { win1: {} } }),
  ).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  access.sshPublicKey",
      "    problem  longer than 2,048 characters, which Cluster API does not accept in bootstrap data",
      "    allowed  one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key in base64 (ssh-keygen -t ed25519 creates one)",
    ].join("\n"),
  );
});

it("an ECDSA key gets a warning, because Azure does not document it", () => {
  const warned = (sshPublicKey: string) =>
    loadSettings({ ...minimal(), access: { sshPublicKey } }, "test").warnings.filter(
      ({ path }) => path === "access.sshPublicKey",
    );
  expect(warned(right.p256)).toHaveLength(1);
  expect(warned(right.ed25519)).toEqual([]);
});

it("the comment of a key is left out of bootstrap data if YAML or Jinja would interpret it", () => {
  const [type = "", data = ""] = publicKey.split(" ");
  const keysOf = (sshPublicKey: string) => {
    const { users = [] } = windowsKubeadmConfigSpec({ ...today, azureJsonSecret: "s", sshPublicKey });
    return users.flatMap(({ sshAuthorizedKeys = [] }) => sshAuthorizedKeys);
  };
  for (const comment of ["me: at work", "me #1", "{{ me }}", "x".repeat(2048)]) {
    expect(keysOf(`${type} ${data} ${comment}`)).toEqual([`${type} ${data}`]);
  }
  expect(keysOf(`${type} ${data} me at work`)).toEqual([`${type} ${data} me at work`]);
  expect(() =>
    loadSettings(
      {
        ...minimal(),
        access: { sshPublicKey: `${type} ${data} me: at #1` },
        windowsPools: { win1: {} },
      },
      "test",
    ),
  ).not.toThrow();
});
