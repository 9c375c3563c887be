import { networkOfList } from "../values";
import { nodeSubnetName } from "../../../platform/cluster/naming";
import { at, list, text, type Plain } from "../../../tools/untyped";
import { legalName } from "../foreign";
import { missingIn } from "../variables";
import { unlessEmpty } from "./machines";

/** The network of a cluster, as keys of a stack file. */

const nodeSubnets = (networkSpec: unknown): Plain[] =>
  list(at(networkSpec, "subnets")).filter(({ role }) => role === "node");

/** The subnet of pools that do not name one: that with the name of the stack's node subnet, otherwise the first. */
export const mainSubnet = (networkSpec: unknown): Plain | undefined => {
  const all = nodeSubnets(networkSpec);
  return all.find(({ name }) => name === nodeSubnetName) ?? all[0];
};

/** One network of IPv4; a stack has no others, and the comparison with its plan gives the reason. */
export const cidrOf = (holder: unknown): unknown => {
  const network = networkOfList(at(holder, "cidrBlocks") ?? []);
  return text(network).includes(":") ? undefined : network;
};

/** The subnets of pools that name one. */
export const furtherSubnets = (networkSpec: unknown): Plain[] => {
  const main = mainSubnet(networkSpec);
  return nodeSubnets(networkSpec).filter((subnet) => subnet !== main);
};

/** The name of such a subnet in a stack file; others may have used more characters. */
export const subnetKey = (name: unknown): string =>
  missingIn(text(name)).length > 0 ? text(name) : legalName(text(name), "subnet", 62);

const poolSubnetsOf = (networkSpec: unknown): Plain | undefined =>
  unlessEmpty(
    Object.fromEntries(furtherSubnets(networkSpec).map((subnet) => [subnetKey(subnet.name), cidrOf(subnet)])),
  );

/** @param placed - keys of a network that others have made, or that only they reach */
export const networkKeys = (cluster: Plain, networkSpec: unknown, placed: Plain): Plain | undefined =>
  unlessEmpty({
    vnetCidr: cidrOf(at(networkSpec, "vnet")),
    controlPlaneSubnetCidr: cidrOf(
      list(at(networkSpec, "subnets")).find(({ role }) => role === "control-plane"),
    ),
    nodeSubnetCidr: cidrOf(mainSubnet(networkSpec)),
    poolSubnets: poolSubnetsOf(networkSpec),
    podCidr: cidrOf(at(cluster, "clusterNetwork", "pods")),
    serviceCidr: cidrOf(at(cluster, "clusterNetwork", "services")),
    ...placed,
  });
