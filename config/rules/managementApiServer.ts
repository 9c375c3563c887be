import { aksZone } from "capz-windows-platform/azure/managementNetwork";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import type { Problem } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";

/** The API server of an AKS management cluster: what belongs together, and what AKS refuses. */

const place = "management.network.apiServer";

type Network = NonNullable<Extract<Settings["management"], { kind: "aks" }>["network"]>;

/** Keys that say something of a private API server alone. */
const surplus = ({ apiServer }: Network): Problem[] =>
  (["privateDnsZone", "publicFqdn"] as const)
    .filter((key) => !apiServer.private && apiServer[key] !== undefined)
    .map((key) => ({
      path: `${place}.${key}`,
      value: apiServer[key],
      uses: ["management"],
      problem: "the API server of AKS has a public address",
      allowed: `only with ${place}.private: true`,
    }));

/** The delegated subnet is the stack's, or named. */
function integrationProblem({ subnetId: nodes, apiServer }: Network): Problem | false {
  const { vnetIntegration, subnetId } = apiServer;
  const common = { path: `${place}.subnetId`, value: subnetId, uses: ["management"] };
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
  // The subscription is a separate matter for both (managementNetwork.ts).
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
      path: `${place}.privateDnsZone`,
      value: privateDnsZone,
      uses: ["management", "azure.location"],
      problem: `AKS does not accept a zone with this name in ${location}${vnetIntegration ? " with vnetIntegration" : ""}`,
      allowed: `a zone named ${wanted}, or NAME.${wanted}`,
    }
  );
}

export function managementApiServerRules({ management, azure }: Settings): Problem[] {
  if (management.kind !== "aks" || management.network === undefined) {
    return [];
  }
  const { network, authorizedCidrs } = management;
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
        ...{ path: `${place}.publicFqdn`, value: false, uses },
        problem:
          "without a zone and without a public name the API server of AKS has no name, which AKS refuses",
        allowed: "publicFqdn: true, or another privateDnsZone",
      },
    linkedVnetIds.length > 0 &&
      privateDnsZone !== "own" && {
        ...{ path: `${place}.linkedVnetIds`, value: linkedVnetIds, uses },
        problem: "the stack links VNETs to a zone that it makes only",
        allowed: "only with privateDnsZone: own",
      },
    integrationProblem(network),
    zoneProblem(network, azure.location),
  );
}
