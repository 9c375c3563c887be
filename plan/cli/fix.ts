import { resolve } from "node:path";
import { sizeProblems } from "../../config/configSize";
import { loadSettings } from "../../config/load";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { applyEach, applyToText } from "../../config/stackText";
import { pathOf } from "../../config/steps";
import { rewriteAtomically } from "capz-windows-kit/io/atomic";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { ConfigError, type Problem, shownValue } from "capz-windows-kit/problem";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { visibleText } from "capz-windows-kit/visible";

/** Corrections of a stack file: those that are certain, and those that its author writes when asked. */

const corrected = (key: string, what: string): string => `corrected ${key}: ${what}`;

const notWritten = (key: string, what: string): string =>
  `not written, because the file has aliases or other lines would change: ${key}: ${what}`;

/** A correction may show the next mistake, as one inside of a mapping that was misspelled. */
const mostRounds = 10;

/** @throws ConfigError for what no correction mends */
function problemsOf(projectDir: string, stack: string, configFile: string | undefined): readonly Problem[] {
  const stackFile = readStackFile(projectDir, stack, configFile);
  const { config, file } = stackFile;
  const tooLarge = sizeProblems(stackFile);
  if (tooLarge.length > 0) {
    throw new ConfigError(file, tooLarge);
  }
  try {
    loadSettings(projectConfig(config), file);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

/**
 * Writes the corrections into a stack file that keep what its author meant. Questions stay for the report.
 * @param configFile - relative to the project folder; default: the stack's file beside Pulumi.yaml
 * @returns what was corrected and what could not be, a line for each
 * @throws ConfigError when the file is no YAML or too large, or has secrets in plain text
 */
export function fixStackFile(projectDir: string, stack: string, configFile: string | undefined): string[] {
  const path = resolve(projectDir, configFile ?? `Pulumi.${stack}.yaml`);
  const made: string[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const certain = problemsOf(projectDir, stack, configFile).filter(({ fix }) => fix !== undefined);
    const before = readBoundedText(path, mostBytes.stackFile);
    const { text, applied } = applyEach(
      before,
      certain.flatMap(({ fix }) => (fix === undefined ? [] : [fix])),
    );
    for (const { path: key, write = "", fix } of certain) {
      if (fix !== undefined && applied.has(fix)) {
        made.push(corrected(key, write));
      }
    }
    if (text === before) {
      made.push(...certain.map(({ path: key, write = "" }) => notWritten(key, write)));
      break;
    }
    rewriteAtomically(path, text);
  }
  return made;
}

/** A value as a stack file has it; what is no YAML is a text. */
function valueOf(answer: string): unknown {
  const document = yamlDocument(answer);
  return document.errors.length === 0 ? (document.toJS() as unknown) : answer;
}

/**
 * Asks for another value where one is wrong, and writes it into the stack file. Each value is asked for once; what is still wrong,
 * missing keys and keys that nobody knows are for the report. A secret is never asked for.
 * @param ask - shows a question; an empty answer leaves the value
 * @returns what was written and what could not be, a line for each
 */
export async function askForRest(
  projectDir: string,
  stack: string,
  configFile: string | undefined,
  ask: (question: string) => Promise<string>,
): Promise<string[]> {
  const path = resolve(projectDir, configFile ?? `Pulumi.${stack}.yaml`);
  const asked = new Set<string>();
  const made: string[] = [];
  for (;;) {
    const next = problemsOf(projectDir, stack, configFile).find(
      (problem) => problem.fix === undefined && problem.value !== undefined && !asked.has(problem.path),
    );
    if (next === undefined) {
      return made;
    }
    asked.add(next.path);
    const about = `${next.path}: ${JSON.stringify(shownValue(next))}\n  problem  ${next.problem}\n  allowed  ${next.allowed}`;
    const answer = (await ask(`${visibleText(about)}\n  another value, or Enter to leave it: `)).trim();
    if (answer === "") {
      continue;
    }
    const step = { set: pathOf(next.path), value: valueOf(answer) };
    const text = applyToText(readBoundedText(path, mostBytes.stackFile), [step]);
    if (text === undefined) {
      made.push(notWritten(next.path, answer));
      continue;
    }
    rewriteAtomically(path, text);
    made.push(corrected(next.path, answer));
  }
}
