import { minor, parse } from "semver";
import { present } from "capz-windows-kit/present";
import { privateApiServer } from "../apiServer";
import { aksNetwork } from "capz-windows-platform/azure/aks";
import { balancerAddresses } from "capz-windows-platform/cluster/privateApiServer";
import { ManagementPeering } from "capz-windows-platform/company-network/peerings";
import { managementPeering } from "capz-windows-platform/azure/managementNetwork";
import {
  contains,
  covers,
  mustParseCidr,
  overlaps,
  privateCidrs,
} from "capz-windows-platform/network/addressing";
import type { Problem, Warning } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import {
  endpointSubnetId,
  peeringsOf,
  privateLinkOf,
  shareVnet,
  stackPeering,
  vnetOfManagement,
} from "../managementReach";
import { aksVnetCidr } from "./networkRanges";

/** A private API server: who can reach it, by which address and which name. */

const place = "network.apiServer";

/** tigera/operator v1.42 gives the API server's name to host-network pods only; earlier ones give it to all. */
const firstCalico = "3.32";

function addressProblem({ network }: Settings, ip: string): Problem | false {
  const cidr = network.controlPlaneSubnetCidr;
  const { first, last } = balancerAddresses(cidr);
  const of = (text: string) => mustParseCidr(`${text}/32`);
  const isInside = contains(mustParseCidr(cidr), of(ip));
  const isFree = of(ip).first >= of(first).first && of(ip).first <= of(last).first;
  return (
    !(isInside && isFree) && {
      path: `${place}.ip`,
      value: ip,
      uses: [`${place}.ip`, "network.controlPlaneSubnetCidr", "network.vnetCidr"],
      problem: isInside
        ? `Azure takes the first four addresses and the last one of ${cidr} itself`
        : `not in the control plane subnet ${cidr} (network.controlPlaneSubnetCidr)`,
      allowed: `an address from ${first} to ${last}`,
    }
  );
}

const besideOthers =
  "management.network.subnetId, in the VNET of network.existing or in one that is peered with it";

/** The controllers on an AKS cluster of the stack must reach the API server. */
function reachProblem(settings: Settings): Problem | false {
  const { network, management } = settings;
  const vnetId = vnetOfManagement(settings);
  const common = { path: place, uses: [place, "management", "network"] };
  if (management.kind !== "aks" || shareVnet(settings) || privateLinkOf(settings)) {
    return false;
  }
  if (vnetId === undefined) {
    return {
      ...common,
      problem: `the management cluster that the stack makes is in a VNET of AKS (${aksVnetCidr}) without any peering: its controllers could not reach a private API server`,
      allowed:
        network.existing === undefined
          ? "management.network, for a VNET that the stack peers with this one, or management.kind: existing, with the management cluster's VNET in linkedVnetIds and peered with this one"
          : besideOthers,
    };
  }
  if (network.existing !== undefined) {
    return (
      management.network?.vnetCidr !== undefined && {
        ...common,
        problem:
          "the stack makes the VNET of the management cluster, and peers nothing with the VNET of network.existing, which belongs to others: the controllers could not reach a private API server",
        allowed: besideOthers,
      }
    );
  }
  return (
    Object.keys(peeringsOf(settings)).length === 0 && {
      ...common,
      problem: `the VNET of the stack is not peered with that of the management cluster (${vnetId}): its controllers could not reach a private API server`,
      allowed:
        "network.peerings with the VNET of management.network.subnetId, or with a hub that leads there",
    }
  );
}

/** Addresses that pods of AKS look for among themselves. */
function podsProblem(settings: Settings): Problem | false {
  const { vnetCidr } = settings.network;
  const met = [aksNetwork.podCidr, aksNetwork.serviceCidr].find((cidr) =>
    overlaps(mustParseCidr(cidr), mustParseCidr(vnetCidr)),
  );
  return (
    privateLinkOf(settings) === undefined &&
    (vnetOfManagement(settings) !== undefined || stackPeering(settings) !== undefined) &&
    met !== undefined && {
      path: "network.vnetCidr",
      value: vnetCidr,
      uses: ["network.vnetCidr", place, "management"],
      problem: `overlaps ${met} of the pods and Services of AKS: its controllers would look for a private API server among them`,
      allowed: `a network that overlaps neither ${aksNetwork.podCidr} nor ${aksNetwork.serviceCidr}`,
    }
  );
}

/** Who peers the VNET with that of the management cluster of another stack. */
function peeringProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const peering = stackPeering(settings);
  if (peering === undefined) {
    return [];
  }
  const others = ManagementPeering.others;
  const common = { path: "management.peering", value: peering, uses: ["management", "network"] };
  return present<Problem>(
    network.apiServer === undefined && {
      ...common,
      problem: "not used with a public API server, which the management cluster reaches without a peering",
      allowed: "only with network.apiServer",
    },
    network.existing !== undefined &&
      peering !== others && {
        ...common,
        problem: "the VNET of network.existing belongs to others, and so do its peerings",
        allowed: "others: the stack links the zone of the API server, and the network team peers the VNETs",
      },
    peering === others &&
      network.apiServer?.dns.manual === true && {
        ...common,
        problem: "not used with dns.manual: the stack would make neither a peering nor a link",
        allowed: "stack or manual, or a zone that the stack links",
      },
    peering !== others &&
      network.peerings[managementPeering] !== undefined && {
        path: `network.peerings.${managementPeering}`,
        uses: ["management", "network.peerings"],
        problem: "management.peering makes a peering with this name",
        allowed: "another name",
      },
  );
}

