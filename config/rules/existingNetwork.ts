import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { byName } from "capz-windows-kit/byName";
import type { Problem } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import { ownValue } from "capz-windows-kit/untyped";
import type { Settings } from "../settings";
import { elsewhere } from "./networkRanges";

/** A VNET of others: its subnets are in one VNET of the stack's subscription, and each is named once. */

const place = "network.existing";

type Existing = NonNullable<Settings["network"]["existing"]>;

function idProblems(settings: Settings, existing: Existing): Problem[] {
  const ids: (readonly [key: string, id: string])[] = [
    ["controlPlaneSubnetId", existing.controlPlaneSubnetId],
    ["nodeSubnetId", existing.nodeSubnetId],
    ...byName(existing.poolSubnetIds).map(([name, id]) => [`poolSubnetIds.${name}`, id] as const),
  ];
  const vnet = vnetIdOf(existing.controlPlaneSubnetId);
  const folded = ids.map(([, id]) => id.toLowerCase());
  return ids.flatMap(([key, id], index): Problem[] => {
    const first = folded.indexOf(id.toLowerCase());
    const common = { path: `${place}.${key}`, value: id, uses: [place] };
    const found = present<Problem>(
      elsewhere(settings, common.path, id, [place]),
      vnetIdOf(id).toLowerCase() !== vnet.toLowerCase() && {
        ...common,
        problem: `in another VNET than ${place}.controlPlaneSubnetId: a cluster is in one VNET`,
        allowed: `a subnet of ${vnet}`,
      },
      first !== index && {
        ...common,
        problem: `the same subnet as ${place}.${ids[first]?.[0]}`,
        allowed: "each subnet once",
      },
    );
    return found.slice(0, 1);
  });
}

/** Names that are not in both of network.poolSubnets and poolSubnetIds. */
function nameProblems(poolSubnets: Readonly<Record<string, string>>, { poolSubnetIds }: Existing): Problem[] {
  const names = [...new Set([...Object.keys(poolSubnets), ...Object.keys(poolSubnetIds)])].sort();
  return names.flatMap((name): Problem[] => {
    const common = { path: `${place}.poolSubnetIds.${name}`, uses: [place, "network.poolSubnets"] };
    return present<Problem>(
      ownValue(poolSubnetIds, name) === undefined && {
        ...common,
        problem: `network.poolSubnets has ${name}, and nothing says which subnet of the VNET it is`,
        allowed: "the ARM ID of the subnet",
      },
      ownValue(poolSubnets, name) === undefined && {
        ...common,
        value: poolSubnetIds[name],
        problem: `network.poolSubnets has no ${name}, so its range is not known`,
        allowed: "the names of network.poolSubnets",
      },
    );
  });
}

export const existingNetworkRules = (settings: Settings): Problem[] => {
  const { existing, poolSubnets } = settings.network;
  return existing === undefined
    ? []
    : [...idProblems(settings, existing), ...nameProblems(poolSubnets, existing)];
};
