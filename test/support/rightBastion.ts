import fc from "fast-check";
import {
  defaultSubnets,
  formatCidr,
  mustParseCidr,
  overlaps,
} from "capz-windows-platform/network/addressing";
import { defaultVnetCidr } from "capz-windows-platform/network/defaults";

/** Ways in that fit the rest of a config. */

type Raw = Record<string, unknown>;

const ofStack = { allowedCidrs: ["203.0.113.0/24"] };
const bastionId =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion";

/** The range of those that have one is completed; the second is for a VNET without room, or without public addresses. */
export const waysIn: fc.Arbitrary<readonly Raw[]> = fc.tuple(
  fc.constantFrom<Raw>(
    { kind: "stack", ...ofStack },
    { kind: "stack", zones: ["3", "1"], ...ofStack },
    { kind: "none", ...ofStack },
  ),
  fc.constantFrom<Raw>(
    { kind: "existing", bastionId },
    { kind: "jumpHost", jumpHost: "ops@10.204.0.10:2222" },
  ),
);

type Network = Raw &
  Readonly<Partial<Record<"vnetCidr" | "controlPlaneSubnetCidr" | "nodeSubnetCidr", string>>> & {
    readonly poolSubnets?: Readonly<Record<string, string>>;
  };

export function withWayIn(config: Raw, [own, other]: readonly Raw[] = []): Raw {
  if (own === undefined) {
    return config;
  }
  const network = (config.network ?? {}) as Network;
  const { vnetCidr = defaultVnetCidr, poolSubnets = {} } = network;
  const defaults = defaultSubnets(vnetCidr);
  const taken = [
    network.controlPlaneSubnetCidr ?? defaults.controlPlane,
    network.nodeSubnetCidr ?? defaults.nodes,
    ...Object.values(poolSubnets),
  ].map(mustParseCidr);
  const vnet = mustParseCidr(vnetCidr);
  const range = Array.from({ length: Math.min(1024, 2 ** (26 - vnet.prefix)) }, (_, index) => ({
    first: vnet.first + index * 64,
    prefix: 26,
  }))
    .filter((part) => !taken.some((other) => overlaps(part, other)))
    .map(formatCidr)[0];
  const type = (network.outbound as Raw | undefined)?.type;
  const isOwn =
    range !== undefined && network.existing === undefined && type !== "firewall" && type !== "none";
  return { ...config, network: { ...network, bastion: isOwn ? { ...own, range } : other } };
}
