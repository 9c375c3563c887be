import { UsageError } from "./arguments";

/**
 * An error whose message is written for the user. Any other is a bug of this program, and its stack trace is printed.
 */
type ErrorKind = abstract new (...args: never[]) => Error;

/**
 * Runs a command and turns an error into a message and an exit code.
 * @returns the exit code: the command's own, 64 for wrong arguments, or 1
 */
export async function answer(
  usage: string,
  known: readonly ErrorKind[],
  command: () => Promise<number>,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      return 64;
    }
    const text = !(error instanceof Error)
      ? String(error)
      : known.some((kind) => error instanceof kind)
        ? error.message
        : String(error.stack);
    process.stderr.write(`${text}\n`);
    return 1;
  }
}

/**
 * Ends the process when all output is written, even if open connections or an abandoned program would keep it alive.
 */
export function endWith(command: Promise<number>): void {
  void command.then((code) => {
    process.exitCode = code;
    process.stdout.write("", () => {
      process.stderr.write("", () => process.exit());
    });
  });
}
