import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/stacks";
import { TestDeployment } from "./deployment";
import { isWholeRun, sayLeftOut } from "./ofRun";
import { missing, type Ended } from "./pulumiCli";

/**
 * Interrupts the real Pulumi CLI at any moment, with a real API server and a fake Azure: the commands of
 * docs/operations.md then finish the deployment or its deletion, without duplicates and without leftovers.
 */

const { pulumi, kubeconfig, reason } = missing();

/** How a run ends: by a signal to the CLI, or with everything that it has started. */
type End = "SIGINT" | "SIGKILL" | "the machine is lost";

interface Moment {
  readonly end: End;
  /** Part of all steps that are done. */
  readonly after: number;
}

const moments: readonly Moment[] = Array.from({ length: 20 }, (_, index) => ({
  end: (["SIGINT", "SIGKILL", "SIGINT", "the machine is lost"] as const)[index % 4]!,
  after: (Math.floor(index / 2) + 0.5) / 10,
}));

/** Four of them by the seed of the run, of each end at least one; all in a whole run. */
const chosen = ((seed: number) =>
  isWholeRun ? moments : [0, 1, 2, 3].map((end) => moments[end + 4 * ((seed + 2 * end) % 5)]!))(
  Number(process.env.CAPZ_WINDOWS_SEED ?? 1),
);

interface Remedy {
  /** Pattern of the CLI's output that calls for this remedy. */
  readonly symptom: RegExp;
  /** Command or instruction, as docs/operations.md writes it. */
  readonly documented: string;
  readonly act: (deployment: TestDeployment, output: string) => Promise<NodeJS.ProcessEnv | undefined>;
}

const takenOver = "PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true npx pulumi up";

const remedies: readonly Remedy[] = [
  {
    symptom: /the stack is currently locked/,
    documented: "npx pulumi cancel",
    act: async ({ cli }) => {
      await cli.must(["cancel", "--yes"]);
      return undefined;
    },
  },
  {
    symptom: /failed to load checkpoint: EOF/,
    documented: "delete `STACK.json.attrs`",
    act: ({ stateFile }) => {
      rmSync(`${stateFile}.attrs`);
      return Promise.resolve(undefined);
    },
  },
  {
    symptom: /cannot create already existing resource/,
    documented: "delete it as the message says",
    act: ({ azure }, output) => {
      const ids = [...output.matchAll(/cannot create already existing resource '([^']+)'/g)].map(
        ([, id = ""]) => id,
      );
      for (const id of new Set(ids)) {
        // A group and a VNET are deleted if they are empty; of the rest a person sees who made it.
        const ifEmpty = `\\[ "\\$\\(az .*\\)" = 0 \\] && az .*(--ids '${id}'|--name '${id.split("/").at(-1)}')`;
        const question = `az monitor activity-log list --resource-id '${id}' .*`;
        expect(output).toMatch(new RegExp(`^ *(${ifEmpty}|${question})$`, "m"));
        azure.store.remove(id);
      }
      return Promise.resolve(undefined);
    },
  },
  {
    symptom: /already exists/,
    documented: takenOver,
    act: (_, output) => {
      expect(output).toContain(takenOver);
      return Promise.resolve({ PULUMI_K8S_UPSERT_EXISTING_OBJECTS: "true" });
    },
  },
];

/**
 * Runs a command until it succeeds, and applies the documented remedy after each failure. Returns the remedies applied.
 */
async function finish(deployment: TestDeployment, command: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  let env: NodeJS.ProcessEnv = {};
  for (let tries = 0; tries < 8; tries += 1) {
    // From the second attempt on, one run should report all obstacles instead of the first one.
    const all = tries > 0 && command[0] === "up" ? ["--continue-on-error"] : [];
    const { code, output } = await deployment.cli.run([...command, ...all], { env });
    if (code === 0) {
      return done;
    }
    const remedy = remedies.find(({ symptom }) => symptom.test(output));
    if (remedy === undefined) {
      throw new Error(
        `${command.join(" ")} ended with ${code}, and nothing is documented for it:\n${output}`,
      );
    }
    done.push(remedy.documented);
    env = { ...env, ...(await remedy.act(deployment, output)) };
  }
  throw new Error(`${command.join(" ")} does not come to an end: ${done.join(", ")}`);
}

const up = ["up", "--yes", "--skip-preview"] as const;
const destroy = ["destroy", "--yes", "--skip-preview"] as const;

