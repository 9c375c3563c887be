/**
 * Webhooks that are not there yet. Cluster API, CAPZ, their operator and cert-manager admit and convert their objects by
 * webhooks. Those are away for moments: after an installation until certificates and endpoints are in place, while a
 * provider is upgraded (the operator deletes and creates its Deployments), and when the one replica of a controller moves
 * because AKS renews a node. Such an error passes.
 */

/** What the API server answers when it cannot reach a webhook. A webhook that refuses says `denied the request`. */
const unreachable =
  /failed calling webhook|conversion webhook for .* failed|no endpoints available for service/;

/** What Pulumi reports when it has waited for an object in vain: the time limit is used up already. */
const waited = "timed out waiting for the condition";

/** Longest time in seconds to wait for webhooks: in an `up`, and in a preview, where a person is waiting. */
export const webhookPatience = { update: 600, preview: 40 } as const;

/** Seconds before the attempt that follows the n-th failure: 5, 10, 20, then 30 each. */
const delayAfter = (failures: number): number => Math.min(5 * 2 ** (failures - 1), 30);

const waitedUntil = (failures: number): number =>
  Array.from({ length: failures }, (_, index) => delayAfter(index + 1)).reduce(
    (sum, delay) => sum + delay,
    0,
  );

export interface FailedOperation {
  /** "create", "update" or "delete". */
  readonly failedOperation: string;
  /** The messages of all attempts, the newest first. */
  readonly errors: readonly string[];
}

/**
 * Seconds after which an operation is worth another attempt; nothing for an error that does not pass, and when it has
 * been waited long enough. Deletions are not tried again: `pulumi destroy` does not run the program.
 */
export function secondsUntilRetry(
  { failedOperation, errors: [newest = "", ...older] }: FailedOperation,
  patience: number,
): number | undefined {
  const failures = older.length + 1;
  return failedOperation !== "delete" &&
    unreachable.test(newest) &&
    !newest.includes(waited) &&
    waitedUntil(failures) <= patience
    ? delayAfter(failures)
    : undefined;
}
