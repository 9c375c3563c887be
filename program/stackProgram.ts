import "../older/addons/register";
import "../older/config/register";
import * as pulumi from "@pulumi/pulumi";
import { loadSettings } from "../config/load";
import { isManagementOnly, referenceProblems } from "../config/managementStack";
import { ConfigError } from "capz-windows-kit/problem";
import type { Settings } from "../config/settings";
import { projectConfig } from "../config/stackFile";
import { warningTexts } from "capz-windows-kit/warningText";
import { reportErrors } from "./errorStacks";
import { stackOutputs, type Beside, type StackParts } from "./outputs";
import type { ManagementProgram } from "./managementOnly";
import { chartArchives } from "./chartArchives";
import { currentRun, type Downloads, type Run } from "./run";
import { refuseAtOnce } from "./refuseAtOnce";
import { requireManagement } from "./requireManagement";
import { silentServer } from "./silentServer";
import { adviseAfterErrors } from "../components/childOptions";
import { ManifestError } from "../addons/pinnedManifest";

/** The settings of the running stack; its warnings go to the log. */
function stackSettings(): Settings {
  const config = projectConfig(pulumi.runtime.allConfig());
  const [project, stack] = [pulumi.getProject(), pulumi.getStack()];
  const source = `Pulumi.${stack}.yaml`;
  const { settings, warnings } = loadSettings(config, source);
  const problems = referenceProblems(settings, { project, stack });
  if (problems.length > 0) {
    throw new ConfigError(source, problems);
  }
  for (const text of warningTexts(warnings)) {
    void pulumi.log.warn(text);
  }
  return settings;
}

/** Only in a preview: an `up` learns it from the Kubernetes provider. */
async function warnOfSilence({ managementKubeconfig }: Settings, { offline }: Downloads): Promise<void> {
  if (managementKubeconfig !== undefined && !offline && pulumi.runtime.isDryRun()) {
    const warning = await silentServer(managementKubeconfig, process.env);
    if (warning !== undefined) {
      await pulumi.log.warn(warning);
    }
  }
}

/** Errors whose messages are complete reports for the user. */
const isUserFacing = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof ManifestError;

/** This is printed before an update, because an update that fails prints no outputs. */
function adviseDoctor({ offline }: Downloads): void {
  if (!offline && !pulumi.runtime.isDryRun()) {
    void pulumi.log.info(
      `If this fails or takes too long, this command says why: npm run doctor -- ${pulumi.getStack()}`,
    );
  }
}

/** Adds what is beside a stack, and returns the outputs of both. */
type Finish = (parts: StackParts) => Promise<Readonly<Record<string, unknown>>>;

/** Builds a stack with a workload cluster. */
export type WorkloadProgram<Outputs = Awaited<ReturnType<Finish>>> = (
  settings: Settings,
  run: Run,
  finish: Finish,
) => Promise<Outputs>;

/**
 * A Pulumi program over the settings of its stack. What is wrong with the stack file or a manifest is printed by
 * Pulumi as it is, without a stack trace.
 *
 * Pulumi calls the program without arguments. A program that installs this one may call it with a function that creates
 * resources beside the stack.
 */
export const stackProgram =
  <Outputs extends object>(build: WorkloadProgram<Outputs>, managementOnly: ManagementProgram = () => ({})) =>
  async (beside: Beside = () => undefined): Promise<Outputs | ReturnType<ManagementProgram>> => {
    const finish: Finish = async (parts) => ({
      ...(await beside(parts)),
      ...stackOutputs(parts, pulumi.unsecret),
    });
    reportErrors();
    try {
      const current = currentRun();
      adviseDoctor(current);
      if (!current.offline) {
        adviseAfterErrors();
      }
      const settings = stackSettings();
      const run = { ...current, chartArchives: await chartArchives(settings, current) };
      if (!current.offline) {
        await requireManagement(settings);
        await refuseAtOnce(settings);
      }
      if (isManagementOnly(settings)) {
        return managementOnly(settings, run);
      }
      const [outputs] = await Promise.all([build(settings, run, finish), warnOfSilence(settings, run)]);
      return outputs;
    } catch (error) {
      throw isUserFacing(error) ? new pulumi.RunError(error.message) : error;
    }
  };
