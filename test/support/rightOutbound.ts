import fc from "fast-check";

/** Ways out of the VNET that fit the rest of a config. */

type Raw = Record<string, unknown>;

const idIn = (subscriptionId: string, type: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/network/providers/Microsoft.Network/${type}/own`;

/** Ids are completed with the subscription of the config. The second way is for a private API server. */
export const outbound: fc.Arbitrary<readonly Raw[]> = fc.tuple(
  fc.constantFrom<Raw>(
    { type: "nat", addresses: 3, idleTimeoutMinutes: 30 },
    { type: "nat", prefixLength: 29 },
    { type: "existingNat", natGatewayId: "natGateways", egressCidrs: ["198.51.100.10/32"] },
  ),
  fc.constantFrom<Raw>(
    { type: "firewall", firewallAddress: "100.64.0.4" },
    { type: "firewall", routeTableId: "routeTables" },
    { type: "none" },
  ),
);

/** Whether answers of load balancers come back, and images come from somewhere. */
function fits({ type }: Raw, config: Raw, network: Raw): boolean {
  const sample = config.sampleWorkload as Raw | undefined;
  const isPublic =
    sample !== undefined &&
    (sample.serviceType ?? "LoadBalancer") === "LoadBalancer" &&
    sample.internal !== true;
  const mirror = config.registryMirror as Raw | undefined;
  const hasImages = config.proxy !== undefined || (mirror !== undefined && mirror.fallback !== true);
  return (
    network.existing === undefined &&
    (!["firewall", "none"].includes(String(type)) || (network.apiServer !== undefined && !isPublic)) &&
    (type !== "none" || hasImages)
  );
}

/** The config with the last of the ways out that is possible. */
export function withOutbound(config: Raw, ways: readonly Raw[] = []): Raw {
  const network = (config.network ?? {}) as Raw;
  const own = ways.findLast((one) => fits(one, config, network));
  if (own === undefined) {
    return config;
  }
  const { subscriptionId } = config.azure as { subscriptionId: string };
  const ids = Object.fromEntries(
    Object.entries(own)
      .filter(([key]) => key.endsWith("Id"))
      .map(([key, type]) => [key, idIn(subscriptionId, String(type))]),
  );
  return { ...config, network: { ...network, outbound: { ...own, ...ids } } };
}
