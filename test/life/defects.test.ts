import type { Plan } from "../../plan/model/plan";
import { planOf } from "../support/plans";
import { until } from "./deploy";
import { allRun, live, livesIn } from "./lives";
import { impactOf, impactsBetween, planned, stackOf } from "./stacks";

const pools = (...names: readonly string[]) => ({
  // With one control plane machine Typha needs two more Linux nodes.
  linuxPools: { linux: { replicas: 2 } },
  windowsPools: Object.fromEntries(names.map((name) => [name, { replicas: 1 }])),
});
const before = stackOf("stall", pools("stays", "goes1", "goes2", "goes3", "goes4"));
const after = stackOf("stall", pools("stays"));

/** What CAPZ is given as --sync-period: from the plan's provider, else CAPZ's own default. */
function syncPeriod({ objects }: Plan): string {
  const provider = objects.management.find(({ object }) => object.kind === "InfrastructureProvider")?.object;
  return (provider?.spec as { manager?: { syncPeriod?: string } } | undefined)?.manager?.syncPeriod ?? "10m";
}

/** Findings of the reviews that the program has not mended yet. Mended, a test here fails: make it a plain one then. */
livesIn(
  "what is not as it should be",
  async () => ({ capzSyncPeriod: syncPeriod(await planned(before)) }),
  (world) => {
    let nodesCome: Promise<unknown>;

    beforeAll(async () => {
      const dev = await planOf("dev");
      const slow = await world().begins(dev, { operatorMs: 75_000 });
      nodesCome = live(
        slow,
        "bring-up with a Calico operator that comes after the Windows nodes",
        async () => {
          await slow.deployment.up(dev);
          await allRun(world(), slow, dev, 120);
        },
      );
      nodesCome.catch(() => undefined);
    }, 120_000);

    // L13: AzureMachinePool waits for its machines and is not asked again before CAPZ's resync.
    it.failing(
      "pools that are deleted are gone within a minute",
      async () => {
        const plan = await planned(before);
        const life = await world().begins(plan, { patience: 150 });
        await life.deployment.up(plan);
        await allRun(world(), life, plan);
        await live(life, "four pools deleted", async () => {
          const less = await planned(after);
          expect(impactOf(impactsBetween(plan, less), "pool-deleted", "goes1").nodes).toBe(1);
          await Promise.race([
            life.deployment.up(less),
            until("the pools are gone", 60, () => Promise.resolve(false)),
          ]);
        });
      },
      360_000,
    );

    // F1: the operator wants two Typha pods for three nodes, and there is one Linux node to run them.
    it.failing(
      "the nodes of dev become Ready, whoever comes first",
      async () => {
        await nodesCome;
      },
      300_000,
    );

    // F2: needs an API server that is 8 minutes late and 10 minutes more; measured by hand with the real managers.
    it.todo(
      "F2: Calico's Installation arrives within a minute after its CRD, however late the API server is",
    );
  },
);