/** Number of steps begun and ended in the CLI's output: it prints a line for each. */
const steps = (output: string): number =>
  output.match(/ (creating|created|deleting|deleted) \(/g)?.length ?? 0;

/** Ends a run with a signal after that many lines about steps. */
async function cut(
  deployment: TestDeployment,
  command: readonly string[],
  after: number,
  end: End,
): Promise<Ended> {
  const running = deployment.cli.start(command);
  const timer = setInterval(() => {
    if (steps(running.printed()) >= after) {
      clearInterval(timer);
      running.kill(end === "SIGINT" ? "SIGINT" : "SIGKILL");
      if (end === "the machine is lost") {
        deployment.cli.endLeftovers();
      }
    }
  }, 5);
  return running.ended.finally(() => {
    clearInterval(timer);
  });
}

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  let deployment: TestDeployment;
  /** What an uninterrupted `up` creates, and how many lines about steps it and its `destroy` print. */
  let whole: readonly string[];
  let lines: { readonly up: number; readonly destroy: number };

  const expectWhole = async () => {
    expect(await deployment.things()).toEqual(whole);
    // Drops the pending creates of a killed run; every later run would warn about them.
    await deployment.cli.must(["refresh", "--yes", "--skip-preview", "--clear-pending-creates"]);
    const { output } = await deployment.cli.run(["preview", "--expect-no-changes"]);
    expect(output).not.toMatch(/pending operations/);
    expect(output).toMatch(/\d+ unchanged/);
    expect(output).not.toMatch(/to (create|update|delete|replace)/);
  };
  const expectNothing = async () => {
    expect(await deployment.leftovers()).toEqual([]);
    const stack = JSON.parse(await deployment.cli.must(["stack", "export"])) as {
      deployment: { resources?: unknown[] };
    };
    expect(stack.deployment.resources ?? []).toEqual([]);
  };

  beforeAll(async () => {
    deployment = await TestDeployment.begin(pulumi, kubeconfig, `cut${process.pid}`);
    deployment.azure.duration = 100;
    const upped = await deployment.cli.must(up);
    whole = await deployment.things();
    const destroyed = await deployment.cli.must(destroy);
    lines = { up: steps(upped), destroy: steps(destroyed) };
    await expectNothing();
  });
  afterAll(() => deployment.end());

  it("every remedy that is applied is documented", () => {
    const operations = readFileSync(join(projectDir, "docs/operations.md"), "utf8");
    for (const { documented } of remedies) {
      expect(operations).toContain(documented);
    }
  });

  describe("recovers from an interruption of up and of destroy", () => {
    // After a failed test, the next one still begins without resources.
    afterEach(async () => {
      deployment.cli.endLeftovers();
      await finish(deployment, destroy);
    });

    const name = ({ end, after }: Moment): string => `${end}, after ${after} of all steps`;
    sayLeftOut("moments of an interruption", moments.map(name), chosen.map(name));
    it.each(chosen)("$end, after $after of all steps", async ({ end, after }) => {
      const { code } = await cut(deployment, up, lines.up * after, end);
      expect(code).not.toBe(0);
      if ((await finish(deployment, up)).includes(takenOver)) {
        // The provider in the state still has the setting for taking objects over; the next run takes only that back.
        expect(await deployment.cli.must(up)).toMatch(/ ~ 1 updated\n/);
      }
      await expectWhole();
      await cut(deployment, destroy, lines.destroy * after, end);
      await finish(deployment, destroy);
      await expectNothing();
    });
  });

  describe("the documented commands recover from", () => {
    afterEach(async () => {
      await deployment.cli.must(destroy);
      await expectNothing();
    });

    it("an error of Azure", async () => {
      const quota = 'Code="QuotaExceeded" Message="Operation could not be completed"';
      deployment.azure.fault = (urn) => (urn.endsWith("::network-nat") ? quota : undefined);
      const failed = await deployment.up();
      expect(failed.code).not.toBe(0);
      expect(failed.output).toContain(quota);
      expect(failed.output).toContain(`npm run doctor -- ${deployment.name}`);
      deployment.azure.fault = () => undefined;
      expect(await finish(deployment, up)).toEqual([]);
      await expectWhole();
    });

    it("an operation that Azure accepted and that failed later", async () => {
      deployment.azure.lateFault = (urn) =>
        urn.endsWith("::network-vnet") ? "InternalServerError" : undefined;
      const failed = await deployment.up();
      expect(failed.code).not.toBe(0);
      expect(failed.output).toContain("InternalServerError");
      deployment.azure.lateFault = () => undefined;
      expect(await finish(deployment, up)).toEqual([]);
      await expectWhole();
    });

    it("an unreachable API server", async () => {
      const running = deployment.cli.start(up);
      const timer = setInterval(() => {
        if (running.printed().includes("control-plane-kubeadm created")) {
          deployment.wire.cut();
        }
      }, 5);
      const failed = await running.ended;
      clearInterval(timer);
      expect(failed.code).not.toBe(0);
      const again = await deployment.up();
      expect(again.code).not.toBe(0);
      expect(again.output).toMatch(/unreachable|connection refused|EOF/);
      deployment.wire.open();
      if ((await finish(deployment, up)).includes(takenOver)) {
        await deployment.cli.must(up);
      }
      await expectWhole();
    });

    it("a kubeconfig that has expired", async () => {
      await deployment.cli.must(up);
      await deployment.logIn({ token: "expired" });
      const failed = await deployment.up();
      expect(failed.code).not.toBe(0);
      await deployment.logIn();
      expect(await finish(deployment, up)).toEqual([]);
      await expectWhole();
    });

    it("two runs at once", async () => {
      const first = deployment.cli.start(up);
      while (steps(first.printed()) === 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const second = await deployment.up();
      expect(second.code).not.toBe(0);
      expect(second.output).toContain("the stack is currently locked");
      expect((await first.ended).code).toBe(0);
      await expectWhole();
    });
  });
}
