import type { Case } from "../plans";

/** Ranges of the VNET, and its subnets. */
export const subnetCases: readonly Case[] = [
  {
    rule: "vnet-address-space",
    severity: "refused",
    to: "more",
    what: 'The VNET cannot change its address range: ["10.10.0.0/16"] → ["10.30.0.0/16"]',
    instead: "second stack",
  },
  {
    rule: "subnet-range",
    severity: "refused",
    to: "growth",
    what: "A subnet with machines cannot change its address range: 10.10.128.0/17 → 10.10.64.0/18",
    instead: "network.controlPlaneSubnetCidr",
  },
  {
    rule: "existing-subnets",
    severity: "refused",
    from: "ofOthers",
    to: "otherSubnet",
    what: "Machines do not move to another subnet: nodes → other-nodes",
    instead: "keep the ARM IDs in network.existing",
  },
  {
    rule: "pool-subnets",
    severity: "refused",
    from: "subnets",
    what: "The subnet web cannot be removed while win1 has machines in it",
    instead: "remove the pools in one `up`",
  },
  {
    rule: "vnet-grows",
    severity: "changes",
    to: "other",
    what: 'The VNET grows: ["10.10.0.0/16"] → ["10.10.0.0/15"]',
  },
];
