import { compare, minor, valid } from "semver";
import { at, textAt } from "../untyped";

/**
 * Changes of objects that Cluster API, CAPZ or Azure cannot carry out. Some of them their webhooks let pass, and the
 * cluster breaks at minute forty; others they refuse in words about themselves. So our own check comes first: by a
 * hook before the update, in previews too. Sources: CAPI v1.13.6 (Cluster, KubeadmControlPlane), CAPZ v1.26.0
 * internal/webhooks (AzureCluster), and updates tried against their CRDs.
 */

interface Rule {
  readonly kind: string;
  /** From the object's root. */
  readonly path: string;
  readonly refuses: (before: string, after: string) => boolean;
  /** Why, and what to write instead. */
  readonly why: string;
}

const differs = (before: string, after: string): boolean => before !== after;

const isNewCluster =
  "it is fixed for the life of a cluster: make a new cluster beside this one, and move over";

const versions = (test: (before: string, after: string) => boolean) => (before: string, after: string) =>
  valid(before) !== null && valid(after) !== null && test(before, after);

const rules: readonly Rule[] = [
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    refuses: versions((before, after) => compare(after, before) < 0),
    why: "etcd and the API server cannot go back to an older version: write the old kubernetesVersion again",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    refuses: versions((before, after) => minor(after) - minor(before) > 1),
    why: "kubeadm goes one minor at a time: write the next minor, run `pulumi up`, and go on from there",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    // CAPI 1.11 dropped what made kubelet-config-1.23 and kubelet-config for kubeadm join (CAPI #12303).
    refuses: versions((before, after) => minor(before) < 24 && minor(after) > minor(before)),
    why: "Cluster API no longer makes the ConfigMap that kubeadm join needs there: make a new cluster beside this one (docs/older-kubernetes.md)",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    refuses: versions((before, after) => minor(before) < 26 && minor(after) >= 26),
    why: "from 1.26 on the cloud provider and Calico are others, which cannot take over running nodes: make a new cluster beside this one (docs/older-kubernetes.md)",
  },
  // The label tells which CNI the cluster has, by its flavor.
  { kind: "Cluster", path: "metadata.labels.cni", refuses: differs, why: isNewCluster },
  { kind: "Cluster", path: "spec.clusterNetwork.pods.cidrBlocks", refuses: differs, why: isNewCluster },
  { kind: "Cluster", path: "spec.clusterNetwork.services.cidrBlocks", refuses: differs, why: isNewCluster },
  ...[
    "subscriptionID",
    "resourceGroup",
    "location",
    "networkSpec.vnet.resourceGroup",
    "networkSpec.vnet.name",
  ].map((path): Rule => ({
    kind: "AzureCluster",
    path: `spec.${path}`,
    refuses: differs,
    why: isNewCluster,
  })),
];

/** A field as text that is equal for equal values; "" for one that is missing. */
function textOf(object: unknown, path: string): string {
  const value = at(object, ...path.split("."));
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

/**
 * What of a change is refused, a line each; empty for a change that can be made.
 * @param before - the object as it was applied
 * @param after - the object that the program has now
 */
export function refusedChanges(before: unknown, after: unknown): string[] {
  const kind = textAt(after, "kind");
  return rules
    .filter((rule) => rule.kind === kind)
    .map((rule) => ({ ...rule, from: textOf(before, rule.path), to: textOf(after, rule.path) }))
    .filter(({ from, to, refuses }) => from !== "" && to !== "" && refuses(from, to))
    .map(({ path, from, to, why }) => `${path} from ${from} to ${to}: ${why}`);
}

/**
 * A hook before an update.
 * @throws Error with every refused change of the object
 */
export function refuseChanges({
  name,
  oldInputs,
  newInputs,
}: {
  readonly name: string;
  readonly oldInputs?: unknown;
  readonly newInputs?: unknown;
}): void {
  const refused = refusedChanges(oldInputs, newInputs);
  if (refused.length > 0) {
    throw new Error(`${name} cannot be changed like this.\n${refused.map((line) => `  ${line}`).join("\n")}`);
  }
}
