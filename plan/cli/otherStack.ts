import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { loadSettings } from "../../config/load";
import { clientsBeside } from "../../config/clients";
import { isManagementOnly, referenceProblems } from "../../config/managementStack";
import { isEndpointInStack, managementVnetProblem, stackPeering } from "../../config/managementReach";
import type { Settings } from "../../config/settings";
import { shortTokenPools, tokenTrouble } from "../../config/rules/bootstrapTokens";
import { defaultTokenMinutes, tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import { present } from "capz-windows-kit/present";
import { projectConfig, readStackFile, type StackFile } from "../../config/stackFile";
import { clientsNamespace, sharedManagement, stackParts } from "capz-windows-platform/cluster/clients";
import { ConfigError } from "capz-windows-kit/problem";
import { withoutUndefined } from "capz-windows-kit/without";
import type { Diagnostic, PlanOptions as ProgramOptions, Simulation, Values } from "pulumi-plan-engine";
import { plan, redact } from "pulumi-plan-engine";
import type { ManagementOutputs, OtherStacks } from "capz-windows-contract";
import { PlanError } from "../model/planError";
import { simulatedManagement, stackReference } from "../simulation/stackReference";

/** The stack to which a stack refers, without its backend: a plan of its file, or simulated values. */

/** What a stack and its plan learn about others. */
export interface OtherStack {
  /** For the program. */
  readonly simulate: readonly Simulation[];
  /** For the plan. */
  readonly says?: OtherStacks;
  /** Of a stack whose file is not here. */
  readonly warnings: readonly string[];
}

/** @throws PlanError about the other stack */
async function plannedOutputs(base: ProgramOptions, other: StackFile, name: string): Promise<Values> {
  const { exitCode, outputs, diagnostics } = await plan({
    ...base,
    ...{ mode: "update", stack: other.stack, config: other.config, secretKeys: other.secretKeys },
  });
  if (exitCode !== 0) {
    const isError = ({ severity }: Diagnostic): boolean => severity === "error";
    const errors = diagnostics.filter(isError).map(({ message }) => message);
    throw new PlanError(
      `The stack ${name}, which management.stack names, cannot be planned:\n${errors.join("\n")}`,
    );
  }
  return outputs;
}

const simulatedOutputs = (name: string): Values & { readonly [K in keyof ManagementOutputs]: unknown } => ({
  ...simulatedManagement(name),
  clientsNamespace,
});

/** Of the stack that installs the bootstrap provider: whether its tokens are long enough for Windows nodes of scale sets. */
function tokenWarning(settings: Settings, minutes?: number): string | false {
  const short = shortTokenPools(settings, minutes ?? defaultTokenMinutes);
  const { management } = settings;
  return (
    short.length > 0 &&
    management.kind === "stack" &&
    (minutes === undefined
      ? `management.stack: whether the bootstrap tokens of ${management.stack} live long enough for Windows nodes is not known: its output bootstrapTtlMinutes must say at least ${tokenMinutes} (npx pulumi stack output bootstrapTtlMinutes --stack ${management.stack}). ${tokenTrouble}`
      : `management.stack: the bootstrap tokens of ${management.stack} live ${minutes} minutes; set clusterApi.bootstrapTtlMinutes to ${tokenMinutes} there. ${tokenTrouble}`)
  );
}

/**
 * The stack that `management.stack` names, or those that name this one.
 * @throws ConfigError about the reference or the other stack file, PlanError about the other program
 */
export async function otherStack(
  base: ProgramOptions,
  file: StackFile,
  settings: Settings,
): Promise<OtherStack> {
  const { management } = settings;
  if (management.kind !== "stack") {
    const clients = isManagementOnly(settings)
      ? { says: { clients: clientsBeside(base.projectDir, file.file, file.stack) } }
      : {};
    return { simulate: [], warnings: [], ...clients };
  }
  const { stack: name } = management;
  const { project, stack } = stackParts(name);
  const path = join(dirname(file.file), `Pulumi.${stack}.yaml`);
  if (project !== file.project || !existsSync(resolve(base.projectDir, path))) {
    const reason = project === file.project ? `there is no ${path}` : `it is of the project ${project}`;
    return {
      simulate: [stackReference(name, simulatedOutputs(name))],
      warnings: [
        `management.stack: ${reason}, so the plan simulates the outputs of ${name}: addresses of the management cluster, its issuer and its name are not the real ones`,
        ...present(tokenWarning(settings)),
      ],
    };
  }
  const other = readStackFile(base.projectDir, stack, path);
  const problems = referenceProblems(
    settings,
    file,
    () => loadSettings(projectConfig(other.config), path).settings,
  );
  if (problems.length > 0) {
    throw new ConfigError(file.file, problems);
  }
  const planned = await plannedOutputs(base, other, name);
  const read = sharedManagement(name, redact(planned) as Values);
  if ("problem" in read) {
    throw new PlanError(read.problem);
  }
  const { managementVnetId: id = "", managementVnetCidrs: cidrs = [], ...outputs } = read.outputs;
  const problem =
    stackPeering(settings) !== undefined || isEndpointInStack(settings)
      ? managementVnetProblem(settings, { id, cidrs: [...cidrs] })
      : undefined;
  if (problem !== undefined) {
    throw new PlanError(problem);
  }
  const { syncPeriodMinutes, bootstrapTtlMinutes } = outputs;
  return {
    simulate: [stackReference(name, planned)],
    says: withoutUndefined({ syncPeriodMinutes, bootstrapTtlMinutes }),
    warnings: present(tokenWarning(settings, bootstrapTtlMinutes)),
  };
}
