import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { runProcess } from "pulumi-plan-engine";
import { PlanError } from "../model/planError";
import { isRunning } from "capz-windows-kit/commandLine/leftOver";
import { temporaryFolder } from "capz-windows-kit/commandLine/temporaryFolder";
import { plannerOf } from "./program";

/** A git ref of the project, checked out beside it. */
export interface WorkTree {
  /** "origin/main (1a2b3c4)" */
  readonly label: string;
  /** The project folder in it, with the packages of its lock file. */
  readonly projectDir: string;
  /** What Node.js runs to plan there: a script, and arguments before the others. */
  readonly planner: readonly string[];
  /** A folder for its plans, which is deleted together with it. */
  readonly outputDir: string;
  readonly remove: () => void;
}

/**
 * Variables that name another repository, work tree or index than that of the folder. git sets them for hooks: with the
 * index of a commit, `git worktree add` would empty that commit. Source: `git rev-parse --local-env-vars`, without those
 * that hold settings.
 */
const ofOneRepository = new Set([
  ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE"],
  ...["GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE"],
  ...["GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"],
]);

/** Runs git in the repository of a folder, in English. */
export const git = (cwd: string, args: readonly string[]): string =>
  execFileSync("git", [...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOneRepository.has(name))),
      // Its messages are matched below.
      LC_ALL: "C",
    },
  }).trim();

const said = (error: unknown): string => {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
  return (stderr ?? "").trim() === "" ? message : (stderr ?? "").trim();
};

const commitNamed = (projectDir: string, ref: string): string =>
  git(projectDir, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);

/** Whether a text names a commit of the repository of a folder. */
export function isCommit(projectDir: string, ref: string): boolean {
  try {
    commitNamed(projectDir, ref);
    return true;
  } catch {
    return false;
  }
}

/** Whether the repository has a file or a folder at a path, so that whoever writes a branch decides what is in it. */
export function isTracked(projectDir: string, path: string): boolean {
  try {
    return git(projectDir, ["--literal-pathspecs", "ls-files", "--", resolve(path)]) !== "";
  } catch {
    return false;
  }
}

/**
 * The full names of the commits that a short name may mean. Of a tag and a branch of one name git takes the tag, which often
 * more people may push; and of a tag and an abbreviated hash the tag. Source: gitrevisions(7).
 */
