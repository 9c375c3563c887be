import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { join, relative } from "node:path";
import { run as doctor } from "capz-windows-doctor/cli/main";
import { run as importCommand } from "../../commands/import/cli";
import { run as pipeline } from "../../commands/pipeline/cli";
import { run as plan } from "../../plan/cli/main";
import { run as workloads } from "windows-workloads/cli";
import { mostBytes } from "capz-windows-kit/readBounded";
import { said } from "capz-windows-test-kit/said";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { projectDir as project } from "../support/projectDir";

const folder = temporaryFolder();

(process.platform === "win32" ? it.skip : it)("a stack file that is a pipe is refused", async () => {
  const pipe = join(folder, "Pulumi.pipe.yaml");
  spawnSync("mkfifo", [pipe]);
  const { err } = await said(() => plan(["--stack", "dev", "--config-file", pipe]));
  expect(err).toContain("    problem  the file is not a regular file\n");
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
