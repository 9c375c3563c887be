import type { Life } from "./harness";
import { allRun, deletedMachines, live, livesIn } from "./lives";
import { look } from "./look";
import { planned, stackOf } from "./stacks";

/** A management cluster that no stack creates; the simulation never uses this kubeconfig. */
const existing = {
  management: {
    ...{ kind: "existing", name: "own", egressCidrs: ["198.51.100.4/32"] },
    oidcIssuerUrl: "https://issuer.example/",
  },
  managementKubeconfig: JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": "own" },
    clusters: [{ name: "own", cluster: { server: "https://own.example:6443" } }],
    contexts: [{ name: "own", context: { cluster: "own", user: "own" } }],
    users: [{ name: "own", user: { token: "not-used" } }],
  }),
};

const stack = (name: string, createNamespace: boolean) =>
  stackOf(name, {
    ...existing,
    ...{ namespace: "shared", createNamespace },
    // With one control plane machine Typha needs two more Linux nodes.
    linuxPools: { [`${name}-linux`]: { replicas: 2 } },
    windowsPools: { [`win-${name}`]: { replicas: 1 } },
  });

/** Two clusters in one namespace of one management cluster, as docs/operations.md has it. */
livesIn("two stacks in one namespace", {}, (world) => {
  const lives: Life[] = [];

  it("both come up, and the doctor says of each that it is complete", async () => {
    for (const [name, createNamespace] of [
      ["one", true],
      ["two", false],
    ] as const) {
      const plan = await planned(stack(name, createNamespace));
      const life = await world().begins(plan);
      lives.push(life);
      await live(life, "bring-up beside another cluster", async () => {
        await life.deployment.up(plan);
        await allRun(world(), life, plan);
      });
    }
    for (const life of lives) {
      const { complete, findings, steps } = await look(world(), life, `shared-${life.name}`);
      expect({ complete, findings, open: steps.filter(({ state }) => state !== "done") }).toEqual({
        complete: true,
        findings: [],
        open: [],
      });
    }
  }, 600_000);

  it("the second one is destroyed, and the first one is not touched", async () => {
    const [one, two] = lives;
    one!.capacity.limit("control-plane", { most: 1, fewestReady: 1 });
    one!.capacity.limit("one-linux", { most: 2, fewestReady: 2 });
    one!.capacity.limit("win-one", { most: 1, fewestReady: 1 });
    await live(two!, "destroy", () => two!.deployment.destroy());
    expect(one!.capacity.violations()).toEqual([]);
    expect(deletedMachines(one!.timeline.entries)).toEqual([]);
    const groups = (life: Life) =>
      world()
        .arm.store.all()
        .filter(({ id }) => id.startsWith(life.cluster.options.resourceGroupId));
    expect([groups(one!).length > 0, groups(two!)]).toEqual([true, []]);
  }, 300_000);

  it("the first one is destroyed with the namespace", async () => {
    const [one] = lives;
    await live(one!, "destroy", () => one!.deployment.destroy());
    expect(await world().kube.get({ apiVersion: "v1", kind: "Namespace" }, "shared")).toBeUndefined();
  }, 300_000);
});
