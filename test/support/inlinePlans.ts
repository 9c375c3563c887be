import * as pulumi from "@pulumi/pulumi";
import { manifestCacheVariable } from "../../components/clusterResourceSet/pinnedManifest";
import { offlineOrganization } from "../../config/offline";
import { loadSettings } from "../../config/load";
import { secretKeys } from "../../config/schema/stack";
import { asText, ownConfig, readStackFile, type StackFile } from "../../config/stackFile";
import { Monitor } from "../../plan/engine/monitor";
import type { Mode, Recording } from "../../plan/engine";
import { servicesOf, type Services } from "../../plan/engine/server";
import type { Simulation } from "../../plan/engine";
import { planFrom, type Plan } from "../../plan/plan";
import { projectDir } from "./stacks";

type Program = () => Promise<pulumi.Inputs>;

/** A state of the SDK's own for each run. Internal, so it has no types; the Automation API uses it for the same. */
const { withLocalStorage, getStore } = jest.requireActual<{
  withLocalStorage: (run: () => Promise<void>) => Promise<void>;
  getStore: () => { readonly settings: { monitor?: object; engine?: object } };
}>("@pulumi/pulumi/runtime/state");

/** The program itself, loaded once. */
const program = (): Program => jest.requireActual<Program>("../../index");

const project = "capz-windows";

type Handler = (call: { readonly request: unknown }, reply: unknown) => void;

/** A client of the service without a connection: a quarter of a plan's time is gRPC. */
const directly = (service: Services["monitor"]): object =>
  Object.fromEntries(
    Object.entries(service).map(([name, handler]) => [
      name,
      (request: unknown, ...rest: readonly unknown[]) => {
        (handler as Handler)({ request }, rest.at(-1));
      },
    ]),
  );

let runs = 0;
let outside = { stackTraceLimit: Error.stackTraceLimit, manifestCache: process.env[manifestCacheVariable] };

/** While a program runs here, several beside each other at times, what would make its plan slow or another one is away. */
function enter(): void {
  runs += 1;
  if (runs === 1) {
    outside = { stackTraceLimit: Error.stackTraceLimit, manifestCache: process.env[manifestCacheVariable] };
    // The SDK takes a stack trace of every promise, and a test runner maps each to its source: a third of all time.
    Error.stackTraceLimit = 0;
    // With whole manifests a plan is another one than that of a machine without.
    Reflect.deleteProperty(process.env, manifestCacheVariable);
  }
}

function leave(): void {
  runs -= 1;
  if (runs === 0) {
    Error.stackTraceLimit = outside.stackTraceLimit;
    if (outside.manifestCache !== undefined) {
      process.env[manifestCacheVariable] = outside.manifestCache;
    }
  }
}

/**
 * One run of the program inside of this process, as Pulumi's Automation API runs an inline program, against the
 * engine of the plan. Many plans cost little, because the SDK is loaded once; that the program also runs as a process
 * of its own is what the example stacks are for.
 */
async function runInline(
  mode: Mode,
  { project, stack, config, secretKeys: keys }: StackFile,
  simulate: Simulation | undefined,
): Promise<Recording> {
  const run = { mode, project, stack, projectDir, simulate };
  const monitor = new Monitor(run);
  const services = servicesOf(monitor, run, offlineOrganization);
  enter();
  let exitCode = 0;
  let stderr = "";
  try {
    await withLocalStorage(async () => {
      pulumi.runtime.resetOptions(
        project,
        stack,
        16,
        "no address",
        "no address",
        mode === "preview",
        offlineOrganization,
      );
      const { settings } = getStore();
      settings.monitor = directly(services.monitor);
      settings.engine = directly(services.engine);
      pulumi.runtime.setAllConfig({ ...config }, [...keys]);
      try {
        await pulumi.runtime.runInPulumiStack(program());
        await pulumi.runtime.disconnect(true);
      } catch (error) {
        exitCode = 1;
        stderr = error instanceof Error ? (error.stack ?? error.message) : String(error);
        await pulumi.runtime.disconnect(false);
      }
    });
  } finally {
    leave();
    services.close();
  }
  return {
    mode,
    resources: [...monitor.resources.values()],
    reads: [...monitor.reads.values()],
    invokes: monitor.invokes,
    outputs: monitor.outputs,
    diagnostics: monitor.diagnostics,
    exitCode,
    stdout: "",
    stderr,
    elapsedMs: 0,
  };
}

async function planned(file: StackFile, simulate?: Simulation): Promise<Plan> {
  const { settings } = loadSettings(ownConfig(file.project, file.config), file.file);
  const preview = await runInline("preview", file, simulate);
  const update = await runInline("update", file, simulate);
  return { ...planFrom(file, settings, { preview, update }), elapsedMs: 0 };
}

/** As planInline, without the run as a first preview: half the time where only what an update says matters. */
export async function updateInline(raw: Readonly<Record<string, unknown>>): Promise<Plan> {
  const file = fileOf(raw, "inline");
  const { settings } = loadSettings(ownConfig(file.project, file.config), file.file);
  const update = await runInline("update", file, undefined);
  return { ...planFrom(file, settings, { preview: update, update }), elapsedMs: 0 };
}

/** The plan of a stack file, of the project or of another folder. */
export const planStackInline = (stack: string, dir = projectDir): Promise<Plan> =>
  planned(readStackFile(dir, stack));

/**
 * The plan of a config that is in no file; keys without the prefix.
 * @param simulate - what the clouds answer beyond what the engine knows
 */
export const planInline = (
  raw: Readonly<Record<string, unknown>>,
  stack = "inline",
  simulate?: Simulation,
): Promise<Plan> => planned(fileOf(raw, stack), simulate);

function fileOf(raw: Readonly<Record<string, unknown>>, stack: string): StackFile {
  const config = Object.entries(raw).map(([key, value]) => [`${project}:${key}`, asText(value)]);
  return {
    project,
    stack,
    file: `Pulumi.${stack}.yaml`,
    config: Object.fromEntries(config) as Record<string, string>,
    secretKeys: secretKeys.map((key) => `${project}:${key}`),
  };
}