function meaningsOf(projectDir: string, ref: string): string[] {
  const [name = ""] = ref.split(/[~^:]|@\{/);
  const places = ["refs/tags/", "refs/heads/", "refs/remotes/"].map((place) => `${place}${name}`);
  const refs = places.filter((place) => isCommit(projectDir, place));
  const hashes = /^[0-9a-f]{4,39}$/.test(name)
    ? git(projectDir, ["rev-parse", `--disambiguate=${name}`]).split("\n")
    : [];
  const meanings = new Map(
    [...refs, ...hashes.filter((hash) => isCommit(projectDir, hash))].map((one) => [
      commitNamed(projectDir, one),
      one,
    ]),
  );
  return [...meanings.values()];
}

/** @throws PlanError when git or the ref is missing, or when it names several commits */
function commitOf(projectDir: string, ref: string): string {
  try {
    git(projectDir, ["rev-parse", "--is-inside-work-tree"]);
  } catch (error) {
    const reason = said(error);
    throw new PlanError(
      `--against ${ref}: ${
        /not a git repository|ENOENT/.test(reason)
          ? "the project is in no git repository (or git is missing), and there is no such file."
          : reason
      }`,
    );
  }
  const meanings = meaningsOf(projectDir, ref);
  if (meanings.length > 1) {
    throw new PlanError(
      `--against ${ref}: git has several commits of this name: ${meanings.join(", ")}. Write the one that you mean in full.`,
    );
  }
  try {
    return commitNamed(projectDir, ref);
  } catch {
    throw new PlanError(
      `--against ${ref}: there is no such git ref, and no such file. ` +
        "In a shallow clone fetch it first: git fetch --depth=1 origin REF, or fetch-depth: 0 for actions/checkout.",
    );
  }
}

/**
 * The packages of the ref: those of this project if both lock files are equal, otherwise its own installation.
 */
async function installPackages(projectDir: string, tree: string): Promise<void> {
  const lock = (dir: string): string | undefined =>
    existsSync(join(dir, "package-lock.json"))
      ? readBoundedText(join(dir, "package-lock.json"), mostBytes.packageLock)
      : undefined;
  // A ref may contain a link of this name by mistake, which `npm ci` would follow.
  rmSync(join(tree, "node_modules"), { recursive: true, force: true });
  const packages = join(projectDir, "node_modules");
  if (existsSync(packages) && (lock(tree) ?? "") === (lock(projectDir) ?? "")) {
    symlinkSync(packages, join(tree, "node_modules"), "junction");
    return;
  }
  // No package of this project needs its install script.
  const args = ["ci", "--ignore-scripts", "--include=optional", "--no-workspaces", "--no-audit", "--no-fund"];
  const { code, stderr } = await runProcess("npm", [...args, "--loglevel=error"], {
    ...{ cwd: tree, env: process.env, isScript: true },
  });
  if (code !== 0) {
    const reason = stderr.trim() || `npm ended with ${code ?? "a signal"}`;
    throw new PlanError(
      `npm ci failed for the older side, whose package-lock.json is another one:\n${reason}`,
    );
  }
}

/** Runs `git worktree`, which fails while another comparison writes down a work tree of its own: up to five times. */
function gitWorkTree(projectDir: string, args: readonly string[], attempts = 5): string {
  try {
    return git(projectDir, args);
  } catch (error) {
    if (attempts === 1 || !/failed to read \S*worktrees/.test(said(error))) {
      throw error;
    }
    return gitWorkTree(projectDir, args, attempts - 1);
  }
}

const folderName = /^capz-windows-against-(\d+)-/;

/**
 * Deletes a work tree and its folder. `git worktree prune` would also delete what another comparison, which has just
 * begun, has not written completely yet.
 */
function deleteTree(projectDir: string, tree: string): void {
  // A process that is being killed may still write.
  rmSync(dirname(tree), { recursive: true, force: true, maxRetries: 10 });
  try {
    gitWorkTree(projectDir, ["worktree", "remove", "--force", "--force", tree]);
  } catch {
    // Git does not know the tree yet, or the repository has been deleted meanwhile.
  }
}

/** Deletes the work trees of this repository that killed plans have left. */
function removeLeftOver(projectDir: string): void {
  for (const line of gitWorkTree(projectDir, ["worktree", "list", "--porcelain"]).split("\n")) {
    const tree = /^worktree (.*)$/.exec(line)?.[1] ?? "";
    const pid = Number(folderName.exec(basename(dirname(tree)))?.[1] ?? process.pid);
    if (!isRunning(pid)) {
      deleteTree(projectDir, tree);
    }
  }
}

/**
 * Checks out a git ref into a temporary folder. It is deleted when `remove` is called, or at the latest when this
 * process ends, even if it is interrupted; what a killed process leaves, the next one deletes.
 * @throws PlanError when there is no such ref or its packages cannot be installed
 */
export async function addWorkTree(projectDir: string, ref: string): Promise<WorkTree> {
  const commit = commitOf(projectDir, ref);
  removeLeftOver(projectDir);
  const { folder: dir, remove } = temporaryFolder("against", (folder) => {
    deleteTree(projectDir, join(folder, "tree"));
  });
  const tree = join(dir, "tree");
  try {
    // Without the hooks of the repository, which are for the work trees of its users.
    const hooks = `core.hooksPath=${join(dir, "no-hooks")}`;
    gitWorkTree(projectDir, ["-c", hooks, "worktree", "add", "--detach", tree, commit]);
    // The project may be a folder of a larger repository.
    const project = join(tree, git(projectDir, ["rev-parse", "--show-prefix"]));
    const planner = plannerOf(project);
    if (planner === undefined) {
      throw new PlanError(`--against ${ref}: that commit has no plan (scripts/plan.js). Name a later one.`);
    }
    await installPackages(projectDir, project);
    return {
      label: `${ref} (${commit.slice(0, 7)})`,
      ...{ projectDir: project, planner },
      outputDir: join(dir, "plans"),
      remove,
    };
  } catch (error) {
    remove();
    throw error instanceof PlanError ? error : new PlanError(`--against ${ref}: ${said(error)}`);
  }
}
