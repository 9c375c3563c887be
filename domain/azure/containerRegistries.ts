/** Azure container registries, by their ARM IDs. */

/** Name of a registry, which is the only one of that name in Azure whatever its capitals. */
export const registryName = (id: string): string => (id.split("/").at(-1) ?? id).toLowerCase();

export const registrySubscription = (id: string): string => id.split("/")[2] ?? "";

/**
 * Hosts that serve a registry: its own, one with a hash if it was made with a domain name label, and one for each region
 * (https://learn.microsoft.com/azure/container-registry/container-registry-get-started-azure-cli, "domain name label").
 */
export const loginServers = (id: string): string[] => [
  `${registryName(id)}.azurecr.io`,
  `${registryName(id)}-*.azurecr.io`,
  `${registryName(id)}.*.geo.azurecr.io`,
];
