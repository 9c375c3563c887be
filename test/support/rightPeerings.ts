import fc from "fast-check";

/** Peerings with VNETs whose ranges no config has, and DNS servers in them. */

type Raw = Record<string, unknown>;

const vnet = (name: string): string =>
  `/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/${name}/providers/Microsoft.Network/virtualNetworks/${name}-vnet`;

const hub = { vnetId: vnet("hub"), addressSpaces: ["10.204.0.0/24"] };

export const peered: fc.Arbitrary<Raw> = fc.constantFrom<Raw>(
  { peerings: { hub: { ...hub, remoteSide: "stack", useRemoteGateways: true } } },
  {
    peerings: {
      hub: { ...hub, allowForwardedTraffic: false },
      data: { vnetId: vnet("data"), addressSpaces: ["10.205.0.0/24", "10.206.0.0/24"] },
    },
    dnsServers: ["10.204.0.68", "10.204.0.69"],
  },
  { dnsServers: ["168.63.129.16"] },
);

/** The config with them, unless its VNET is that of others. */
export function withPeerings(config: Raw, own: Raw | undefined): Raw {
  const network = (config.network ?? {}) as Raw;
  return own === undefined || network.existing !== undefined
    ? config
    : { ...config, network: { ...network, ...own } };
}
