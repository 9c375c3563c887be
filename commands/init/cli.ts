import { mostBytes, readBoundedText } from "../../tools/readBounded";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parse } from "yaml";
import { type Options, parseCommand, refuse } from "../commandLine/arguments";
import { answerTo, endWith } from "../commandLine/main";
import { loadSettings } from "../../config/load";
import { projectConfig } from "../../config/stackFile";
import { type Answers, packageSource, projectFiles } from "./files";

const usage = `Writes a Pulumi project that uses this package into a new folder: Pulumi.yaml, Pulumi.dev.yaml, package.json, index.js and
.gitignore, and pipelines if you ask for them. Files that are there are never overwritten.

  npx capz-windows init FOLDER [OPTIONS]

  --subscription ID      Azure subscription
  --tenant ID            its Entra tenant
  --location REGION      Azure region, for instance westeurope
  --ssh-key FILE|KEY     public key for the machines: a file, or its text
  --cluster-name NAME    name of the workload cluster
  --windows RELEASES     releases of Windows Server, each a pool of nodes: 2022 or 2019,2022,2025
  --workflows github     workflows for pull requests, deployment and drift
  -y, --yes              ask nothing: what no option says stays as in the example, with placeholders for IDs and the key

What no option says is asked for on a terminal.

Exit codes: 0 written; 1 the folder has files, or an answer is wrong; 64 wrong arguments.
`;

export const options = {
  subscription: { type: "string" },
  tenant: { type: "string" },
  location: { type: "string" },
  "ssh-key": { type: "string" },
  "cluster-name": { type: "string" },
  windows: { type: "string" },
  workflows: { type: "string" },
  yes: { type: "boolean", short: "y", default: false },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

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
  const { values, positionals } = parseCommand("init", { options, allowPositionals: true }, argv, {});
  const { help, yes, workflows: service, ...texts } = values;
  const folder = positionals[0] ?? "";
  refuse([
    [
      !help && positionals.length !== 1,
      "Write the name of one new folder: npx capz-windows init my-clusters",
    ],
    [
      // https://www.pulumi.com/docs/iac/concepts/projects/: names of projects have these characters, and at most 100.
      !help && !/^[\w.-]{1,100}$/.test(basename(resolve(folder))),
      `The name of the folder becomes that of the Pulumi project, which may have letters, digits, "-", "_" and "." only: ${basename(resolve(folder))}`,
    ],
    [
      service !== undefined && service !== "github",
      `--workflows ${service ?? ""}: write github; for Azure DevOps and GitLab docs/pipelines.md has examples to copy.`,
    ],
  ]);
  return { help, yes, folder, texts: texts as Texts, hasWorkflows: service !== undefined };
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

/** One question on the terminal. */
const onTerminal = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};

/** @returns the exit code, see usage */
export function run(argv: readonly string[], given: Partial<InitOptions> = {}): Promise<number> {
  const asksOnTerminal = process.stdin.isTTY ? onTerminal : undefined;
  const ask = "ask" in given ? given.ask : asksOnTerminal;
  return answerTo(usage, readArguments, argv, [InitError], async ({ folder, yes, texts, hasWorkflows }) => {
    checkFolder(folder);
    const files = projectFiles(
      basename(resolve(folder)),
      answersOf(yes ? texts : await complete(texts, ask)),
      hasWorkflows,
      packageSource(folder),
    );
    checkStack(files["Pulumi.dev.yaml"] ?? "");
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text, { flag: "wx" });
    }
    process.stdout.write(
      `Wrote ${Object.keys(files).join(", ")} to ${folder}. Next:\n\n  cd ${folder}\n  npm install\n  npm start\n`,
    );
    return 0;
  });
}

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
