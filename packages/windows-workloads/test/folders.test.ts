import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, RecordedError } from "capz-windows-doctor/cluster/recorded";

/** Folders of strangers: links that go round, and what is waited for without end. */

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "folders-"));
  writeFileSync(join(dir, "a.yaml"), "");
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

it("reads each folder once, however links lead back to it", () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  names.forEach((name) => {
    mkdirSync(join(dir, name));
  });
  for (const name of names) {
    for (const other of names) {
      symlinkSync(join("..", other), join(dir, name, other));
    }
    symlinkSync(".", join(dir, name, "self"));
    symlinkSync("..", join(dir, name, "up"));
    writeFileSync(join(dir, name, "b.yaml"), "");
  }
  const found = filesBelow(dir);
  expect(found.filter((file) => file.endsWith("a.yaml"))).toEqual([join(dir, "a.yaml")]);
  expect(found.filter((file) => file.endsWith("b.yaml"))).toHaveLength(12);
});

it.each<readonly [what: string, make: (path: string) => void]>([
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  [
    "a link to a device",
    (path) => {
      symlinkSync("/dev/zero", path);
    },
  ],
  [
    "a link to nothing",
    (path) => {
      symlinkSync("none", path);
    },
  ],
  [
    "a link to itself",
    (path) => {
      symlinkSync("x.yaml", path);
    },
  ],
])("%s is said, and not waited for", (_what, make) => {
  const path = join(dir, "x.yaml");
  make(path);
  expect(() => filesBelow(dir)).toThrow(new RecordedError(`${path} is neither a file nor a folder.`));
});
