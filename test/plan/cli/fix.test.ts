import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { withLines } from "../../../commands/stack/problemLines";
import { readArguments } from "../../../plan/cli/arguments";
import { askForRest, fixStackFile } from "../../../plan/cli/fix";
import { ConfigError, formatProblems } from "capz-windows-kit/problem";
import { minimal } from "../../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** `plan --fix` writes what is certain, and leaves the rest to the report. */

const onUnix = process.platform === "win32" ? it.skip : it;
const dir = temporaryFolder();
const file = join(dir, "Pulumi.test.yaml");

/** A stack file with further lines below config. */
function write(lines: string): void {
  const config = Object.fromEntries(
    Object.entries(minimal()).map(([key, value]) => [`capz-windows:${key}`, value]),
  );
  writeFileSync(join(dir, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  writeFileSync(file, `${stringify({ config })}${lines}`);
}

it("corrects a mistake inside of another one, and keeps a question as it is", () => {
  write(`  capz-windows:windows_pools:
    win1:
      count: "2" # Two.
      color: red
`);
  expect(fixStackFile(dir, "test", undefined)).toEqual([
    "corrected windows_pools: rename capz-windows:windows_pools to capz-windows:windowsPools",
    "corrected windowsPools.win1.count: rename count to replicas",
    "corrected windowsPools.win1.replicas: replicas: 2",
  ]);
  expect(readFileSync(file, "utf8")).toContain(`  capz-windows:windowsPools:
    win1:
      replicas: 2 # Two.
      color: red
`);
});

it("moves a key into a mapping that has nothing yet", () => {
  write("  capz-windows:network: # Ours.\n  capz-windows:podCidr: 192.168.0.0/16\n");
  expect(fixStackFile(dir, "test", undefined)).toEqual([
    "corrected podCidr: move capz-windows:podCidr to network.podCidr",
  ]);
  expect(readFileSync(file, "utf8")).toContain(`  capz-windows:network: # Ours.
    podCidr: 192.168.0.0/16
`);
});

it("corrects nothing in a file that is too large for Pulumi", () => {
  write(Array.from({ length: 6_000 }, (_, index) => `  capz-windows:unknown${index}: 1\n`).join(""));
  const before = readFileSync(file, "utf8");
  expect(() => fixStackFile(dir, "test", undefined)).toThrow(/^ {4}problem {2}[\d,]+ bytes: Pulumi passes/m);
  expect(readFileSync(file, "utf8")).toBe(before);
});

onUnix("writes into the file that a link leads to", () => {
  write("  capz-windows:windows_pools: { win1: {} }\n");
  symlinkSync(file, join(dir, "Pulumi.link.yaml"));
  expect(fixStackFile(dir, "link", undefined)).toHaveLength(1);
  expect(lstatSync(join(dir, "Pulumi.link.yaml")).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, "utf8")).toContain("windowsPools");
});

it("keeps the line ends of Windows", () => {
  write("  capz-windows:windows_pools: { win1: {} } # Ours.\n");
  const before = readFileSync(file, "utf8").replaceAll("\n", "\r\n");
  writeFileSync(file, before);
  expect(fixStackFile(dir, "test", undefined)).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe(before.replace("windows_pools", "windowsPools"));
});

it("leaves a right file as it is, to the letter", () => {
  write("  capz-windows:windowsPools:   { win1: {  } }\n");
  const before = readFileSync(file, "utf8");
  expect(fixStackFile(dir, "test", undefined)).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(before);
});

it("is of one stack file", () => {
  expect(() => readArguments(["--stack", "dev", "--fix", "--against", "main"])).toThrow(
    "error: option '--fix' cannot be used with option '--against <REF>'",
  );
});

it("names the line of each problem", () => {
  write("  capz-windows:wat: 1\n");
  const line = readFileSync(file, "utf8").split("\n").indexOf("  capz-windows:wat: 1") + 1;
  const problem = { path: "wat", problem: "unknown key", allowed: "wait", write: "<wait>" };
  const { source, problems } = withLines(dir, new ConfigError("Pulumi.test.yaml", [problem]));
  expect(formatProblems(source, problems)).toContain(`\n  Pulumi.test.yaml:${line}  wat\n`);
  const inOrder = formatProblems("x", [
    { ...problem, path: "a", line: 9 },
    { ...problem, path: "b", line: 3 },
  ]);
  expect(inOrder).toMatch(/x:3 {2}b\n[^]*x:9 {2}a\n/);
});

describe("what is not certain", () => {
  const questions: string[] = [];
  const answers = (...texts: string[]) => {
    questions.length = 0;
    return (question: string): Promise<string> => {
      questions.push(question);
      return Promise.resolve(texts[questions.length - 1] ?? "");
    };
  };
  const pools = `  capz-windows:windowsPools: # Ours.
    win1:
      osDiskGB: 3 # Small.
      replicas: -1
`;

  it("is asked for with what is allowed, and written where the value was", async () => {
    write(pools);
    expect(await askForRest(dir, "test", undefined, answers("2", "128"))).toEqual([
      "corrected windowsPools.win1.replicas: 2",
      "corrected windowsPools.win1.osDiskGB: 128",
    ]);
    expect(readFileSync(file, "utf8")).toContain(`  capz-windows:windowsPools: # Ours.
    win1:
      osDiskGB: 128 # Small.
      replicas: 2
`);
    expect(questions[0]).toMatch(
      /^windowsPools\.win1\.replicas: -1\n {2}problem {2}.+\n {2}allowed {2}.+\n {2}another value, or Enter to leave it: $/,
    );
  });

  it("stays without an answer, and an answer that is wrong, too, is asked for once", async () => {
    write(pools);
    expect(await askForRest(dir, "test", undefined, answers("-2", ""))).toEqual([
      "corrected windowsPools.win1.replicas: -2",
    ]);
    expect(questions).toHaveLength(2);
    expect(readFileSync(file, "utf8")).toContain("osDiskGB: 3 # Small.\n      replicas: -2\n");
  });

  it("says which correction and which answer a file with aliases does not take", async () => {
    const shared = `  capz-windows:windowsPools:
    win1: &pool { replicas: -1 }
    win2: *pool
  capz-windows:Protect: true
`;
    const not = "not written, because the file has aliases or other lines would change: ";
    write(shared);
    expect(fixStackFile(dir, "test", undefined)).toEqual([
      `${not}Protect: rename capz-windows:Protect to capz-windows:protect`,
    ]);
    expect(await askForRest(dir, "test", undefined, answers("2"))).toEqual([
      `${not}windowsPools.win1.replicas: 2`,
    ]);
    expect(readFileSync(file, "utf8")).toContain(shared);
  });

  it("is nothing that an answer could run or break", async () => {
    write(pools);
    await askForRest(dir, "test", undefined, answers("{a: [", "1\nclusterName: x"));
    expect(readFileSync(file, "utf8")).toContain('replicas: "{a: ["\n');
    expect(readFileSync(file, "utf8")).not.toContain("\nclusterName");
  });
});
