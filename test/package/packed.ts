import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isThorough } from "capz-windows-test-kit/sample";
import { projectDir } from "../support/stacks";

/** The npm package as its user has it: built, packed, unpacked into a folder, with a command that finds no compiler. */

export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

export const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

/** Where the package is, below the folder into which it was installed. */
export const installedIn = (dir: string): string => join(dir, "node_modules/capz-windows");

/** What loads TypeScript is as if it were not installed, wherever it is. */
const noCompilers = `const Module = require("node:module");
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (/(^|[\\\\/]node_modules[\\\\/])(typescript|ts-node|@swc[\\\\/]core)([\\\\/]|$)/.test(request)) {
    throw Object.assign(new Error("Cannot find module " + request), { code: "MODULE_NOT_FOUND" });
  }
  return resolve.call(this, request, ...rest);
};
`;

export const hookIn = (dir: string): string => join(dir, "noCompilers.js");

/** Whether the package has types, for which tsc takes as long as its tests. */
export const hasTypes = isThorough;

/** Builds the package into `dist` in a folder, packs it, and installs it there with the other packages of the clone. */
export function packInto(dir: string): Packed | undefined {
  writeFileSync(hookIn(dir), noCompilers);
  const built = join(dir, "dist");
  const args = ["--out", built, ...(hasTypes ? [] : ["--untyped"])];
  execFileSync(process.execPath, [join(projectDir, "scripts/build.js"), ...args], { stdio: "inherit" });
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", dir], {
    ...{ cwd: built, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(answer) as Packed[];
  const installed = installedIn(dir);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(dir, packed?.filename ?? ""), "--strip-components=1", "-C", installed]);
  const { dependencies } = JSON.parse(read(installed, "package.json")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(dir, "node_modules", name)), { recursive: true });
    symlinkSync(join(projectDir, "node_modules", name), join(dir, "node_modules", name));
  }
  return packed;
}

// The clone's plan reads the manifests from there, where there are any.
const { CAPZ_WINDOWS_MANIFEST_CACHE } = process.env;
const manifests = CAPZ_WINDOWS_MANIFEST_CACHE === undefined ? {} : { CAPZ_WINDOWS_MANIFEST_CACHE };

/** The command of the package that is installed in a folder. */
export const commandIn =
  (dir: string) =>
  (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--require", hookIn(dir), join(installedIn(dir), "commands/package/bin.js"), ...args],
      { cwd, encoding: "utf8", env: { PATH: process.env.PATH, NO_COLOR: "1", ...manifests, ...env } },
    );
    return { status, stdout, stderr };
  };

/**
 * Packs another version of what was built, with changed files: `capz-windows-VERSION.tgz` in the same folder. It depends on
 * nothing, so that nothing is downloaded: `npmBeside` has its packages. tar takes a tenth of the time of `npm pack`.
 */
export function packVersion(
  dir: string,
  version: string,
  changes: Readonly<Record<string, readonly [from: string, to: string]>> = {},
): void {
  const folder = join(dir, version, "package");
  cpSync(join(dir, "dist"), folder, { recursive: true });
  for (const [file, [from, to]] of Object.entries(changes)) {
    const text = read(folder, file);
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  }
  const manifest = JSON.parse(read(folder, "package.json")) as object;
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, version, dependencies: {}, peerDependencies: {} }),
  );
  const archive = join(dir, `capz-windows-${version}.tgz`);
  execFileSync("tar", ["-czf", archive, "-C", dirname(folder), "package"]);
}

/** A folder for PATH whose npm is the real one, and then puts the packages of the folder beside what this has installed. */
export function npmBeside(dir: string): string {
  const bin = join(dir, "bin");
  mkdirSync(bin, { recursive: true });
  const real = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh
'${real}' "$@" || exit
[ ! -d node_modules ] || for each in '${dir}'/node_modules/*; do
  [ -e "node_modules/\${each##*/}" ] || ln -s "$each" node_modules/
done
`,
    { mode: 0o755 },
  );
  return bin;
}
