import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rewriteAtomically, withTemporary, writeAtomically } from "capz-windows-kit/io/atomic";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capz-windows-atomic-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("writeAtomically", () => {
  it("creates missing folders and leaves nothing but the file", () => {
    const path = join(folder, "a", "b", "file.txt");
    writeAtomically(path, "größe\n");
    expect(readFileSync(path, "utf8")).toBe("größe\n");
    expect(readdirSync(dirname(path))).toEqual(["file.txt"]);
  });

  it("replaces a file", () => {
    const path = join(folder, "file.txt");
    writeFileSync(path, "a longer text than the next");
    writeAtomically(path, "short");
    expect(readFileSync(path, "utf8")).toBe("short");
  });

  it("throws and leaves nothing behind when the path cannot be replaced", () => {
    const path = join(folder, "taken");
    mkdirSync(join(path, "by a folder"), { recursive: true });
    expect(() => {
      writeAtomically(path, "text");
    }).toThrow(/EISDIR|ENOTEMPTY|EPERM/);
    expect(readdirSync(folder)).toEqual(["taken"]);
    expect(readdirSync(path)).toEqual(["by a folder"]);
  });
});

const onUnix = process.platform === "win32" ? it.skip : it;

onUnix("rewriteAtomically writes what a link leads to, and keeps the link and the mode", () => {
  const [file, link] = [join(folder, "file.txt"), join(folder, "link.txt")];
  writeFileSync(file, "before");
  for (const mode of [0o600, 0o664]) {
    chmodSync(file, mode);
    rmSync(link, { force: true });
    symlinkSync("file.txt", link);
    rewriteAtomically(link, `after ${mode}`);
    expect(readlinkSync(link)).toBe("file.txt");
    expect(readFileSync(file, "utf8")).toBe(`after ${mode}`);
    expect(statSync(file).mode & 0o777).toBe(mode);
  }
  expect(readdirSync(folder)).toEqual(["file.txt", "link.txt"]);
});

onUnix("a pipe, also behind a link, and what /proc has open stay as they are", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const links = { link: "pipe", open: "/proc/self/fd/1" };
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(folder, name));
  }
  for (const name of ["pipe", "link", "open"]) {
    const path = join(folder, name);
    expect(() => {
      writeAtomically(path, "text");
    }).toThrow(`${path} is a device, a pipe or a socket`);
  }
  expect(() => {
    rewriteAtomically(join(folder, "link"), "text");
  }).toThrow("pipe is a device, a pipe or a socket");
  expect(statSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder)).toEqual(["link", "open", "pipe"]);
  expect(Object.keys(links).map((name) => readlinkSync(join(folder, name)))).toEqual(Object.values(links));
});

describe("withTemporary", () => {
  it("gives each caller a different path in the same folder", () => {
    const path = join(folder, "file.txt");
    withTemporary(path, (first) => {
      withTemporary(path, (second) => {
        expect([first, second].map(dirname)).toEqual([folder, folder]);
        expect(first).not.toBe(second);
      });
    });
  });

  it("deletes a folder that is left there when it fails, and passes the error on", () => {
    let left = "";
    const use = (temporary: string): void => {
      left = temporary;
      mkdirSync(join(temporary, "deep"), { recursive: true });
      throw new Error("stopped");
    };
    expect(() => {
      withTemporary(join(folder, "out"), use);
    }).toThrow("stopped");
    expect(left).not.toBe("");
    expect(existsSync(left)).toBe(false);
  });
});
