import "../stack/register";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { bash } from "capz-windows-kit/shell";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { askOnTerminal } from "capz-windows-kit/commandLine/ask";
import { refuse } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { loadSettings } from "../../config/load";
import { projectConfig } from "../../config/stackFile";
import { type Answers, packageSource, projectFiles } from "./files";

const definition = defineCommand({
  call: "npx capz-windows init",
  about:
    "Writes a Pulumi project that uses this package into a new folder: Pulumi.yaml, Pulumi.dev.yaml, package.json, index.js and .gitignore, and pipelines if you ask for them. Files that are there are never overwritten.",
  args: { "<folder>": "a new or an empty folder" },
  options: ["subscription", "tenant", "location", "sshKey", "clusterName", "windows", "workflows", "yes"],
  notes: "What no option says is asked for on a terminal.",
  examples: {
    "npx capz-windows init my-clusters": "Answer questions",
    "npx capz-windows init my-clusters --yes": "Placeholders, to be replaced in Pulumi.dev.yaml",
    "npx capz-windows init my-clusters --yes --windows 2022,2025 --workflows github":
      "Two Windows pools, and workflows of GitHub",
  },
  exitCodes: { 0: "written", 1: "the folder has files, or an answer is wrong" },
});

/** Something stands in the way; the message says what to do. */
class InitError extends Error {
  override readonly name = "InitError";
}

/** What tests replace: asks one question; undefined where there is no terminal. */
export interface InitOptions {
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

type Texts = Readonly<Record<string, string | undefined>>;

const questions: Readonly<Record<string, string>> = {
  "cluster-name": "Name of the workload cluster",
  subscription: "Azure subscription ID",
  tenant: "Entra tenant ID",
  location: "Azure region",
  "ssh-key": "SSH public key, or its file",
  windows: "Releases of Windows Server (2019, 2022, 2025), separated by commas",
};

function readArguments(argv: readonly string[]) {
  // No environment: `npx --yes` is npm's own option of this name, and npx takes no others from a command.
  const { values, args } = parseCommand(definition, argv, {});
  const { yes, workflows, subscription, tenant, location, windows } = values;
  const [folder = ""] = args;
  const name = basename(resolve(folder));
  refuse([
    [
      // https://www.pulumi.com/docs/iac/concepts/projects/: names of projects have these characters, and at most 100.
      !/^[\w.-]{1,100}$/.test(name),
      `The name of the folder becomes that of the Pulumi project, which may have letters, digits, "-", "_" and "." only: ${name}`,
    ],
  ]);
  const names = { "cluster-name": values.clusterName, "ssh-key": values.sshKey };
  const texts: Texts = { ...names, subscription, tenant, location, windows };
  return { yes, folder, texts, hasWorkflows: workflows !== undefined };
}

/** The text of a key, from its file if it is the path of one. */
function keyText(value: string | undefined): string | undefined {
  if (value === undefined || /^\S+\s+\S/.test(value)) {
    return value;
  }
  if (!existsSync(value)) {
    throw new InitError(
      `--ssh-key ${value}: there is no such file. Name the file of a public key, for instance ~/.ssh/id_ed25519.pub, or write its text in quotes.`,
    );
  }
  return readBoundedText(value, mostBytes.small).trim();
}

const answersOf = (texts: Texts): Answers => ({
  clusterName: texts["cluster-name"],
  subscription: texts.subscription,
  tenant: texts.tenant,
  location: texts.location,
  sshKey: keyText(texts["ssh-key"]),
  windows: texts.windows?.split(/[\s,]+/).filter((word) => word !== ""),
});

/** @throws InitError */
function checkFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isDirectory()) {
    throw new InitError(`${folder} is a file. Name a new folder.`);
  }
  if (stat !== undefined && readdirSync(folder).length > 0) {
    throw new InitError(
      `${folder} has files already, and none is overwritten. Name a new or an empty folder.`,
    );
  }
}

/** Asks for what no option says; an empty answer keeps the example's. */
async function complete(texts: Texts, ask: InitOptions["ask"]): Promise<Texts> {
  const open = Object.keys(questions).filter((name) => texts[name] === undefined);
  if (ask === undefined && open.length > 0) {
    throw new InitError(
      `There is no terminal to ask for ${open.map((name) => `--${name}`).join(", ")}. Write them, or --yes to keep what the example has.`,
    );
  }
  const answers: Record<string, string> = {};
  for (const name of open) {
    const answer = (await ask?.(`${questions[name] ?? name} (empty: as in the example): `)) ?? "";
    if (answer.trim() !== "") {
      answers[name] = answer.trim();
    }
  }
  return { ...texts, ...answers };
}

/** @throws ConfigError if an answer is wrong */
function checkStack(text: string): void {
  const { config } = parse(text) as { readonly config: Readonly<Record<string, unknown>> };
  loadSettings(
    projectConfig(
      Object.fromEntries(
        Object.entries(config).map(([key, value]) => [
          key,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ),
    ),
    "Pulumi.dev.yaml",
  );
}

/** Writes all files, or none: what a full disk has stopped would stand in the way of the next try. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  const made: string[] = [];
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      const first = mkdirSync(dirname(path), { recursive: true });
      if (first !== undefined) {
        made.push(first);
      }
      const file = openSync(path, "wx");
      made.push(path);
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    }
  } catch (error) {
    for (const path of made.reverse()) {
      rmSync(path, { recursive: true, force: true });
    }
    throw error;
  }
}

/** @returns the exit code, see its definition */
export function run(argv: readonly string[], given: Partial<InitOptions> = {}): Promise<number> {
  const asksOnTerminal = process.stdin.isTTY ? askOnTerminal : undefined;
  const ask = "ask" in given ? given.ask : asksOnTerminal;
  return answer(definition, argv, [InitError], async () => {
    const { folder, yes, texts, hasWorkflows } = readArguments(argv);
    checkFolder(folder);
    const files = projectFiles(
      basename(resolve(folder)),
      answersOf(yes ? texts : await complete(texts, ask)),
      hasWorkflows,
      packageSource(folder),
    );
    checkStack(files["Pulumi.dev.yaml"] ?? "");
    writeAll(folder, files);
    process.stdout.write(
      `Wrote ${Object.keys(files).join(", ")} to ${folder}. Next:\n\n  ${bash`cd ${folder}`}\n  npm install\n  npm start\n`,
    );
    return 0;
  });
}

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
