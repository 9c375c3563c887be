import type { Case } from "./ruleCases";
import { otherKey, publicKey } from "../support/stacks";

const network = (poolSubnets: object) => ({ network: { poolSubnets } });
const web = { web: "10.10.64.0/24" };

/** Subnets and network interfaces of pools, and additional SSH keys. */
export const poolSubnetCases: readonly Case[] = [
  [
    "a subnet of pools outside the VNET",
    network({ web: "10.11.64.0/24" }),
    "network.poolSubnets.web: not inside the VNET 10.10.0.0/16 (network.vnetCidr)",
    network(web),
  ],
  [
    "a subnet of pools inside that of the nodes",
    network({ web: "10.10.128.0/24" }),
    "network.poolSubnets.web: overlaps 10.10.128.0/17 of the node subnet (network.nodeSubnetCidr)",
    network({ web: "10.10.127.0/24" }),
  ],
  [
    "two subnets of pools in one place",
    network({ web: "10.10.64.0/24", api: "10.10.64.0/25" }),
    "network.poolSubnets.web: overlaps 10.10.64.0/25 of network.poolSubnets.api",
    network({ web: "10.10.64.128/25", api: "10.10.64.0/25" }),
  ],
  [
    "a subnet of pools that is too small for Azure",
    network({ web: "10.10.64.0/30" }),
    "network.poolSubnets.web: Azure does not allow subnets smaller than /29",
    network({ web: "10.10.64.0/29" }),
  ],
  [
    "a subnet with too few addresses for its pools",
    {
      ...network({ web: "10.10.64.0/29" }),
      linuxPools: { linux1: { additionalNetworkInterfaces: [{ subnet: "web" }], replicas: 1 } },
      windowsPools: { win1: { subnet: "web" } },
    },
    "network.poolSubnets.web: the subnet has 3 usable addresses, but its pools can have 5 network interfaces (including surge)",
    {
      ...network({ web: "10.10.64.0/29" }),
      windowsPools: { win1: { subnet: "web" } },
    },
  ],
  [
    "a subnet of pools with the name of the node subnet",
    { ...network({ "node-subnet": "10.10.64.0/24" }), windowsPools: { win1: { subnet: "node-subnet" } } },
    "network.poolSubnets.node-subnet: the VNET has a subnet of this name already",
    { ...network(web), windowsPools: { win1: { subnet: "node-subnet" } } },
  ],
  [
    "a pool in a subnet that the VNET does not have",
    { ...network(web), windowsPools: { win1: { subnet: "wep" } } },
    "windowsPools.win1.subnet: network.poolSubnets has no subnet of this name for pools",
    { ...network(web), windowsPools: { win1: { subnet: "web" } } },
  ],
  [
    "a subnet of all pools that the VNET does not have",
    { poolDefaults: { subnet: "web" }, windowsPools: { win1: {}, win2: { subnet: "node-subnet" } } },
    "poolDefaults.subnet: network.poolSubnets has no subnet of this name for pools",
    { ...network(web), poolDefaults: { subnet: "web" }, windowsPools: { win1: {} } },
  ],
  [
    "an interface in the control plane's subnet",
    { windowsPools: { win1: { additionalNetworkInterfaces: [{ subnet: "control-plane-subnet" }] } } },
    "windowsPools.win1.additionalNetworkInterfaces[0].subnet: network.poolSubnets has no subnet of this name for pools",
    { windowsPools: { win1: { additionalNetworkInterfaces: [{}] } } },
  ],
  [
    "more network interfaces than a size has",
    { windowsPools: { win1: { additionalNetworkInterfaces: [{}, {}] } } },
    "windowsPools.win1.additionalNetworkInterfaces: Standard_D4s_v5 has at most 2 network interfaces, and the first is the node's",
    { windowsPools: { win1: { additionalNetworkInterfaces: [{}, {}], vmSize: "Standard_D8s_v5" } } },
  ],
  [
    "an invalid further ssh key",
    { access: { sshPublicKey: publicKey, additionalSshPublicKeys: [otherKey, "ssh-dss AAAA"] } },
    "access.additionalSshPublicKeys[1]: does not begin with a supported key type",
    { access: { sshPublicKey: publicKey, additionalSshPublicKeys: [otherKey] } },
  ],
  [
    "ssh keys that are too long together",
    {
      access: {
        sshPublicKey: publicKey,
        additionalSshPublicKeys: Array.from({ length: 6 }, () => `${otherKey} ${"x".repeat(1800)}`),
      },
    },
    "access.additionalSshPublicKeys: the keys have 11,554 characters in total",
    {
      access: {
        sshPublicKey: publicKey,
        additionalSshPublicKeys: Array.from({ length: 5 }, () => `${otherKey} ${"x".repeat(1800)}`),
      },
    },
  ],
];
