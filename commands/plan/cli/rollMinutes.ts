import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JSON_SCHEMA, load } from "js-yaml";
import { z } from "zod";
import { estimatedMinutes, type RollMinutes } from "../../../platform/machines/rollMinutes";
import { decodedText } from "../../../tools/decodedText";
import { PlanError } from "../model/planError";

/** Minutes that were measured on a stack's own cluster (docs/operations.md, "How long a change takes"). */

export const timingFile = (stack: string): string => `timing.${stack}.yaml`;

const minutes = z.number().positive().max(1_440);

const measured = z.strictObject({
  measured: z.string(),
  bootMinutes: z.strictObject({ linux: minutes.optional(), windows: minutes.optional() }).optional(),
  drainMinutes: minutes.optional(),
});

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
  const found = measured.safeParse(load(decodedText(readFileSync(file)), { schema: JSON_SCHEMA }));
  if (!found.success) {
    throw new PlanError(
      `${name}: ${z.prettifyError(found.error)}\nCorrect it, or delete it: docs/operations.md, "How long a change takes", has an example.`,
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
