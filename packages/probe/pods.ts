import { isIPv4 } from "node:net";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Client, RefusedError } from "./client";
import type { PodOutcome } from "./model";
import { namespace, podObject, type PodArgs } from "./objects";
import { lastWords, resultsOf } from "./results";

/** Runs pods and reads what they have written. */

const podPath = (name: string): string => `/api/v1/namespaces/${namespace}/pods/${name}`;

const statusOf = (pod: KubeObject): unknown => list(at(pod.status, "containerStatuses"))[0];

const seconds = (from: string, to: string): number | undefined => {
  const difference = (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isNaN(difference) ? undefined : difference;
};

const conditionOf = (pod: KubeObject, type: string): Record<string, unknown> | undefined =>
  list(at(pod.status, "conditions")).find((condition) => textAt(condition, "type") === type);

/** Seconds from the decision of the scheduler to the start of the container; `undefined` if it has not started. */
export function startSecondsOf(pod: KubeObject): number | undefined {
  const status = statusOf(pod);
  const started =
    textAt(status, "state", "running", "startedAt") || textAt(status, "state", "terminated", "startedAt");
  return seconds(textAt(conditionOf(pod, "PodScheduled"), "lastTransitionTime"), started);
}

/** Why a pod does not run, in the words of Kubernetes; "" for one that runs or has done everything. */
export function problemOf(pod: KubeObject): string {
  const status = statusOf(pod);
  const [waiting, terminated] = [at(status, "state", "waiting"), at(status, "state", "terminated")];
  const words = (part: unknown): string =>
    [textAt(part, "reason"), textAt(part, "message")].filter((each) => each !== "").join(": ");
  const phase = textAt(pod.status, "phase");
  if (phase === "Failed") {
    return words(pod.status) || words(terminated) || "the pod failed";
  }
  return phase === "Pending"
    ? words(waiting) || words(conditionOf(pod, "PodScheduled")) || "the pod waits for its node"
    : "";
}

/** It becomes a part of what other pods do. */
function addressOf(pod: KubeObject): string {
  const address = textAt(pod.status, "podIP");
  return isIPv4(address) ? address : "";
}

const isOver = (pod: KubeObject): boolean => ["Succeeded", "Failed"].includes(textAt(pod.status, "phase"));

const isServing = (pod: KubeObject): boolean =>
  textAt(conditionOf(pod, "Ready"), "status") === "True" && addressOf(pod) !== "";

/**
 * Runs a pod to its end, or until it answers others. A pod that is refused or does not end in time is an outcome, too.
 * @throws EndedError
 */
export async function runPod(client: Client, args: PodArgs): Promise<PodOutcome> {
  const { name, image, deadlineSeconds, serves = false } = args;
  const none = { results: [], image };
  try {
    await client.create(podObject(args));
    const done = await client.until(deadlineSeconds, async () => {
      const pod = await client.get(podPath(name));
      return pod === undefined || isOver(pod) || (serves && isServing(pod)) ? { pod } : undefined;
    });
    const pod = done?.pod ?? (await client.get(podPath(name)));
    if (pod === undefined) {
      return { ...none, problem: "something has deleted the pod" };
    }
    const startSeconds = startSecondsOf(pod);
    const log = startSeconds === undefined ? "" : await client.text(`${podPath(name)}/log`).catch(() => "");
    const problem =
      problemOf(pod) || (done === undefined ? `the pod did not end within ${deadlineSeconds} s` : "");
    const words = problem === "" ? "" : lastWords(log);
    return {
      ...{ image, startSeconds, results: resultsOf(log), ip: addressOf(pod) || undefined },
      problem: words === "" ? problem : `${problem} (${words})`,
    };
  } catch (error) {
    if (error instanceof RefusedError) {
      return { ...none, problem: error.message };
    }
    throw error;
  }
}

export const removePod = (client: Client, name: string): Promise<void> =>
  client.remove(`${podPath(name)}?gracePeriodSeconds=0`);

/** Waits until a pod has gone, because its disk is not free before. */
export async function removeAndWait(client: Client, name: string, limitSeconds: number): Promise<void> {
  await client.remove(podPath(name));
  await client.until(limitSeconds, async () =>
    (await client.get(podPath(name))) === undefined ? true : undefined,
  );
}
