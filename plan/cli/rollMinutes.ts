import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { estimatedMinutes, type RollMinutes } from "capz-windows-platform/machines/rollMinutes";
import { configLimits, YamlError, yamlValue } from "capz-windows-kit/boundedYaml";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { PlanError } from "../model/planError";

/** Minutes that were measured on a stack's own cluster (docs/operations.md, "How long a change takes"). */

export const timingFile = (stack: string): string => `timing.${stack}.yaml`;

const minutes = z.number().positive().max(1_440);

const measured = z.strictObject({
  measured: z.string(),
  bootMinutes: z.strictObject({ linux: minutes.optional(), windows: minutes.optional() }).optional(),
  drainMinutes: minutes.optional(),
});

/** What is wrong with the file, one line for each problem. */
const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("\n  ");

/** @throws PlanError if it is no YAML, or too much of it */
function contentOf(file: string, name: string): unknown {
  try {
    return yamlValue(readBoundedText(file, mostBytes.small), configLimits);
  } catch (error) {
    if (error instanceof YamlError || error instanceof FileError) {
      throw new PlanError(`${name} cannot be read: ${error.message}.`);
    }
    throw error;
  }
}

/**
 * The estimates, with what was measured instead.
 * @throws PlanError if the file is not as it should be
 */
export function minutesOf(projectDir: string, stack: string): RollMinutes {
  const name = timingFile(stack);
  const file = join(projectDir, name);
  if (!existsSync(file)) {
    return estimatedMinutes;
  }
  const found = measured.safeParse(contentOf(file, name));
  if (!found.success) {
    throw new PlanError(
      `${name}: ${problemsOf(found.error)}\nCorrect it, or delete it: docs/operations.md, "How long a change takes", has an example.`,
    );
  }
  const { measured: date, bootMinutes = {}, drainMinutes: drain = estimatedMinutes.drain } = found.data;
  const known = [...Object.keys(bootMinutes), ...("drainMinutes" in found.data ? ["drains"] : [])];
  return {
    ...{ ...estimatedMinutes, drain },
    boot: {
      linux: bootMinutes.linux ?? estimatedMinutes.boot.linux,
      windows: bootMinutes.windows ?? estimatedMinutes.boot.windows,
    },
    source: `measured on this cluster on ${date} (${known.join(", ")}), and estimates for the rest`,
  };
}
