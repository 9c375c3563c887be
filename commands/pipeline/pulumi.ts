import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { download } from "capz-windows-kit/io/download";
import { messageOf } from "capz-windows-kit/messageOf";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { textAt } from "capz-windows-kit/untyped";
import { writeLogCommands } from "capz-windows-kit/commandLine/output";
import { inTemporaryFolder } from "capz-windows-kit/commandLine/temporaryFolder";
import { PipelineError } from "./preview";

/**
 * Pulumi's CLI and the plug-ins of the providers, by the versions of the lock file and the digests that the repository has.
 * They are programs that get every credential of a deployment.
 */

/** The names of processors in Node.js, in Pulumi's CLI and in plug-ins. */
const pluginArch = { x64: "amd64", arm64: "arm64" } as const;
export type Arch = keyof typeof pluginArch;
export const isArch = (name: string): name is Arch => Object.hasOwn(pluginArch, name);

/** Where Pulumi's CLI and its providers are published: sdk/go/common/workspace/plugins.go of Pulumi v3.274.1. */
const published = "https://get.pulumi.com/releases";

interface Archive {
  /** The name of the file, which has the version. */
  readonly name: string;
  /** Below the address of all releases. */
  readonly path: string;
  /** Nothing for the CLI. */
  readonly plugin?: readonly [name: string, version: string];
}

export interface PulumiOptions {
  /** The folder of the project, which has the digests. */
  readonly dir: string;
  readonly arch: Arch;
  /** Where to download, a mirror of Pulumi's releases. Default: Pulumi's own server. */
  readonly from?: string | undefined;
}

const read = (file: string): unknown => JSON.parse(readBoundedText(file, mostBytes.small));

const cliVersion = (): string => textAt(read(require.resolve("pulumi/package.json")), "version");

/** Name and version of the plug-ins that the program needs; docs/workflows.md says what to do for others. */
const pluginVersions = (): [string, string][] =>
  ["azure-native", "kubernetes", "random"].map((name) => [
    name,
    textAt(read(require.resolve(`@pulumi/${name}/package.json`)), "version"),
  ]);

function archivesOf(arch: Arch): Archive[] {
  const cli = `pulumi-v${cliVersion()}-linux-${arch}.tar.gz`;
  const ofProviders = pluginVersions().map(([name, version]): Archive => {
    const file = `pulumi-resource-${name}-v${version}-linux-${pluginArch[arch]}.tar.gz`;
    return { name: file, path: `plugins/${file}`, plugin: [name, version] };
  });
  return [{ name: cli, path: `sdk/${cli}` }, ...ofProviders];
}

const sumsFile = "pulumi.sha256";
const recording = "npm run pipeline -- pulumi --write";

/** The digest of each archive, as sha256sum writes them. @throws PipelineError */
function readSums(dir: string): Map<string, string> {
  const file = join(dir, sumsFile);
  const lines = existsSync(file) ? readBoundedText(file, mostBytes.small).split("\n") : [];
  const sums = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const [, sum, name] = /^([0-9a-f]{64}) [ *]([\w.-]+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined || sums.has(name)) {
      throw new PipelineError(
        `${sumsFile}, line ${index + 1}: write a sha256, two spaces and the name of an archive, each name once.`,
      );
    }
    sums.set(name, sum);
  }
  return sums;
}

/** The largest archive, of azure-native, has some 150 MB. */
const maxBytes = 500 * 2 ** 20;

async function fetchArchive({ name, path }: Archive, from = published): Promise<Buffer> {
  const url = `${from.replace(/\/*$/, "")}/${path}`;
  try {
    return await download(url, { maxBytes, timeoutMs: 600_000 });
  } catch (error) {
    throw new PipelineError(`${name}: ${url}: ${messageOf(error)}`);
  }
}

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * Records the digests of what is not recorded yet. A digest that is there stays, and those of other versions go.
 * @throws PipelineError
 */
