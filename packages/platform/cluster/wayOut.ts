import { at, list, textAt } from "capz-windows-kit/untyped";
import { networkNames } from "./naming";

/** What an AzureCluster says about the way out of its VNET, of which it keeps a part. */

/**
 * Why a cluster cannot change between the two (CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go,
 * validateAzureClusterSubnetUpdate; azure-native 3.28.0, SubnetArgs).
 */
export const keptWayOut = {
  why: "CAPZ keeps the name of the NAT gateway once the AzureCluster has one, and Azure whether a subnet has default outbound access",
  instead:
    "restore network.outbound, or create a new cluster with the new way out and move the workloads there",
};

/** In the VNET of the stack; "" for one of others, whose subnets never name a NAT gateway. */
export function wayOutOf(object: unknown): string {
  const spec = at(object, "spec");
  const vnet = at(spec, "networkSpec", "vnet");
  const node = list(at(spec, "networkSpec", "subnets")).find(({ role }) => role === "node");
  const isOwn =
    textAt(vnet, "name") === networkNames(textAt(object, "metadata", "name")).vnet &&
    textAt(vnet, "resourceGroup") === textAt(spec, "resourceGroup");
  if (!isOwn || node === undefined) {
    return "";
  }
  return at(node, "natGateway") === undefined
    ? "another way out"
    : "a NAT gateway of the stack with single addresses";
}
