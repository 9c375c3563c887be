import { brakeRollout } from "../../components/scaleDown/brake";
import { PoolClient } from "../../components/scaleDown/poolClient";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life, World } from "./harness";
import { allRun, live, livesIn, machines, shrink, slowPods } from "./lives";
import { planned, stackOf } from "./stacks";

/**
 * Nodes whose Pods take their time to end, as Windows applications do. CAPZ selects nodes again in each reconciliation, and
 * does not see that a Machine is being deleted before its drain is done. Nodes of a new pool are created within the same
 * second, and their order is then random. The first two tests hold what CAPZ v1.27.0 does wrong: when they fail because
 * CAPZ has changed, remove `drainsAtOnce` of plan/impact/machines.ts, components/scaleDown and the advice in docs/operations.md.
 */
const stack = (name: string, replicas: number, version: string) => ({
  ...stackOf(name, {
    // With one control plane machine Typha needs two more Linux nodes.
    linuxPools: { linux: { replicas: 2 } },
    windowsPools: {
      win: { replicas, image: { computeGallery: { gallery: "mine", name: "capi-windows", version } } },
    },
  }),
});

/** Brings a cluster up, and creates a Pod on each Windows node that does not end. */
async function withSlowPods(world: World, name: string, replicas: number): Promise<Life> {
  const plan = await planned(stack(name, replicas, "1.35.6"));
  const life = await world.begins(plan);
  await life.deployment.up(plan);
  await allRun(world, life, plan);
  await slowPods(life, "win");
  return life;
}

/** Windows Machines that are being deleted. */
const deleted = async (world: World, life: Life): Promise<string[]> =>
  (await machines(world, life))
    .filter(({ metadata }) => metadata.name.startsWith("win-") && metadata.deletionTimestamp !== undefined)
    .map(({ metadata }) => metadata.name)
    .sort();

/** Long enough for several reconciliations of a pool. */
const severalTurnsMs = 20_000;

livesIn("nodes that take their time to drain", {}, (world) => {
  it("a scale-down of CAPZ deletes more nodes than it should", async () => {
    const life = await withSlowPods(world(), "fewer", 6);
    const fewer = await planned(stack("fewer", 3, "1.35.6"));
    await live(life, "six nodes become three, and all six are drained", async () => {
      const up = life.deployment.up(fewer, { alone: true });
      up.catch(() => undefined);
      await until(
        "more than three Machines are deleted",
        60,
        async () => (await deleted(world(), life)).length > 3,
      );
    });
  }, 900_000);

  it("a rollout of CAPZ drains more nodes than its surge", async () => {
    const life = await withSlowPods(world(), "rolls", 4);
    const other = await planned(stack("rolls", 4, "1.35.7"));
    await live(life, "another image, and all old nodes are drained at once", async () => {
      const up = life.deployment.up(other);
      up.catch(() => undefined);
      await until(
        "more than one Machine is deleted",
        90,
        async () => (await deleted(world(), life)).length > 1,
      );
    });
  }, 900_000);

  it("a rollout that `up` looks after drains one node at a time", async () => {
    const life = await withSlowPods(world(), "looked", 4);
    const other = await planned(stack("looked", 4, "1.35.7"));
    await live(life, "another image, and one old node is drained", async () => {
      let isOver = false;
      const pool = { namespace: life.namespace, name: "win" };
      const brake = brakeRollout(new PoolClient(world().kube.send), pool, { isOver: () => isOver });
      await life.deployment.up(other);
      await until("a Machine is deleted", 90, async () => (await deleted(world(), life)).length > 0);
      await sleep(2 * severalTurnsMs);
      expect(await deleted(world(), life)).toHaveLength(1);
      isOver = true;
      await brake;
    });
  }, 900_000);

  it("marked Machines are deleted, and no others meanwhile, as docs/operations.md says", async () => {
    const life = await withSlowPods(world(), "marked", 6);
    const fewer = await planned(stack("marked", 3, "1.35.6"));
    const marked = ["win-1", "win-3", "win-5"];
    await live(life, "six nodes become three, which were marked", async () => {
      await shrink(world(), life, { pool: "win", marked, up: () => life.deployment.up(fewer) });
      await until("three Machines are deleted", 60, async () => (await deleted(world(), life)).length >= 3);
      await sleep(severalTurnsMs);
      expect(await deleted(world(), life)).toEqual(marked);
    });
  }, 900_000);
});
