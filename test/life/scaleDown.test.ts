import { apiVersions } from "../../capi/apiVersions";
import { deleteAnnotation } from "capz-windows-platform/machines/scaleDown";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn, shrink, syncPeriod } from "./lives";
import { impactOf, impactsBetween, planned, stackOf } from "./stacks";

const stack = (replicas: number) =>
  stackOf("minute", {
    // With one control plane machine Typha needs two more Linux nodes.
    linuxPools: { linux: { replicas: 2 } },
    windowsPools: { win: { replicas }, hasty: { replicas } },
    wait: "nodes",
  });

/** As long as a user may take between two commands. */
const minuteMs = 60_000;

/**
 * A scale set becomes smaller, with the timers of CAPZ that users have. The second test holds what CAPZ v1.27.0 does wrong:
 * when it fails because CAPZ has changed, shorten packages/platform/machines/scaleDown.ts.
 */
livesIn(
  "a scale set becomes smaller",
  async () => ({ capzTimers: "users", capzSyncPeriod: syncPeriod(await planned(stack(4))) }),
  (world) => {
    let life: Life;
    const before = new Map<string, readonly string[]>();
    const stays = (pool: string): string[] =>
      life.capacity.count(pool).machines.filter((name) => before.get(pool)!.includes(name));

    beforeAll(async () => {
      const plans = { more: await planned(stack(4)), fewer: await planned(stack(2)) };
      const impact = impactOf(impactsBetween(plans.more, plans.fewer), "pool-scales-down", "pool win ");
      expect(impact.what).toBe("Windows pool win loses 2 of 4 nodes");
      life = await world().begins(plans.more, { patience: 400 });
      await live(life, "bring-up", async () => {
        await life.deployment.up(plans.more);
        await allRun(world(), life, plans.more);
      });
      for (const pool of ["win", "hasty"]) {
        before.set(pool, life.capacity.count(pool).machines);
        life.capacity.measure(pool);
      }
      life.capacity.limit("win", { most: 4, fewestReady: 2 });
      await live(life, "four nodes become two, with a minute between two commands", async () => {
        for (const name of ["hasty-0", "hasty-2"]) {
          const metadata = { name, namespace: life.namespace, annotations: { [deleteAnnotation]: "yes" } };
          await world().kube.patch({ apiVersion: apiVersions.cluster, kind: "Machine", metadata });
        }
        await shrink(world(), life, {
          ...{ pool: "win", marked: ["win-0", "win-2"], pauseMs: minuteMs },
          up: () => life.deployment.up(plans.fewer),
        });
        await allRun(world(), life, plans.fewer);
        // CAPZ must not go on with other nodes.
        await sleep(minuteMs / 2);
      });
    }, 900_000);

    it("with a minute between any two commands that the plan prints, the marked Machines go and no others", () => {
      expect(stays("win")).toEqual([before.get("win")![1], before.get("win")![3]]);
      expect(life.capacity.extremesOf("win").seen.size).toBe(4);
      expect(life.capacity.violations()).toEqual([]);
    });

    it("a minute after marks without a pause, every node has been replaced", async () => {
      await until("hasty has two nodes", 60, () =>
        Promise.resolve(life.capacity.count("hasty").machines.length === 2),
      );
      expect(stays("hasty")).toEqual([]);
    });
  },
);
