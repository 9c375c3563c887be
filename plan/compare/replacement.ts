import { ownValue } from "capz-windows-kit/untyped";
import type { PlanResource } from "capz-windows-contract";

/**
 * Which properties a provider cannot change in place, so that Pulumi deletes the resource and creates it again. The
 * providers' schemas are in no npm package, so these are their rules for the types that this program uses.
 */

/** Path prefixes. For azure-native 3: the parts of the resource's URL, and provider/pkg/gen/replacement.go. */
const azure: Readonly<Record<string, readonly string[]>> = {
  "azure-native:authorization:RoleAssignment": ["roleAssignmentName", "scope", "principalId"],
  "azure-native:containerservice:ManagedCluster": [
    ...["resourceGroupName", "resourceName", "location", "dnsPrefix", "nodeResourceGroup", "linuxProfile"],
    ...["windowsProfile", "networkProfile.serviceCidr", "networkProfile.dnsServiceIP"],
    ...["networkProfile.networkPlugin", "networkProfile.podCidr", "networkProfile.networkDataplane"],
    ...["networkProfile.networkPolicy", "networkProfile.outboundType", "networkProfile.networkMode"],
  ],
  "azure-native:managedidentity:FederatedIdentityCredential": [
    ...["resourceGroupName", "resourceName", "federatedIdentityCredentialResourceName"],
  ],
  "azure-native:managedidentity:UserAssignedIdentity": ["resourceGroupName", "resourceName", "location"],
  "azure-native:network:BastionHost": [
    ...["resourceGroupName", "bastionHostName", "location", "sku", "ipConfigurations", "zones"],
  ],
  "azure-native:network:NatGateway": ["resourceGroupName", "natGatewayName"],
  "azure-native:network:NetworkSecurityGroup": ["resourceGroupName", "networkSecurityGroupName"],
  "azure-native:network:PublicIPAddress": [
    ...[
      "resourceGroupName",
      "publicIpAddressName",
      "location",
      "publicIPAddressVersion",
      "publicIPPrefix",
      "sku",
      "zones",
    ],
  ],
  "azure-native:network:PublicIPPrefix": ["resourceGroupName", "publicIpPrefixName", "location"],
  "azure-native:network:RouteTable": ["resourceGroupName", "routeTableName"],
  "azure-native:network:VirtualNetwork": ["resourceGroupName", "virtualNetworkName", "location"],
  "azure-native:network:VirtualNetworkPeering": [
    ...["resourceGroupName", "virtualNetworkName", "virtualNetworkPeeringName"],
  ],
  "azure-native:resources:ResourceGroup": ["resourceGroupName", "location"],
};

/** For @pulumi/kubernetes 4: provider/pkg/provider/diff.go. */
function kubernetes(resource: PlanResource, provider: PlanResource | undefined): string[] {
  // A provider gets its inputs as text.
  const mutable = (option: string): boolean =>
    String(provider?.inputs[option]) === "true" && resource.inputs.immutable !== true;
  switch (resource.type) {
    case "kubernetes:helm.sh/v3:Release":
      return ["name", "namespace"];
    case "kubernetes:core/v1:ConfigMap":
      return [
        "metadata.name",
        "metadata.namespace",
        ...(mutable("enableConfigMapMutable") ? [] : ["data", "binaryData"]),
      ];
    case "kubernetes:core/v1:Secret":
      return [
        ...["metadata.name", "metadata.namespace"],
        ...(mutable("enableSecretMutable") ? [] : ["data", "stringData", "type"]),
      ];
    case "kubernetes:apps/v1:StatefulSet":
      return [
        ...["metadata.name", "metadata.namespace", "spec.podManagementPolicy", "spec.revisionHistoryLimit"],
        ...["spec.selector", "spec.serviceName", "spec.volumeClaimTemplates"],
      ];
    case "kubernetes:apps/v1:DaemonSet":
    case "kubernetes:apps/v1:Deployment":
      return ["metadata.name", "metadata.namespace", "spec.selector"];
    default:
      return ["metadata.name", "metadata.namespace"];
  }
}

function rules(resource: PlanResource, provider: PlanResource | undefined): readonly string[] {
  if (resource.type === "pulumi:providers:kubernetes") {
    return ["clusterIdentifier"];
  }
  return resource.type.startsWith("kubernetes:")
    ? kubernetes(resource, provider)
    : (ownValue(azure, resource.type) ?? []);
}

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);

/**
 * The changed paths that force a replacement.
 * @param provider of the resource, on the newer side
 */
export function replacingPaths(
  resource: PlanResource,
  provider: PlanResource | undefined,
  paths: readonly string[],
): string[] {
  const wanted = (resource.options.replaceOnChanges ?? []) as readonly string[];
  const prefixes = [...rules(resource, provider), ...wanted];
  return paths.filter((path) => prefixes.some((prefix) => prefix === "*" || isBelow(path, prefix)));
}
