import { CommanderError } from "commander";
import { stripVTControlCharacters } from "node:util";
import { guardOutput } from "./output";
import { hasColors, painter } from "../io/terminal";
import { ConfigError, formatProblems, shownValue, withRest, type Problem } from "../problem";
import { UsageError } from "./arguments";
import type { AnyCommand } from "./command";
import { optionTable } from "./options";
import { messageOf } from "../messageOf";
import { oneLine, visible } from "../visible";
import { FileError } from "../readBounded";
import { stackReader } from "./stackReader";
import { projectDir } from "./projectDir";

/**
 * An error whose message is written for the user. Any other, but one of the file system or of a network, is a bug of this
 * program: one line says what, and how to report it.
 */
type ErrorKind = abstract new (...args: never[]) => Error;

/** Errors of the file system that only the user can help; of a disk or a shell that takes no more without a path. */
const ofUser = /^(?:EACCES|EPERM|EROFS|ENXIO|ENOTDIR|EEXIST|EISDIR|ELOOP|ENAMETOOLONG)$/;
const ofDisk = /^(?:ENOSPC|EDQUOT|EFBIG)$/;

/** Where a call needs a folder that is not there: folders of a path are made, but not behind a link, and not TMPDIR. */
const needsFolder = "mkd";

/** Calls that change something, so that the path is one of what the command writes. */
const writing = /^(mkdir|rename|rm|rmdir|unlink|write)$/;

/**
 * The message for an error of the file system that only the user can help; `undefined` for any other error.
 * @param out - the option that says where to write
 */
function fileSystemMessage(error: unknown, out: string | undefined): string | undefined {
  const { code = "", path, syscall = "", message } = Object(error) as NodeJS.ErrnoException;
  const isAtPath = ofUser.test(code) || (code === "ENOENT" && syscall.startsWith(needsFolder));
  if (syscall.startsWith("spawn") || !(ofDisk.test(code) || (isAtPath && path !== undefined))) {
    return undefined;
  }
  const option = writing.test(syscall) && out !== undefined ? ` with ${out}` : "";
  return `${message}. Make this path usable, or name another one${option}.`;
}

/** Errors of Node.js and OpenSSL about a certificate that this machine does not trust. */
const untrusted = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+)$/;

/** Errors of connections: of the system, of DNS, of TLS, of HTTP, and of fetch (undici). */
const unreachable =
  /^(?:ECONN\w+|ENOTFOUND|EAI_\w+|ETIMEDOUT|EHOST\w+|ENET\w+|EPIPE|EPROTO|ERR_SSL_\w+|ERR_TLS_\w+|HPE_\w+|UND_ERR_\w+)$/;

/**
 * The message for an error that a network can cause; `undefined` for any other error.
 * fetch has the reason in `cause`, and a connection that tried several addresses has them in `errors`.
 */
function networkMessage(error: unknown): string | undefined {
  const {
    code = "",
    syscall,
    name,
    message,
    cause,
    errors,
  } = Object(error) as NodeJS.ErrnoException & Partial<AggregateError>;
  if (untrusted.test(code)) {
    return `${oneLine(message)} (${code}). If a proxy of your company inspects TLS, name its certificate: NODE_EXTRA_CA_CERTS=FILE.`;
  }
  if (unreachable.test(code) || syscall === "connect" || name === "TimeoutError") {
    const text = message || (errors ?? []).map(messageOf).join("; ") || code;
    return `No connection: ${oneLine(text)}. Check the address, your network and HTTPS_PROXY, then run the command again.`;
  }
  if (/^(?:TooLargeError|RedirectError|EndlessListError)$/.test(name)) {
    return `No usable answer: ${oneLine(message)}. Check the address and HTTPS_PROXY, then run the command again.`;
  }
  return cause === undefined ? undefined : networkMessage(cause);
}

/** The message for a text that Node.js takes for no path, argument, address or header; it may quote a login, so nothing is quoted. */
function unusableText(error: unknown): string | undefined {
  const { code = "", message } = Object(error) as NodeJS.ErrnoException;
  const isNull = code === "ERR_INVALID_ARG_VALUE" && message.includes("without null bytes");
  return isNull || /^ERR_(?:INVALID_CHAR|UNESCAPED_CHARACTERS|INVALID_URL)$/.test(code)
    ? "A name, a path, an address or a login has a character that cannot be there, such as a control character or a line end."
    : undefined;
}

/** Where in this program an error was thrown: the first of its own files in the stack trace. */
const placeOf = (error: Error): string =>
  /((?:commands|components|config|packages|plan|platform|addons|bootstrap|capi|tools|io|older|program)\/[\w./-]+:\d+)/.exec(
    error.stack ?? "",
  )?.[1] ?? "an unknown place";

