import { allPages, listBudget, type ListBudget } from "../../io/pages";
import { itemsOf, problemOfError, type Get } from "../cluster/answers";
import { pluralOf } from "../cluster/kinds";
import type { ReadProblem } from "../cluster/snapshot";
import { type Plain, textAt } from "../../tools/untyped";
import { SourceError } from "./findings";
import type { Text } from "./sources";

/** Reads the objects of running clusters from their management cluster. Secrets are not read. */

/** Kinds, by the API versions that are tried, in this order. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "cluster.x-k8s.io/v1beta2 cluster.x-k8s.io/v1beta1": [
    "Cluster",
    "MachinePool",
    "MachineDeployment",
    "MachineHealthCheck",
  ],
  "controlplane.cluster.x-k8s.io/v1beta2 controlplane.cluster.x-k8s.io/v1beta1": ["KubeadmControlPlane"],
  "bootstrap.cluster.x-k8s.io/v1beta2 bootstrap.cluster.x-k8s.io/v1beta1": [
    "KubeadmConfig",
    "KubeadmConfigTemplate",
  ],
  "addons.cluster.x-k8s.io/v1beta2 addons.cluster.x-k8s.io/v1beta1": ["ClusterResourceSet"],
  "infrastructure.cluster.x-k8s.io/v1beta1": [
    "AzureCluster",
    "AzureClusterIdentity",
    "AzureMachinePool",
    "AzureMachineTemplate",
  ],
};

/** What a user can do, by what is wrong. */
const remedies: Readonly<Partial<Record<ReadProblem["what"], string>>> = {
  unreachable:
    "The API server is stopped, its name does not resolve, or it does not accept connections from this address",
  timeout: "The API server does not answer from here: a firewall or a VPN may be in between",
  certificate:
    "The certificate of the API server or of the kubeconfig has expired or is of another cluster: get a new kubeconfig",
  login: "The program by which the kubeconfig logs in failed: run kubectl with this kubeconfig to see why",
  unauthorized:
    "The kubeconfig's certificate or token has expired or is of another cluster: get a new kubeconfig",
  forbidden:
    "Its user may not list these objects: use a kubeconfig of an administrator of the management cluster",
};

/** What the lists of a command share. */
interface Reading {
  readonly get: Get;
  readonly budget: ListBudget;
}

const failed = ({ what, asked, message }: ReadProblem): SourceError => {
  const [why] = message.split("\n");
  const remedy = remedies[what];
  return new SourceError(
    `The management cluster could not be asked for ${asked}: ${why ?? ""}${remedy === undefined ? "" : `. ${remedy}`}.`,
  );
};

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
        values: answer.values,
      };
    }, budget);
    return isServed ? found : undefined;
  } catch (error) {
    throw error instanceof SourceError ? error : failed(problemOfError(error, plural));
  }
}

/** All objects of a kind in the first version that is served. */
async function objectsOf(reading: Reading, versions: readonly string[], kind: string, where: string) {
  const plural = pluralOf(kind);
  for (const version of versions) {
    const items = await pagesOf(reading, `/apis/${version}/${where}${plural}`, plural);
    if (items !== undefined) {
      return items.map((item) => ({ ...item, apiVersion: version, kind }));
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
  for (const [versions, named] of Object.entries(kinds)) {
    for (const kind of named) {
      for (const object of await objectsOf(reading, versions.split(" "), kind, where)) {
        items.push(object);
      }
    }
  }
  return {
    name: "the management cluster",
    text: JSON.stringify({ apiVersion: "v1", kind: "List", items }),
    isLive: true,
  };
}
