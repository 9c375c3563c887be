import { resolve } from "node:path";
import { lineOf } from "../../config/policy/lines";
import { ConfigError } from "capz-windows-kit/problem";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";

/** The text of a file; `undefined` where it cannot be read, which may be what the error is about. */
function textOf(file: string): string | undefined {
  try {
    return readBoundedText(file, mostBytes.stackFile);
  } catch {
    return undefined;
  }
}

/** The message of an error, with those lines where it is about a stack file. */
export const locatedMessage = (projectDir: string, error: Error): string =>
  error instanceof ConfigError ? withLines(projectDir, error).message : error.message;

/**
 * An error whose problems have the lines of their keys, where the file is there.
 * @param projectDir - the folder from which the error names its file
 */
export function withLines(projectDir: string, error: ConfigError): ConfigError {
  const { source, problems, more } = error;
  const text = problems.some(({ line }) => line !== undefined)
    ? undefined
    : textOf(resolve(projectDir, source));
  if (text === undefined) {
    return error;
  }
  return new ConfigError(
    source,
    // What is about the whole file has no line.
    problems.map((problem) =>
      problem.path === source ? problem : { ...problem, line: lineOf(text, problem.path) },
    ),
    more,
  );
}
