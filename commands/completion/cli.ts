import { answerTo, endWith } from "../commandLine/main";
import { type Options, parseCommand } from "../commandLine/arguments";
import { options as access } from "../access/cli/arguments";
import { options as doctor } from "../doctor/cli/arguments";
import { options as images } from "../images/cli";
import { options as importOptions } from "../import/cli";
import { options as pipeline } from "../pipeline/cli";
import { options as plan } from "../plan/cli/arguments";
import { gates } from "../plan/cli/exitCode";
import { formats } from "../plan/reports/formats";
import { options as preflight } from "../preflight/cli/main";
import { options as probe } from "../probe/cli";
import { options as encryption } from "../encryption/cli";
import { options as workloads } from "../workloads/cli";
import { bashCompletion } from "./bash";

const usage = `Prints a script with which bash completes the options of these commands, and the names of stacks.

  npm run --silent completion > ~/.capz-windows-completion
  echo '. ~/.capz-windows-completion' >> ~/.bashrc

Exit codes: 0 printed; 64 wrong arguments.
`;

const commands: Readonly<Record<string, Options>> = {
  ...{
    plan,
    preflight,
    doctor,
    probe,
    access,
    encryption,
    import: importOptions,
    workloads,
    images,
    pipeline,
  },
};

/** The values of options that have a fixed set of them. */
const values = { format: formats, "fail-on": gates };

const options = { help: { type: "boolean", short: "h", default: false } } satisfies Options;

const readArguments = (argv: readonly string[], env: NodeJS.ProcessEnv) =>
  parseCommand("completion", { options }, argv, env).values;

/** @returns the exit code, see usage */
export const run = (argv: readonly string[]): Promise<number> =>
  answerTo(usage, readArguments, argv, [], () => {
    process.stdout.write(bashCompletion(commands, values));
    return Promise.resolve(0);
  });

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
