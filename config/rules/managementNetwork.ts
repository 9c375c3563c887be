import { aksNetwork, aksSurge } from "capz-windows-platform/azure/aks";
import {
  aksZone,
  managementSubnets,
  managementVnetPrefixes,
  nodesInUpgrade,
} from "capz-windows-platform/azure/managementNetwork";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { mustParseCidr, overlaps, usableAddresses } from "capz-windows-platform/network/addressing";
import type { Problem } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";
import { exactlyOne } from "./choices";
import { elsewhere, reservedCidrs } from "./networkRanges";

/** The VNET of an AKS management cluster, its way out, and its API server. */

const place = "management.network";

type Aks = Extract<Settings["management"], { kind: "aks" }>;
type Network = NonNullable<Aks["network"]>;

const taken = [aksNetwork.podCidr, aksNetwork.serviceCidr, ...reservedCidrs];

function vnetProblems({ maxNodeCount }: Aks, vnetCidr: string): Problem[] {
  const path = `${place}.vnetCidr`;
  const { from, to } = managementVnetPrefixes;
  const vnet = mustParseCidr(vnetCidr);
  const common = { path, value: vnetCidr, uses: ["management"] };
  if (vnet.prefix < from || vnet.prefix > to) {
    return [
      {
        ...common,
        problem: "half of it is for nodes, and the first /28 for the API server",
        allowed: `a prefix length from ${from} to ${to}`,
      },
    ];
  }
  const met = taken.find((one) => overlaps(mustParseCidr(one), vnet));
  const nodes = nodesInUpgrade(maxNodeCount);
  const room = usableAddresses(mustParseCidr(managementSubnets(vnetCidr).nodes));
  return present<Problem>(
    met !== undefined && {
      ...common,
      problem: `overlaps ${met}, which AKS gives to its pods or Services, or Azure reserves`,
      allowed: `a network that does not overlap ${taken.join(", ")}`,
    },
    room < nodes && {
      ...common,
      problem: `its half for nodes has ${room} addresses, and maxNodeCount ${maxNodeCount} with an upgrade's surge of ${aksSurge} needs ${nodes}`,
      allowed: "a larger network, or a smaller maxNodeCount",
    },
  );
}

function outboundProblems({ vnetCidr, outbound }: Network): Problem[] {
  const { type, egressCidrs } = outbound;
  const path = `${place}.outbound`;
  const ofOthers = type === "existingNat" || type === "firewall";
  const common = { path: `${path}.type`, value: type, uses: ["management"] };
  if (type === "nat" && vnetCidr === undefined) {
    return [
      {
        ...common,
        problem: "the subnet of others has the way out that they gave it, and the stack changes none",
        allowed: "loadBalancer, existingNat or firewall with subnetId",
      },
    ];
  }
  if (ofOthers && vnetCidr !== undefined) {
    return [
      {
        ...common,
        problem:
          type === "firewall"
            ? "AKS nodes contact the Internet as soon as they start, and a VNET that the stack has just made has no route to a firewall yet"
            : "a VNET that the stack makes has no NAT gateway of others",
        allowed: "loadBalancer or nat with vnetCidr; subnetId, for a subnet that leads there",
      },
    ];
  }
  const ofCidrs = { ...common, path: `${path}.egressCidrs` };
  return present<Problem>(
    ofOthers &&
      egressCidrs === undefined && {
        ...ofCidrs,
        value: undefined,
        problem: `with type: ${type}, others know from which addresses AKS leaves, and the stack file does not name them`,
        allowed: "at least one CIDR",
      },
    !ofOthers &&
      egressCidrs !== undefined && {
        ...ofCidrs,
        value: egressCidrs,
        problem: `with type: ${type}, the stack makes the address from which AKS leaves`,
        allowed: "only with type: existingNat or firewall",
      },
  );
}

const serverPlace = `${place}.apiServer`;

/** Keys that say something of a private API server alone. */
const surplus = ({ apiServer }: Network): Problem[] =>
  (["privateDnsZone", "publicFqdn"] as const)
    .filter((key) => !apiServer.private && apiServer[key] !== undefined)
    .map((key) => ({
      path: `${serverPlace}.${key}`,
      value: apiServer[key],
      uses: ["management"],
      problem: "the API server of AKS has a public address",
      allowed: `only with ${serverPlace}.private: true`,
    }));

