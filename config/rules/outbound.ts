import { present } from "capz-windows-kit/present";
import { hasAddress, privateCidrs } from "capz-windows-platform/network/addressing";
import {
  bypassesBalancers,
  outboundKeys,
  type OutboundArgs,
} from "capz-windows-platform/company-network/outbound";
import type { Problem, Warning } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { exactlyOne, notBoth, surplusKeys } from "./choices";
import { elsewhere, subnetsOf } from "./networkRanges";

/** How machines leave the VNET: what belongs to each way out, and what it needs of the rest of the stack. */

const place = "network.outbound";

function natProblems(settings: Settings, outbound: OutboundArgs): Problem[] {
  const { type, natGatewayId, egressCidrs } = outbound;
  return present<Problem>(
    notBoth(place, outbound, ["addresses", "prefixLength"]),
    type === "existingNat" &&
      natGatewayId === undefined && {
        path: `${place}.natGatewayId`,
        uses: [place],
        problem: "type: existingNat needs the NAT gateway, and none is named",
        allowed: "its ARM ID",
      },
    type === "existingNat" && elsewhere(settings, `${place}.natGatewayId`, natGatewayId, [place]),
    type === "existingNat" &&
      egressCidrs === undefined &&
      settings.network.apiServer === undefined && {
        path: `${place}.egressCidrs`,
        uses: [place, "network.apiServer"],
        problem:
          "nodes come to the public API server from the addresses of the NAT gateway, and the stack file does not name them",
        allowed: "its public addresses, as networks",
      },
  );
}

function firewallProblems(settings: Settings, outbound: OutboundArgs): Problem[] {
  const { network } = settings;
  const { firewallAddress: address, routeTableId } = outbound;
  if (outbound.type !== "firewall") {
    return [];
  }
  const path = `${place}.firewallAddress`;
  const isIn = (cidr: string): boolean => address !== undefined && hasAddress(cidr, address);
  const around = subnetsOf(settings).find(([, cidr]) => isIn(cidr));
  return present<Problem>(
    exactlyOne(place, outbound, ["firewallAddress", "routeTableId"]),
    elsewhere(settings, `${place}.routeTableId`, routeTableId, [place]),
    address !== undefined &&
      ![...privateCidrs, network.vnetCidr].some(isIn) && {
        path,
        value: address,
        problem: "a public address, and packets can be routed only to a private one",
        allowed: "the private address of the firewall",
      },
    around !== undefined && {
      path,
      value: address,
      uses: [path, "network"],
      problem: `in ${around[1]} (${around[0]}), which has the route: packets of the firewall would be sent back to it`,
      allowed: "an address in a peered VNET, or in a part of the VNET that is no subnet of the cluster",
    },
  );
}

/** What a way out that load balancers do not know needs of the rest. */
function companionProblems(settings: Settings, { type }: OutboundArgs): Problem[] {
  const { network, proxy, registryMirror, sampleWorkload } = settings;
  return present<Problem>(
    network.apiServer === undefined && {
      path: place,
      uses: [place, "network.apiServer"],
      problem:
        type === "firewall"
          ? "the API server has a public load balancer, and its answers would leave through the firewall, which drops them because it has not seen the requests"
          : "the API server has a public address, which machines without a way out cannot reach",
      allowed: "a private API server (network.apiServer), or type: nat or existingNat",
    },
    sampleWorkload?.serviceType === "LoadBalancer" &&
      !sampleWorkload.internal && {
        path: "sampleWorkload.internal",
        uses: [place, "sampleWorkload"],
        problem: `the sample has a public load balancer, and its answers would ${type === "firewall" ? "leave through the firewall, which drops them because it has not seen the requests" : "have no way out of the VNET"} (${place})`,
        allowed: "internal: true, or serviceType: ClusterIP or NodePort",
      },
    type === "none" &&
      proxy === undefined &&
      (registryMirror === undefined || registryMirror.fallback) && {
        path: place,
        uses: [place, "proxy", "registryMirror"],
        problem:
          registryMirror === undefined
            ? "nodes pull images from registries on the Internet, and have no way there"
            : "registryMirror.fallback lets nodes ask registries on the Internet, and they have no way there",
        allowed:
          "registryMirror without fallback, or proxy, both in the VNET or in one that is peered with it",
      },
  );
}

export function outboundRules(settings: Settings): Problem[] {
  const { existing, outbound } = settings.network;
  if (outbound === undefined) {
    return [];
  }
  if (existing !== undefined && (outbound.type !== "firewall" || outbound.firewallAddress === undefined)) {
    return [
      {
        path: place,
        uses: [place, "network.existing"],
        problem:
          "the subnets of network.existing have the way out that others gave them, and the stack changes none",
        allowed:
          "egressCidrs in network.existing, the addresses from which machines leave; and type: firewall with firewallAddress, where their route 0.0.0.0/0 leads",
      },
    ];
  }
  return [
    ...surplusKeys(place, "type", outboundKeys, outbound),
    ...natProblems(settings, outbound),
    ...firewallProblems(settings, outbound),
    ...(bypassesBalancers(outbound) ? companionProblems(settings, outbound) : []),
  ];
}

/** What the cloud provider needs besides images. */
export const outboundWarnings = ({ network: { outbound }, proxy }: Settings): Warning[] =>
  present(
    outbound?.type === "none" &&
      proxy === undefined && {
        path: place,
        message:
          "the cloud provider and the CSI drivers call management.azure.com, which nodes do not reach without a way out: no load balancer of a Service and no volume is made, unless your network leads there (private link for Azure Resource Manager); a proxy is another way",
      },
  );
