import { stripVTControlCharacters } from "node:util";
import { sizeProblems } from "../../config/configSize";
import { loadSettings } from "../../config/load";
import { poolsOf } from "../../config/pools";
import type { Settings } from "../../config/settings";
import type { StackFile } from "../../config/stackFile";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { manifestCacheVariable, offlineOrganization } from "capz-windows-kit/offline";
import { clientsNamespace } from "capz-windows-platform/cluster/clients";
import { ConfigError, formatProblems } from "capz-windows-kit/problem";
import { pathProblems } from "azure-network-paths";
import { readCluster } from "../model/cluster/readCluster";
import { nodeData } from "../model/nodes";
import { plainResources } from "../model/plainResources";
import type { PlanDocument } from "capz-windows-contract";
import { checkUserData } from "../../bootstrap/userData/checks";
import type { Plan } from "../model/plan";
import { PlanError } from "../model/planError";
import { openAzureReferences } from "../checks/azureReferences";
import { openReferences } from "../checks/references";
import { digestWarnings } from "../model/images";
import { stackObjects } from "../model/stackObjects";
import type { Host, Mode, PlanOptions as ProgramOptions, Recording } from "pulumi-plan-engine";
import { inProcessObstacle, plan, redact } from "pulumi-plan-engine";
import { clouds } from "../simulation";
import { otherStack } from "./otherStack";
import { withoutUndefined } from "capz-windows-kit/without";

/** The layers of the program; test/architecture sees to it that their files keep nothing in variables. */
const stateless = [
  ...["addons", "bootstrap", "capi", "components", "config", "older", "program"],
  ...["azure-network-paths", "capz-types", "kit", "platform"].map((name) => `packages/${name}`),
];

export interface StackPlanOptions {
  readonly projectDir: string;
  readonly stack: string;
  /** Path of the stack file, relative to the project folder or absolute; default: `Pulumi.<stack>.yaml` */
  readonly configFile?: string | undefined;
  readonly onProgress?: (text: string) => void;
  /** Folder with pinned upstream manifests; without it they appear as URL and sha256. */
  readonly manifestCache?: string | undefined;
  /** Where the program runs; default: in this process, if possible. The plan is the same. */
  readonly host?: Host | undefined;
  /** Whether the stack file is only planned, so that it may be larger than what Pulumi can pass to a program. */
  readonly isTrial?: boolean | undefined;
  /** A key of the stack file that is left out. */
  readonly without?: string | undefined;
}

const indent = (text: string): string => text.replace(/^/gm, "  ").trimEnd();

const succeeded = ({ exitCode }: Recording): boolean => exitCode === 0;

function failure(recording: Recording): PlanError | undefined {
  if (succeeded(recording)) {
    return undefined;
  }
  const errors = recording.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
  // The SDK colors its messages even if the output is not a terminal.
  const text = stripVTControlCharacters(errors.length > 0 ? errors.join("\n") : recording.stderr);
  const run = recording.mode === "preview" ? "first preview" : "update";
  return new PlanError(`The program failed in the ${run}:\n${indent(text)}`);
}

/**
 * Both runs in parallel, or one after the other in this process.
 * @returns the preview for both if that failed
 */
async function bothRuns(base: ProgramOptions, onProgress?: (text: string) => void) {
  const counts = { preview: 0, update: 0 };
  onProgress?.("Planning: starting the program");
  const run = async (mode: Mode): Promise<Recording> =>
    plan({
      ...base,
      mode,
      onProgress: ({ count }) => {
        counts[mode] = count;
        onProgress?.(
          `Planning: ${counts.preview} resources in a first preview, ${counts.update} in an update`,
        );
      },
    });
  if (base.host === "language-host" || inProcessObstacle(base) !== undefined) {
    const [preview, update] = await Promise.all([run("preview"), run("update")]);
    return { preview, update };
  }
  const preview = await run("preview");
  return { preview, update: succeeded(preview) ? await run("update") : preview };
}

/**
 * Resources that only one of the two runs registered: they are created inside an `apply`, and invisible in a first
 * preview.
 */
function checkSameResources(preview: Recording, update: Recording): void {
  const [first, second] = [preview, update].map(({ resources }) => new Set(resources.map(({ urn }) => urn)));
  const only = (a = new Set<string>(), b = new Set<string>()) => [...a].filter((urn) => !b.has(urn));
  const different = [...only(first, second), ...only(second, first)];
  if (different.length > 0) {
    throw new PlanError(
      `These resources are not in both the preview and the update:\n${indent(different.join("\n"))}`,
    );
  }
}

