"use strict";

// Makes a release of the npm package, and of the tools that have one of their own:
//   npm run release -- --dry-run --repository https://github.com/OWNER/NAME
// packs them into release/ with the notes, the message of the tag, the list of its packages (SBOM) and hashes, and says at once
// all that is not ready (exit code 1). Without --dry-run it publishes what is in release/: in release.yml alone, because npm
// trusts that workflow and takes no token. npm takes one package after the other, so it may stop between two: a second run
// leaves out what has been published, if that is the same file.
const { execFileSync, spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join, resolve } = require("node:path");
const { parseArgs } = require("node:util");
const { toolFolders } = require("./bundle");
const { parseJson, readJson } = require("./json");

const root = join(__dirname, "..");

/** @typedef {{ filename: string, size: number, unpackedSize: number, files: readonly { path: string, size: number }[] }} Packed */
/** @typedef {{ name: string, version: string, private?: boolean }} Manifest */

/** @type {(changelog: string, version: string) => { date: string, text: string } | undefined} */
const sectionOf = (changelog, version) => {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [title = "", ...lines] = section.split("\n");
    const [name, date = ""] = title.split(" - ");
    if (name === version) {
      return { date, text: lines.join("\n").trim() };
    }
  }
  return undefined;
};

/**
 * Links of the changelog lead from its folder on, those of a release on GitHub from nowhere.
 * @type {(text: string, base: string) => string}
 */
