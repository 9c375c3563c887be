import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../commands/completion/cli";

const root = join(__dirname, "../..");

let script = "";

beforeAll(async () => {
  const spy = jest
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => (script += String(text)) !== "");
  try {
    expect(await run([])).toBe(0);
  } finally {
    spy.mockRestore();
  }
});

/** What bash offers for the last word of a command line, after `before` in the same shell. */
function offered(words: readonly string[], before = ""): string[] {
  const line = `${before}
${script}
${before}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_capz_windows npm "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", line, "bash", ...words], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((word) => word !== "");
}

describe("bash completes", () => {
  it("the options of a command, all of which its help names", () => {
    const commands = [
      "plan",
      "preflight",
      "doctor",
      "probe",
      "encryption",
      "access",
      "import",
      "workloads",
      "images",
    ];
    for (const command of commands) {
      const options = offered(["npm", "run", command, "--", "--"]);
      expect(options).toContain("--help");
      expect(options).toContain("--json");
    }
    expect(offered(["npm", "run", "plan", "--", "--stack", "dev", "--ag"])).toEqual([
      "--against",
      "--against-version",
    ]);
  });

  it("stacks and fixed values", () => {
    expect(offered(["npm", "run", "plan", "--", "--stack", "d"])).toEqual(["dev"]);
    expect(offered(["npm", "run", "plan", "--", "--format", ""])).toEqual([
      "text",
      "markdown",
      "json",
      "html",
      "sarif",
      "github",
      "azure-devops",
    ]);
    expect(offered(["npm", "run", "plan", "--", "--fail-on", "d"])).toEqual(["destructive"]);
  });

  it("files by itself, where an option takes one", () => {
    expect(script).toContain("complete -o default");
    expect(offered(["npm", "run", "plan", "--", "--out", "x"])).toEqual([]);
  });

  it("other commands as before", () => {
    const before = "_npms() { COMPREPLY=(before); }; complete -F _npms npm";
    expect(offered(["npm", "inst"], before)).toEqual(["before"]);
    expect(offered(["npm", "run", "lint", "--", "--"], before)).toEqual(["before"]);
    expect(offered(["npm", "run", "plan", "--", "--al"], before)).toEqual(["--all"]);
    expect(offered(["npm", "inst"])).toEqual([]);
  });
});

it("every command of package.json that has options is completed", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const starters = Object.entries(scripts).flatMap(([name, line]) => {
    const [, file] = /(scripts\/\w+\.js)$/.exec(line) ?? [];
    return file !== undefined && /cli(\/main)?\.ts"\)\.main/.test(readFileSync(join(root, file), "utf8"))
      ? [name]
      : [];
  });
  const completed = [...script.matchAll(/^ {6}(\w+)\) options=/gm)].map(([, name]) => name);
  expect(completed.sort()).toEqual(starters.filter((name) => name !== "completion").sort());
});