/** The delegated subnet is the stack's, or named. */
function integrationProblem({ subnetId: nodes, apiServer }: Network): Problem | false {
  const { vnetIntegration, subnetId } = apiServer;
  const common = { path: `${serverPlace}.subnetId`, value: subnetId, uses: ["management"] };
  if (!vnetIntegration || nodes === undefined) {
    return (
      subnetId !== undefined && {
        ...common,
        problem: vnetIntegration
          ? "the stack makes the VNET, and in it the subnet of the API server"
          : "without vnetIntegration the API server of AKS is in no subnet",
        allowed: "only with vnetIntegration: true and network.subnetId",
      }
    );
  }
  const vnet = vnetIdOf(nodes);
  // The subscription is a separate matter for both.
  const within = (id: string): string => id.toLowerCase().replace(/^\/subscriptions\/[^/]+/, "");
  const isRight =
    subnetId !== undefined &&
    within(vnetIdOf(subnetId)) === within(vnet) &&
    within(subnetId) !== within(nodes);
  return (
    !isRight && {
      ...common,
      problem:
        subnetId === undefined
          ? "vnetIntegration needs a subnet for the API server, and none is named"
          : "not another subnet of the VNET of the nodes, as vnetIntegration needs it",
      allowed: `a subnet of ${vnet} that is delegated to AKS`,
    }
  );
}

function zoneProblem({ apiServer }: Network, location: string): Problem | false {
  const { privateDnsZone, vnetIntegration } = apiServer;
  const wanted = aksZone(location, vnetIntegration);
  const { name } = resourceParts(privateDnsZone ?? "");
  return (
    name !== "" &&
    name !== wanted &&
    !name.endsWith(`.${wanted}`) && {
      path: `${serverPlace}.privateDnsZone`,
      value: privateDnsZone,
      uses: ["management", "azure.location"],
      problem: `AKS does not accept a zone with this name in ${location}${vnetIntegration ? " with vnetIntegration" : ""}`,
      allowed: `a zone named ${wanted}, or NAME.${wanted}`,
    }
  );
}

/** What belongs together, and what AKS refuses. */
function apiServerProblems(
  network: Network,
  authorizedCidrs: readonly string[],
  location: string,
): Problem[] {
  const { private: isPrivate, privateDnsZone, publicFqdn, linkedVnetIds } = network.apiServer;
  const uses = ["management"];
  return present<Problem>(
    ...surplus(network),
    isPrivate &&
      authorizedCidrs.length > 0 && {
        ...{ path: "management.authorizedCidrs", value: authorizedCidrs, uses },
        problem: "AKS limits the networks of a public API server only, and that of the stack is private",
        allowed: "none; whoever is in the VNET, in a peered one or behind its gateway reaches it",
      },
    isPrivate &&
      privateDnsZone === "none" &&
      publicFqdn === false && {
        ...{ path: `${serverPlace}.publicFqdn`, value: false, uses },
        problem:
          "without a zone and without a public name the API server of AKS has no name, which AKS refuses",
        allowed: "publicFqdn: true, or another privateDnsZone",
      },
    linkedVnetIds.length > 0 &&
      privateDnsZone !== "own" && {
        ...{ path: `${serverPlace}.linkedVnetIds`, value: linkedVnetIds, uses },
        problem: "the stack links VNETs to a zone that it makes only",
        allowed: "only with privateDnsZone: own",
      },
    integrationProblem(network),
    zoneProblem(network, location),
  );
}

export function managementNetworkRules({ management, azure }: Settings): Problem[] {
  if (management.kind !== "aks" || management.network === undefined) {
    return [];
  }
  const { network } = management;
  const { vnetCidr, subnetId, apiServer } = network;
  const uses = ["management"];
  const wrong = exactlyOne(place, network, ["vnetCidr", "subnetId"], uses);
  const ofServer = apiServerProblems(network, management.authorizedCidrs, azure.location);
  if (wrong) {
    return [wrong, ...ofServer];
  }
  return present<Problem>(
    elsewhere({ azure }, `${place}.subnetId`, subnetId, uses),
    subnetId !== undefined &&
      apiServer.vnetIntegration &&
      elsewhere({ azure }, `${serverPlace}.subnetId`, apiServer.subnetId, uses),
    ...(vnetCidr === undefined ? [] : vnetProblems(management, vnetCidr)),
    ...outboundProblems(network),
    ...ofServer,
  );
}