/** A private link, by which the management cluster reaches the API server. */
const linkPlace = `${place}.privateLink`;

/** The first minor of CAPZ with AzureCluster.spec.networkSpec.apiServerLB.privateLinks. */
const firstCapz = 27;

function privateLinkProblems(settings: Settings): Problem[] {
  const link = privateLinkOf(settings);
  if (link === undefined) {
    return [];
  }
  const { management, clusterApi } = settings;
  const uses = [linkPlace, "management"];
  const common = { path: linkPlace, uses };
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
          ...{ path: `${linkPlace}.${key}`, value: link[key], uses: [linkPlace] },
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
      problem: `not used with ${linkPlace}, by which the management cluster reaches the API server without a peering`,
      allowed: "one of the two",
    },
    management.kind === "existing" &&
      !link.manual &&
      endpointSubnetId(settings) === undefined && {
        ...{ path: `${linkPlace}.subnetId`, uses },
        problem:
          "the stack does not know in which subnet of the management cluster's VNET to make the private endpoint",
        allowed: "the ARM ID of a subnet there, or manual: true where others make the endpoint",
      },
    clusterApi.install &&
      capz !== null &&
      capz.major === 1 &&
      minor(capz) < firstCapz && {
        ...{ path: "clusterApi.azureVersion", value: clusterApi.azureVersion },
        uses: ["clusterApi.azureVersion", linkPlace],
        problem: `CAPZ makes private link services from v1.${firstCapz} on (${linkPlace})`,
        allowed: `v1.${firstCapz}.0 or newer`,
      },
  );
}

export const apiServerRules = (settings: Settings): Problem[] => [
  ...serverProblems(settings),
  ...privateLinkProblems(settings),
];

function serverProblems(settings: Settings): Problem[] {
  const { network, management, platform, addons } = settings;
  const own = privateApiServer(settings);
  const peering = peeringProblems(settings);
  if (own === undefined || network.apiServer === undefined) {
    return peering;
  }
  const { dns } = network.apiServer;
  const path = place;
  const calico = addons.calicoVersion ?? "";
  return present<Problem>(
    ...peering,
    reachProblem(settings),
    podsProblem(settings),
    platform.cni !== "calico" &&
      platform.cni !== "none" && {
        ...{ path, uses: [place, "flavor"] },
        problem: `the flavor ${settings.flavor} has no private API server`,
        allowed: "flavor: containerd",
      },
    platform.cni === "calico" &&
      minor(settings.kubernetesVersion) < 35 &&
      (calico === "" || minor(calico) < 32) && {
        ...{ path, code: "calico-too-old", uses: [place, "kubernetesVersion", "addons"] },
        problem: `Calico before v${firstCalico} sends pods on a machine of the control plane to the load balancer, which cannot send them back to that machine`,
        allowed: `Kubernetes v1.35 or newer, addons.calicoVersion v${firstCalico}.1, or addons.cni: none with a CNI of your own`,
      },
    dns.zoneId !== undefined &&
      (dns.zoneName !== undefined || dns.manual) && {
        path: `${place}.dns`,
        problem: `zoneId and ${dns.manual ? "manual" : "zoneName"} are both set`,
        allowed: "zoneName, zoneId, or manual with or without zoneName",
      },
    own.manual &&
      own.linkedVnetIds.length > 0 && {
        path: `${place}.linkedVnetIds`,
        uses: [place],
        problem: "not used with dns.manual: whoever has the zone links it",
        allowed: "only with a zone of the stack, or with dns.zoneId",
      },
    management.kind !== "aks" &&
      own.privateLink === undefined &&
      stackPeering(settings) === undefined &&
      dns.zoneId === undefined &&
      !own.manual &&
      own.linkedVnetIds.length === 0 && {
        path: `${place}.linkedVnetIds`,
        uses: [place],
        problem: `the management cluster cannot resolve ${own.zoneName}: the zone is linked to the cluster's VNET only`,
        ...(management.kind === "stack"
          ? {
              allowed:
                "management.peering, which links the VNET of the management stack, or the ARM ID of a hub whose DNS servers it asks",
            }
          : {
              allowed:
                "the ARM ID of the management cluster's VNET, or that of a hub whose DNS servers it asks",
            }),
      },
    addressProblem(settings, own.ip),
  );
}

/** Networks that only make sense for a public address. */
export const apiServerWarnings = ({ network, management, access }: Settings): Warning[] =>
  network.apiServer === undefined
    ? []
    : (
        [
          ["access.allowedCidrs", access.allowedCidrs],
          ["management.egressCidrs", management.kind === "existing" ? management.egressCidrs : []],
        ] as const
      )
        .map(([path, cidrs]) => ({ path, cidrs: cidrs.filter((one) => !covers(privateCidrs, [one])) }))
        .filter(({ cidrs }) => cidrs.length > 0)
        .map(({ path, cidrs }) => ({
          path,
          message: `no client reaches a private API server from ${cidrs.join(", ")}: the security group leaves public networks out; write the private ranges from which the connections come`,
        }));
