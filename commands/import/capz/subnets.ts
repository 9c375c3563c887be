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

const cidrOf = (subnet: Plain | undefined): unknown => networkOfList(subnet?.cidrBlocks ?? []);

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
    vnetCidr: networkOfList(at(networkSpec, "vnet", "cidrBlocks") ?? []),
    controlPlaneSubnetCidr: cidrOf(
      list(at(networkSpec, "subnets")).find(({ role }) => role === "control-plane"),
    ),
    nodeSubnetCidr: cidrOf(mainSubnet(networkSpec)),
    poolSubnets: poolSubnetsOf(networkSpec),
    podCidr: networkOfList(at(cluster, "clusterNetwork", "pods") ?? []),
    serviceCidr: networkOfList(at(cluster, "clusterNetwork", "services") ?? []),
  });
