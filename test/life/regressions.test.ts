import { planOf } from "../support/plans";
import { allRun, inOrder, live, livesIn, syncPeriod } from "./lives";
import { impactOf, impactsBetween, planned, stackOf } from "./stacks";
import type { Entry } from "./timeline";

const pools = (...names: readonly string[]) => ({
  // With one control plane machine Typha needs two more Linux nodes.
  linuxPools: { linux: { replicas: 2 } },
  windowsPools: Object.fromEntries(names.map((name) => [name, { replicas: 1 }])),
});
const before = stackOf("stall", pools("stays", "goes1", "goes2", "goes3", "goes4"));
const after = stackOf("stall", pools("stays"));

/** Findings of reviews that only a running cluster can show. */
livesIn(
  "what went wrong once",
  async () => ({ capzSyncPeriod: syncPeriod(await planned(before)) }),
  (world) => {
    let nodesCome: Promise<Entry[]>;

    beforeAll(async () => {
      const dev = await planOf("dev");
      const slow = await world().begins(dev, { operatorMs: 75_000 });
      nodesCome = live(
        slow,
        "bring-up with a Calico operator that comes after the Windows nodes",
        async () => {
          await slow.deployment.up(dev);
          // Cluster API tries again after 41, 82 and 164 seconds, as long as there is no operator.
          await allRun(world(), slow, dev, 240);
        },
      );
      nodesCome.catch(() => undefined);
    }, 120_000);

    // L13: an AzureMachinePool that waits for its machines is not reconciled again before CAPZ's resync.
    it("a deleted pool is gone after the next resync of CAPZ, which is once a minute", async () => {
      const plan = await planned(before);
      const life = await world().begins(plan, { patience: 150 });
      await life.deployment.up(plan);
      await allRun(world(), life, plan);
      const less = await planned(after);
      expect(impactOf(impactsBetween(plan, less), "pool-deleted", "goes1").nodes).toBe(1);
      const entries = await live(life, "four pools deleted, one after another", () =>
        life.deployment.up(less),
      );
      const seconds = entries.flatMap(({ object, what }) => {
        const [, took] = /^deleted after ([\d.]+) s$/.exec(what) ?? [];
        return object.startsWith("MachinePool goes") && took !== undefined ? [Number(took)] : [];
      });
      expect(seconds).toHaveLength(4);
      expect(Math.max(...seconds)).toBeLessThan(80);
    }, 500_000);

    // F1: Calico's operator wants as many Linux nodes as Typha has replicas.
    it("the nodes of dev become Ready, in whatever order they join", async () => {
      await nodesCome;
    }, 400_000);

    // F2: after each attempt without an API server, Cluster API waits longer until the next one.
    it("Calico's set is created after the API server answers, and not earlier", async () => {
      const answers = (what: string) => what.includes("waited") && what.includes("controlPlaneInitialized");
      expect(
        inOrder(
          await nodesCome,
          ({ object, what }) => object === "Cluster dev" && answers(what),
          ({ object, what }) => object === "ClusterResourceSet dev-calico" && what === "created",
        ),
      ).toBe(true);
    }, 300_000);
  },
);
