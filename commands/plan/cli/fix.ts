import { resolve } from "node:path";
import { loadSettings } from "../../../config/load";
import { projectConfig, readStackFile } from "../../../config/stackFile";
import { applyToText } from "../../../config/stackText";
import { writeAtomically } from "../../../io/atomic";
import { ConfigError, type Problem } from "../../../tools/problem";
import { mostBytes, readBoundedText } from "../../../tools/readBounded";

/** Corrections of a stack file that are certain. */

/** A correction may show the next mistake, as one inside of a mapping that was misspelled. */
const mostRounds = 10;

function problemsOf(projectDir: string, stack: string, configFile: string | undefined): readonly Problem[] {
  const { config, file } = readStackFile(projectDir, stack, configFile);
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
 * @returns what was corrected, a line for each
 * @throws ConfigError when the file is no YAML, or has secrets in plain text
 */
export function fixStackFile(projectDir: string, stack: string, configFile: string | undefined): string[] {
  const path = resolve(projectDir, configFile ?? `Pulumi.${stack}.yaml`);
  const made: string[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const certain = problemsOf(projectDir, stack, configFile).filter(({ fix }) => fix !== undefined);
    const before = readBoundedText(path, mostBytes.stackFile);
    let text = before;
    for (const { path: key, write, fix = [] } of certain) {
      const next = applyToText(text, fix);
      if (next !== undefined) {
        text = next;
        made.push(`${key}: ${write}`);
      }
    }
    if (text === before) {
      break;
    }
    writeAtomically(path, text);
  }
  return made;
}
