import { minimal } from "../support/stacks";
import { lateErrors } from "./azure/faults";
import { keyOf, type Resource } from "./azure/resource";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn } from "./lives";
import { planned, stackOf } from "./stacks";

const stack = (replicas: number) =>
  stackOf("late", {
    // A region without zones, in which CAPZ makes availability sets.
    azure: { ...(minimal().azure as object), location: "northcentralus" },
    // With one control plane machine Typha needs two more Linux nodes.
    linuxPools: { linux: { replicas: 2 } },
    windowsPools: {
      alloc: { replicas },
      zone: { replicas },
      boot: { replicas },
      empty: { replicas },
      // Takes no part in the errors; its machine has what those of scale sets cannot have.
      single: {
        kind: "MachineDeployment",
        replicas: 1,
        image: { computeGallery: { gallery: "mine", name: "capi-windows", version: "1.35.6" } },
        trustedLaunch: { secureBoot: false, vTpm: true },
        dataDisks: [{ name: "data", sizeGB: 64, letter: "F" }],
        additionalNetworkInterfaces: [{}],
        vmExtensions: [{ name: "agent", publisher: "Example", version: "1.0", settings: { level: "all" } }],
      },
    },
  });

/** Azure accepts a larger scale set, and its operation fails later. */
livesIn("operations of Azure that fail after they were accepted", {}, (world) => {
  let life: Life;
  const path = (pool: string) => new RegExp(`virtualMachineScaleSets/${pool}$`, "i");
  const instances = (pool: string): Resource[] =>
    world()
      .arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines")
      .filter(({ id }) => keyOf(id).includes(`/${pool}/virtualmachines/`));
  const setId = (pool: string): string => instances(pool)[0]!.id.replace(/\/virtualMachines\/[^/]+$/i, "");

  beforeAll(async () => {
    const [one, two] = [await planned(stack(1)), await planned(stack(2))];
    life = await world().begins(one);
    await live(life, "bring-up", async () => {
      await life.deployment.up(one);
      await allRun(world(), life, one);
    });
    const pools = ["alloc", "zone", "boot", "empty"] as const;
    for (const pool of pools) {
      life.capacity.measure(pool);
      life.capacity.limit(pool, { fewestReady: 1 });
    }
    const { faults } = world().arm;
    const met = [
      faults.addLate({ path: path("alloc"), times: 1, leaves: "failed", ...lateErrors.allocation }),
      faults.addLate({ path: path("zone"), times: 1, leaves: "failed", ...lateErrors.zonal }),
      faults.addLate({ path: path("boot"), times: 1, leaves: "failed", ...lateErrors.osTimeout }),
      faults.addLate({ path: path("empty"), times: 1, leaves: "nothing", ...lateErrors.allocation }),
    ];
    await live(life, "one more node each, with errors of the operations", async () => {
      await life.deployment.up(two);
      await until("three pools have two nodes", 180, () =>
        Promise.resolve(pools.slice(0, 3).every((pool) => life.capacity.count(pool).ready === 2)),
      );
    });
    expect(met.map((fault) => fault.met())).toEqual([1, 1, 1, 1]);
  }, 600_000);

  it.each(["alloc", "zone", "boot"])("%s: CAPZ replaces the failed instance, and no other one", (pool) => {
    expect(life.capacity.extremesOf(pool).seen.size).toBe(3);
    expect(instances(pool).map(({ properties }) => properties.provisioningState)).toEqual([
      "Succeeded",
      "Succeeded",
    ]);
    expect(life.capacity.violations()).toEqual([]);
  });

  it("Azure's error is in the timeline", () => {
    const said = life.timeline.entries.map(({ object, what }) => `${object}: ${what}`).join("\n");
    for (const { code } of Object.values(lateErrors)) {
      expect(said).toContain(code);
    }
  });

  // CAPZ compares `replicas` with the capacity, and not with the number of instances (existingParameters).
  it("a capacity without instances stays as it is until the capacity is set to what exists", async () => {
    await sleep(30_000);
    expect([instances("empty").length, world().arm.store.get(setId("empty"))?.sku?.capacity]).toEqual([1, 2]);
    await live(life, "az vmss scale --new-capacity 1", async () => {
      const { id, sku, tags } = world().arm.store.get(setId("empty"))!;
      const body = { ...(tags === undefined ? {} : { tags }), sku: { ...sku!, capacity: 1 } };
      world().arm.answer({ method: "PUT", path: id, query: new URLSearchParams(), body });
      await allRun(world(), life, await planned(stack(2)));
    });
    expect(life.capacity.violations()).toEqual([]);
  }, 240_000);
});
