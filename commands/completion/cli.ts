import { answerTo, endWith } from "../commandLine/main";
import { type CommandName } from "../commandLine/commandNames";
import { type Options, parseCommand, refuse } from "../commandLine/arguments";
import { options as access } from "../access/cli/arguments";
import { options as doctor } from "../doctor/cli/arguments";
import { options as images } from "../images/cli";
import { options as importOptions } from "../import/cli";
import { options as init } from "../init/cli";
import { workflows } from "../init/files";
import { actions, options as pipeline } from "../pipeline/cli";
import { options as plan } from "../plan/cli/arguments";
import { gates } from "../plan/cli/exitCode";
import { formats } from "../plan/reports/formats";
import { options as preflight } from "../preflight/cli/main";
import { options as probe } from "../probe/cli";
import { options as encryption } from "../encryption/cli";
import { options as workloads } from "../workloads/cli";
import { bashCompletion } from "./bash";
import { fishCompletion } from "./fish";
import { zshCompletion } from "./zsh";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const isShell = (name: string): name is keyof typeof shells => Object.hasOwn(shells, name);

const usage = `Prints a script with which bash, zsh or fish completes these commands, their options, and the names of
stacks.

  npm run --silent completion > ~/.capz-windows-completion
  echo '. ~/.capz-windows-completion' >> ~/.bashrc

  npm run --silent completion -- zsh > ~/.capz-windows-completion.zsh
  echo '. ~/.capz-windows-completion.zsh' >> ~/.zshrc

  npm run --silent completion -- fish > ~/.config/fish/conf.d/capz-windows.fish

Exit codes: 0 printed; 64 wrong arguments.
`;

const options = { help: { type: "boolean", short: "h", default: false } } satisfies Options;

/** A command without its options is an error of the compiler. */
const commands: Readonly<Record<"init" | CommandName, Options>> = {
  ...{ init, plan, preflight, doctor, probe, access, encryption, import: importOptions },
  ...{ workloads, images, pipeline, completion: options },
};

/** The values of options that have a fixed set of them. */
const values = { format: formats, "fail-on": gates, workflows: Object.keys(workflows) };

/** Words that are no files. */
const words = { completion: Object.keys(shells), pipeline: actions };

function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = parseCommand("completion", { options, allowPositionals: true }, argv, env);
  const [shell = "bash", ...others] = positionals;
  refuse([
    [!isShell(shell), `There is no completion for ${shell}. Write one of ${Object.keys(shells).join(", ")}.`],
    [others.length > 0, "Write one shell."],
  ]);
  return { ...values, shell: isShell(shell) ? shell : "bash" };
}

/** @returns the exit code, see usage */
export const run = (argv: readonly string[]): Promise<number> =>
  answerTo(usage, readArguments, argv, [], ({ shell }) => {
    process.stdout.write(shells[shell]({ commands, values, words }));
    return Promise.resolve(0);
  });

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
