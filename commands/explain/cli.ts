import "../stack/register";
import { stringify } from "yaml";
import { firstSentence } from "../../config/jsonSchema";
import { explainKey, type ExplainedKey, UnknownKeyError } from "../../config/explain";
import { widthOf, wrapped } from "capz-windows-kit/io/terminal";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { findComponent, isComponentName, readComponents, UnknownComponentError } from "./components";
import { componentText, typeText } from "./componentText";

const definition = defineCommand({
  call: "npm run explain --",
  about:
    "Says what a key of the stack file is: its type, default, allowed values and an example. Of a component it says its args, its outputs and the shortest program.",
  args: {
    "[key]":
      "a path with dots, in which any name stands for that of a pool, or a component, or a type of its args (default: the keys at the top of a stack file)",
  },
  options: ["json"],
  examples: {
    "npm run explain": "All keys at the top",
    "npm run explain -- network": "A mapping, and its keys",
    "npm run explain -- windowsPools.NAME.autoscale.max": "A key of a pool",
    "npm run explain -- WindowsPool": "A component",
  },
  exitCodes: { 0: "explained" },
});

/** Lines in a column at the right of their name. */
const column = (name: string, lines: readonly string[], indent: number): string[] =>
  lines.map((line, index) => `${(index === 0 ? name : "").padEnd(indent)}${line}`);

/** Descriptions have links of documents, which are of no use here. */
const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");

function keyLines(keys: ExplainedKey["keys"], width: number): string[] {
  const names = Object.keys(keys);
  const indent = Math.max(...names.map((name) => name.length)) + 4;
  return names.flatMap((name) => {
    const lines = wrapped(withoutLinks(firstSentence(keys[name] ?? "")), width - indent);
    return column(`  ${name}`, lines, indent);
  });
}

function rootText({ keys }: ExplainedKey, width: number): string {
  const head = "The keys of a stack file, below config: and with the prefix capz-windows:";
  return [head, "", ...keyLines(keys, width), "", "npm run explain -- KEY explains one of them."].join("\n");
}

function keyText(explanation: ExplainedKey, width: number): string {
  const { path, description, type, required, allowed, names, only, change, example, keys, page } =
    explanation;
  const indent = 10;
  const row = (name: string, value: string): string[] => column(name, wrapped(value, width - indent), indent);
  const lines = [path, "", ...wrapped(withoutLinks(description), width), ""];
  lines.push(...row("type", required ? `${type}, required` : type));
  if ("default" in explanation) {
    lines.push(...row("default", JSON.stringify(explanation.default)));
  }
  for (const [name, text] of Object.entries({ allowed, names, only, change })) {
    if (text !== undefined) {
      lines.push(...row(name, text));
    }
  }
  if (example !== undefined) {
    lines.push(...column("example", stringify(example, { lineWidth: 0 }).trimEnd().split("\n"), indent));
  }
  if (Object.keys(keys).length > 0) {
    lines.push("keys", ...keyLines(keys, width));
  }
  return [...lines, ...row("page", page)].join("\n");
}

const inJson = (explanation: object): string => JSON.stringify({ version: 1, ...explanation }, null, 2);

function explainedComponent(name: string, json: boolean): string {
  const found = findComponent(name);
  const width = widthOf(process.stdout);
  if ("type" in found) {
    return json ? inJson({ name, ...found.type }) : typeText(name, found.type, readComponents(), width);
  }
  return json
    ? inJson({ name, ...found.component })
    : componentText(name, found.component, readComponents(), width);
}

function explainedKey(explanation: ExplainedKey, json: boolean): string {
  if (json) {
    return inJson(explanation);
  }
  const width = widthOf(process.stdout);
  return explanation.path === "" ? rootText(explanation, width) : keyText(explanation, width);
}

/** @returns the exit code, see its definition */
export const run = (argv: readonly string[]): Promise<number> =>
  answer(definition, argv, [], () => {
    const { values, args } = parseCommand(definition, argv, process.env);
    try {
      const asked = args[0] ?? "";
      const text = isComponentName(asked)
        ? explainedComponent(asked, values.json)
        : explainedKey(explainKey(asked), values.json);
      process.stdout.write(`${text}\n`);
      return Promise.resolve(0);
    } catch (error) {
      throw error instanceof UnknownKeyError || error instanceof UnknownComponentError
        ? new UsageError(error.message)
        : error;
    }
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
