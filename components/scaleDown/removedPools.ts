import { setTimeout as sleep } from "node:timers/promises";
import { at, isRecord, strings } from "capz-windows-kit/untyped";
import type { PoolClient, PoolName } from "./poolClient";
import { scalePool, type PoolRun } from "./scalePool";

/** Scale sets that are removed from the stack file. */

/** Names of the pools of before that the stack no longer has as scale sets. */
const removedOf = (before: unknown, after: unknown): string[] => {
  const [old, present] = [at(before, "pools"), at(after, "pools")];
  return Object.keys(isRecord(old) ? old : {}).filter((name) => !isRecord(present) || !(name in present));
};

/** The removed pools whose nodes are drained first. */
export const drainedPools = (before: unknown, after: unknown): string[] =>
  removedOf(before, after).filter((name) => at(before, "pools", name, "drainBeforeRemoval") === true);

export interface Removal extends PoolRun {
  readonly limitMinutes: number;
}

/**
 * Cordons and drains all nodes of a scale set and has them deleted, as long as their Machines exist: Cluster API evicts their
 * pods and asks PodDisruptionBudgets. CAPZ deletes a scale set as a whole without a drain. It may be interrupted and called
 * again.
 * @throws Error if nodes are left after the limit; the pool stays then
 */
export async function drainPool(
  client: PoolClient,
  pool: PoolName,
  { limitMinutes, ...run }: Removal,
): Promise<void> {
  const { say, wait = (seconds: number) => sleep(seconds * 1000) } = run;
  const stepSeconds = 5;
  await client.leaveAutoscaler(pool);
  await scalePool(client, pool, { ...run, nodes: 0 });
  for (let waited = 0; ; waited += stepSeconds) {
    const left = (await client.objects(pool))?.parts ?? [];
    if (left.length === 0) {
      return;
    }
    const names = strings(left.map((part) => at(part, "metadata", "name"))).join(", ");
    if (waited >= limitMinutes * 60) {
      throw new Error(
        `${pool.name}: ${names} not drained after ${limitMinutes} minutes, so the pool is not deleted. \`npm run doctor\` says what holds them, such as a PodDisruptionBudget; then run \`pulumi up\` again, which goes on. To keep the pool, write it again and run \`pulumi up --refresh\`.`,
      );
    }
    if (waited % 60 === 0) {
      say(`${pool.name} is removed: ${names} are drained first`);
    }
    await wait(stepSeconds);
  }
}
