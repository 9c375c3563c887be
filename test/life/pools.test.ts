import type { Impact } from "../../plan/impact/impact";
import type { Plan } from "../../plan/model/plan";
import { textAt } from "capz-windows-kit/untyped";
import { azureErrors } from "./azure/faults";
import { keyOf, type Resource } from "./azure/resource";
import { imageText } from "./azure/scaleSets";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn, shrink } from "./lives";
import { birth, changed, changedAgain, grown, upgraded } from "./poolStacks";
import { impactOf, impactsBetween, planned, poolsOf } from "./stacks";

livesIn("the pools of a cluster", {}, (world) => {
  let life: Life;
  let plans: { readonly birth: Plan; readonly changed: Plan; readonly grown: Plan };
  let impacts: Impact[];
  let rolled: Plan;
  /** Machines of each pool before the change. */
  const before = new Map<string, readonly string[]>();

  const instances = (pool: string): Resource[] =>
    world()
      .arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines")
      .filter(({ id }) => keyOf(id).includes(`/${pool}/virtualmachines/`));

  const replaced = (pool: string): number => {
    const now = life.capacity.count(pool).machines;
    return before.get(pool)!.filter((name) => !now.includes(name)).length;
  };

  beforeAll(async () => {
    plans = {
      birth: await planned(birth),
      changed: await planned(changed),
      grown: await planned(grown),
    };
    impacts = impactsBetween(plans.birth, plans.changed);
    life = await world().begins(plans.birth);
    await live(life, "bring-up", async () => {
      await life.deployment.up(plans.birth);
      await allRun(world(), life, plans.birth);
    });
    for (const { name } of poolsOf(plans.birth)) {
      before.set(name, life.capacity.count(name).machines);
      life.capacity.measure(name);
    }
    // All old nodes may be drained at once, as the plan says.
    life.capacity.limit("roll", { most: 4 });
    life.capacity.limit("boot", { most: 1, fewestReady: 1 });
    life.capacity.limit("size", { most: 3, fewestReady: 2 });
    life.capacity.limit("disk", { most: 1, fewestReady: 1 });
    life.capacity.limit("down", { most: 3, fewestReady: 1 });
    await live(life, "a change of each sort", async () => {
      const up = () => life.deployment.up(plans.changed);
      await shrink(world(), life, { pool: "down", marked: ["down-1", "down-2"], up });
      await until("the new image is everywhere", 120, () =>
        Promise.resolve(
          instances("roll").every((instance) => imageText(instance) === "capi-windows/1.35.7") &&
            instances("roll").length === 3 &&
            instances("down").length === 1 &&
            instances("size").length === 2,
        ),
      );
      await allRun(world(), life, plans.changed);
    });
  }, 400_000);

  it("a new image: every node is replaced, within the limits, as the plan says", () => {
    const impact = impactOf(impacts, "pool-rolls", "roll");
    expect(impact.what).toBe("Windows pool roll rolls: 3 nodes replaced, surge 1");
    expect(replaced("roll")).toBe(impact.nodes);
    expect(impact.why).toContain("may all be drained at once");
    expect(life.capacity.extremesOf("roll")).toMatchObject({ most: 4 });
  });

  it("other bootstrap data: no node is touched, as the plan says", () => {
    const impact = impactOf(impacts, "pool-bootstrap-new-nodes-only", "boot");
    expect([impact.nodes, replaced("boot")]).toEqual([0, 0]);
  });

  it("another VM size: as many nodes are renewed as the plan says", () => {
    const impact = impactOf(impacts, "pool-partly-renewed", "size");
    expect(replaced("size")).toBe(impact.nodes);
    expect(instances("size").map(({ sku }) => sku?.name)).toContain("Standard_D8s_v5");
  });

  it("a larger OS disk: no node is touched, as the plan says", () => {
    const impact = impactOf(impacts, "pool-machine-new-nodes-only", "disk");
    expect([impact.nodes, replaced("disk")]).toEqual([0, 0]);
  });

  it("a renamed pool: the old one is deleted before the new one has a node", () => {
    expect(impactOf(impacts, "pool-deleted", "pool gone is deleted").nodes).toBe(1);
    expect(replaced("gone")).toBe(1);
    const at = (text: RegExp) =>
      life.timeline.entries.find(({ object, what }) => text.test(`${object}: ${what}`))!.seconds;
    expect(at(/^renam00000\w: Ready/)).toBeGreaterThan(at(/^gone00000\w: stopped/));
  });

  it("fewer nodes: as many are deleted as the plan says", () => {
    expect(impactOf(impacts, "pool-scales-down", "down").nodes).toBe(replaced("down"));
  });

  describe("after a scale-up", () => {
    beforeAll(async () => {
      life.capacity.unlimit();
      const set = /virtualMachineScaleSets\//.source;
      const { faults } = world().arm;
      const met = [
        faults.add({ method: "PUT", path: new RegExp(`${set}down$`), times: 2, ...azureErrors.quota }),
        faults.add({ method: "PUT", path: new RegExp(`${set}renam$`), times: 2, ...azureErrors.throttled }),
        faults.add({ method: "GET", path: new RegExp(`${set}boot$`), times: 2, ...azureErrors.unavailable }),
        faults.add({ method: "GET", path: new RegExp(`${set}disk$`), times: 1, ...azureErrors.conflict }),
        faults.add({ method: "GET", path: new RegExp(`${set}disk$`), times: 1, ...azureErrors.internal }),
      ];
      world().arm.store.setProperties(instances("roll")[0]!.id, { provisioningState: "Failed" });
      life.capacity.measure("roll");
      await live(life, "scale-up, errors of Azure, a failed instance", async () => {
        await life.deployment.up(plans.grown);
        await until("the failed instance is gone", 90, () =>
          Promise.resolve(
            instances("roll").every(({ properties }) => properties.provisioningState === "Succeeded") &&
              instances("roll").length === 3,
          ),
        );
        await allRun(world(), life, plans.grown);
      });
      expect(met.map((fault) => fault.met())).toEqual([2, 2, 2, 1, 1]);
    }, 300_000);

    it("quota, throttling, 409 and 5xx are overcome, and the pools get their sizes", () => {
      expect(["down", "renam", "boot", "disk"].map((pool) => life.capacity.count(pool))).toMatchObject(
        Array.from({ length: 4 }, () => ({ ready: 2 })),
      );
    });

    it("Azure's error is in the timeline", () => {
      const lines = life.timeline.entries.filter(({ object }) => object === "AzureMachinePool down");
      expect(lines.map(({ what }) => what).join("\n")).toContain(
        "exceeding approved standardDSv5Family Cores quota",
      );
    });

    it("a failed instance is replaced, and no other one", () => {
      expect(life.capacity.extremesOf("roll")).toMatchObject({ fewestReady: 2 });
      expect(life.capacity.extremesOf("roll").seen.size).toBe(4);
    });

    it("a new node has the new bootstrap data", () => {
      const data = instances("boot").map((instance) =>
        Buffer.from(world().arm.bootData(instance)!.customData, "base64").toString().includes("echo changed"),
      );
      expect(data).toEqual([false, true]);
    });

    // If a pool is only scaled up, CAPZ does not send its model to Azure.
    it("a new node still has the old OS disk, as the plan says, until the next change that rolls", () => {
      const sizes = instances("disk").map(({ properties }) =>
        JSON.stringify((properties.storageProfile as { osDisk: { diskSizeGB: number } }).osDisk.diskSizeGB),
      );
      expect(sizes).toEqual(["128", "128"]);
    });

    it("the limits were kept all the time", () => {
      expect(life.capacity.violations()).toEqual([]);
    });
  });

  it("a rollout continues within its limits after every manager was killed", async () => {
    rolled = await planned(changedAgain);
    const next = rolled;
    life.capacity.measure("roll");
    life.capacity.limit("roll", { most: 4 });
    await live(life, "a roll, and every manager is killed (SIGKILL)", async () => {
      await life.deployment.up(next);
      await until("the surge is there", 60, () => Promise.resolve(instances("roll").length === 4));
      for (const manager of ["capz", "capi-core", "capi-kubeadm-bootstrap", "capi-kubeadm-control-plane"]) {
        life.timeline.add("test", manager, "killed");
        await world().killManager(manager);
        life.timeline.add("test", manager, "started");
      }
      await until("the new image is everywhere", 180, () =>
        Promise.resolve(
          instances("roll").length === 3 &&
            instances("roll").every((instance) => imageText(instance) === "capi-windows/1.35.8"),
        ),
      );
      await allRun(world(), life, next);
    });
    expect(life.capacity.violations()).toEqual([]);
    expect(textAt(impactOf(impactsBetween(plans.grown, next), "pool-rolls"), "what")).toContain(
      "3 nodes replaced, surge 1",
    );
  }, 400_000);

  it("in an upgrade of everything in one `up`, the pool waits for the only machine of the control plane", async () => {
    const next = await planned(upgraded);
    expect(impactOf(impactsBetween(rolled, next), "upgrade-in-order").why).toContain("no kubelet");
    await live(life, "an upgrade of everything at once", async () => {
      await life.deployment.up(next);
      await until("every control plane machine and the pool are new", 150, () =>
        Promise.resolve(
          life.cluster.apiVersions().every((version) => version === "v1.36.2") &&
            instances("roll").length === 3 &&
            instances("roll").every((instance) => imageText(instance) === "capi-windows/1.36.2"),
        ),
      );
      await allRun(world(), life, next);
    });
    expect(life.capacity.violations()).toEqual([]);
  }, 240_000);
});
