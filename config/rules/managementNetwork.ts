import { aksNetwork, aksSurge } from "capz-windows-platform/azure/aks";
import {
  managementSubnets,
  managementVnetPrefixes,
  nodesInUpgrade,
} from "capz-windows-platform/azure/managementNetwork";
import { mustParseCidr, overlaps, usableAddresses } from "capz-windows-platform/network/addressing";
import { subnetParts } from "capz-windows-platform/company-network/existingNetwork";
import type { Problem } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";
import { reservedCidrs } from "./networkRanges";

/** The VNET of an AKS management cluster, and its way out. */

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
      problem:
        met === aksNetwork.podCidr || met === aksNetwork.serviceCidr
          ? `overlaps ${met}, which AKS gives to its ${met === aksNetwork.podCidr ? "pods" : "Services"}`
          : `overlaps ${met}, which Azure reserves`,
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

export function managementNetworkRules({ management, azure }: Settings): Problem[] {
  if (management.kind !== "aks" || management.network === undefined) {
    return [];
  }
  const { network } = management;
  const { vnetCidr, subnetId } = network;
  if ((vnetCidr === undefined) === (subnetId === undefined)) {
    return [
      {
        ...{ path: place, value: network, uses: ["management"] },
        problem:
          vnetCidr === undefined
            ? "neither vnetCidr nor subnetId says in which network AKS is"
            : "vnetCidr and subnetId are both set, and AKS is in one network",
        allowed: "vnetCidr, for a VNET of the stack, or subnetId, for a subnet of others",
      },
    ];
  }
  const elsewhere = (within: string, id: string): Problem | false => {
    const { subscription } = subnetParts(id);
    return (
      subscription.toLowerCase() !== azure.subscriptionId.toLowerCase() && {
        ...{ path: `${within}.subnetId`, value: id, uses: ["management", "azure.subscriptionId"] },
        problem: `in another subscription than the stack (${azure.subscriptionId}): Azure attaches nodes only to VNETs in their subscription`,
        allowed: `a subnet of the subscription ${azure.subscriptionId}`,
      }
    );
  };
  const { apiServer } = network;
  return present<Problem>(
    subnetId !== undefined && elsewhere(place, subnetId),
    subnetId !== undefined &&
      apiServer.subnetId !== undefined &&
      apiServer.vnetIntegration &&
      elsewhere(`${place}.apiServer`, apiServer.subnetId),
    ...(vnetCidr === undefined ? [] : vnetProblems(management, vnetCidr)),
    ...outboundProblems(network),
  );
}
