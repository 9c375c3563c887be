import type { KubernetesObject } from "../../domain/capi/types";
import type { Plan } from "../../plan/model/plan";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, deletedMachines, live, livesIn, machines } from "./lives";
import { impactOf, impactsBetween, planned, stackOf } from "./stacks";

/**
 * Time goes faster by this factor in the health checks, the boot of machines and the network: 15 minutes without a
 * network are 56 seconds. Timers of Cluster API that no object holds run as they are.
 */
const haste = 16;

const image = (version: string) => ({
  image: { computeGallery: { gallery: "mine", name: "capi-windows", version } },
});

function hastened(object: KubernetesObject): KubernetesObject {
  return object.kind !== "MachineHealthCheck"
    ? object
    : (JSON.parse(
        JSON.stringify(object, (key, value: unknown) =>
          key.endsWith("Seconds") && typeof value === "number"
            ? Math.max(1, Math.round(value / haste))
            : value,
        ),
      ) as KubernetesObject);
}

const three = { controlPlane: { replicas: 3 } };
const at = (version: string, pool: string, more: object = {}) =>
  stackOf("late", {
    ...three,
    kubernetesVersion: version,
    windowsPools: { win1: { replicas: 2, kubernetesVersion: pool, ...image(pool.slice(1)), ...more } },
  });

livesIn("a control plane of three", {}, (world) => {
  let life: Life;
  let birth: Plan;
  let upgraded: Plan;
  let done: Plan;
  let deleted: string[];
  let unhealthy: string[];
  let waited: number;

  beforeAll(async () => {
    birth = await planned(at("v1.35.6", "v1.35.6"));
    upgraded = await planned(at("v1.36.2", "v1.35.6"));
    done = await planned(at("v1.36.2", "v1.36.2"));
    life = await world().begins(birth, { networkNotBeforeMs: 900_000 / haste, transform: hastened });
    // The first machine is quick, so that it has been without a network for long when the second one joins.
    life.timeline.onEntry(({ what }) => {
      if (what.startsWith("kubeadm init")) {
        life.cluster.options.bootMs = 240_000 / haste;
      }
    });
    const entries = await live(life, "bring-up with a network that is 15 minutes late", async () => {
      await life.deployment.up(birth);
      await until("the first node is Ready", 200, () =>
        Promise.resolve(life.cluster.running().some(({ node }) => node === "ready")),
      );
      const network = life.timeline.now();
      life.cluster.options.bootMs = 1000;
      await allRun(world(), life, birth, 200);
      waited = life.timeline.now() - network;
    });
    deleted = deletedMachines(entries);
    unhealthy = entries
      .filter(({ what }) => what.includes("Health check failed"))
      .map(({ object, what }) => `${object}: ${what}`);
  }, 500_000);

  // Whether an unhealthy machine is deleted hangs on who comes first, the check or the next machine.
  it("no machine is called unhealthy or deleted while the network is late", () => {
    expect({ unhealthy, deleted }).toEqual({ unhealthy: [], deleted: [] });
  });

  it("everything runs within a minute after the network is there", () => {
    expect(waited).toBeLessThan(60);
  });

  describe("an upgrade by one minor, in the two steps of the README", () => {
    beforeAll(async () => {
      life.capacity.measure("control-plane");
      life.capacity.measure("win1");
      life.capacity.limit("control-plane", { most: 4, fewestReady: 3 });
      life.capacity.limit("win1", { most: 2, fewestReady: 2 });
      await live(life, "upgrade of the control plane to v1.36.2", async () => {
        await life.deployment.up(upgraded);
        await until("every control plane machine is v1.36.2", 200, async () => {
          const found = await machines(world(), life);
          const own = found.filter(
            ({ metadata }) => "cluster.x-k8s.io/control-plane" in (metadata.labels ?? {}),
          );
          return own.length === 3 && own.every(({ spec }) => spec?.version === "v1.36.2");
        });
        await allRun(world(), life, upgraded);
      });
    }, 300_000);

    it("the control plane rolls as the plan says, and the pool is not touched", () => {
      const impacts = impactsBetween(birth, upgraded);
      expect(impactOf(impacts, "control-plane-rolls").nodes).toBe(3);
      expect(life.capacity.extremesOf("control-plane").seen.size).toBe(6);
      expect(life.capacity.extremesOf("win1").seen.size).toBe(2);
      expect(life.capacity.violations()).toEqual([]);
    });

    it("then the pool", async () => {
      life.capacity.limit("win1", { most: 3, fewestReady: 2 });
      await live(life, "upgrade of the pool", async () => {
        await life.deployment.up(done);
        await until("every kubelet is v1.36.2", 120, () =>
          Promise.resolve(
            life.cluster.running().every(({ facts }) => facts.version === "v1.36.2") &&
              life.capacity.count("win1").ready === 2 &&
              life.capacity.count("win1").machines.length === 2,
          ),
        );
      });
      expect(impactOf(impactsBetween(upgraded, done), "pool-rolls", "win1").nodes).toBe(2);
      expect(life.capacity.violations()).toEqual([]);
    }, 200_000);
  });
});
