/** Ways to the machines without a public port: Azure Bastion, or a jump host. */

/**
 * stack: an Azure Bastion of the stack. existing: one of others. jumpHost: a machine of the users'. none: no way in; a
 * range stays for the subnet, which Azure deletes only after the Bastion.
 */
export const BastionKind = {
  stack: "stack",
  existing: "existing",
  jumpHost: "jumpHost",
  none: "none",
} as const;
export type BastionKind = (typeof BastionKind)[keyof typeof BastionKind];

/** The keys of network.bastion that belong to each kind. */
export const bastionKeys = {
  stack: ["range", "allowedCidrs", "zones"],
  existing: ["range", "allowedCidrs", "bastionId"],
  jumpHost: ["range", "allowedCidrs", "jumpHost"],
};

/** Azure finds the subnet by this name alone. */
export const bastionSubnetName = "AzureBastionSubnet";

/** Longest prefix of that subnet (learn.microsoft.com, "About Azure Bastion configuration settings": /26 or larger). */
export const bastionPrefix = 26;

export const bastionNames = (clusterName: string) => ({
  host: `${clusterName}-bastion`,
  publicIp: `pip-${clusterName}-bastion`,
  nsg: `${clusterName}-bastion-nsg`,
});

/** What of a Bastion must be so for connections of `az` by private address (azure-cli-extensions, src/bastion custom.py). */
export const bastionNeeds = {
  skus: ["Standard", "Premium"],
  switches: ["enableTunneling", "enableIpConnect"],
};
