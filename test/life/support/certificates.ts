import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate and its key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Runs openssl in a temporary directory, because Node.js can read certificates but not create them. */
function inFolder<T>(use: (folder: string, openssl: (...args: readonly string[]) => void) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "capz-windows-pki-"));
  try {
    return use(folder, (...args) => {
      execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"] as const;

const read = (folder: string, name: string): KeyPair => ({
  cert: readFileSync(join(folder, `${name}.crt`), "utf8"),
  key: readFileSync(join(folder, `${name}.key`), "utf8"),
});

export const certificateAuthority = (name: string): KeyPair =>
  inFolder((folder, openssl) => {
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      "ca.key",
      "-out",
      "ca.crt",
    );
    return read(folder, "ca");
  });

/** A server certificate for some host names, the first of which is its common name. Valid for a day. */
export const serverCertificate = (authority: KeyPair, hosts: readonly string[]): KeyPair =>
  inFolder((folder, openssl) => {
    writeFileSync(join(folder, "ca.crt"), authority.cert);
    writeFileSync(join(folder, "ca.key"), authority.key);
    const names = hosts.map((host) => (/^[\d.]+$/.test(host) ? `IP:${host}` : `DNS:${host}`));
    writeFileSync(
      join(folder, "ext"),
      `subjectAltName=${names.join(",")}\nextendedKeyUsage=serverAuth,clientAuth\n`,
    );
    // A common name has at most 64 characters. Clients use the alternative names.
    openssl(
      "req",
      "-new",
      ...newKey,
      "-subj",
      `/CN=${(hosts[0] ?? "").slice(0, 64)}`,
      "-keyout",
      "leaf.key",
      "-out",
      "leaf.csr",
    );
    openssl(
      "x509",
      "-req",
      "-in",
      "leaf.csr",
      "-CA",
      "ca.crt",
      "-CAkey",
      "ca.key",
      "-days",
      "1",
      "-set_serial",
      String(Date.now()),
      "-extfile",
      "ext",
      "-out",
      "leaf.crt",
    );
    return read(folder, "leaf");
  });
