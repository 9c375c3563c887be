import { minor, parse } from "semver";
import {
  endpointSubnetId,
  privateLinkOf,
  shareVnet,
  stackPeering,
  vnetOfManagement,
} from "../managementReach";
import type { Problem } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";
import { aksVnetCidr } from "./networkRanges";

/** A private link, by which the management cluster reaches the API server. */

const place = "network.apiServer.privateLink";

/** The first minor of CAPZ with AzureCluster.spec.networkSpec.apiServerLB.privateLinks. */
const firstCapz = 27;

export function privateLinkRules(settings: Settings): Problem[] {
  const link = privateLinkOf(settings);
  if (link === undefined) {
    return [];
  }
  const { management, clusterApi } = settings;
  const uses = [place, "management"];
  const common = { path: place, uses };
  const capz = parse(clusterApi.azureVersion);
  const surplus = link.manual
    ? ([
        ["subnetId", "others choose the subnet of the private endpoint"],
        ["location", "others make the private endpoint in the region of its VNET"],
      ] as const)
    : [];
  return present<Problem>(
    ...surplus.map(
      ([key, problem]) =>
        link[key] !== undefined && {
          ...{ path: `${place}.${key}`, value: link[key], uses: [place] },
          problem: `not used with manual: ${problem}`,
          allowed: "only with an endpoint that the stack makes",
        },
    ),
    management.kind === "aks" &&
      vnetOfManagement(settings) === undefined && {
        ...common,
        problem: `the management cluster that the stack makes is in a VNET of AKS (${aksVnetCidr}), in which the stack makes no private endpoint`,
        allowed: "management.network, for a VNET of the stack or of others",
      },
    shareVnet(settings) && {
      ...common,
      problem: "both clusters are in one VNET, so the management cluster reaches the API server without it",
      allowed: "only where the two VNETs are not peered",
    },
    stackPeering(settings) !== undefined && {
      ...{ path: "management.peering", value: stackPeering(settings), uses },
      problem: `not used with ${place}, by which the management cluster reaches the API server without a peering`,
      allowed: "one of the two",
    },
    management.kind === "existing" &&
      !link.manual &&
      endpointSubnetId(settings) === undefined && {
        ...{ path: `${place}.subnetId`, uses },
        problem:
          "the stack does not know in which subnet of the management cluster's VNET to make the private endpoint",
        allowed: "the ARM ID of a subnet there, or manual: true where others make the endpoint",
      },
    clusterApi.install &&
      capz !== null &&
      capz.major === 1 &&
      minor(capz) < firstCapz && {
        ...{ path: "clusterApi.azureVersion", value: clusterApi.azureVersion },
        uses: ["clusterApi.azureVersion", place],
        problem: `CAPZ makes private link services from v1.${firstCapz} on (${place})`,
        allowed: `v1.${firstCapz}.0 or newer`,
      },
  );
}
