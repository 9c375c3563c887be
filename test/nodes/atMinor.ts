import { minor } from "semver";
import type { Plan } from "../../plan/model/plan";
import { projectConfig } from "../../config/stackFile";
import { rowOf } from "capz-windows-platform/compatibility";
import { ConfigError } from "capz-windows-kit/problem";
import { updateFileInline, updateInline } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { judgedMinor } from "./judge";

/** Examples at the minor of the programs that judge them. */

const versionKey = "capz-windows:kubernetesVersion";
const addonsKey = "capz-windows:addons";

/** The config of an example at a minor, with what that minor has no default for. */
function atMinor(config: Readonly<Record<string, string>>, minor: number): Record<string, string> {
  const { lastPatch, withImages = lastPatch, cloudProviderAzure } = rowOf(minor);
  const addons = JSON.parse(config[addonsKey] ?? "{}") as object;
  return {
    ...config,
    [versionKey]: `v1.${minor}.${withImages}`,
    ...(cloudProviderAzure === undefined && {
      [addonsKey]: JSON.stringify({ ...addons, cloudProviderAzureTag: "v1.36.0" }),
    }),
  };
}

/** Whether it is the minor of the examples themselves. */
export const isExamplesMinor = judgedMinor === minor(readExample("dev").config[versionKey] ?? "");

/** The plan of an example at a minor; undefined where it is no right stack at another minor than its own. */
export async function planOfMinor(stack: string, minor: number): Promise<Plan | undefined> {
  const file = readExample(stack);
  try {
    return await updateInline(projectConfig(atMinor(file.config, minor)), stack);
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}

/** The plan of an example at the minor of the programs that judge it. */
export const planAtMinor = async (stack: string): Promise<Plan | undefined> =>
  isExamplesMinor ? updateFileInline(readExample(stack)) : planOfMinor(stack, judgedMinor);
