import { at, textAt } from "capz-windows-kit/untyped";
import { rollTimeouts } from "../timeouts";
import type { PoolClient, PoolName } from "./poolClient";
import { waitForRollout } from "./rollout";

/** CAPZ looks at each instance again within its sync period, which is a minute here (capi/syncPeriod.ts). */
const steadySeconds = 90;

const imageOf = (azureMachinePool: unknown): string =>
  JSON.stringify(at(azureMachinePool, "spec", "template", "image") ?? null);

/** The rollouts of scale sets in one `up`: what was there before, and the wait for their end. */
export class Rollouts {
  /** Instances of before, of pools whose image this `up` changes; none of pools that it changes otherwise. */
  private readonly former = new Map<string, ReadonlySet<string> | undefined>();

  constructor(
    /** Undefined where no client can be made. */
    private readonly client: () => Promise<PoolClient | undefined>,
    private readonly say: (text: string) => void,
  ) {}

  /** Before the update of an AzureMachinePool. */
  async begin(pool: PoolName, before: unknown, after: unknown): Promise<void> {
    const objects =
      imageOf(before) === imageOf(after) ? undefined : await (await this.client())?.objects(pool);
    this.former.set(
      pool.name,
      objects && new Set(objects.parts.map((part) => textAt(part, "metadata", "name"))),
    );
  }

  /** Before the update of what waits for the nodes of a pool; of what an interrupted `up` has left, it knows nothing. */
  async wait(pool: PoolName): Promise<void> {
    const client = await this.client();
    if (client === undefined) {
      return;
    }
    const former = this.former.get(pool.name);
    const nodes = (await client.objects(pool))?.parts.length;
    await waitForRollout(client, pool, {
      former,
      steadySeconds: this.former.has(pool.name) ? 0 : steadySeconds,
      limitMinutes: Number.parseInt(rollTimeouts(nodes).update, 10),
      say: this.say,
    });
  }
}
