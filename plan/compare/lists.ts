/** How the elements of a list are told apart, so that their order makes no difference where it has no meaning. */

/** Lists of which Azure, Kubernetes or Cluster API takes no notice of the order, by the name of their field. */
const unordered = new Set([
  // Azure
  ...["securityRules", "subnets", "routes", "addressPrefixes", "sourceAddressPrefixes"],
  ...["destinationAddressPrefixes", "authorizedIPRanges", "zones", "availabilityZones", "publicIPs"],
  ...[
    "publicIpAddresses",
    "userAssignedIdentities",
    "agentPoolProfiles",
    "audiences",
    "virtualNetworkPeerings",
  ],
  // Cluster API and CAPZ; failureDomains and arguments are sets or maps in their schemas
  ...["failureDomains", "kubeletExtraArgs", "extraArgs", "cidrBlocks", "dataDisks", "resources", "list"],
  ...["sshAuthorizedKeys", "taints", "ignorePreflightErrors", "unhealthyNodeConditions"],
  // Kubernetes
  ...["env", "envFrom", "volumes", "volumeMounts", "ports", "tolerations", "imagePullSecrets", "finalizers"],
  // Options of Pulumi
  ...["ignoreChanges", "replaceOnChanges", "replaceWith", "aliases"],
]);

export const isUnordered = (field: string): boolean => unordered.has(field);

/** Fields that name an element, the best first. */
const keyFields = ["name", "key", "path", "id", "providerID", "nameSuffix", "mountPath", "lun"] as const;

/**
 * The key of each element, when every element of both lists has one of the same field and no two of a list share it;
 * `undefined` otherwise.
 */
export function keysOf(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly [string[], string[]] | undefined {
  const read = (field: string, list: readonly unknown[]) =>
    list.map((item) => (item as Record<string, unknown> | null)?.[field]);
  for (const field of keyFields) {
    const sides = [read(field, before), read(field, after)] as const;
    const good = sides.every(
      (keys) =>
        keys.every((key) => typeof key === "string" || typeof key === "number") &&
        new Set(keys).size === keys.length,
    );
    if (good) {
      return [sides[0].map(String), sides[1].map(String)];
    }
  }
  return undefined;
}
