import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as fc from "fast-check";
import { run as doctor } from "capz-windows-doctor/cli/main";
import { run as importCommand } from "../../commands/import/cli";
import { run as pipeline } from "../../commands/pipeline/cli";
import { run as plan } from "../../plan/cli/main";
import { run as workloads } from "windows-workloads/cli";
import { mostBytes, readBounded, readBoundedText } from "capz-windows-kit/readBounded";
import { said } from "../support/said";

const folder = mkdtempSync(join(tmpdir(), "bounded-"));
const project = join(__dirname, "../..");
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

onUnix("a stack file that is a pipe is refused", async () => {
  const pipe = join(folder, "Pulumi.pipe.yaml");
  spawnSync("mkfifo", [pipe]);
  const { err } = await said(() => plan(["--stack", "dev", "--config-file", pipe]));
  expect(err).toContain("    problem  the file is not a regular file\n");
});

it("a file that is not there has the error of the file system", () => {
  expect(() => readBounded(join(folder, "none"), 1)).toThrow("ENOENT: no such file or directory, open");
  expect(() => readBounded(folder, 10_000_000)).toThrow("EISDIR: illegal operation on a directory, read");
});

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  doctor,
  import: importCommand,
  workloads,
  pipeline,
  plan,
};

/** What each command says of a file that is larger than its limit. Its bytes are a hole, so that it costs no disk. */
const refusals: readonly (readonly [
  what: string,
  words: (file: string) => readonly string[],
  message: (file: string) => string,
])[] = [
  [
    "recording",
    (at) => ["doctor", "--from", at],
    (at) => `${at} cannot be read: it has 400,000,001 bytes, more than 200,000,000.`,
  ],
  [
    "source of an import",
    (at) => ["import", at],
    (at) => `${at} cannot be read: it has 400,000,001 bytes, more than 50,000,000`,
  ],
  [
    "manifest",
    (at) => ["workloads", "--stack", "dev", "--config-file", "examples/Pulumi.dev.yaml", at],
    (at) => `${at} cannot be read: it has 400,000,001 bytes, more than 50,000,000`,
  ],
  [
    "report of a stranger",
    (at) => ["pipeline", "markdown", "plan", at],
    (at) => `${at} cannot be read: it has 400,000,001 bytes, more than 67,108,864.`,
  ],
  [
    "base",
    (at) => ["plan", "--stack", "dev", "--config-file", "examples/Pulumi.dev.yaml", "--against", at],
    (at) =>
      `Comparing: preparing ${at}\n${at} cannot be read: it has 400,000,001 bytes, more than 200,000,000.`,
  ],
  [
    "stack file",
    (at) => ["plan", "--stack", "dev", "--config-file", at],
    (at) =>
      [
        `${relative(project, at)}: 1 problem`,
        "",
        `  ${relative(project, at)}`,
        "    problem  the file has 400,000,001 bytes, more than 1,000,000",
        "    allowed  a regular file of at most 1,000,000 bytes; Pulumi passes at most 120,000 of them to the program",
        "    write    <another file, or shorter values>",
      ].join("\n"),
  ],
];

it.each(refusals)("the command says of a %s that it is too large", async (_what, words, message) => {
  const path = join(folder, "large.json");
  const large = openSync(path, "w");
  ftruncateSync(large, 400_000_001);
  closeSync(large);
  const [name = "", ...args] = words(path);
  const { code, err } = await said(() => commands[name]!(args));
  expect([err.trim(), code]).toEqual([message(path), 1]);
});

it("the standard input has a limit, too", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["scripts/workloads.js", "--stack", "dev", "--config-file", "examples/Pulumi.dev.yaml", "-"],
    { encoding: "utf8", cwd: project, input: Buffer.alloc(mostBytes.manifests + 1) },
  );
  expect([stderr.trim(), status]).toEqual([
    "the standard input cannot be read: it has more than 50,000,000 bytes.",
    1,
  ]);
});
