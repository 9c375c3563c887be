import { at, textAt } from "../../tools/untyped";

/**
 * What Azure fixes when it makes an AKS cluster, by the keys of the stack file, from the args of an AksCluster. Source:
 * azure-native 3 provider/pkg/gen/replacement.go (ManagedCluster).
 */
const fixedOf = (aks: unknown): [key: string, value: string][] => [
  ["clusterName", textAt(aks, "clusterName")],
  ["azure.subscriptionId", textAt(aks, "subscriptionId")],
  ["azure.location", textAt(aks, "location")],
  ["management.network.outbound.type", textAt(aks, "network", "outbound", "type") || "loadBalancer"],
];

export const keptManagement = {
  why: "Azure fixes it when it makes the cluster: Pulumi would delete the management cluster and create it again, empty, and the clusters of its clients would be lost",
  instead:
    "restore the value; for another management cluster, create new stacks for it and for its clusters, and move the workloads to these; without clients, `pulumi destroy` and `pulumi up` make it anew",
};

/**
 * Pulumi hook that runs before an update of the ManagementCluster of a stack that has no other cluster, and so before
 * anything in it changes, in previews too. It does not ask whether there are clients: a client may be about to come.
 * @throws Error that lists every value with which the AKS cluster would be replaced
 */
export function refuseReplacement({
  name,
  oldInputs,
  newInputs,
}: {
  readonly name: string;
  readonly oldInputs?: unknown;
  readonly newInputs?: unknown;
}): void {
  const [before, after] = [at(oldInputs, "aks"), at(newInputs, "aks")];
  if (before === undefined || after === undefined) {
    return;
  }
  const now = new Map(fixedOf(after));
  const refused = fixedOf(before)
    .filter(([key, value]) => now.get(key) !== value)
    .map(
      ([key, value]) =>
        `  ${key} from ${value} to ${now.get(key) ?? ""}: ${keptManagement.why}: ${keptManagement.instead}`,
    );
  if (refused.length > 0) {
    throw new Error(`${name} cannot be updated:\n${refused.join("\n")}`);
  }
}
