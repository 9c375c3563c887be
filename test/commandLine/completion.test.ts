import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandNames } from "../../commands/commandLine/commandNames";
import { run } from "../../commands/completion/cli";
import { formats } from "../../commands/plan/reports/formats";
import { said } from "../support/said";

/** What each shell offers. The script runs in its shell, where that is installed. */

const root = join(__dirname, "../..");
const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const dir = mkdtempSync(join(tmpdir(), "capz-windows-completion-"));

const isThere = (shell: Shell): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

const completion = (args: readonly string[]) => said(() => run(args));

const scripts: Partial<Record<Shell, string>> = {};

beforeAll(async () => {
  for (const shell of shells) {
    const { code, out, err } = await completion([shell]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    scripts[shell] = out;
    writeFileSync(join(dir, shell), out);
  }
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Runs in a shell what prints the offers, one a line. "FILES" are those that the shell itself completes. */
const lineOf: Readonly<Record<Shell, string>> = {
  bash: `COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_capz_windows "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]:-FILES}"`,
  // What a completion widget has: https://zsh.sourceforge.io/Doc/Release/Completion-Widgets.html
  zsh: `compadd() { shift; print -l -- \${(M)@:#$words[CURRENT]*}; }
_files() { print FILES; }
_default() { print FILES; }
words=("$@") CURRENT=$#
$_comps[\${1:t}]`,
  fish: `set -l found (complete -C (string join ' ' -- $argv) | string replace -r '\\t.*' '')
printf '%s\\n' $found`,
};
const beginOf: Readonly<Record<Shell, string>> = {
  bash: "",
  zsh: `typeset -A _comps; compdef() { local each; for each in $@[2,-1]; do _comps[$each]=$1; done }`,
  fish: "",
};

/** What a shell offers for the last word of a command line, after \`before\` in the same shell. */
function offered(shell: Shell, words: readonly string[], before = ""): string[] {
  // Sourced twice, as in a shell in a shell: the script does not call itself.
  const source = `. ${join(dir, shell)}\n`;
  const text = [beginOf[shell], before, source, source, lineOf[shell]].join("\n");
  const options = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const args = [...options, "-c", text, ...(shell === "fish" ? [] : [shell]), ...words];
  return execFileSync(shell, args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((word) => word !== "")
    .sort();
}

describe.each(shells)("%s completes", (shell) => {
  const inShell = isThere(shell) ? it : it.skip;

  inShell("commands, and the options of each", () => {
    expect(offered(shell, ["npx", "capz-windows", ""])).toEqual(["init", ...commandNames].sort());
    expect(offered(shell, ["./node_modules/.bin/capz-windows", "pre"])).toEqual(["preflight"]);
    for (const command of commandNames) {
      const options = offered(shell, ["npm", "run", command, "--", "--"]);
      expect(options).toContain("--help");
      expect(options).not.toContain("--pulumi");
      expect(offered(shell, ["npx", "capz-windows", command, "--"])).toEqual(options);
      if (!["pipeline", "completion"].includes(command)) {
        expect(options).toContain("--json");
      }
    }
  });

  inShell.each([
    ["npm run plan -- --stack dev --ag", ["--against", "--against-version"]],
    ["npx capz-windows plan --stack dev --ag", ["--against", "--against-version"]],
    ["npm run plan -- --stack d", ["dev"]],
    ["capz-windows plan -s d", ["dev"]],
    ["npm run plan -- --format ", [...formats].sort()],
    ["npx capz-windows plan --fail-on d", ["destructive"]],
    ["npx capz-windows init clusters --s", ["--ssh-key", "--subscription"]],
    ["npx capz-windows init clusters --workflows g", ["github", "gitlab"]],
    ["npx capz-windows completion z", ["zsh"]],
    ["npm run pipeline -- ", ["comment", "drift", "images", "label", "preview"]],
  ])("%j with %j", (line, expected) => {
    expect(offered(shell, line.split(" "))).toEqual(expected);
  });

  inShell.each(["npx capz-windows plan --out ", "npm run workloads -- --stack dev "])(
    "%j with files",
    (line) => {
      // fish offers files where its script offers nothing.
      expect(offered(shell, line.split(" "))).toEqual(
        shell === "fish" ? (expect.arrayContaining(["README.md"]) as string[]) : ["FILES"],
      );
    },
  );
});

describe.each([
  ["bash", "_before() { COMPREPLY=(before); }; complete -F _before npm npx"],
  ["zsh", "_before() { print before; }; compdef _before npm npx"],
  ["fish", "complete -c npm -a before; complete -c npx -f -a before"],
] as const)("%s", (shell, before) => {
  (isThere(shell) ? it : it.skip)("completes other commands as before", () => {
    const fromBefore = shell === "fish" ? (expect.arrayContaining(["before"]) as string[]) : ["before"];
    expect(offered(shell, ["npm", "b"], before)).toEqual(fromBefore);
    expect(offered(shell, ["npx", "b"], before)).toEqual(["before"]);
    expect(offered(shell, ["npm", "run", "plan", "--", "--al"], before)).toEqual(["--all"]);
    expect(offered(shell, ["npm", "run", "lint", "--", "--al"], before)).not.toContain("--all");
  });
});

it("prints the script for bash unless another shell is named, and none for a shell that has none", async () => {
  expect((await completion([])).out).toBe(scripts.bash);
  expect(await completion(["tcsh"])).toEqual({
    code: 64,
    out: "",
    err: "There is no completion for tcsh. Write one of bash, zsh, fish.\nAll options: npm run completion -- --help\n",
  });
  expect((await completion(["zsh", "fish"])).err).toBe(
    "Write one shell.\nAll options: npm run completion -- --help\n",
  );
});
