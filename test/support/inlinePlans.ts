import { offlineOrganization } from "../../tools/offline";
import { loadSettings } from "../../config/load";
import { secretKeys } from "../../config/schema/stack";
import { asText, projectConfig, type StackFile } from "../../config/stackFile";
import type { Settings } from "../../config/settings";
import { otherStack } from "../../commands/plan/cli/otherStack";
import { planFrom } from "../../commands/plan/cli/planStack";
import { type Plan } from "../../commands/plan/model/plan";
import { clouds } from "../../commands/plan/simulation";
import { plan, type Mode, type Recording, type Simulation } from "../../packages/plan-engine";
import { projectDir } from "./stacks";

/** The program as a function. It and the SDK are loaded once, so that a suite can make many plans. */
const program = (): unknown => jest.requireActual<() => unknown>("../../index")();

const project = "capz-windows";

/** The stack to which a stack refers, if it does. */
async function otherOf(file: StackFile, settings: Settings, given: readonly Simulation[] = []) {
  const { stack } = file;
  const base = {
    ...{ projectDir, program, organization: offlineOrganization, project, stack },
    simulate: [...given, ...clouds],
  };
  // Stack files without a folder are copies of examples; those beside Pulumi.yaml are the users'.
  const own = file.file.includes("/") ? file : { ...file, file: `test/stacks/${file.file}` };
  const { simulate: other, ...rest } = await otherStack(base, own, settings);
  return { other, ...rest };
}

const runInline = (mode: Mode, file: StackFile, simulate: readonly Simulation[] = []): Promise<Recording> =>
  plan({
    ...{ projectDir, program, mode, organization: offlineOrganization },
    ...{ project: file.project, stack: file.stack, config: file.config, secretKeys: file.secretKeys },
    simulate: [...simulate, ...clouds],
  });

/**
 * The plan of a stack file.
 * @param simulate - what the clouds answer otherwise than in every plan
 */
export async function planFileInline(file: StackFile, simulate?: Simulation): Promise<Plan> {
  const { settings } = loadSettings(projectConfig(file.config), file.file);
  const given = simulate === undefined ? [] : [simulate];
  const { other, warnings, says } = await otherOf(file, settings, given);
  const all = [...given, ...other];
  const preview = await runInline("preview", file, all);
  const update = await runInline("update", file, all);
  const planned = planFrom(file, settings, { preview, update }, says);
  return { ...planned, warnings: [...planned.warnings, ...warnings], elapsedMs: 0 };
}

/** Like planInline, but without the first preview, which saves half the time if only the update matters. */
export async function updateInline(raw: Readonly<Record<string, unknown>>): Promise<Plan> {
  const file = fileOf(raw, "inline");
  const { settings } = loadSettings(projectConfig(file.config), file.file);
  const { other, says } = await otherOf(file, settings);
  const update = await runInline("update", file, other);
  return { ...planFrom(file, settings, { preview: update, update }, says), elapsedMs: 0 };
}

/**
 * The plan of a config that is in no file; keys without the prefix.
 * @param simulate - what the clouds answer otherwise than in every plan
 */
export const planInline = (
  raw: Readonly<Record<string, unknown>>,
  stack = "inline",
  simulate?: Simulation,
): Promise<Plan> => planFileInline(fileOf(raw, stack), simulate);

function fileOf(raw: Readonly<Record<string, unknown>>, stack: string): StackFile {
  const config = Object.entries(raw).map(([key, value]) => [`${project}:${key}`, asText(value)]);
  return {
    project,
    stack,
    file: `Pulumi.${stack}.yaml`,
    config: Object.fromEntries(config) as Record<string, string>,
    secretKeys: secretKeys.map((key) => `${project}:${key}`),
    secretBytes: {},
  };
}
