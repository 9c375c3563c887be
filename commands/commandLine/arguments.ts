import { parseArgs, type ParseArgsConfig } from "node:util";
import { closest, distance } from "fastest-levenshtein";

/** A wrong command line; the message is printed for the user, followed by how to get help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options of a command, as `node:util` takes them. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Options that npm has as well. A user's .npmrc may set them, so on their own they do not show that npm took anything.
 */
const npmsOwn: readonly string[] = ["all", "json", "offline", "save"];

/**
 * The options that npm took for itself because no `--` stood before them: npm puts them into the environment and leaves
 * their values as arguments, or takes these too when they follow an `=`.
 */
function takenByNpm(
  call: string,
  options: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const found = options.flatMap((name) => {
    const value = env[`npm_config_${name.replaceAll("-", "_")}`];
    return value === undefined ? [] : [{ name, text: value === "true" ? `--${name}` : `--${name} ${value}` }];
  });
  return found.every(({ name }) => npmsOwn.includes(name))
    ? undefined
    : `npm takes options for itself unless \`--\` stands before them: ${call} ${[...found.map(({ text }) => text), ...argv].join(" ")}`;
}

/**
 * What is wrong with a command line. Node.js names the argument in its message only, and advises what does not apply here.
 * @param error - of parseArgs: https://nodejs.org/api/util.html#utilparseargsconfig
 */
function parseMessage(error: unknown, { options = {} }: ParseArgsConfig): string {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  const [named = "", word = ""] = /(?<=')--?([^' =,]+)/.exec(message) ?? [];
  switch (code) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
      const near = closest(word, Object.keys(options));
      const isNear = distance(word, near) <= word.length / 3;
      return `There is no option ${named}.${isNear ? ` Do you mean --${near}?` : ""}`;
    }
    case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
      return `${/'([^']*)'/.exec(message)?.[1] ?? ""} is not the value of an option. This command takes options only.`;
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE": {
      const option = /--[\w-]+/.exec(message)?.[0] ?? named;
      return message.includes(" does not take an argument")
        ? `${option} takes no value.`
        : `${option} needs a value.`;
    }
    default:
      return message;
  }
}

/**
 * Reads the arguments of a command.
 * @param command - its name in package.json
 * @param config - its options, and whether it takes other arguments
 * @param env - the environment, in which npm leaves the options that it took
 * @throws UsageError
 */
export function parseCommand<Config extends ParseArgsConfig>(
  command: string,
  config: Config,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): ReturnType<typeof parseArgs<Config>> {
  const names = Object.keys(config.options ?? {}).filter((name) => name !== "help");
  const taken = takenByNpm(`npm run ${command} --`, names, argv, env);
  if (taken !== undefined) {
    throw new UsageError(taken);
  }
  try {
    return parseArgs<Config>({ ...config, args: [...argv] });
  } catch (error) {
    throw new UsageError(parseMessage(error, config));
  }
}

/** Refuses the options of a command that npm took. @throws UsageError */
export function refuseTakenByNpm(
  call: string,
  options: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): void {
  // The script that npm has run, also where the text of the package says npx.
  const [name = "", ...action] = call
    .split(" ")
    .slice(2)
    .filter((word) => word !== "--");
  const taken = takenByNpm(["npm run", name, "--", ...action].join(" "), options, argv, env);
  if (taken !== undefined) {
    throw new UsageError(taken);
  }
}

/** Refuses a command line for which a check is true. @throws UsageError with the first message */
export function refuse(checks: readonly (readonly [isWrong: boolean, message: string])[]): void {
  const [, wrong] = checks.find(([isWrong]) => isWrong) ?? [];
  if (wrong !== undefined) {
    throw new UsageError(wrong);
  }
}
