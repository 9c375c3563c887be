import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { isItsTurn } from "capz-windows-test-kit/sample";
import { filledLine } from "capz-windows-doctor/remedies";
import { allRules } from "capz-windows-doctor/rules/allRules";

/** Hostile values, the commands of remedies, and what a real shell starts for a text. */

/** What attackers call things. PWNED is a program that the test's shell has. */
export const hostile = [
  ...[
    "$(PWNED)",
    "`PWNED`",
    "x;PWNED",
    "x|PWNED",
    "x&PWNED",
    "x\nPWNED",
    "x\r\nPWNED",
    "x && PWNED",
    "<(PWNED)",
  ],
  ...[
    "'; PWNED; '",
    '"; PWNED; "',
    "' $(PWNED) '",
    '" $(PWNED) "',
    "\\'; PWNED #",
    "$'x'; PWNED",
    "’; PWNED; ‘",
  ],
  ...[
    "${IFS}PWNED",
    "{PWNED,x}",
    "*",
    "?",
    "[a-z]",
    "~",
    "!PWNED",
    "%PATH%",
    "^PWNED",
    "# PWNED",
    "x #",
    "\u0000x",
  ],
  ...[
    "--kubeconfig=/x/evil",
    "-oProxyCommand=PWNED",
    "-",
    "--",
    "-A",
    "@/etc/passwd",
    "=PWNED",
    "a,b",
    "a b",
    "",
  ],
  ...["\u001b]52;c;UFdORUQ=\u0007", "\u202ePWNED", "x'); PWNED; ('", "}}'; PWNED; '", "__proto__", "{name}"],
];

/** A third of them for each command, other ones for the next command: each value meets a third of all commands in each run. */
export const hostileTo = (command: number): readonly string[] =>
  hostile.filter((_, index) => isItsTurn(index + command, 3));

export const value = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string(),
  fc
    .tuple(fc.constantFrom(...hostile), fc.string(), fc.constantFrom(...hostile))
    .map((parts) => parts.join("")),
);

export const isYaml = (line: string): boolean => /^[\w:.-]+: [[{]/.test(line);

/** Lines of remedies that have a value, and are commands. */
export const templates = allRules
  .flatMap(({ remedy }) => remedy)
  .filter((line) => /\{\w+\}/.test(line) && !isYaml(line) && /^[(a-zA-Z]/.test(line));

const commandStart =
  /^(?:\(umask 077 && )?(?:az|kubectl|npx|npm|pulumi|ssh|scp|curl|openssl|ctr|clusterctl|gh|helm|jq|sudo|KUBECONFIG=)\b/;
export const commands = templates.filter((line) => commandStart.test(line));

const namesIn = (line: string): string[] =>
  [...line.matchAll(/(?<![%$])\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Places of several words, which detectors make of plain ones (`fragments` of packages/doctor/remedies.ts). */
export const isOfWords = (line: string): boolean => /\{(?:lacking|machines|thing)\}/.test(line);

export const isWords = (value: string): boolean => /^\w[\w/.:=-]*(?: \w[\w/.:=-]*)+$/.test(value);

export const filledWith = (line: string, values: readonly string[]): string =>
  filledLine(
    line,
    Object.fromEntries(namesIn(line).map((name, index) => [name, values[index % values.length] ?? ""])),
  );

export interface Started {
  readonly text: string;
  readonly runs: readonly (readonly string[])[];
  readonly error: string | undefined;
}

/** The words of all programs that a real shell starts for each text; nothing else is started. Most values leave the same text. */
export function runsOf(texts: readonly string[], shell: "bash" | "zsh" = "bash"): readonly Started[] {
  const once = [...new Set(texts)];
  const found = new Map(runsOfEach(once, shell).map((one) => [one.text, one]));
  return texts.map((text) => found.get(text)!);
}

function runsOfEach(texts: readonly string[], shell: "bash" | "zsh"): readonly Started[] {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    const { stderr, output } = spawnSync(shell, [join(__dirname, "recorder.bash")], {
      cwd: folder,
      env: { HOME: folder },
      input: texts.map((text) => `${text.replaceAll("\0", "")}\0`).join(""),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
    });
    const records = (output[3] ?? "").split(/@end\0\d+\0/);
    const errors = stderr.split(/^@text \d+\n/m).slice(1);
    return texts.map((text, index) => ({
      text,
      runs: (records[index] ?? "")
        .split("@run\0")
        .slice(1)
        .map((words) => words.split("\0").slice(0, -1)),
      error: /syntax error|unexpected|unterminated|bad substitution/.exec(errors[index] ?? "")?.[0],
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The programs with their options: what a value must not change. Those of a pipe run at once, in any order. */
export const shape = (runs: readonly (readonly string[])[]): string[] =>
  runs
    .map((words) => {
      const options = words.slice(1).filter((word) => /^-[-a-zA-Z]/.test(word));
      return `${words[0] ?? ""} ${options.map((word) => word.replace(/=.*/s, "=")).join(" ")} ${words.length}`;
    })
    .sort();
