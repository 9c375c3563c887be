import { planOf } from "../support/plans";
import { until } from "./deploy";
import { live, livesIn, poolsOf } from "./lives";
import { apiVersions } from "../../domain/capi/apiVersions";
import type { Life, World } from "./harness";

/** Phases of all Machines of a life. */
async function phases(world: World, { namespace }: Life): Promise<string[]> {
  const machines = await world.kube.list({ apiVersion: apiVersions.cluster, kind: "Machine" });
  return machines
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(({ status }) => String(status?.phase));
}

livesIn("an example stack", {}, (world) => {
  it("dev comes up and goes away", async () => {
    const plan = await planOf("dev");
    const life = await world().begins(plan);
    await live(life, "bring-up", async () => {
      await life.deployment.up(plan);
      await until("all Machines run", 120, async () => {
        const found = await phases(world(), life);
        return found.length === 3 && found.every((phase) => phase === "Running");
      });
    });
    expect(poolsOf(plan)).toEqual(["win1"]);
    await live(life, "destroy", async () => {
      await life.deployment.destroy();
    });
    expect(
      world()
        .arm.store.all()
        .map(({ id }) => id),
    ).toEqual([]);
  }, 400_000);
});