export async function recordPulumi({ dir, arch, from }: PulumiOptions): Promise<void> {
  const sums = readSums(dir);
  for (const archive of archivesOf(arch)) {
    if (!sums.has(archive.name)) {
      sums.set(archive.name, sha256(await fetchArchive(archive, from)));
      process.stdout.write(`${sums.get(archive.name) ?? ""}  ${archive.name}\n`);
    }
  }
  const inUse = new Set(
    (["x64", "arm64"] as const).flatMap((one) => archivesOf(one).map(({ name }) => name)),
  );
  const lines = [...sums].filter(([name]) => inUse.has(name)).map(([name, sum]) => `${sum}  ${name}\n`);
  writeAtomically(join(dir, sumsFile), lines.join(""));
  process.stdout.write(
    `Compare the new lines of ${sumsFile} with the checksums of the releases on GitHub, and commit the file.\n`,
  );
}

/** Downloads everything and compares it, before anything of it runs. @returns the file of each archive */
async function verified(work: string, { dir, arch, from }: PulumiOptions) {
  const archives = archivesOf(arch);
  const sums = readSums(dir);
  const missing = archives.filter(({ name }) => !sums.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    throw new PipelineError(
      `${sumsFile} has no digest of ${missing.join(", ")}. Run \`${recording}\` on your machine, compare its lines with the checksums of the releases on GitHub, and commit the file.`,
    );
  }
  const files: (Archive & { readonly file: string })[] = [];
  for (const archive of archives) {
    const content = await fetchArchive(archive, from);
    const sum = sha256(content);
    if (sum !== sums.get(archive.name)) {
      throw new PipelineError(
        `${archive.name}: the sha256 is ${sum}, not that of ${sumsFile}. Nothing of it was installed.`,
      );
    }
    const file = join(work, archive.name);
    writeFileSync(file, content);
    files.push({ ...archive, file });
  }
  return files;
}

/**
 * Installs the CLI where the package \`pulumi\` looks for it, and the plug-ins beside it. Later steps of the job use them and
 * download no others.
 * @param home - a new folder of this job, which becomes PULUMI_HOME
 * @throws PipelineError
 */
export const installPulumi = (home: string, options: PulumiOptions, env: NodeJS.ProcessEnv): Promise<void> =>
  inTemporaryFolder("pulumi", async (work) => {
    const [cli, ...plugins] = await verified(work, options);
    const version = cliVersion();
    const bin = join(home, "versions", version, "bin");
    if (existsSync(bin)) {
      throw new PipelineError(`${bin} is there already. Name a folder that is new in each job.`);
    }
    mkdirSync(bin, { recursive: true });
    const run = async (command: string, args: readonly string[]): Promise<void> => {
      // Without the tokens of the job.
      const { PATH, HOME } = process.env;
      const own = { PATH, HOME, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
      try {
        await promisify(execFile)(command, args, { env: own });
      } catch (error) {
        throw new PipelineError(messageOf(error));
      }
    };
    await run("tar", ["-xzf", cli?.file ?? "", "--strip-components=1", "--no-same-owner", "-C", bin]);
    for (const { file, plugin = [] } of plugins) {
      await run(join(bin, "pulumi"), ["plugin", "install", "resource", ...plugin, "--file", file]);
    }
    const variables = {
      PULUMI_HOME: home,
      // The package `pulumi` would download another version that this variable names.
      PULUMI_VERSION: version,
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    if (env.GITHUB_ENV !== undefined) {
      appendFileSync(env.GITHUB_ENV, lines.join(""));
    }
    if (env.TF_BUILD !== undefined) {
      const set = ([name, value]: readonly string[]): string =>
        `##vso[task.setvariable variable=${name ?? ""}]${value ?? ""}\n`;
      writeLogCommands(Object.entries(variables).map(set).join(""));
    }
    process.stdout.write(
      `Pulumi and ${plugins.length} plug-ins have the digests of ${sumsFile}.\n${lines.join("")}`,
    );
  });
