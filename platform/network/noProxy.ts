/** What nodes reach without a proxy, in addition to what the user names. */
export interface DirectTargets {
  readonly vnetCidr: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Azure region in its short form: the API server's public name ends with it. */
  readonly location: string;
}

/**
 * Azure's metadata service and wire server, which answer only on the virtual machine itself, and never through a proxy.
 * Source: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
export const azureHostAddresses: readonly string[] = ["169.254.169.254", "168.63.129.16"];

/**
 * NO_PROXY of a node, in Go's format: names, names of a domain (with a leading dot), addresses and networks. Without
 * the cluster's own networks and names, nodes would ask the proxy for their API server.
 * @param more - entries of the user
 */
export const noProxy = (targets: DirectTargets, more: readonly string[] = []): string[] => [
  ...new Set([
    ...["localhost", "127.0.0.1", ...azureHostAddresses],
    ...[targets.vnetCidr, targets.podCidr, targets.serviceCidr],
    ...[".svc", ".cluster.local", `.${targets.location}.cloudapp.azure.com`],
    ...more,
  ]),
];
