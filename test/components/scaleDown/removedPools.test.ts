import { PoolClient } from "../../../components/scaleDown/poolClient";
import { drainedPools, drainPool } from "../../../components/scaleDown/removedPools";
import type { SendRequest } from "../../../components/scaleDown/requests";
import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { SimulatedPool } from "./simulatedPool";

const stack = (pools: Readonly<Record<string, boolean>>) => ({
  pools: Object.fromEntries(
    Object.entries(pools).map(([name, drainBeforeRemoval]) => [name, { drainBeforeRemoval }]),
  ),
});

it("drains the removed pools that the stack file had with a drain, and no others", () => {
  const before = stack({ gone: true, stopped: false, stays: true });
  expect(drainedPools(before, stack({ stays: false, new: true }))).toEqual(["gone"]);
  expect(drainedPools(before, before)).toEqual([]);
  // The component is new, as on the first `up` with this version.
  expect(drainedPools(undefined, stack({ stays: true }))).toEqual([]);
});

/** Always the same numbers, evenly from 0 to 1. */
function even(): () => number {
  let turn = 0;
  return () => (turn++ * 0.37) % 1;
}

it("all nodes are drained before it returns", async () => {
  const sim = new SimulatedPool({ nodes: 3, random: even() });
  const said: string[] = [];
  const run = { limitMinutes: 60, wait: sim.wait, say: (text: string) => said.push(text) };
  await drainPool(new PoolClient(sim.send, 0), sim.pool, run);
  expect([sim.machines.length, sim.replicas, sim.undrained]).toEqual([0, 0, 0]);
  expect(sim.gone.sort()).toEqual(["win-0", "win-1", "win-2"]);
  expect(sim.paused).toBe(false);
  expect(said.join("\n")).toContain("win is removed: ");
});

it("a PodDisruptionBudget holds it until it gives up, and the pool stays", async () => {
  const sim = new SimulatedPool({ nodes: 2, random: even(), drains: 0 });
  const run = { limitMinutes: 1, wait: sim.wait, say: () => undefined };
  await expect(drainPool(new PoolClient(sim.send, 0), sim.pool, run)).rejects.toThrow(
    "win: win-0, win-1 not drained after 1 minutes, so the pool is not deleted. `npm run doctor` says what holds them, such as a PodDisruptionBudget; then run `pulumi up` again, which goes on. To keep the pool, write it again and run `pulumi up --refresh`.",
  );
  expect(sim.machines).toHaveLength(2);
});

it("takes the pool away from the cluster autoscaler first, which would raise the number again", async () => {
  const sim = new SimulatedPool({ nodes: 2, random: even() });
  const patches: unknown[] = [];
  const send: SendRequest = async (path, request) => {
    const answer = await sim.send(path, request);
    if (request.method === "PATCH" && path.includes("/machinepools/")) {
      patches.push(request.body);
    }
    const body = answer.body as { metadata?: object };
    return path.includes("/machinepools/win")
      ? {
          ...answer,
          body: {
            ...body,
            metadata: { ...body.metadata, annotations: { [autoscalerAnnotation.min]: "2", other: "x" } },
          },
        }
      : answer;
  };
  await drainPool(new PoolClient(send, 0), sim.pool, {
    ...{ limitMinutes: 60, wait: sim.wait, say: () => undefined },
  });
  expect(patches[0]).toEqual({ metadata: { annotations: { [autoscalerAnnotation.min]: null } } });
});
