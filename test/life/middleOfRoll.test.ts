import { join } from "node:path";
import { diagnose } from "capz-windows-doctor/diagnose";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { apiVersions } from "../../capi/apiVersions";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life } from "./harness";
import type { LiveObject } from "./kube";
import { allRun, live, livesIn, syncPeriod } from "./lives";
import { look, recordings } from "./look";
import { image, planned, stackOf } from "./stacks";

/** With one control plane machine Typha needs two more Linux nodes. */
const linuxPools = { linux: { replicas: 2 } };

const stack = (windowsPools: Readonly<Record<string, string>>) =>
  stackOf("middle", {
    linuxPools,
    windowsPools: Object.fromEntries(
      Object.entries(windowsPools).map(([pool, version]) => [pool, { replicas: 2, ...image(version) }]),
    ),
  });

const [birth, rolls] = [
  stack({ goes: "1.35.6", stays: "1.35.6" }),
  stack({ goes: "1.35.7", stays: "1.35.6" }),
];
const [removed, rollsAgain] = [stack({ stays: "1.35.6" }), stack({ stays: "1.35.7" })];

/** CAPZ's sync period, and the 30 s after which it looks at a pool again. */
const severalTurnsMs = 90_000;

/**
 * Pools and clusters that are deleted while CAPZ replaces nodes, with the timers of CAPZ that users have. CAPZ v1.27.0 holds a
 * pool whose newest instance has no Machine yet: Cluster API makes none for a pool that is being deleted, and CAPZ deletes an
 * instance by its Machine only. The command that the doctor names must end it.
 */
livesIn(
  "deletions in the middle of a roll",
  async () => ({ capzTimers: "users", capzSyncPeriod: syncPeriod(await planned(birth)) }),
  (world) => {
    let life: Life;

    const instances = async (pool: string): Promise<LiveObject[]> => {
      const all = await world().kube.list({ apiVersion: apiVersions.azure, kind: "AzureMachinePoolMachine" });
      return all.filter(({ metadata }) => metadata.name.startsWith(`${pool}-`));
    };
    const withoutMachine = async (pool: string): Promise<string[]> =>
      (await instances(pool))
        .filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === "Machine"))
        .map(({ metadata }) => metadata.name);

    /**
     * Waits for an instance that CAPZ has just seen and that has no Machine. Cluster API starts again meanwhile, or its Machine
     * would come a second later and the test would depend on it.
     */
    async function surge(pool: string): Promise<string> {
      await until(`${pool} grows`, 120, () =>
        Promise.resolve(
          world()
            .arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines")
            .filter(({ id }) => id.includes(`/${pool}/`)).length === 3,
        ),
      );
      await world().stopManagers("capi-core");
      let found: string | undefined;
      await until(`${pool} has an instance without a Machine`, 120, async () => {
        [found] = await withoutMachine(pool);
        return found !== undefined;
      });
      return found!;
    }

    /** What the doctor names after the minutes that it grants a deletion, and the command that ends it. */
    async function cure(name: string, shot: string): Promise<void> {
      await look(world(), life, shot);
      const snapshot = readRecorded(join(recordings, `${shot}.json`));
      const takenAt = new Date(Date.parse(snapshot.takenAt) + 300_000).toISOString();
      const { findings } = diagnose({ ...snapshot, takenAt });
      const finding = findings.find(({ id }) => id === "instance-without-machine");
      const [command = ""] = finding?.remedy ?? [];
      expect(command.replace(/ +#.*$/, "")).toBe(
        `kubectl delete azuremachinepoolmachine ${name} -n ${life.namespace}`,
      );
      await world().kubectl(
        ...command
          .replace(/ +#.*$/, "")
          .split(" ")
          .slice(1),
      );
    }

    /** Begins to delete an object while an instance of the pool has no Machine. */
    async function inTheMiddle(pool: string, kind: "Cluster" | "MachinePool"): Promise<string> {
      const name = await surge(pool);
      const metadata = { name: kind === "Cluster" ? life.name : pool, namespace: life.namespace };
      await world().kube.delete({ apiVersion: apiVersions.cluster, kind, metadata });
      await world().startManagers("capi-core");
      return name;
    }

    beforeAll(async () => {
      const plan = await planned(birth);
      life = await world().begins(plan, { patience: 600 });
      await live(life, "bring-up", async () => {
        await life.deployment.up(plan);
        await allRun(world(), life, plan);
      });
    }, 500_000);

    it("a pool that is removed while it rolls goes away after the doctor's command, and no other pool is touched", async () => {
      const plan = await planned(rolls);
      life.capacity.limit("stays", { most: 2, fewestReady: 2 });
      await live(life, "another image, and the pool is removed", async () => {
        await life.deployment.up(plan);
        const name = await inTheMiddle("goes", "MachinePool");
        const deletion = planned(removed).then((less) => life.deployment.up(less));
        deletion.catch(() => undefined);
        await until(`${name} is left alone`, 120, async () => {
          const left = await instances("goes");
          return left.length === 1 && left[0]?.metadata.name === name;
        });
        await sleep(severalTurnsMs);
        expect(await withoutMachine("goes")).toEqual([name]);
        await cure(name, "goes");
        await deletion;
      });
      expect(life.capacity.violations()).toEqual([]);
    }, 900_000);

    it("a destroy while a pool rolls ends, by itself or after the doctor's command, and leaves nothing in Azure", async () => {
      const plan = await planned(rollsAgain);
      life.capacity.unlimit();
      await live(life, "another image, and everything is destroyed", async () => {
        await life.deployment.up(plan);
        const name = await inTheMiddle("stays", "Cluster");
        // Cluster API may make the Machine before it deletes the pool: then nothing is held.
        const deletion = life.deployment.destroy();
        const ended = await Promise.race([deletion.then(() => true), sleep(300_000).then(() => false)]);
        if (!ended) {
          await cure(name, "stays");
        }
        await deletion;
      });
      const groups = [...life.deployment.others];
      expect(
        world()
          .arm.store.all()
          .map(({ id }) => id),
      ).toEqual(groups);
    }, 900_000);
  },
);
