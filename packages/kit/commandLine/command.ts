import { Command, CommanderError, type Help, Option } from "commander";
import { widthOf } from "../io/terminal";
import { refuse, refuseTakenByNpm, UsageError } from "./arguments";
import { optionTable, type OptionName, type OptionValues } from "./options";

/** The adapter to commander, which parses, helps and suggests: https://github.com/tj/commander.js/tree/v14.0.3 */

export interface CommandDefinition<Name extends OptionName> {
  /** How it is called, as a whole text, because an installed package replaces it: `npm run plan --`. */
  readonly call: string;
  readonly about: string;
  /** Arguments as commander writes them, such as `[stack]`, and what they are. */
  readonly args?: Readonly<Record<string, string>>;
  readonly options: readonly Name[];
  /** What it does besides, as a paragraph. */
  readonly notes?: string;
  /** Commands, and what they are for. */
  readonly examples: Readonly<Record<string, string>>;
  readonly exitCodes: Readonly<Record<number, string>>;
}

/** Any command, for what does not depend on its options. */
export type AnyCommand = CommandDefinition<OptionName>;

/** Gives a definition the type of its options. */
export const defineCommand = <const Name extends OptionName>(
  definition: CommandDefinition<Name>,
): CommandDefinition<Name> => definition;

/** The argument of each command that is about one stack. */
export const stackArgument = {
  "[stack]": "the NAME of Pulumi.NAME.yaml, as with --stack (default: the only one of the folder)",
} as const;

/** What follows the options in the help of a command. */
function endOfHelp({ notes, examples, exitCodes }: AnyCommand, helper: Help): string {
  const helpWidth = widthOf(process.stdout);
  helper.prepareContext({ helpWidth });
  const codes = Object.entries({ ...exitCodes, 64: "wrong arguments" });
  const shown = Object.entries(examples).map(([command, purpose]) => `  # ${purpose}\n  ${command}`);
  return [
    ...(notes === undefined ? [] : ["", helper.boxWrap(notes, helpWidth)]),
    ...["", "Examples:", ...shown, "", "Exit codes:"],
    ...codes.map(([code, meaning]) => helper.formatItem(code, 3, meaning, helper)),
  ].join("\n");
}

function optionOf(name: OptionName): Option {
  const { flags, about, refine } = optionTable[name];
  return refine(new Option(flags, about)).hideHelp(about === "");
}

/** A command that throws instead of ending the process, and prints only its help. */
const quiet = (call: string): Command =>
  new Command(call)
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeErr: () => undefined,
      writeOut: (text) => process.stdout.write(text),
      getOutHelpWidth: () => widthOf(process.stdout),
    });

/**
 * commander's message on one line. It quotes a wrong option with its value, which may be a secret of another command.
 * @param argv - the arguments that it is about
 */
function asUsageError(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.exitCode === 0) {
    return error;
  }
  const withValues = argv.filter((word) => /^-.*=/.test(word));
  const message = withValues.reduce(
    (text, word) => text.replaceAll(word, `${word.slice(0, word.indexOf("="))}=...`),
    error.message,
  );
  return new UsageError(message.replaceAll("\n", " "));
}

function parseWith(command: Command, argv: readonly string[]): void {
  try {
    command.parse(argv, { from: "user" });
  } catch (error) {
    throw asUsageError(error, argv);
  }
}

/** Text that only a program, a terminal or no file system takes for a name. A message to explain may have colors. */
function refuseControls(option: string, value: unknown): void {
  const texts = [value].flat().filter((one) => typeof one === "string");
  const isWrong = (text: string): boolean =>
    option === "--explain" ? text.includes("\0") : /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
  refuse([[texts.some(isWrong), `${option}: its value has a control character.`]]);
}

/**
 * Reads the arguments of a command.
 * @param env - the environment, in which npm leaves the options that it took
 * @returns the values of its options by their names in the table, and its other arguments
 * @throws UsageError, or the error of commander by which `answer` ends after the help
 */
export function parseCommand<Name extends OptionName>(
  definition: CommandDefinition<Name>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly values: OptionValues<Name>; readonly args: readonly string[] } {
  const { call, about, args = {}, options } = definition;
  const command = quiet(call)
    .description(about)
    .addHelpText("after", ({ command: shown }) => endOfHelp(definition, shown.createHelp()));
  const byName = options.map((name) => [name, optionOf(name)] as const);
  for (const [name, text] of Object.entries(args)) {
    command.argument(name, text);
  }
  for (const [, option] of byName) {
    command.addOption(option);
  }
  refuseTakenByNpm(
    call,
    byName.map(([, { long = "" }]) => long.slice(2)),
    argv,
    env,
  );
  parseWith(command, argv);
  const values = byName.map(([name, option]) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return [name, value ?? optionTable[name].absent] as const;
  });
  for (const [, option] of byName) {
    refuseControls(option.long ?? "", command.getOptionValue(option.attributeName()));
  }
  refuseControls("An argument", command.args);
  return { values: Object.fromEntries(values) as OptionValues<Name>, args: command.args };
}

/**
 * The command that the first argument names, and the arguments for it. `help NAME` is the help of a command.
 * @param commands - their names, and what they do
 * @param version - of the program, which only --version asks for
 * @throws UsageError, or the error of commander by which `answer` ends after the help
 */
export function chooseCommand<Name extends string>(
  { call, about, notes }: { readonly call: string; readonly about: string; readonly notes: string },
  commands: Readonly<Record<Name, string>>,
  version: (() => string) | undefined,
  [first = "--help", ...rest]: readonly string[],
): { readonly name: Name; readonly argv: readonly string[] } {
  if (first === "help") {
    return chooseCommand({ call, about, notes }, commands, version, [...rest, "--help"]);
  }
  const program = quiet(call).description(about).helpCommand(false).addHelpText("after", `\n${notes}`);
  if (version !== undefined) {
    program.version(first === "--version" ? version() : "", "--version", "print the version of the package");
  }
  let chosen: Name | undefined;
  for (const [name, text] of Object.entries(commands) as [Name, string][]) {
    program
      .command(name)
      .description(text)
      .action(() => {
        chosen = name;
      });
  }
  parseWith(program, [first]);
  if (chosen === undefined) {
    throw new UsageError(`Write one of ${Object.keys(commands).join(", ")}.`);
  }
  return { name: chosen, argv: rest };
}
