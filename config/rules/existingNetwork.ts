import { subnetParts, vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { ownValue } from "capz-windows-kit/untyped";

/** A VNET of others: its subnets are in one VNET of the stack's subscription, and each is named once. */

const place = "network.existing";

export function existingNetworkRules({ azure, network }: Settings): Problem[] {
  const { existing, poolSubnets } = network;
  if (existing === undefined) {
    return [];
  }
  const ids: (readonly [key: string, id: string])[] = [
    ["controlPlaneSubnetId", existing.controlPlaneSubnetId],
    ["nodeSubnetId", existing.nodeSubnetId],
    ...Object.entries(existing.poolSubnetIds)
      .sort()
      .map(([name, id]) => [`poolSubnetIds.${name}`, id] as const),
  ];
  const vnet = vnetIdOf(existing.controlPlaneSubnetId);
  const folded = ids.map(([, id]) => id.toLowerCase());
  const wrong = (key: string, value: unknown, problem: string, allowed: string): Problem => ({
    path: `${place}.${key}`,
    value,
    uses: [place, "azure.subscriptionId"],
    problem,
    allowed,
  });
  const ofIds = ids.flatMap(([key, id], index): Problem[] => {
    const { subscription } = subnetParts(id);
    const first = folded.indexOf(id.toLowerCase());
    if (subscription.toLowerCase() !== azure.subscriptionId.toLowerCase()) {
      return [
        wrong(
          key,
          id,
          `in another subscription than the stack (${azure.subscriptionId}): Azure attaches machines only to VNETs in their subscription`,
          `a subnet of the subscription ${azure.subscriptionId}; a VNET of another subscription can be peered with it`,
        ),
      ];
    }
    if (vnetIdOf(id).toLowerCase() !== vnet.toLowerCase()) {
      return [
        wrong(
          key,
          id,
          `in another VNET than ${place}.controlPlaneSubnetId: a cluster is in one VNET`,
          `a subnet of ${vnet}`,
        ),
      ];
    }
    return first === index
      ? []
      : [wrong(key, id, `the same subnet as ${place}.${ids[first]?.[0]}`, "each subnet once")];
  });
  const missing = Object.keys(poolSubnets)
    .filter((name) => ownValue(existing.poolSubnetIds, name) === undefined)
    .sort();
  const surplus = Object.keys(existing.poolSubnetIds)
    .filter((name) => ownValue(poolSubnets, name) === undefined)
    .sort();
  return [
    ...ofIds,
    ...missing.map((name): Problem => ({
      path: `${place}.poolSubnetIds.${name}`,
      uses: [place, "network.poolSubnets"],
      problem: `network.poolSubnets has ${name}, and nothing says which subnet of the VNET it is`,
      allowed: "the ARM ID of the subnet",
    })),
    ...surplus.map((name): Problem => ({
      path: `${place}.poolSubnetIds.${name}`,
      value: existing.poolSubnetIds[name],
      uses: [place, "network.poolSubnets"],
      problem: `network.poolSubnets has no ${name}, so its range is not known`,
      allowed: "the names of network.poolSubnets",
    })),
  ];
}
