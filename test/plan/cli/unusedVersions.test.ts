import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteUse, removeUnused } from "../../../commands/plan/cli/unusedVersions";

/** Which versions of the package stay in the cache of `plan --against-version`. */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-unused-"));
const hourMs = 3600 * 1000;

afterEach(() => {
  jest.restoreAllMocks();
  for (const name of readdirSync(dir)) {
    rmSync(join(dir, name), { recursive: true });
  }
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

const nameOf = (digit: string): string => digit.repeat(20);

/** An installed version with a file in it, used some hours ago. */
function version(name: string, hours: number): string {
  const folder = join(dir, name);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "node_modules/file"), "");
  const then = new Date(Date.now() - hours * hourMs);
  utimesSync(folder, then, then);
  return folder;
}

it.each([
  ["three stay, however old they are", { a: 900, b: 800, c: 700 }, ["a", "b", "c"]],
  ["of more, those used last stay", { a: 900, b: 30, c: 800, d: 700, e: 25 }, ["b", "d", "e"]],
  [
    "those of the last day stay, however many they are",
    { a: 1, b: 2, c: 3, d: 23, e: 25 },
    ["a", "b", "c", "d"],
  ],
])("%s", (_, hours, expected) => {
  Object.entries(hours).forEach(([digit, before]) => version(nameOf(digit), before));
  removeUnused(dir);
  expect(readdirSync(dir).sort()).toEqual(expected.map(nameOf));
});

it("deletes nothing that it has not installed", () => {
  ["a", "b", "c", "d"].forEach((digit) => version(nameOf(digit), 30));
  ["mine", `${nameOf("e")}.123.tmp`, nameOf("g")].forEach((name) => version(name, 900));
  removeUnused(dir);
  expect(readdirSync(dir)).toHaveLength(6);
  expect(readdirSync(dir)).toEqual(expect.arrayContaining(["mine", `${nameOf("e")}.123.tmp`, nameOf("g")]));
});

it("a version in use is the youngest, and one that is missing is not in use", () => {
  const old = version(nameOf("a"), 900);
  ["b", "c", "d"].forEach((digit) => version(nameOf(digit), 30));
  expect(noteUse(old)).toBe(true);
  removeUnused(dir);
  expect(existsSync(join(old, "node_modules/file"))).toBe(true);
  expect(readdirSync(dir)).toHaveLength(3);
  expect(noteUse(join(dir, nameOf("f")))).toBe(false);
});

it("keeps a version that a plan begins to use while it is deleted", () => {
  const old = version(nameOf("a"), 900);
  ["b", "c", "d"].forEach((digit) => version(nameOf(digit), 30));
  const rename = fs.renameSync;
  jest.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
    noteUse(old);
    rename(from, to);
  });
  removeUnused(dir);
  expect(Date.now() - statSync(old).mtimeMs).toBeLessThan(hourMs);
  expect(existsSync(join(old, "node_modules/file"))).toBe(true);
  expect(readdirSync(dir)).toHaveLength(4);
});

it("goes on after a version that cannot be deleted", () => {
  ["b", "c", "d"].forEach((digit) => version(nameOf(digit), 30));
  version(nameOf("a"), 900);
  version(nameOf("e"), 800);
  const rename = jest.spyOn(fs, "renameSync").mockImplementationOnce(() => {
    throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
  });
  removeUnused(dir);
  expect(rename).toHaveBeenCalledTimes(2);
  expect(readdirSync(dir)).toHaveLength(4);
});
