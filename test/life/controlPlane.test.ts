import type { KubernetesObject } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import { at } from "capz-windows-kit/untyped";
import { scheduleOf } from "../../plan/impact/schedule";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { until } from "./deploy";
import { controlPlaneName } from "capz-windows-platform/cluster/naming";
import type { Life, WorldOptions } from "./harness";
import { allRun, deletedMachines, inOrder, live, livesIn, syncPeriod } from "./lives";
import { image, impactOf, impactsBetween, planned, stackOf } from "./stacks";
import { bootstrapData, completed } from "./support/writtenData";
import type { Entry } from "./timeline";

/**
 * Factor by which the timeouts of health checks, the boot of machines and the network are shortened: 15 minutes without
 * a network become 56 seconds. Timers of Cluster API that no object sets are not shortened.
 */
const haste = 16;

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
const stackAt = (version: string) =>
  stackOf("late", {
    ...three,
    kubernetesVersion: version,
    linuxPools: { linux: { replicas: 2, ...image(version.slice(1)) } },
    windowsPools: { win1: { replicas: 2, ...image(version.slice(1)) } },
  });

/** With the timers of CAPZ that users have. */
const userTimers = async (): Promise<WorldOptions> => ({
  capzTimers: "users",
  capzSyncPeriod: syncPeriod(await planned(stackAt("v1.35.6"))),
});

livesIn("a control plane of three", userTimers, (world) => {
  let life: Life;
  let birth: Plan;
  let done: Plan;
  let deleted: string[];
  let unhealthy: string[];
  let waited: number;

  beforeAll(async () => {
    birth = await planned(stackAt("v1.35.6"));
    done = await planned(stackAt("v1.36.2"));
    life = await world().begins(birth, {
      networkNotBeforeMs: 900_000 / haste,
      patience: 400,
      transform: hastened,
    });
    // The first machine boots quickly, so that it has long been without a network when the second one joins.
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
  }, 700_000);

  // Whether an unhealthy machine is deleted depends on which comes first, the health check or the next machine.
  it("no machine is marked unhealthy or deleted while the network is late", () => {
    expect({ unhealthy, deleted }).toEqual({ unhealthy: [], deleted: [] });
  });

  it("everything runs within a minute after the network is ready", () => {
    expect(waited).toBeLessThan(60);
  });

  it("a machine that joins the control plane has the user data of the plan", async () => {
    const { kube } = world();
    const real = await bootstrapData(
      kube,
      life.namespace,
      ({ metadata, spec }) =>
        metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined &&
        at(spec, "joinConfiguration", "controlPlane") !== undefined,
    );
    const { text } = birth.nodes.find(({ path }) => path === "control-plane/user-data-join.txt")!;
    expect(real).toBe(await completed(kube, text, life.namespace, real!));
  });

  describe("an upgrade by one line, one `up`, which is killed once and run again", () => {
    let upgrade: Entry[];

    beforeAll(async () => {
      for (const group of ["control-plane", "linux", "win1"]) {
        life.capacity.measure(group);
      }
      life.capacity.limit("control-plane", { most: 4, fewestReady: 3 });
      // All old nodes of a pool may be drained at once, as the plan says.
      life.capacity.limit("linux", { most: 3 });
      life.capacity.limit("win1", { most: 3 });
      life.cluster.options.bootMs = 10_000;
      const controlPlane = `KubeadmControlPlane ${controlPlaneName("late")}`;
      upgrade = await live(life, "upgrade to v1.36.2", async () => {
        await life.deployment.up(done, { killedAt: controlPlane });
        await until("the first new control plane machine", 120, () =>
          Promise.resolve(life.capacity.extremesOf("control-plane").seen.size > 3),
        );
        await life.deployment.up(done);
        await until("every kubelet is v1.36.2", 200, () =>
          Promise.resolve(
            life.cluster.running().every(({ facts }) => facts.version === "v1.36.2") &&
              ["linux", "win1"].every((pool) => {
                const { ready, machines: there } = life.capacity.count(pool);
                return ready === 2 && there.length === 2;
              }),
          ),
        );
        await allRun(world(), life, done);
        await until("the last old machine is gone", 60, () =>
          Promise.resolve(
            life.timeline.entries.filter(
              ({ object, what }) => what === "gone" && object.startsWith("Machine win1-"),
            ).length === 2,
          ),
        );
      });
    }, 700_000);

    it("replaces every machine within its limits, and no kubelet is ever newer than an API server", () => {
      expect(life.capacity.violations()).toEqual([]);
      const impacts = impactsBetween(birth, done);
      expect(impactOf(impacts, "control-plane-rolls").nodes).toBe(3);
      expect(life.capacity.extremesOf("control-plane").seen.size).toBe(6);
      for (const pool of ["linux", "win1"]) {
        expect(impactOf(impacts, "pool-rolls", pool).nodes).toBe(2);
        expect(life.capacity.extremesOf(pool).seen.size).toBe(4);
      }
    });

    it("takes as long as the plan estimates, within 20 %", () => {
      // The boot is that of the simulation: its operation of Azure, bootMs and networkMs.
      const minutes = {
        ...{ boot: { linux: 13 / 60, windows: 13 / 60 }, drain: 0, remove: 0.2 },
        ...{ notice: estimatedMinutes.notice, source: "the simulation" },
      };
      const clusters = { base: birth.cluster, head: done.cluster };
      const schedule = scheduleOf(impactsBetween(birth, done), clusters, minutes)!;
      const start = upgrade[0]!.seconds;
      const ends = ["late-control-plane", "linux", "win1"].map((group) => {
        const gone = upgrade.filter(
          ({ object, what }) => what === "gone" && object.startsWith(`Machine ${group}-`),
        );
        return gone.at(-1)!.seconds - start;
      });
      // One pool after the other.
      let end = 0;
      const ratios = schedule.pools.map(({ minutes: { least } }, index) => {
        end += least * 60;
        return end / ends[index]!;
      });
      process.stdout.write(`estimated against observed: ${JSON.stringify({ ends, ratios })}\n`);
      expect(schedule.pools.map(({ who }) => who)).toEqual([
        "control plane",
        "Linux pool linux",
        "Windows pool win1",
      ]);
      expect(ratios.every((ratio) => Math.abs(ratio - 1) < 0.2)).toBe(true);
    });

    it("has the order of the plan: control plane, add-ons, Linux, Windows", () => {
      expect(impactOf(impactsBetween(birth, done), "upgrade-in-order").what).toContain(
        "control plane; add-ons cloud-provider-azure and kube-proxy-windows; Linux pools linux; Windows pools win1",
      );
      const gone = (object: RegExp) => (entry: Entry) =>
        entry.where === "azure" && entry.what === "deleted" && object.test(entry.object);
      const addon = ({ where, object, what }: Entry) =>
        where === "pulumi" &&
        what === "updated" &&
        /^ConfigMap late-(kube-proxy|cloud-provider)/.test(object);
      const begins = ({ where, object, what }: Entry) =>
        where === "pulumi" && what === "updated" && object === "MachinePool win1";
      expect(
        inOrder(
          upgrade,
          gone(/^virtualMachines late-/),
          addon,
          gone(/^virtualMachineScaleSets\/virtualMachines linux\//),
          begins,
          gone(/^virtualMachineScaleSets\/virtualMachines win1\//),
        ),
      ).toBe(true);
    });
  });
});
