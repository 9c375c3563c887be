import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { Client } from "./client";
import { aliveAnnotation, cordonAnnotation, namespace } from "./objects";

/** The beginning and the end of a run: its namespace, the sign that it lives, and what a killed run has left. */

const namespacePath = `/api/v1/namespaces/${namespace}`;

export const nodePath = (name: string): string => `/api/v1/nodes/${name}`;

/** Another run is going on. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

export interface Lifetime {
  /** How often a run shows that it lives. */
  readonly aliveMs: number;
  /** For the deletion of the namespace: its load balancer and its disks go first. */
  readonly deletionSeconds: number;
}

const aliveOf = (found: KubeObject | undefined): string =>
  found?.metadata.annotations?.[aliveAnnotation] ?? "";

/**
 * Takes the cordon from the node that a run has cordoned. The node alone does not say it, because whoever has a node writes its
 * annotations.
 * @param cordoned - default: as the namespace of the run says
 */
async function uncordonLeft(client: Client, cordoned?: string): Promise<void> {
  const name = cordoned ?? (await client.get(namespacePath))?.metadata.annotations?.[cordonAnnotation];
  const nodes = name === undefined ? [] : await client.nodes();
  const found = nodes.find(({ metadata }) => metadata.name === name);
  if (found?.metadata.annotations?.[cordonAnnotation] !== undefined) {
    await uncordon(client, found.metadata.name);
  }
}

export async function cordon(client: Client, node: string): Promise<void> {
  await client.patch(namespacePath, { metadata: { annotations: { [cordonAnnotation]: node } } });
  await client.patch(nodePath(node), {
    metadata: { annotations: { [cordonAnnotation]: "true" } },
    spec: { unschedulable: true },
  });
}

export const uncordon = (client: Client, node: string): Promise<void> =>
  client.patch(nodePath(node), {
    metadata: { annotations: { [cordonAnnotation]: null } },
    spec: { unschedulable: null },
  });

/**
 * Removes everything that a run has made.
 * @param cordoned - the node that it may have cordoned; default: as its namespace says
 * @returns whether it has gone
 */
export async function cleanUp(
  client: Client,
  { deletionSeconds }: Lifetime,
  cordoned?: string,
): Promise<boolean> {
  await uncordonLeft(client, cordoned);
  await client.remove(namespacePath);
  const gone = await client.until(deletionSeconds, async () =>
    (await client.get(namespacePath)) === undefined ? true : undefined,
  );
  return gone === true;
}

/**
 * Makes room for this run. A namespace that is there already is that of a killed run if nothing shows a sign of life in it.
 * @throws BusyError
 */
export async function makeRoom(
  client: Client,
  lifetime: Lifetime,
  say: (text: string) => void,
): Promise<void> {
  const found = await client.get(namespacePath);
  if (found === undefined) {
    return;
  }
  if (found.metadata.deletionTimestamp === undefined) {
    say(`the namespace ${namespace} exists: looking whether another run is alive`);
    await client.sleep(lifetime.aliveMs * 2.5);
    if (aliveOf(await client.get(namespacePath)) !== aliveOf(found)) {
      throw new BusyError(
        `Another run is measuring this cluster: it writes to the namespace ${namespace}. Wait for its end.`,
      );
    }
    say("removing what a killed run has left");
  }
  if (!(await cleanUp(client, lifetime))) {
    throw new BusyError(stillThere);
  }
}

/** What to say if the namespace does not go. */
export const stillThere = `The namespace ${namespace} is still being deleted. See what holds it: kubectl get namespace ${namespace} -o yaml`;

/** @returns stops the signs of life */
export function showLife(client: Client, { aliveMs }: Lifetime): () => void {
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const alive = { metadata: { annotations: { [aliveAnnotation]: String(count) } } };
    // One sign that is missing is no reason to end: the next one follows.
    client.patch(namespacePath, alive).catch(() => undefined);
  }, aliveMs);
  return () => {
    clearInterval(timer);
  };
}
