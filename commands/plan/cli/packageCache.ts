import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { runProcess } from "../../../packages/plan-engine";
import { at, textAt } from "../../../tools/untyped";
import { PlanError } from "../model/planError";
import { onceAtEnd, removeLeftOver } from "./leftOver";
import { packageName, plannerIn } from "./program";
import { noteUse, removeUnused } from "./unusedVersions";

/** Other versions of the package, installed by npm into a cache folder with the other packages of the project. */

/** The folder for caches of the operating system: https://specifications.freedesktop.org/basedir-spec/latest/ */
function cacheFolder({ XDG_CACHE_HOME: xdg, LOCALAPPDATA: local }: NodeJS.ProcessEnv): string {
  if (xdg !== undefined && isAbsolute(xdg)) {
    return xdg;
  }
  switch (process.platform) {
    case "win32":
      return local ?? join(homedir(), "AppData/Local");
    case "darwin":
      return join(homedir(), "Library/Caches");
    default:
      return join(homedir(), ".cache");
  }
}

/** Codes of npm for a registry that does not answer: of Node.js, and of npm itself. */
const unreachable =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|E?TIMEDOUT|ERR_SOCKET_TIMEOUT|E5\d\d|ENOTCACHED|\w*CERT\w*)$/;

/** What npm's own message does not say: which option led to it, and what to do. */
function reasonOf(version: string, stderr: string, code: number | undefined): string {
  const error = /^npm (?:error|ERR!) code (\w+)$/m.exec(stderr)?.[1] ?? "";
  const isOfPackage = new RegExp(`\\b${packageName}\\b`).test(stderr);
  if (error === "ETARGET" && isOfPackage) {
    return `the registry has no such version. \`npm view ${packageName} versions\` prints those that it has.`;
  }
  if (error === "E404" && stderr.includes("No match found for version")) {
    return `the registry has no such tag. \`npm view ${packageName} dist-tags\` prints those that it has.`;
  }
  if (error === "E404" && isOfPackage) {
    return `the registry has no package ${packageName}. Name its registry in .npmrc, or the file of the package: --against-version FILE.tgz`;
  }
  if (unreachable.test(error)) {
    return `npm cannot reach its registry (${error}). Check your network and its proxy, or name the file of the package: --against-version FILE.tgz`;
  }
  return `npm cannot install ${version}:\n${stderr.trim() || `npm ended with ${code ?? "a signal"}.`}`;
}

/** @throws PlanError if npm is missing or fails */
async function npm(option: string, version: string, cwd: string, args: readonly string[]): Promise<string> {
  const run = () =>
    runProcess("npm", [...args, "--loglevel=error"], { cwd, env: process.env, isScript: true });
  const { code, stdout, stderr } = await run().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new PlanError(
        `${option}: npm installs the other version, and is not in PATH. It comes with Node.js.`,
      );
    }
    throw error;
  });
  if (code !== 0) {
    throw new PlanError(`${option}: ${reasonOf(version, stderr, code)}`);
  }
  return stdout.trim();
}

const read = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, "utf8") : undefined;

/** Names of packages by what npm is to install; paths are from the project on, and the cache is elsewhere. */
const dependenciesOf = (project: string, manifest: unknown, field: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries((at(manifest, field) ?? {}) as Record<string, string>).map(([name, spec]) => [
      name,
      spec.replace(/^file:(.*)$/, (_, path: string) => `file:${resolve(project, path)}`),
    ]),
  );

/** What npm installs: an exact version, or a file. */
interface WantedPackage {
  readonly spec: string;
  /** What distinguishes it from others of the same name. */
  readonly identity: string;
}

/** A tag such as `latest` names another version later, so that the registry is asked each time. */
async function resolveSpec(option: string, project: string, version: string): Promise<WantedPackage> {
  const file = resolve(version);
  if (/\.(tgz|tar\.gz)$/.test(version)) {
    if (!existsSync(file)) {
      throw new PlanError(`${option}: there is no such file.`);
    }
    return {
      spec: `file:${file}`,
      identity: createHash("sha256").update(readFileSync(file)).digest("hex"),
    };
  }
  const exact = /^v?(\d+\.\d+\.\d.*)$/.exec(version)?.[1];
  if (exact !== undefined) {
    return { spec: exact, identity: exact };
  }
  const found = await npm(option, version, project, ["view", `${packageName}@${version}`, "version"]);
  return { spec: found, identity: found };
}

/**
 * Installs another version of the package beside the other packages of the project, unless the cache has it. npm works in
 * a folder that gets its name in the cache only when it is whole, so an interrupted installation is never used.
 * @param version - an exact version, a tag of the registry, or the path of the package's file
 * @returns the folder with node_modules, and the version that is in it
 * @throws PlanError
 */
export async function installVersion(
  project: string,
  version: string,
): Promise<{ readonly folder: string; readonly version: string }> {
  const option = `--against-version ${version}`;
  const { spec, identity } = await resolveSpec(option, project, version);
  const own: unknown = JSON.parse(read(join(project, "package.json")) ?? "{}");
  const lock = read(join(project, "package-lock.json"));
  const manifest = JSON.stringify({
    private: true,
    dependencies: { ...dependenciesOf(project, own, "dependencies"), [packageName]: spec },
    optionalDependencies: dependenciesOf(project, own, "optionalDependencies"),
    overrides: at(own, "overrides"),
  });
  const machine = [process.platform, process.arch];
  const hash = createHash("sha256")
    .update(JSON.stringify([manifest, lock, identity, machine]))
    .digest("hex");
  const cache = join(cacheFolder(process.env), packageName, "versions");
  const folder = join(cache, hash.slice(0, 20));
  const versionIn = (): string =>
    textAt(JSON.parse(read(join(folder, "node_modules", packageName, "package.json")) ?? "{}"), "version");
  if (noteUse(folder)) {
    removeUnused(cache);
    return { folder, version: versionIn() };
  }
  mkdirSync(cache, { recursive: true });
  removeLeftOver(cache, /\.(\d+)\.tmp$/);
  const unfinished = `${folder}.${process.pid}.tmp`;
  const clean = onceAtEnd(() => {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 10 });
  });
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(join(unfinished, "package.json"), manifest);
    // Paths in a lock file are from the project on.
    if (lock !== undefined && !/"(?:resolved|version)": "file:|"link": true/.test(lock)) {
      writeFileSync(join(unfinished, "package-lock.json"), lock);
    }
    // The registry of the project. It may have a token, so it does not stay.
    const settings = join(unfinished, ".npmrc");
    if (existsSync(join(project, ".npmrc"))) {
      copyFileSync(join(project, ".npmrc"), settings);
    }
    const how = ["--ignore-scripts", "--omit=dev", "--include=optional", "--no-workspaces"];
    await npm(option, basename(version), unfinished, ["install", ...how, "--no-audit", "--no-fund"]);
    rmSync(settings, { force: true });
    if (!existsSync(plannerIn(unfinished)[0] ?? "")) {
      throw new PlanError(`${option}: this is not the package ${packageName}, or one without a plan.`);
    }
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process may have been faster.
      if (!existsSync(folder)) {
        throw error;
      }
    }
    removeUnused(cache);
    return { folder, version: versionIn() };
  } finally {
    clean();
  }
}