const withAbsoluteLinks = (text, base) => text.replace(/\]\((?!\w+:|#)/g, `](${base}/`);

/** @type {(manifest: Manifest, section: string, sums: string) => string} */
const tagMessage = ({ name, version }, text, sums) => {
  const rolls = /^### Rolls machines\n\n(.*?)(?=^### |(?![^]))/ms.exec(text)?.[1] ?? "Nothing is said.\n";
  // Without #: git takes such a line for a comment.
  return `${name} ${version}\n\nRolls machines:\n\n${rolls.trim()}\n\nSHA256:\n\n${sums}`;
};

/**
 * @typedef {object} Facts
 * @property {string | undefined} wanted the version that is to be released
 * @property {Manifest} manifest of the package
 * @property {string} changelog
 * @property {readonly string[]} changed files that are not committed
 * @property {readonly string[]} tags
 * @property {Readonly<Record<string, string>>} pages of the package that may name its version, by their path
 * @property {string | undefined} repository
 * @property {readonly Manifest[]} tools that are released with it
 */

/** @type {(facts: Facts) => string[]} */
const notReady = ({ wanted, manifest, changelog, changed, tags, pages, repository, tools }) => {
  const { version } = manifest;
  const named = Object.entries(pages).flatMap(([path, text]) =>
    [...text.matchAll(/capz-windows(?:-|@|": ")(\d+\.\d+\.\d+)/g)].map(([, other = ""]) => ({ path, other })),
  );
  /** @type {readonly (readonly [isWrong: boolean, problem: string])[]} */
  const checks = [
    [
      wanted !== undefined && wanted !== version,
      `package.json has the version ${version}, and ${wanted} is to be released.`,
    ],
    [changed.length > 0, `Not committed: ${changed.slice(0, 5).join(", ")}, ${changed.length} in all.`],
    [
      !/^\d{4}-\d\d-\d\d$/.test(sectionOf(changelog, version)?.date ?? ""),
      `CHANGELOG.md has no section "${version} - YYYY-MM-DD".`,
    ],
    [
      /^- /m.test(sectionOf(changelog, "Unreleased")?.text ?? ""),
      `CHANGELOG.md has entries below Unreleased, and this commit has what they say: move them below ${version}.`,
    ],
    [tags.includes(`v${version}`), `The tag v${version} exists: raise the version.`],
    [manifest.private === true, "The package is private: npm publishes no such package."],
    [
      repository === undefined,
      "The repository, which provenance names, is not known: --repository https://github.com/OWNER/NAME.",
    ],
    ...tools.map(
      (tool) =>
        /** @type {const} */ ([
          tool.version !== version,
          `${tool.name} has the version ${tool.version}, and ${version} is to be released.`,
        ]),
    ),
    ...named.map(
      ({ path, other }) =>
        /** @type {const} */ ([
          other !== version,
          `${path} names the version ${other} of the package, which is ${version}.`,
        ]),
    ),
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
};

const sha256 = (/** @type {string} */ file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/**
 * As npm writes it.
 * @type {(file: string) => string}
 */
const integrityOf = (file) => `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;

/** @type {(...args: string[]) => string} */
const npm = (...args) =>
  execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "inherit"],
  });

/** @type {(...args: string[]) => string[]} */
const git = (...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

/** @type {(folder: string, names: readonly string[]) => string} */
const sumsOf = (out, names) => names.map((name) => `${sha256(join(out, name))}  ${name}\n`).join("");

/**
 * Packs a folder that has been built.
 * @type {(folder: string, out: string) => Packed}
 */
const pack = (folder, out) => {
  const [packed] = /** @type {Packed[]} */ (
    parseJson(npm("pack", folder, "--json", "--pack-destination", out))
  );
  if (packed === undefined) {
    throw new Error(`npm pack has made no tarball of ${folder}.`);
  }
  return packed;
};

/** @type {(script: string, args: readonly string[], repository: string | undefined) => void} */
const build = (script, args, repository) => {
  const address = repository === undefined ? [] : ["--repository", repository];
  execFileSync(process.execPath, [join(__dirname, script), ...args, ...address], { stdio: "inherit" });
};

/** @type {(folder: string) => Manifest} */
const manifestIn = (folder) => /** @type {Manifest} */ (readJson(join(folder, "package.json")));

/**
 * @param {{ out: string, repository: string | undefined, version: string | undefined, untyped: boolean }} options
 * @returns {string[]} what is not ready
 */
function make({ out, repository, version: wanted, untyped }) {
  const dist = join(root, "dist");
  const built = join(root, "dist-tools");
  build("build.js", ["--out", dist, ...(untyped ? ["--untyped"] : [])], repository);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const packed = pack(dist, out);
  const tools = [...toolFolders.keys()].map((name) => {
    const folder = join(built, name);
    build("buildTool.js", [name, "--out", folder], repository);
    return { ...pack(folder, out), manifest: manifestIn(folder) };
  });
  rmSync(built, { recursive: true, force: true });
  const sbom = npm("sbom", "--package-lock-only", "--omit", "dev", "--sbom-format", "cyclonedx");
  writeFileSync(join(out, "sbom.cdx.json"), sbom);
  const sums = sumsOf(out, [packed.filename, ...tools.map(({ filename }) => filename), "sbom.cdx.json"]);
  const manifest = manifestIn(dist);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const text = sectionOf(changelog, manifest.version)?.text ?? "";
  writeFileSync(join(out, "SHA256SUMS"), sums);
  writeFileSync(join(out, "tag.txt"), tagMessage(manifest, text, sums));
  const files = `${repository ?? "."}/blob/v${manifest.version}`;
  writeFileSync(join(out, "notes.md"), `${withAbsoluteLinks(text, files)}\n`);
  console.log(
    [
      `${packed.filename}: ${packed.size} bytes, unpacked ${packed.unpackedSize} in ${packed.files.length} files`,
      ...packed.files.map(({ path, size }) => `${String(size).padStart(9)}  ${path}`),
      ...tools.map((tool) => `${tool.filename}: ${tool.size} bytes, ${tool.files.length} files`),
      `SHA256:\n${sums}`,
      "The other folders of packages/ are private and no packages of their own: those above have what they need of them.",
      `Not checked: whether check.yml has passed on ${git("rev-parse", "HEAD").join("")}; release.yml asks.`,
    ].join("\n"),
  );
  return notReady({
    wanted,
    manifest,
    changelog,
    changed: git("status", "--porcelain").map((line) => line.slice(3)),
    tags: git("tag", "--list"),
    pages: Object.fromEntries(
      ["README.md", "docs/package.md"].map((path) => [path, readFileSync(join(dist, path), "utf8")]),
    ),
    repository,
    tools: tools.map((tool) => tool.manifest),
  });
}

/** @type {(text: string) => unknown} */
const parsed = (text) => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/**
 * What npm has of a version.
 * @type {(tarball: string) => { integrity?: string, problem?: string }}
 */
const publishedOf = (tarball) => {
  const { status, stdout } = spawnSync(
    "npm",
    ["view", tarball.replace(/-(\d.*)\.tgz$/, "@$1"), "dist.integrity", "--json"],
    { cwd: root, encoding: "utf8", shell: process.platform === "win32" },
  );
  // npm knows the package, and not the version.
  if (status === 0 && stdout.trim() === "") {
    return {};
  }
  const answer = parsed(stdout);
  if (status === 0 && typeof answer === "string") {
    return { integrity: answer };
  }
  const code = /** @type {{ error?: { code?: string } } | undefined} */ (answer)?.error?.code;
  return code === "E404"
    ? {}
    : { problem: `npm does not say whether it has ${tarball}: ${code ?? "no code"}.` };
};

/** @type {(out: string, env: NodeJS.ProcessEnv) => string[]} */
const publish = (out, env) => {
  if (env.GITHUB_ACTIONS !== "true" || env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined) {
    return ["Only the workflow release.yml publishes: npm trusts it. Here: npm run release -- --dry-run"];
  }
  const sums = readFileSync(join(out, "SHA256SUMS"), "utf8");
  const names = [...sums.matchAll(/ {2}(.+)$/gm)].map(([, name = ""]) => name);
  if (names.length === 0 || sumsOf(out, names) !== sums) {
    return [`${out} has not the files whose hashes are in SHA256SUMS.`];
  }
  const tarballs = names
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => ({ name, ours: integrityOf(join(out, name)), ...publishedOf(name) }));
  const problems = tarballs.flatMap(({ name, ours, integrity = ours, problem }) => {
    const other = integrity === ours ? [] : [`npm has another ${name}: raise the version.`];
    return problem === undefined ? other : [problem];
  });
  if (problems.length > 0) {
    return problems;
  }
  for (const { name, integrity } of tarballs) {
    if (integrity === undefined) {
      console.log(npm("publish", join(out, name), "--provenance", "--access", "public"));
    } else {
      console.log(`npm has this ${name} already.`);
    }
  }
  return [];
};

const usage = "npm run release -- [--dry-run] [--out FOLDER] [--repository URL] [--version VERSION]";

/** @throws TypeError for an option that is none of these */
const readOptions = () =>
  parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      out: { type: "string", default: join(root, "release") },
      repository: { type: "string" },
      // What the maintainer means to release, to compare.
      version: { type: "string" },
      // For tests: see build.js.
      untyped: { type: "boolean", default: false },
    },
  }).values;

function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\nAll options: ${usage}`);
    process.exitCode = 64;
    return;
  }
  const { repository, version, untyped, "dry-run": isDryRun } = options;
  const out = resolve(options.out);
  const problems = isDryRun ? make({ out, repository, version, untyped }) : publish(out, process.env);
  if (problems.length > 0) {
    console.error(`Not ready, nothing was published:\n${problems.map((each) => `- ${each}`).join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log(
    isDryRun ? `Ready, nothing was published. Read ${join(out, "notes.md")} and tag.txt.` : "Published.",
  );
}

if (require.main === module) {
  main();
}

module.exports = { notReady, sectionOf, tagMessage, withAbsoluteLinks };
