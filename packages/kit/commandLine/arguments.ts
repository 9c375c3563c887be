/** A wrong command line; the message is printed for the user, followed by how to get help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Options that npm has as well. A user's .npmrc may set them, so on their own they do not show that npm took anything.
 */
const npmsOwn: readonly string[] = ["all", "json", "offline", "save"];

/**
 * Refuses options that npm took for itself because no `--` stood before them: npm puts them into the environment and leaves
 * their values as arguments, or takes these too when they follow an `=`.
 * @throws UsageError
 */
export function refuseTakenByNpm(
  call: string,
  options: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): void {
  const found = options.flatMap((name) => {
    const value = env[`npm_config_${name.replaceAll("-", "_")}`];
    return value === undefined ? [] : [{ name, text: value === "true" ? `--${name}` : `--${name} ${value}` }];
  });
  if (found.every(({ name }) => npmsOwn.includes(name))) {
    return;
  }
  // The script that npm has run, also where the text of the package says npx.
  const [name = "", ...action] = call
    .split(" ")
    .slice(2)
    .filter((word) => word !== "--");
  const command = ["npm run", name, "--", ...action, ...found.map(({ text }) => text), ...argv].join(" ");
  throw new UsageError(`npm takes options for itself unless \`--\` stands before them: ${command}`);
}

/** Refuses a command line for which a check is true. @throws UsageError with the first message */
export function refuse(checks: readonly (readonly [isWrong: boolean, message: string])[]): void {
  const [, wrong] = checks.find(([isWrong]) => isWrong) ?? [];
  if (wrong !== undefined) {
    throw new UsageError(wrong);
  }
}
