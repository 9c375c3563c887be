import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { readStackFile } from "../../../config/stackFile";
import { stackOfFile } from "../../../config/stackNames";
import { ConfigError } from "../../../tools/problem";
import { parsed } from "../compare/authored";
import { PlanError } from "../model/planError";
import { onceAtEnd, removeLeftOver } from "./leftOver";
import { installVersion } from "./packageCache";
import { installsPackage, isClone, packageName, plannerIn } from "./program";
import { addWorkTree, git, type WorkTree } from "./workTree";

/** The user's own stack files beside another version of the program. */

/** What a plan does not read: packages, history, and what commands of this program write. */
const leftOut = new Set(["node_modules", ".git", "rendered", "reports", "previews", ".cache"]);

/**
 * A copy of the project with the other version in its node_modules. It is a copy because a program finds its packages from its
 * own folder on.
 */
async function withPackage(project: string, wanted: string): Promise<WorkTree> {
  const { folder, version } = await installVersion(project, wanted);
  removeLeftOver(tmpdir(), /^capz-windows-version-(\d+)-/);
  const dir = mkdtempSync(join(tmpdir(), `capz-windows-version-${process.pid}-`));
  const remove = onceAtEnd(() => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  });
  try {
    const projectDir = join(dir, "project");
    cpSync(project, projectDir, {
      recursive: true,
      filter: (from) => from === project || !leftOut.has(basename(from)),
    });
    symlinkSync(join(folder, "node_modules"), join(projectDir, "node_modules"), "junction");
    const name = /^v?\d/.test(wanted) && !wanted.endsWith("gz") ? "" : ` (${basename(wanted)})`;
    const label = `version ${version}${name}`;
    return { label, projectDir, planner: plannerIn(folder), outputDir: join(dir, "plans"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The texts in a value of a stack file. */
function textsIn(value: unknown): string[] {
  return typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
}

const isBelow = (path: string): boolean => path !== "" && !path.startsWith("..") && !isAbsolute(path);

/** The files of a stack: its own, and those that it names, from the folder of Pulumi.yaml on. */
function filesOfStack(project: string, file: string): string[] {
  try {
    const { config } = readStackFile(project, stackOfFile(file) ?? basename(file), file);
    const named = Object.values(config)
      .flatMap((text) => textsIn(parsed(text)))
      .map((text) => relative(project, resolve(project, text)))
      .filter(
        (path) =>
          isBelow(path) && statSync(join(project, path), { throwIfNoEntry: false })?.isFile() === true,
      );
    return [file, ...named];
  } catch (error) {
    // Both sides report what is wrong in it.
    if (error instanceof ConfigError) {
      return [file];
    }
    throw error;
  }
}

/** Puts the stack files of a clone, and the files that they name, in place of those of another commit. */
function copyStacks(from: string, to: string, configFile: string | undefined): void {
  const stackFiles = (dir: string): string[] =>
    readdirSync(dir).filter((name) => stackOfFile(name) !== undefined);
  for (const name of stackFiles(to)) {
    rmSync(join(to, name));
  }
  const others =
    configFile !== undefined && isBelow(configFile) && existsSync(join(from, configFile)) ? [configFile] : [];
  for (const path of [...stackFiles(from), ...others].flatMap((file) => filesOfStack(from, file))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(from, path), join(to, path), { force: true });
  }
}

/** The tags of versions in the repository of a clone. */
function tagsOf(project: string, option: string): string[] {
  try {
    return git(project, ["tag", "--list", "v[0-9]*", "--sort=-version:refname"])
      .split("\n")
      .filter((tag) => tag !== "");
  } catch {
    throw new PlanError(
      `${option}: the project is in no git repository (or git is missing), and the versions of a clone are git tags.`,
    );
  }
}

async function atTag(project: string, version: string, configFile: string | undefined): Promise<WorkTree> {
  const option = `--against-version ${version}`;
  const tag = `v${version.replace(/^v/, "")}`;
  const tags = tagsOf(project, option);
  if (!tags.includes(tag)) {
    const known =
      tags.length === 0
        ? "It has no tag of a version."
        : `It has ${tags.slice(0, 5).join(", ")}${tags.length > 5 ? " and older ones" : ""}.`;
    throw new PlanError(
      `${option}: this repository has no tag ${tag}. ${known} Fetch those of its remote: git fetch --tags`,
    );
  }
  const tree = await addWorkTree(project, `refs/tags/${tag}`);
  try {
    copyStacks(project, tree.projectDir, configFile);
    const commit = /\(\w+\)$/.exec(tree.label)?.[0] ?? "";
    return { ...tree, label: `version ${tag.slice(1)} ${commit}`.trim() };
  } catch (error) {
    tree.remove();
    throw error;
  }
}

/**
 * The stack files as they are now, with another version of the program: in a clone that of a git tag, otherwise one that npm
 * installs. The tree is deleted when `remove` is called, or at the latest when this process ends.
 * @throws PlanError when there is no such version or it cannot be installed
 */
export async function addVersionTree(
  project: string,
  version: string,
  configFile: string | undefined,
): Promise<WorkTree> {
  if (isClone(project)) {
    return atTag(project, version, configFile);
  }
  if (!installsPackage(project)) {
    throw new PlanError(
      `--against-version ${version}: package.json of this project has no dependency ${packageName}, so another version cannot take its place.`,
    );
  }
  return withPackage(project, version);
}
