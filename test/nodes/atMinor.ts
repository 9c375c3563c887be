import { minor } from "semver";
import type { Plan } from "../../commands/plan/model/plan";
import { rowOf } from "../../platform/compatibility";
import { ConfigError } from "../../tools/problem";
import { planFileInline } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { judgedMinor } from "./judge";

/** Examples at the minor of the programs that judge them. */

const versionKey = "capz-windows:kubernetesVersion";
const addonsKey = "capz-windows:addons";

/** The config of an example at the minor of the programs, with what that minor has no default for. */
function atMinor(config: Readonly<Record<string, string>>): Record<string, string> {
  const { lastPatch, withImages = lastPatch, cloudProviderAzure } = rowOf(judgedMinor);
  const addons = JSON.parse(config[addonsKey] ?? "{}") as object;
  return {
    ...config,
    [versionKey]: `v1.${judgedMinor}.${withImages}`,
    ...(cloudProviderAzure === undefined && {
      [addonsKey]: JSON.stringify({ ...addons, cloudProviderAzureTag: "v1.36.0" }),
    }),
  };
}

/** Whether it is the minor of the examples themselves. */
export const isExamplesMinor = judgedMinor === minor(readExample("dev").config[versionKey] ?? "");

/** The plan of an example; undefined where it is no right stack at another minor than its own. */
export async function planAtMinor(stack: string): Promise<Plan | undefined> {
  const file = readExample(stack);
  if (isExamplesMinor) {
    return planFileInline(file);
  }
  try {
    return await planFileInline({ ...file, config: atMinor(file.config) });
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}
