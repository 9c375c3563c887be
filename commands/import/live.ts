import { weightOf } from "capz-windows-kit/io/json";
import { allPages, listBudget, type ListBudget } from "capz-windows-kit/io/pages";
import { itemsOf, problemOfError, type Get } from "capz-windows-doctor/cluster/answers";
import { pluralOf } from "capz-windows-doctor/cluster/kinds";
import type { ReadProblem } from "capz-windows-doctor/cluster/snapshot";
import { type Plain, textAt } from "capz-windows-kit/untyped";
import { SourceError } from "./findings";
import type { Text } from "./sources";

/** Reads the objects of running clusters from their management cluster. Secrets are not read. */

/** Kinds by their API groups. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "cluster.x-k8s.io": ["Cluster", "MachinePool", "MachineDeployment", "MachineHealthCheck"],
  "controlplane.cluster.x-k8s.io": ["KubeadmControlPlane"],
  "bootstrap.cluster.x-k8s.io": ["KubeadmConfig", "KubeadmConfigTemplate"],
  "addons.cluster.x-k8s.io": ["ClusterResourceSet"],
  "infrastructure.cluster.x-k8s.io": [
    ...["AzureCluster", "AzureClusterIdentity", "AzureMachinePool", "AzureMachineTemplate"],
  ],
};

/** What the lists of a command share. */
interface Reading {
  readonly get: Get;
  readonly budget: ListBudget;
}

const failed = ({ asked, message }: ReadProblem): SourceError =>
  new SourceError(
    `The management cluster could not be asked for ${asked}: ${message}. What kubectl get ${asked} says with this kubeconfig is the reason.`,
  );

const pageSize = 200;

/** All pages of a list; `undefined` if the API server does not serve it. @throws SourceError */
async function pagesOf(
  { get, budget }: Reading,
  path: string,
  plural: string,
): Promise<readonly Plain[] | undefined> {
  let isServed = true as boolean;
  try {
    const found = await allPages(async (next) => {
      const answer = await get(
        `${path}?limit=${pageSize}${next === "" ? "" : `&continue=${encodeURIComponent(next)}`}`,
      );
      const isThere = answer.status !== 404;
      isServed = isThere;
      const items = isThere ? itemsOf(answer, plural, pageSize) : [];
      if ("what" in items) {
        throw failed(items);
      }
      return {
        items,
        next: textAt(answer.body, "metadata", "continue"),
        bytes: answer.bytes,
        values: weightOf(items),
      };
    }, budget);
    return isServed ? found : undefined;
  } catch (error) {
    throw error instanceof SourceError ? error : failed(problemOfError(error, plural));
  }
}

/** All objects of a kind in the newest version that is served. */
async function objectsOf(reading: Reading, group: string, kind: string, where: string) {
  const plural = pluralOf(kind);
  // CAPZ has no v1beta2.
  const versions = group.startsWith("infrastructure") ? ["v1beta1"] : ["v1beta2", "v1beta1"];
  for (const apiVersion of versions.map((version) => `${group}/${version}`)) {
    const items = await pagesOf(reading, `/apis/${apiVersion}/${where}${plural}`, plural);
    if (items !== undefined) {
      return items.map((item) => ({ ...item, apiVersion, kind }));
    }
  }
  if (kind === "Cluster") {
    throw new SourceError("The cluster of the kubeconfig has no Cluster API: name its management cluster.");
  }
  return [];
}

/**
 * The objects as a List in JSON.
 * @param namespace - `undefined` for all namespaces
 * @throws SourceError when they cannot be read, or the API server has no Cluster API
 */
export async function liveText(get: Get, namespace: string | undefined): Promise<Text> {
  const where = namespace === undefined ? "" : `namespaces/${namespace}/`;
  const items: unknown[] = [];
  const reading = { get, budget: listBudget() };
  for (const [group, named] of Object.entries(kinds)) {
    for (const kind of named) {
      for (const object of await objectsOf(reading, group, kind, where)) {
        items.push(object);
      }
    }
  }
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  return { name: "the management cluster", text, isLive: true };
}
