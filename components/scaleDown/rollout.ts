import { setTimeout as sleep } from "node:timers/promises";
import { isImagePending } from "./pendingImage";
import type { PoolClient, PoolName, ScaleSetObjects } from "./poolClient";
import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";

/**
 * When the rollout of a scale set is over. No object of Cluster API or CAPZ says it: the phase of the MachinePool stays Running,
 * and ScaleSetModelUpdated of the AzureMachinePool is True while the surge boots (CAPZ v1.27.0 azure/scope/machinepool.go,
 * setProvisioningStateAndConditions). The instances say it, late: until CAPZ looks at each of them again, those of before have
 * `latestModelApplied` of the former model.
 */

export interface RolloutWait {
  /** AzureMachinePoolMachines of before, if this `up` has changed the image. */
  readonly former?: ReadonlySet<string> | undefined;
  /** Seconds for which nothing may be left: longer than CAPZ takes to look at each instance again, unless that is known. */
  readonly steadySeconds: number;
  readonly limitMinutes: number;
  /** Prints a line for the user. */
  readonly say: (text: string) => void;
  /** Waits a number of seconds. */
  readonly wait?: ((seconds: number) => Promise<unknown>) | undefined;
}

const nameOf = (object: unknown): string => textAt(object, "metadata", "name");

/** What is left of a rollout, in words; nothing if all wanted nodes are of the present model. */
export function leftOfRollout(
  { machinePool, azurePool, parts }: ScaleSetObjects,
  former: ReadonlySet<string> = new Set(),
): string | undefined {
  if (isImagePending(azurePool)) {
    return "CAPZ has not seen the image yet";
  }
  const old = parts.filter(
    (part) => former.has(nameOf(part)) || at(part, "status", "latestModelApplied") === false,
  );
  if (old.length > 0) {
    return `${old.length} of ${parts.length} nodes have the former model: ${old.map(nameOf).join(", ")}`;
  }
  if (list(at(azurePool, "status", "longRunningOperationStates")).length > 0) {
    return "Azure is still at work on the scale set";
  }
  const ready = list(at(azurePool, "status", "conditions")).find(({ type }) => type === "Ready");
  if (textAt(ready, "status") === "False") {
    return `the scale set is not ready: ${textAt(ready, "message") || textAt(ready, "reason")}`;
  }
  const wanted = numberAt(machinePool, "spec", "replicas") ?? 1;
  const nodes = parts.filter((part) => textAt(part, "status", "nodeRef", "name") !== "");
  const leaving = parts.filter((part) => textAt(part, "metadata", "deletionTimestamp") !== "");
  return nodes.length === wanted && parts.length === wanted && leaving.length === 0
    ? undefined
    : `${nodes.length - leaving.length} of ${wanted} nodes, ${parts.length} instances`;
}

/** @throws Error with what is left, after the time of the pool */
export async function waitForRollout(
  client: PoolClient,
  pool: PoolName,
  { former, steadySeconds, limitMinutes, say, wait = (seconds) => sleep(seconds * 1000) }: RolloutWait,
): Promise<void> {
  const stepSeconds = 5;
  let steady = 0;
  for (let waited = 0; ; waited += stepSeconds) {
    const objects = await client.objects(pool);
    const left = objects && leftOfRollout(objects, former);
    if (left === undefined && (objects === undefined || steady >= steadySeconds)) {
      return;
    }
    steady = left === undefined ? steady + stepSeconds : 0;
    if (left !== undefined && waited >= limitMinutes * 60) {
      throw new Error(
        `${pool.name}: the nodes are not replaced after ${limitMinutes} minutes: ${left}. \`npm run doctor\` says what holds them; then run \`pulumi up\` again, which goes on to wait.`,
      );
    }
    if (left !== undefined && waited % 60 === 0) {
      say(`${pool.name}: ${left}`);
    }
    await wait(stepSeconds);
  }
}
