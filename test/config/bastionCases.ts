import { publicKey } from "../support/stacks";
import { privateOutbound } from "./outboundCases";
import type { Case } from "./ruleCases";

const place = "network.bastion";
const bastionId =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion";
const subnet = (name: string) =>
  `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;
const existing = {
  ...{ controlPlaneSubnetId: subnet("control-plane"), nodeSubnetId: subnet("nodes") },
  ...{ nodeSecurityGroup: "nodes-nsg", egressCidrs: ["198.51.100.10/32"] },
};

const own = { kind: "stack", range: "10.10.1.0/26", allowedCidrs: ["203.0.113.0/24"] };
const withBastion = (keys: object, network: object = {}, more: object = {}) => ({
  network: { ...network, bastion: keys },
  ...more,
});
const access = (allowedCidrs: string[]) => ({ access: { sshPublicKey: publicKey, allowedCidrs } });

/** A stack without a public address, and with a Bastion. */
const withoutAddresses = (bastion: object) => {
  const stack = privateOutbound({ type: "firewall", firewallAddress: "10.50.0.4" });
  return { ...stack, network: { ...stack.network, bastion } };
};

/** Cases of network.bastion. */
export const bastionCases: readonly Case[] = [
  [
    "a Bastion of the stack in a VNET of others",
    withBastion(own, { existing }),
    `${place}: the VNET of network.existing belongs to others, and so does its AzureBastionSubnet: the stack makes no Bastion in it`,
    withBastion({ kind: "existing", bastionId }, { existing }),
  ],
  [
    "a Bastion of a stack without public addresses",
    withoutAddresses(own),
    `${place}: an Azure Bastion has a public address, and this stack has none otherwise: its API server is private, and network.outbound is firewall`,
    withoutAddresses({ kind: "jumpHost", jumpHost: "ops@10.50.0.10" }),
  ],
  [
    "a Bastion without a range",
    withBastion({ ...own, range: undefined }),
    `${place}.range: kind: stack needs a range for AzureBastionSubnet`,
    withBastion(own),
  ],
  [
    "a range that is too small for Azure",
    withBastion({ ...own, range: "10.10.1.0/27" }),
    `${place}.range: the subnet is too small for an Azure Bastion`,
    withBastion({ ...own, range: "10.10.1.0/25" }),
  ],
  [
    "a range outside of the VNET",
    withBastion({ ...own, range: "10.11.1.0/26" }),
    `${place}.range: not inside the VNET 10.10.0.0/16 (network.vnetCidr)`,
    withBastion(own),
  ],
  [
    "a range of other machines",
    withBastion({ ...own, range: "10.10.64.64/26" }, { poolSubnets: { web: "10.10.64.0/24" } }),
    `${place}.range: overlaps 10.10.64.0/24 (network.poolSubnets.web)`,
    withBastion({ ...own, range: "10.10.65.0/26" }, { poolSubnets: { web: "10.10.64.0/24" } }),
  ],
  [
    "a Bastion without users",
    withBastion({ kind: "stack", range: "10.10.1.0/26" }, {}, access(["10.60.0.0/24"])),
    `${place}.allowedCidrs: people come to the public address of an Azure Bastion, and neither allowedCidrs nor access.allowedCidrs has a public network`,
    withBastion({ kind: "stack", range: "10.10.1.0/26" }, {}, access(["10.60.0.0/24", "203.0.113.0/24"])),
  ],
  [
    "a Bastion of others without its ID",
    withBastion({ kind: "existing" }),
    `${place}.bastionId: kind: existing needs the Azure Bastion, and none is named`,
    withBastion({ kind: "existing", bastionId }),
  ],
  [
    "a jump host without its name",
    withBastion({ kind: "jumpHost" }),
    `${place}.jumpHost: kind: jumpHost needs the machine, and none is named`,
    withBastion({ kind: "jumpHost", jumpHost: "jump.example.org:2222" }),
  ],
  [
    "a key of another way in",
    withBastion({ kind: "existing", bastionId, jumpHost: "ops@10.50.0.10" }),
    `${place}.jumpHost: this key belongs to kind: jumpHost, and the kind is existing`,
    withBastion({ kind: "none", range: "10.10.1.0/26", zones: ["1"], allowedCidrs: ["203.0.113.0/24"] }),
  ],
];
