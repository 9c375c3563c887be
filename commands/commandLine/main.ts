import { UsageError } from "./arguments";

/**
 * An error whose message is written for the user. Any other, but one of the file system, is a bug of this program, and its
 * stack trace is printed.
 */
type ErrorKind = abstract new (...args: never[]) => Error;

const denied = "Allow your user to use this path, or name another one";

/** What to do after an error of the file system, by its code. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: denied,
  ENOSPC: "Make room on its disk, or name a path on another one",
  ENOTDIR: "A part of this path is a file: name another one",
};

/** Calls that change something, so that the path is one of what the command writes. */
const writing = /^(mkdir|rename|rm|rmdir|unlink|write)$/;

/**
 * The message for an error of the file system that only the user can help; `undefined` for any other error. That a disk
 * is full may be said without a path.
 */
function fileSystemMessage(error: unknown, usage: string): string | undefined {
  const { code = "", path, syscall = "", message } = Object(error) as NodeJS.ErrnoException;
  const remedy =
    code === "ENOENT" && syscall === "mkdtemp"
      ? "Make this folder, or name another one in TMPDIR"
      : remedies[code];
  if (remedy === undefined || syscall.startsWith("spawn") || (path === undefined && code !== "ENOSPC")) {
    return undefined;
  }
  const option = writing.test(syscall) ? /--out (DIR|FILE)\b/.exec(usage)?.[0] : undefined;
  return `${message}. ${remedy}${option === undefined ? "" : ` with ${option}`}.`;
}

/** What a user reads of an error: its message, or the stack trace of an unexpected one. */
function textOf(error: unknown, usage: string, known: readonly ErrorKind[]): string {
  if (error instanceof Error && known.some((kind) => error instanceof kind)) {
    return error.message;
  }
  return fileSystemMessage(error, usage) ?? (error instanceof Error ? String(error.stack) : String(error));
}

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
    process.stderr.write(`${textOf(error, usage, known)}\n`);
    return 1;
  }
}

/** Runs a command with its arguments, or prints its usage if they ask for it. */
export const answerTo = <Args extends { readonly help: boolean }>(
  usage: string,
  read: (argv: readonly string[], env: NodeJS.ProcessEnv) => Args,
  argv: readonly string[],
  known: readonly ErrorKind[],
  command: (args: Args) => Promise<number>,
): Promise<number> =>
  answer(usage, known, async () => {
    const args = read(argv, process.env);
    if (args.help) {
      process.stderr.write(usage);
      return 0;
    }
    return command(args);
  });

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
