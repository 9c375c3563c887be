import { minor } from "semver";
import type { Plan } from "../../plan/model/plan";
import { sleep } from "./azure/clock";
import { azureErrors } from "./azure/faults";
import { keyOf, type Resource } from "./azure/resource";
import { imageText } from "./azure/scaleSets";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, budgetOf, deletionOf, inOrder, live, livesIn, slowPods } from "./lives";
import { image, impactOf, impactsBetween, planned, sideBySide, stackOf } from "./stacks";
import type { Entry } from "./timeline";

/**
 * What goes wrong in a month of a production cluster while machines are replaced: a PodDisruptionBudget, a management cluster that is away,
 * no quota, a change that is taken back, evictions that nobody allows. Each ends by a plain `up`.
 */

/** With one control plane machine Typha needs two more Linux nodes. */
const linuxPools = { linux: { replicas: 2 } };

const stack = (pools: Readonly<Record<string, string>>) =>
  stackOf("motion", {
    linuxPools,
    windowsPools: Object.fromEntries(
      Object.entries(pools).map(([pool, version]) => [pool, { replicas: 2, ...image(version) }]),
    ),
  });

const images = { away: "1.35.6", quota: "1.35.6", back: "1.35.6" };

livesIn("nodes that are replaced or removed while something else goes wrong", {}, (world) => {
  let life: Life;
  let now: Plan;

  const instances = (pool: string): Resource[] =>
    world()
      .arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines")
      .filter(({ id }) => keyOf(id).includes(`/virtualmachinescalesets/${pool}/`));
  const allOf = (pool: string, version: string): boolean =>
    instances(pool).length === 2 &&
    instances(pool).every((instance) => imageText(instance) === `capi-windows/${version}`) &&
    life.capacity.count(pool).ready === 2;

  /** Brings the stack to other images, and prints the plan's words beside what happened to the pool. */
  async function goesTo(
    pool: string,
    next: Plan,
    title: string,
    happens: () => Promise<void>,
  ): Promise<{ most: number; fewestReady: number; machines: number }> {
    const impact = impactOf(impactsBetween(now, next), "pool-rolls", pool);
    life.capacity.measure(pool);
    await live(life, title, happens);
    now = next;
    const { most, fewestReady, seen } = life.capacity.extremesOf(pool);
    sideBySide(impact, `${seen.size - 2} nodes replaced, most ${most}, fewest Ready ${fewestReady} of 2`);
    expect(impact.nodes).toBe(2);
    return { most, fewestReady, machines: seen.size };
  }

  beforeAll(async () => {
    now = await planned(stack({ ...images, gone: "1.35.6" }));
    life = await world().begins(now, { patience: 400 });
    await live(life, "bring-up", async () => {
      await life.deployment.up(now);
      await allRun(world(), life, now, 300);
    });
  }, 900_000);

  it("a removed pool is drained, and its scale set stays while a PodDisruptionBudget holds a node", async () => {
    const { kube } = life.cluster.options;
    const next = await planned(stack(images));
    const impact = impactOf(impactsBetween(now, next), "pool-deleted", "gone");
    const evicted = await slowPods(life, "gone", { finalizer: false });
    await kube.create(budgetOf("gone"));
    const entries = await live(life, "a pool is removed under a PodDisruptionBudget", async () => {
      const up = life.deployment.up(next);
      up.catch(() => undefined);
      await until("its nodes are cordoned", 120, async () => {
        const nodes = await kube.list({ apiVersion: "v1", kind: "Node" });
        const its = nodes.filter(({ metadata }) => metadata.name.startsWith("gone"));
        return its.length === 2 && its.every(({ spec }) => spec?.unschedulable === true);
      });
      await sleep(20_000);
      expect(life.capacity.count("gone")).toMatchObject({ ready: 2 });
      life.timeline.add("test", "PodDisruptionBudget gone", "deleted");
      await kube.delete(budgetOf("gone"));
      await until("the pods are evicted", 120, async () => {
        await evicted();
        return life.capacity.count("gone").machines.length === 0;
      });
      await up;
    });
    now = next;
    sideBySide(impact, `${deletedIn(entries, "gone")} nodes drained and deleted, then the scale set`);
    expect(impact.nodes).toBe(2);
    const allowed = ({ object, what }: Entry) => object === "PodDisruptionBudget gone" && what === "deleted";
    expect(
      inOrder(
        entries,
        allowed,
        deletionOf(/virtualMachines gone/),
        deletionOf(/virtualMachineScaleSets gone$/),
      ),
    ).toBe(true);
  }, 900_000);

  it("a roll goes on after the quota was lost and given back, and no node is missing meanwhile", async () => {
    const next = await planned(stack({ ...images, quota: "1.35.7" }));
    const fault = { method: "PUT", path: /virtualMachineScaleSets\/quota$/i, ...azureErrors.quota };
    const { fewestReady, machines } = await goesTo("quota", next, "no quota for two minutes", async () => {
      const { lift, met } = world().arm.faults.add(fault);
      await life.deployment.up(next);
      await sleep(120_000);
      expect(met()).toBeGreaterThan(1);
      expect(life.capacity.count("quota")).toMatchObject({ ready: 2 });
      life.timeline.add("test", "quota", "given back");
      lift();
      await until("the new image is everywhere", 300, () => Promise.resolve(allOf("quota", "1.35.7")));
    });
    expect({ fewestReady, machines }).toEqual({ fewestReady: 2, machines: 4 });
  }, 900_000);

  it("an image that is taken back in the middle of its roll ends with the former one on every node", async () => {
    const windows = { ...images, quota: "1.35.7" };
    const next = await planned(stack({ ...windows, back: "1.35.7" }));
    const former = now;
    const { fewestReady, most } = await goesTo("back", next, "image A, B, A", async () => {
      await life.deployment.up(next);
      await until("the first node of B is Ready", 200, () =>
        Promise.resolve(
          life.cluster
            .running()
            .some(
              ({ node, plan, facts }) =>
                node === "ready" && plan.nodeName.startsWith("back") && facts.version === "v1.35.7",
            ),
        ),
      );
      await life.deployment.up(former);
      await until("A is everywhere again", 400, () => Promise.resolve(allOf("back", "1.35.6")));
    });
    now = former;
    expect(fewestReady).toBe(2);
    expect(most).toBeLessThanOrEqual(4);
  }, 900_000);

  it("a roll goes on after the management cluster was away for five minutes, and no node is missing meanwhile", async () => {
    const windows = { ...images, quota: "1.35.7" };
    const next = await planned(stack({ ...windows, away: "1.35.7" }));
    const { fewestReady, machines } = await goesTo(
      "away",
      next,
      "the management cluster is away",
      async () => {
        await life.deployment.up(next);
        await until("the surge is there", 120, () => Promise.resolve(instances("away").length === 3));
        await world().managementAway(300);
        await until("the new image is everywhere", 400, () => Promise.resolve(allOf("away", "1.35.7")));
      },
    );
    expect({ fewestReady, machines }).toEqual({ fewestReady: 2, machines: 4 });
  }, 1_200_000);
});

