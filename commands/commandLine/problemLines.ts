import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lineOf } from "../../config/policy/lines";
import { decodedText } from "../../tools/decodedText";
import { ConfigError } from "../../tools/problem";

/**
 * An error whose problems have the lines of their keys, where the file is there.
 * @param projectDir - the folder from which the error names its file
 */
export function withLines(projectDir: string, error: ConfigError): ConfigError {
  const { source, problems, more } = error;
  const file = resolve(projectDir, source);
  if (!existsSync(file) || problems.some(({ line }) => line !== undefined)) {
    return error;
  }
  const text = decodedText(readFileSync(file));
  return new ConfigError(
    source,
    problems.map((problem) => ({ ...problem, line: lineOf(text, problem.path) })),
    more,
  );
}
