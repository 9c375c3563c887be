import { problemOfAnswer, problemOfError, type Get } from "../cluster/answers";
import { pluralOf } from "../cluster/kinds";
import type { ReadProblem } from "../cluster/snapshot";
import { at, list, textAt } from "../../tools/untyped";
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

const failed = ({ what, asked, message }: ReadProblem): SourceError => {
  const [why] = message.split("\n");
  const remedy = remedies[what];
  return new SourceError(
    `The management cluster could not be asked for ${asked}: ${why ?? ""}${remedy === undefined ? "" : `. ${remedy}`}.`,
  );
};

/** All pages of a list; `undefined` if the API server does not serve it. @throws SourceError */
async function pagesOf(
  get: Get,
  path: string,
  plural: string,
): Promise<Record<string, unknown>[] | undefined> {
  const found: Record<string, unknown>[] = [];
  for (let next = ""; ;) {
    const answer = await get(`${path}?limit=200${next === "" ? "" : `&continue=${next}`}`).catch(
      (error: unknown) => {
        throw failed(problemOfError(error, plural));
      },
    );
    const { status, body } = answer;
    if (status === 404) {
      return undefined;
    }
    if (status !== 200) {
      throw failed(problemOfAnswer(answer, plural));
    }
    if (!Array.isArray(at(body, "items"))) {
      throw failed({ what: "other", asked: plural, message: "the answer is not that of an API server" });
    }
    found.push(...list(at(body, "items")));
    next = encodeURIComponent(textAt(body, "metadata", "continue"));
    if (next === "") {
      return found;
    }
  }
}

/** All objects of a kind in the first version that is served. */
async function objectsOf(get: Get, versions: readonly string[], kind: string, where: string) {
  const plural = pluralOf(kind);
  for (const version of versions) {
    const items = await pagesOf(get, `/apis/${version}/${where}${plural}`, plural);
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
  for (const [versions, named] of Object.entries(kinds)) {
    for (const kind of named) {
      items.push(...(await objectsOf(get, versions.split(" "), kind, where)));
    }
  }
  return {
    name: "the management cluster",
    text: JSON.stringify({ apiVersion: "v1", kind: "List", items }),
    isLive: true,
  };
}