livesIn("two minors with evictions that nobody allows", {}, (world) => {
  const at = (version: string) =>
    stackOf("minors", {
      kubernetesVersion: version,
      linuxPools: { linux: { replicas: 2, ...image(version.slice(1)) } },
      windowsPools: { win: { replicas: 2, ...image(version.slice(1)) } },
    });

  it("wait for the Pods, keep the version skew, and end with the second minor everywhere", async () => {
    const plans = [
      await planned(at("v1.34.9")),
      await planned(at("v1.35.6")),
      await planned(at("v1.36.2")),
    ] as const;
    const [birth, first, second] = plans;
    const life = await world().begins(birth, { patience: 400 });
    await live(life, "bring-up", async () => {
      await life.deployment.up(birth);
      await allRun(world(), life, birth, 300);
    });
    const { kube } = life.cluster.options;
    const evicted = await slowPods(life, "win", { finalizer: false });
    await kube.create(budgetOf("win"));
    const old = life.capacity.count("win").machines;
    // Both may stop at once as soon as their Pods may go, as the plan says; the surge is there by then.
    life.capacity.limit("win", { fewestReady: 1 });
    await live(life, "two minors while a PodDisruptionBudget holds two nodes", async () => {
      for (const plan of [first, second]) {
        await life.deployment.up(plan);
        await until(`the control plane is ${plan.settings.kubernetesVersion}`, 300, () =>
          Promise.resolve(
            life.cluster.apiVersions().every((version) => version === plan.settings.kubernetesVersion),
          ),
        );
        await sleep(30_000);
        // Their Pods may not be evicted.
        expect(life.capacity.count("win").machines).toEqual(expect.arrayContaining(old));
      }
      life.timeline.add("test", "PodDisruptionBudget win", "deleted");
      await kube.delete(budgetOf("win"));
      await until("every kubelet is v1.36.2", 400, async () => {
        await evicted();
        const { machines, ready } = life.capacity.count("win");
        const versions = life.cluster.running().map(({ facts }) => facts.version);
        return machines.length === 2 && ready === 2 && versions.every((version) => version === "v1.36.2");
      });
      await allRun(world(), life, second);
    });
    for (const [before, after] of [
      [birth, first],
      [first, second],
    ] as const) {
      const impact = impactOf(impactsBetween(before, after), "pool-rolls", "win");
      expect(impact.why).toContain("may all be drained at once");
      sideBySide(
        impact,
        `2 old nodes held in 1.${minor(after.settings.kubernetesVersion)}, then both drained at once`,
      );
    }
    expect(life.capacity.violations()).toEqual([]);
  }, 1_800_000);
});

/** Instances of a scale set that Azure has deleted. */
const deletedIn = (entries: readonly Entry[], pool: string): number =>
  entries.filter(deletionOf(new RegExp(`virtualMachines ${pool}/`))).length;
