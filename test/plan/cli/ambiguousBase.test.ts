import { execFileSync } from "node:child_process";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { openBase } from "../../../plan/cli/baseSide";

/** Of several commits of one name git takes that of the tag, which more people may push. */

const dir = temporaryFolder();
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: dir,
    encoding: "utf8",
  }).trim();

let main = "";
let short = "";

beforeAll(() => {
  git("init", "-q", "-b", "main");
  git("commit", "-qm", "first", "--allow-empty");
  const first = git("rev-parse", "HEAD");
  git("commit", "-qm", "second", "--allow-empty");
  main = git("rev-parse", "HEAD");
  short = main.slice(0, 9);
  git("update-ref", "refs/remotes/origin/main", main);
  for (const name of ["main", "origin/main", short, "same"]) {
    git("tag", name, first);
  }
  git("branch", "same", first);
});

const open = (against: string) => openBase(dir, against, { stacks: ["a"] });

it.each([
  ["main", () => "refs/tags/main, refs/heads/main"],
  ["main~0", () => "refs/tags/main, refs/heads/main"],
  ["origin/main", () => "refs/tags/origin/main, refs/remotes/origin/main"],
  ["a hash", () => `refs/tags/${short}, ${main}`],
])("%s, which a tag has taken, is refused", async (name, meanings) => {
  const against = name === "a hash" ? short : name;
  await expect(open(against)).rejects.toThrow(
    new Error(
      `--against ${against}: git has several commits of this name: ${meanings()}. Write the one that you mean in full.`,
    ),
  );
});

it.each(["same", "refs/heads/main", "refs/tags/main", "HEAD", "HEAD~1"])("%s is one commit", async (ref) => {
  // It has no files.
  await expect(open(ref)).rejects.toThrow(
    /: that commit has no plan \(scripts\/plan\.js\)\. Name a later one\.$/,
  );
});

it("a whole hash is one commit", async () => {
  await expect(open(main)).rejects.toThrow(/: that commit has no plan/);
});
