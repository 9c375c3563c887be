import { textAt } from "capz-windows-kit/untyped";
import { planFileInline } from "../support/inlinePlans";
import { planOf } from "../support/plans";
import { readExample } from "../support/stacks";
import type { Deployment } from "./deploy";
import type { Life } from "./harness";
import { allRun, deletedMachines, live, livesIn } from "./lives";
import { poolsOf } from "./stacks";
import { Timeline } from "./timeline";

const guard = { apiVersion: "v1", kind: "ConfigMap" };

/** The refusal of the management cluster, as `pulumi destroy` shows it. */
const refusal = (client: string): RegExp =>
  new RegExp(
    `the cluster ${client}/${client} of the stack capz-windows/${client} lives on this management cluster: destroy that stack first`,
  );

/** A stack that makes only a management cluster, and two that use it by their StackReference. */
livesIn("one management cluster for two stacks", {}, (world) => {
  const lives: Life[] = [];
  let management: Deployment | undefined;

  it("both clusters come up beside each other, each with its own identity", async () => {
    management = world().deployment(new Timeline(world().clock, "management"));
    await management.up(await planOf("management"));
    await Promise.all(
      ["team-a", "team-b"].map(async (stack) => {
        const plan = await planOf(stack);
        const life = await world().begins(plan, { patience: 400 });
        lives.push(life);
        const entries = await live(life, "bring-up on a shared management cluster", async () => {
          await life.deployment.up(plan);
          await allRun(world(), life, plan, 300);
        });
        expect(deletedMachines(entries)).toEqual([]);
      }),
    );
    lives.sort((one, other) => one.name.localeCompare(other.name));
    const identities = await world().kube.list({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "AzureClusterIdentity",
    });
    expect(new Set(identities.map(({ spec }) => textAt(spec, "clientID"))).size).toBe(2);
    expect(
      identities
        .map(({ metadata, spec }) => [
          metadata.namespace,
          (spec as { allowedNamespaces?: unknown }).allowedNamespaces,
        ])
        .sort(),
    ).toEqual([
      ["team-a", { list: ["team-a"] }],
      ["team-b", { list: ["team-b"] }],
    ]);
  }, 900_000);

  it("a change of one stack does not touch the other", async () => {
    const [a, b] = lives;
    b!.capacity.limit("control-plane", { most: 3, fewestReady: 3 });
    for (const { name, replicas } of poolsOf(await planOf("team-b"))) {
      b!.capacity.limit(name, { most: replicas, fewestReady: replicas });
    }
    const file = readExample("team-a");
    const changed = await planFileInline({
      ...file,
      config: { ...file.config, "capz-windows:windowsPools": JSON.stringify({ wina: { replicas: 3 } }) },
    });
    await live(a!, "three Windows nodes", async () => {
      await a!.deployment.up(changed);
      await allRun(world(), a!, changed, 300);
    });
    expect(b!.capacity.violations()).toEqual([]);
    expect(deletedMachines([...a!.timeline.entries, ...b!.timeline.entries])).toEqual([]);
  }, 600_000);

  it("the management stack cannot be destroyed while both or one of them lives", async () => {
    const [a, b] = lives;
    await expect(management!.destroy()).rejects.toThrow(refusal("team-[ab]"));
    await live(a!, "destroy", () => a!.deployment.destroy());
    await expect(management!.destroy()).rejects.toThrow(refusal("team-b"));
    expect(await world().kube.get(guard, "management-stack", "capz-windows-clients")).toBeDefined();
    expect(b!.capacity.violations()).toEqual([]);
    expect(deletedMachines(b!.timeline.entries)).toEqual([]);
  }, 600_000);

  it("after the last of them it goes away, and nothing is left in Azure", async () => {
    const [, b] = lives;
    b!.capacity.unlimit();
    await live(b!, "destroy", () => b!.deployment.destroy());
    await management!.destroy();
    expect(
      world()
        .arm.store.all()
        .map(({ id }) => id),
    ).toEqual([]);
  }, 600_000);
});
