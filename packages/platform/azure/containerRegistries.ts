import { lastPart } from "./resourceParts";

/** Azure container registries, by their ARM IDs. */

/** Name of a registry. It is unique in Azure, regardless of case. */
export const registryName = (id: string): string => lastPart(id).toLowerCase();

export const registrySubscription = (id: string): string => id.split("/")[2] ?? "";

/**
 * Hosts that serve a registry: one with its name, one with a hash if it was created with a domain name label, and one for each region (https://learn.microsoft.com/azure/container-registry/container-registry-get-started-azure-cli, "domain name
 * label").
 */
export const loginServers = (id: string): string[] => [
  `${registryName(id)}.azurecr.io`,
  `${registryName(id)}-*.azurecr.io`,
  `${registryName(id)}.*.geo.azurecr.io`,
];
