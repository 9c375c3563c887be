import { at, textAt } from "capz-windows-kit/untyped";
import { refusing } from "./updateHook";

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

/** A cluster of Cluster API stays in its management cluster: Pulumi's state does not follow `clusterctl move`. */
export const newStacks = "create new stacks for it and for its clusters, and move the workloads to these";

export const keptManagement = {
  why: "Azure fixes it when it makes the cluster: Pulumi would delete the management cluster and create it again, empty, and the clusters of its clients would be lost",
  instead: `restore the value; for another management cluster, ${newStacks}; without clients, \`pulumi destroy\` and \`pulumi up\` make it anew`,
};

function replacements(oldInputs: unknown, newInputs: unknown): string[] {
  const [before, after] = [at(oldInputs, "aks"), at(newInputs, "aks")];
  if (before === undefined || after === undefined) {
    return [];
  }
  const now = new Map(fixedOf(after));
  return fixedOf(before)
    .filter(([key, value]) => now.get(key) !== value)
    .map(
      ([key, value]) =>
        `${key} from ${value} to ${now.get(key) ?? ""}: ${keptManagement.why}: ${keptManagement.instead}`,
    );
}

/**
 * Pulumi hook that runs before an update of the ManagementCluster of a stack that has no other cluster, and so before
 * anything in it changes, in previews too. It does not ask whether there are clients: a client may be about to come. It throws
 * an Error with every value with which the AKS cluster would be replaced.
 */
export const refuseReplacement = refusing(replacements);
