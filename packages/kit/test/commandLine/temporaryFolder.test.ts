import { chownSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeLeftFolders } from "capz-windows-kit/commandLine/temporaryFolder";

/** A process that does not run: more than Linux gives out. */
const dead = 4_999_999;
const what = `left${process.pid}`;
const named = (name: string, pid = dead): string => join(tmpdir(), `capz-windows-${what}-${pid}-${name}`);
const paths = {
  own: named("own"),
  link: named("link"),
  others: named("others"),
  runs: named("runs", process.pid),
};

afterAll(() => {
  for (const path of Object.values(paths)) {
    rmSync(path, { recursive: true, force: true });
  }
});

it("deletes what this user's killed processes have left, and nothing that another user has put there", () => {
  mkdirSync(join(paths.own, "inside"), { recursive: true });
  mkdirSync(paths.runs);
  symlinkSync(paths.runs, paths.link);
  mkdirSync(paths.others);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(paths.others, 65_534, 65_534);
  }
  removeLeftFolders(what);
  expect({
    own: existsSync(paths.own),
    runs: existsSync(paths.runs),
    link: lstatSync(paths.link, { throwIfNoEntry: false })?.isSymbolicLink(),
    others: existsSync(paths.others),
  }).toEqual({ own: false, runs: true, link: true, others: isRoot });
});
