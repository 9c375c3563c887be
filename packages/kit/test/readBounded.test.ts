import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { readBounded, readBoundedText } from "capz-windows-kit/readBounded";

const folder = mkdtempSync(join(tmpdir(), "bounded-"));
const file = join(folder, "a file");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("a file has all of its bytes, up to the limit, and none beyond it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 200 }), (bytes, most) => {
      writeFileSync(file, bytes);
      if (bytes.length <= most) {
        expect(readBounded(file, most)).toEqual(Buffer.from(bytes));
      } else {
        expect(() => readBounded(file, most)).toThrow(
          new Error(`it has ${bytes.length} bytes, more than ${most}`),
        );
      }
    }),
  );
});

it("a file of many chunks is whole", () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  writeFileSync(file, bytes);
  expect(readBounded(file, 300_000).equals(bytes)).toBe(true);
});

it("a text has the encoding of its first bytes", () => {
  writeFileSync(file, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("näme", "utf16le")]));
  expect(readBoundedText(file, 100)).toBe("näme");
});

it("nothing is read of a file that is too large, so that memory does not follow its size", () => {
  const large = openSync(file, "w");
  ftruncateSync(large, 2 ** 41);
  closeSync(large);
  const before = process.memoryUsage().rss;
  expect(() => readBounded(file, 200_000_000)).toThrow(
    new Error("it has 2,199,023,255,552 bytes, more than 200,000,000"),
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

const onUnix = process.platform === "win32" ? it.skip : it;

onUnix("pipes and devices are not read, but what a shell gives in place of a file", () => {
  const pipe = join(folder, "pipe");
  spawnSync("mkfifo", [pipe]);
  const link = join(folder, "link");
  symlinkSync("/dev/zero", link);
  for (const path of [pipe, link, "/dev/zero", "/dev/tty"]) {
    expect(() => readBounded(path, 1_000_000)).toThrow(new Error("it is not a regular file"));
  }
  expect(readBounded("/dev/null", 1)).toHaveLength(0);
  const given = openSync("/dev/zero", "r");
  expect(() => readBounded(`/dev/fd/${given}`, 1_000_000)).toThrow(
    new Error("it has more than 1,000,000 bytes"),
  );
  closeSync(given);
});

it("a file that is not there has the error of the file system", () => {
  expect(() => readBounded(join(folder, "none"), 1)).toThrow("ENOENT: no such file or directory, open");
  expect(() => readBounded(folder, 10_000_000)).toThrow(
    `EISDIR: illegal operation on a directory, read '${folder}'`,
  );
});
