import { cidrSize, formatCidr, mustParseCidr } from "../network/addressing";

/** An API server behind an internal load balancer, by a name that a private DNS zone has. */

/** The record's name in its zone (CAPZ v1.27.0 azure/defaults.go, PrivateAPIServerHostname). */
export const privateRecord = "apiserver";

export const privateApiServerHost = (zoneName: string): string => `${privateRecord}.${zoneName}`;

/** Public names begin with the cluster's name and a hyphen, so the two cannot be confused. */
export const isPrivateHost = (host: string): boolean => host.startsWith(privateApiServerHost(""));

/** CAPZ's own default (azure/defaults.go, GeneratePrivateDNSZoneName). */
export const defaultZoneName = (clusterName: string): string => `${clusterName}.capz.io`;

/** CAPZ's default names (azure/defaults.go, GenerateInternalLBName and GenerateFrontendIPConfigName). */
export const internalBalancer = (clusterName: string) => ({
  name: `${clusterName}-internal-lb`,
  frontend: `${clusterName}-internal-lb-frontEnd`,
});

const address = (first: number): string => formatCidr({ first, prefix: 32 }).slice(0, -"/32".length);

/**
 * First and last address of a subnet that a load balancer can have: Azure takes the first four and the last one
 * (learn.microsoft.com, "Virtual network FAQ"). Machines get addresses from the beginning, so the last one is free.
 */
export function balancerAddresses(subnetCidr: string): { readonly first: string; readonly last: string } {
  const subnet = mustParseCidr(subnetCidr);
  return { first: address(subnet.first + 4), last: address(subnet.first + cidrSize(subnet) - 2) };
}