function fileOf({ projectDir, stack, configFile, without }: StackPlanOptions): StackFile {
  const file = readStackFile(projectDir, stack, configFile);
  const config = Object.entries(file.config).filter(([key]) => key !== without);
  return { ...file, config: Object.fromEntries(config) };
}

/**
 * Plans one stack of a project folder.
 * @throws ConfigError when the stack file is wrong (before the program is started), PlanError when the program fails
 */
export async function planStack(options: StackPlanOptions): Promise<Plan> {
  const started = performance.now();
  const file = fileOf(options);
  // Before everything else, whose time depends on it.
  const tooLarge = options.isTrial === true ? [] : sizeProblems(file);
  if (tooLarge.length > 0) {
    throw new ConfigError(file.file, tooLarge);
  }
  const { settings } = loadSettings(projectConfig(file.config), file.file);
  const base = {
    projectDir: options.projectDir,
    project: file.project,
    stack: file.stack,
    config: file.config,
    secretKeys: file.secretKeys,
    ...withoutUndefined({ main: file.main, tsconfig: file.tsconfig }),
    organization: offlineOrganization,
    stateless,
    simulate: clouds,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.manifestCache !== undefined && { env: { [manifestCacheVariable]: options.manifestCache } }),
  };
  const other = await otherStack(base, file, settings);
  const simulate = [...other.simulate, ...clouds];
  const runs = await bothRuns({ ...base, simulate }, options.onProgress);
  const planned = planFrom(file, settings, runs, other.says);
  const warnings = [...planned.warnings, ...other.warnings];
  return { ...planned, warnings, elapsedMs: performance.now() - started };
}

/** Secrets that files refer to and that are created outside of the stack. */
const secretsOfOthers = (settings: Settings): string[] =>
  poolsOf(settings).flatMap(({ pool }) =>
    pool.files.flatMap(({ contentFrom }) =>
      contentFrom?.secret === undefined ? [] : [`${settings.namespace}/${contentFrom.secret.name}`],
    ),
  );

/**
 * The plan from two runs of the program, after the checks that need all of it: the same resources in both, no reference
 * that leads nowhere, and user data that its readers accept.
 * @throws PlanError
 */
export function planFrom(
  file: Pick<StackFile, "stack" | "project" | "config" | "secretKeys" | "secretMarks" | "state">,
  settings: Settings,
  { preview, update }: { readonly preview: Recording; readonly update: Recording },
  others?: PlanDocument["others"],
): Omit<Plan, "elapsedMs"> {
  const error = failure(preview) ?? failure(update);
  if (error) {
    throw error;
  }
  checkSameResources(preview, update);
  const resources = plainResources(update);
  const outputs = redact(update.outputs) as PlanDocument["outputs"];
  const objects = stackObjects(resources);
  const principal = settings.clusterApi.identity?.principalId;
  const open = [
    ...openReferences(
      objects,
      [
        ...(settings.createNamespace ? [] : [settings.namespace]),
        // The management stack makes it.
        ...(settings.management.kind === "stack" ? [clientsNamespace] : []),
      ],
      secretsOfOthers(settings),
    ),
    ...openAzureReferences(
      update.resources,
      objects.management.map(({ object }) => object),
      principal === undefined ? [] : [principal],
    ),
  ];
  if (open.length > 0) {
    throw new PlanError(`These names point at nothing:\n${indent(open.join("\n"))}`);
  }
  const optional = {
    ...withoutUndefined({ others, state: file.state }),
  };
  const cluster = readCluster({ resources, outputs, ...optional });
  const wrong = pathProblems(cluster.reach);
  if (wrong.length > 0) {
    throw new PlanError(formatProblems("Network", wrong));
  }
  const nodes = nodeData(cluster, resources);
  const faults = nodes.flatMap(({ path, os, text }) => checkUserData(text, os, `nodes/${path}`));
  if (faults.length > 0) {
    throw new PlanError(formatProblems("User data", faults));
  }
  const warnings = [
    ...update.diagnostics
      .filter(({ severity }) => severity === "warning")
      .map(({ message }) => message.trim()),
    ...digestWarnings(settings),
    ...(file.state?.environments ?? []).map(
      (name) => `The environment ${name} of Pulumi ESC may set config: a plan does not know what.`,
    ),
  ];
  return {
    stack: file.stack,
    project: file.project,
    config: {
      ...file.config,
      ...Object.fromEntries(file.secretKeys.map((key) => [key, file.secretMarks[key] ?? "[secret]"])),
    },
    settings,
    preview,
    update,
    resources,
    outputs,
    ...optional,
    objects,
    cluster,
    nodes,
    warnings,
  };
}
