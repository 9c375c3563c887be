import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { clouds } from "../../plan/simulation";
import { stackReference } from "../../plan/simulation/stackReference";
import {
  plan,
  Secret,
  type PlanOptions,
  type Recording,
  type Simulation,
  type Values,
} from "pulumi-plan-engine";
import type { ManagementOutputs } from "capz-windows-contract";
import type { Plain } from "capz-windows-kit/untyped";
import { allExamples, furtherStacks } from "../support/plans";
import { testProject } from "../support/project";
import { readExample } from "../support/stacks";
import { projectDir } from "../support/projectDir";
import { Engine } from "./engine";
import everyOption from "./everyOption";
import { writeExample } from "./examples";
import { ofRun, sayLeftOut } from "./ofRun";
import { missing } from "./pulumiCli";
import { offlineRecording } from "./recordings";

/**
 * The offline engine, on which every plan and most tests stand, against the real one: both run the same programs in a first
 * preview, and what they record is equal; every day of half of the examples. The language host and the command record the same
 * as this process, which test/program/languageHost.test.ts and test/plan/cli/cli.part.ts check.
 */

const { pulumi, kubeconfig, reason } = missing();

jest.setTimeout(1_800_000);

const management = "organization/capz-windows/management";

/** What Pulumi's own provider answers: only the management stack has outputs yet. */
const backend = (outputs: Values): Simulation => ({
  ...stackReference(management, outputs),
  invokes: {
    "pulumi:pulumi:readStackOutputs": ({ name }) => ({ outputs: name === management ? outputs : {} }),
  },
});

const project = "capz-windows";
const program = (): unknown => jest.requireActual<() => unknown>("../../index")();

async function recorded(options: Partial<PlanOptions> & Pick<PlanOptions, "stack">): Promise<Recording> {
  const recording = await plan({
    ...{ projectDir, project, program, mode: "preview", simulate: [backend({}), ...clouds] },
    ...options,
  });
  expect(recording.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(recording.host).toBe("in-process");
  return recording;
}

/** Outputs of the management stack, which exists before the stacks that use it, with a cluster that answers. */
async function managementOutputs(server: string): Promise<Values> {
  const { config, secretKeys } = readExample("management");
  const { outputs } = await recorded({ stack: "management", config, secretKeys, mode: "update" });
  const name: keyof ManagementOutputs = "managementKubeconfig";
  return { ...outputs, [name]: new Secret(server) };
}

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  let engine: Engine;
  /** Has the management stack already, for the stacks that use it. */
  let teams: Engine;
  let shared: Values;
  const server = readFileSync(kubeconfig, "utf8").trimEnd();
  beforeAll(async () => {
    [engine, teams] = await Promise.all([Engine.begin(pulumi), Engine.begin(pulumi)]);
    shared = await managementOutputs(server);
    await teams.pretend("management", shared);
  });
  afterAll(() => {
    engine.end();
    teams.end();
  });

  const all = [...allExamples, ...furtherStacks];
  const stacks = ofRun(all, 9);
  sayLeftOut("recordings of examples", all, stacks);

  it.each(stacks)("%s", async (stack) => {
    const [own, outputs] = stack.startsWith("team-") ? [teams, shared] : [engine, {}];
    const { secretKeys } = readExample(stack);
    const config = await writeExample(own, stack, server);
    const real = await own.recording(stack);
    const offline = await recorded({
      ...{ stack, config, secretKeys, env: own.programEnv },
      simulate: [backend(outputs), ...clouds],
    });
    expect(real).toEqual(offlineRecording(offline));
  });

  it("a program with every option", async () => {
    const files = testProject(["Pulumi.yaml"]);
    const { runtime } = parse(readFileSync(join(projectDir, "Pulumi.yaml"), "utf8")) as Plain;
    files.write("Pulumi.yaml", stringify({ name: project, main: "test/engine/everyOption.ts", runtime }));
    const own = await Engine.begin(pulumi, files);
    const stack = "every";
    const subscription = "00000000-0000-0000-0000-000000000000";
    const secrets = { password: "hunter2-and-more" };
    try {
      own.write(stack, { "capz-windows:subscription": subscription });
      await own.init(stack);
      await own.encrypt(stack, secrets);
      const real = await own.recording(stack);
      const offline = await recorded({
        ...{ stack, config: { subscription, ...secrets }, secretKeys: Object.keys(secrets) },
        program: everyOption,
      });
      expect(real).toEqual(offlineRecording(offline));
    } finally {
      own.end();
    }
  });
}
