import { setTimeout as sleep } from "node:timers/promises";
import { rolloutMark } from "capz-windows-platform/machines/scaleDownChoice";
import type { PoolClient, PoolName } from "./poolClient";

/** How long a rollout is looked after at most; an `up` that waits for it has limits of its own. */
const limitSeconds = 6 * 3600;

/** Does not keep a program alive that is done. */
const unheld = (seconds: number): Promise<unknown> => sleep(seconds * 1000, undefined, { ref: false });

/**
 * While a scale set rolls: marks each Machine that CAPZ has begun to delete. CAPZ v1.27.0 counts such a Machine as ready until
 * it is drained, and would drain others, too; while a marked one is there it selects no other (SelectMachinesToDelete). CAPZ
 * looks at a pool every ten seconds at most (--debouncing-timer), so a look in each second comes before its next choice.
 * @param isOver - whether the `up` is over
 */
export async function brakeRollout(
  client: PoolClient,
  pool: PoolName,
  { isOver = () => false, wait = unheld }: { isOver?: () => boolean; wait?: typeof unheld } = {},
): Promise<void> {
  for (let waited = 0; waited < limitSeconds && !isOver(); waited += 1) {
    for (const { machine, leaving, mark } of await client.machines(pool)) {
      if (leaving && machine !== undefined && mark === undefined) {
        await client.mark(pool, machine, rolloutMark);
      }
    }
    await wait(1);
  }
}
