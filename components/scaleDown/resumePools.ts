import { numberAt } from "capz-windows-kit/untyped";
import { changesZones, nodesAfter } from "./poolSize";
import type { PoolClient, PoolName } from "./poolClient";
import { scalePool, type PoolRun } from "./scalePool";

/** What `pulumi up` does with pools, without Pulumi. */

/**
 * Before the update of a MachinePool: lowers its number, if the update does.
 * @param changesModel - this `up` has given its scale set another model before
 */
export async function beforeUpdate(
  client: PoolClient,
  {
    oldInputs,
    newInputs,
    changesModel,
  }: { readonly oldInputs: unknown; readonly newInputs: unknown; readonly changesModel: boolean },
  pool: PoolName,
  run: PoolRun,
): Promise<void> {
  const live = await client.machinePool(pool);
  const nodes = nodesAfter(newInputs, live) ?? numberAt(live, "spec", "replicas");
  if (nodes !== undefined) {
    await scalePool(client, pool, {
      ...run,
      nodes,
      changesModel: changesModel || changesZones(oldInputs, newInputs),
    });
  }
}

/**
 * At the begin of an `up`: finishes what an interrupted one has begun, so that no pool stays paused.
 * @param wanted - number of nodes of each pool of the stack file; undefined for one that is autoscaled
 */
export async function resumePools(
  client: PoolClient,
  namespace: string,
  wanted: Readonly<Record<string, number | undefined>>,
  run: PoolRun,
): Promise<void> {
  for (const name of await client.pausedPools(namespace)) {
    const pool = { namespace, name };
    const nodes = wanted[name] ?? numberAt(await client.machinePool(pool), "spec", "replicas");
    if (nodes === undefined) {
      // Its MachinePool is gone already.
      await client.resume(pool, name);
      continue;
    }
    await scalePool(client, pool, { ...run, nodes });
  }
}
