import { manifestCacheVariable, offlineOrganization } from "capz-windows-kit/offline";
import { loadSettings } from "../../config/load";
import { secretKeys } from "../../config/schema/stack";
import { asText, projectConfig, type StackFile } from "../../config/stackFile";
import type { Settings } from "../../config/settings";
import { otherStack } from "../../plan/cli/otherStack";
import { planFrom } from "../../plan/cli/planStack";
import { type Plan } from "../../plan/model/plan";
import { clouds } from "../../plan/simulation";
import { plan, type Mode, type Recording, type Simulation } from "pulumi-plan-engine";
import { projectDir } from "./stacks";

/** The program as a function. It and the SDK are loaded once, so that a suite can make many plans. */
function program(): unknown {
  // On which line a resource was made, test/plan/engine reads of other programs; Jest's source maps make it a sixth of a plan's time.
  const { Resource } = jest.requireActual<{ Resource: object }>("@pulumi/pulumi");
  Object.assign(Resource, { callsites: () => [] });
  return jest.requireActual<() => unknown>("../../index")();
}

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

/** The last runs of one file of tests: several tests of a file compare others with the same plan. */
const runs = new Map<string, Promise<Recording>>();
let ofFile: string | undefined;

type Environment = Readonly<Record<string, string>>;

function runInline(
  mode: Mode,
  file: StackFile,
  env: Environment,
  simulate: readonly Simulation[],
  isOwn: boolean,
) {
  const { testPath } = expect.getState();
  if (testPath !== ofFile) {
    runs.clear();
    ofFile = testPath;
  }
  const { project, stack, config, secretKeys } = file;
  const key = JSON.stringify([mode, project, stack, config, env]);
  const run =
    (isOwn ? undefined : runs.get(key)) ??
    plan({
      ...{ projectDir, program, mode, env, organization: offlineOrganization },
      ...{ project, stack, config, secretKeys, simulate: [...simulate, ...clouds] },
    }).then(frozen);
  if (!isOwn) {
    runs.set(key, run);
  }
  return run;
}

/** So that no test can change what others see. */
export function frozen<T>(value: T): T {
  if (value instanceof Object && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.values(Object.freeze(value)).forEach(frozen);
  }
  return value;
}

async function planned(
  file: StackFile,
  isWhole: boolean,
  simulate?: Simulation,
  env: Environment = {},
): Promise<Plan> {
  const { settings } = loadSettings(projectConfig(file.config), file.file);
  const given = simulate === undefined ? [] : [simulate];
  const { other, warnings, says } = await otherOf(file, settings, given);
  const run = (mode: Mode) => runInline(mode, file, env, [...given, ...other], simulate !== undefined);
  const first = isWhole ? await run("preview") : undefined;
  const update = await run("update");
  const plan = planFrom(file, settings, { preview: first ?? update, update }, says);
  return { ...plan, warnings: [...plan.warnings, ...warnings], elapsedMs: 0 };
}

/**
 * The plan of a stack file.
 * @param simulate - what the clouds answer otherwise than in every plan
 */
export const planFileInline = (file: StackFile, simulate?: Simulation): Promise<Plan> =>
  planned(file, true, simulate);

/** Like planFileInline, but without the first preview, which saves half the time if only the update matters. */
export const updateFileInline = (file: StackFile): Promise<Plan> => planned(file, false);

/** The same with the manifests of the folder of pinned ones; without that folder they appear as URL and sha256. */
export const updateWithManifests = (file: StackFile): Promise<Plan> => {
  const folder = process.env[manifestCacheVariable];
  return planned(file, false, undefined, folder === undefined ? {} : { [manifestCacheVariable]: folder });
};

/** The same of a config that is in no file; keys without the prefix. */
export const updateInline = (raw: Readonly<Record<string, unknown>>, stack = "inline"): Promise<Plan> =>
  planned(fileOf(raw, stack), false);

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
    secretMarks: {},
  };
}
