import { networkOfList } from "../../../config/foreignKeys/values";
import { nodeSubnetName } from "../../../platform/cluster/naming";
import { at, list, text } from "../../../tools/untyped";
import { unlessEmpty } from "./machines";

/** The network of a cluster, as keys of a stack file. */

type Plain = Record<string, unknown>;

const nodeSubnets = (networkSpec: unknown): Plain[] =>
  list(at(networkSpec, "subnets")).filter(({ role }) => role === "node");

/** The subnet of pools that do not name one: that with the name of the stack's node subnet, otherwise the first. */
export const mainSubnet = (networkSpec: unknown): Plain | undefined => {
  const all = nodeSubnets(networkSpec);
  return all.find(({ name }) => name === nodeSubnetName) ?? all[0];
};

/** One network of IPv4; a stack has no others, and the comparison with its plan gives the reason. */
const cidrOf = (holder: unknown): unknown => {
  const network = networkOfList(at(holder, "cidrBlocks") ?? []);
  return text(network).includes(":") ? undefined : network;
};

function poolSubnetsOf(networkSpec: unknown): Plain | undefined {
  const main = mainSubnet(networkSpec);
  return unlessEmpty(
    Object.fromEntries(
      nodeSubnets(networkSpec)
        .filter((subnet) => subnet !== main)
        .map((subnet) => [text(subnet.name), cidrOf(subnet)]),
    ),
  );
}

export const networkKeys = (cluster: Plain, networkSpec: unknown): Plain | undefined =>
  unlessEmpty({
    vnetCidr: cidrOf(at(networkSpec, "vnet")),
    controlPlaneSubnetCidr: cidrOf(
      list(at(networkSpec, "subnets")).find(({ role }) => role === "control-plane"),
    ),
    nodeSubnetCidr: cidrOf(mainSubnet(networkSpec)),
    poolSubnets: poolSubnetsOf(networkSpec),
    podCidr: cidrOf(at(cluster, "clusterNetwork", "pods")),
    serviceCidr: cidrOf(at(cluster, "clusterNetwork", "services")),
  });