/** The last resort: what went wrong, where, and how to report it, in one line. CAPZ_WINDOWS_DEBUG adds the stack trace. */
export function bugText(error: unknown): string {
  const message = visible(messageOf(error)).slice(0, 500);
  const name = error instanceof Error ? error.name : "Error";
  const line = `This is a bug of this program: ${name}: ${message} (${error instanceof Error ? placeOf(error) : "an unknown place"}). Please report this line and the command, without secrets, as an issue; CAPZ_WINDOWS_DEBUG=1 prints more.`;
  return process.env.CAPZ_WINDOWS_DEBUG === undefined || !(error instanceof Error)
    ? line
    : `${line}\n${String(error.stack)}`;
}

/** The option of a command that says where to write, such as `--out FILE`. */
const outOption = (options: AnyCommand["options"]): string | undefined =>
  options
    .map((name) => optionTable[name].flags)
    .find((flags) => flags.startsWith("--out "))
    ?.replace(/[<>]/g, "");

/** What a user reads of an error. */
function textOf(error: unknown, out: string | undefined, known: readonly ErrorKind[]): string {
  if (error instanceof ConfigError) {
    return withRest(
      formatProblems(error.source, error.problems, painter(hasColors(process.stderr))),
      error.more,
    );
  }
  if (error instanceof Error && known.some((kind) => error instanceof kind)) {
    return error.message;
  }
  if (error instanceof FileError) {
    return `${error.file} cannot be read: ${error.message}.`;
  }
  return fileSystemMessage(error, out) ?? networkMessage(error) ?? unusableText(error) ?? bugText(error);
}

const wantsJson = (argv: readonly string[]): boolean =>
  argv.some(
    (one, i) => one === "--json" || one === "--format=json" || (one === "json" && argv[i - 1] === "--format"),
  );

const inDocument = (problem: Problem) => {
  const { path, line, problem: text, allowed, write } = problem;
  return { path, line, value: shownValue(problem), problem: text, allowed, write };
};

/** Prints what a user reads of an error. With JSON as the format, it is a document on the standard output, too. */
export function printError(argv: readonly string[], text: string, found: readonly Problem[] = []): void {
  if (wantsJson(argv)) {
    const document = { version: 1, error: stripVTControlCharacters(text), problems: found.map(inDocument) };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }
  process.stderr.write(`${text}\n`);
}

/**
 * Runs a command, and turns an error into a message.
 * @param known - errors whose messages are written for the user
 * @param command - reads its arguments first, which prints the help where they ask for it
 * @returns the exit code: the command's own, 64 for wrong arguments, or 1
 */
export async function answer(
  { call, options }: Pick<AnyCommand, "call" | "options">,
  argv: readonly string[],
  known: readonly ErrorKind[],
  command: () => Promise<number>,
): Promise<number> {
  const restore = guardOutput();
  try {
    return await command();
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      return thrown.exitCode;
    }
    const error = thrown instanceof ConfigError ? stackReader.read().withLines(projectDir, thrown) : thrown;
    if (error instanceof UsageError) {
      printError(argv, `${error.message}\nAll options: ${call} --help`);
      return 64;
    }
    const problems = error instanceof ConfigError ? error.problems : [];
    printError(argv, textOf(error, outOption(options), known), problems);
    return 1;
  } finally {
    restore();
  }
}

/**
 * Ends the process when all output is written, even if open connections or an abandoned program would keep it alive. Output that
 * cannot be written, as on a full disk, is an error; a reader that has seen enough, as `head`, is none.
 */
export function endWith(command: Promise<number>): void {
  const failed = (stream: string) => (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") {
      process.exit();
    }
    process.exitCode = 1;
    if (stream === "output") {
      process.stderr.write(`The output cannot be written: ${error.message}.\n`);
    }
    process.exit(1);
  };
  process.stdout.on("error", failed("output"));
  process.stderr.on("error", failed("messages"));
  const lastResort = (error: unknown): void => {
    const restore = guardOutput();
    process.stderr.write(`${bugText(error)}\n`, () => process.exit(1));
    restore();
  };
  process.on("uncaughtException", lastResort).on("unhandledRejection", lastResort);
  void command.then((code) => {
    process.exitCode = code;
    process.stdout.write("", (lost) => {
      // Otherwise the event `error` of the stream, which comes later, ends the process.
      if (!lost) {
        process.stderr.write("", () => process.exit());
      }
    });
  }, lastResort);
}
