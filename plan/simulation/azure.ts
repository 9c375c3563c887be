import type { Place, Plain, SimulatedResource, Simulation, Values } from "pulumi-plan-engine";
import { address, digest, guid } from "pulumi-plan-engine";
import { base64, kubeconfig, map, text } from "./values";

/** Azure, as far as programs of this project see it: the ids of Azure Resource Manager and what it computes. */

interface AzureType {
  /** Resource provider namespace and type, as in ids. */
  readonly arm: string;
  /** The input with the resource's own name. */
  readonly nameInput: string;
  /** Type and name input of the resource around it. */
  readonly outer?: { readonly arm: string; readonly input: string };
  readonly computed?: (inputs: Plain, resource: AzureResource) => Values;
}

interface AzureResource extends SimulatedResource {
  readonly id: string;
}

const tenantOf = ({ provider }: Place): string => text(provider.tenantId) || guid("tenant");

const subscriptionOf = ({ provider }: Place): string => text(provider.subscriptionId) || guid("subscription");

const identities = "Microsoft.ManagedIdentity/userAssignedIdentities";
const managedClusters = "Microsoft.ContainerService/managedClusters";
const privateZones = "Microsoft.Network/privateDnsZones";
const virtualNetworks = "Microsoft.Network/virtualNetworks";

/** A disabled issuer is absent; a preview does not know that and returns unknown. */
function managedCluster(inputs: Plain, resource: AzureResource): Values {
  if (map(inputs.oidcIssuerProfile).enabled !== true && resource.mode !== "preview") {
    return {};
  }
  const host = `${text(inputs.location)}.oic.prod-aks.azure.com`;
  return {
    oidcIssuerProfile: { issuerURL: `https://${host}/${tenantOf(resource)}/${guid(resource.urn)}/` },
  };
}

const azureTypes: Readonly<Record<string, AzureType>> = {
  "network:VirtualNetwork": { arm: virtualNetworks, nameInput: "virtualNetworkName" },
  "network:VirtualNetworkPeering": {
    arm: "virtualNetworkPeerings",
    nameInput: "virtualNetworkPeeringName",
    outer: { arm: virtualNetworks, input: "virtualNetworkName" },
  },
  "network:PrivateEndpoint": {
    arm: "Microsoft.Network/privateEndpoints",
    nameInput: "privateEndpointName",
    computed: ({ customNetworkInterfaceName }, { id }) => ({
      networkInterfaces: [
        {
          id: `${id.slice(0, id.indexOf("/privateEndpoints/"))}/networkInterfaces/${text(customNetworkInterfaceName)}`,
        },
      ],
    }),
  },
  "network:BastionHost": { arm: "Microsoft.Network/bastionHosts", nameInput: "bastionHostName" },
  "network:NetworkSecurityGroup": {
    arm: "Microsoft.Network/networkSecurityGroups",
    nameInput: "networkSecurityGroupName",
  },
  "network:RouteTable": { arm: "Microsoft.Network/routeTables", nameInput: "routeTableName" },
  "network:NatGateway": { arm: "Microsoft.Network/natGateways", nameInput: "natGatewayName" },
  "network:PublicIPAddress": {
    arm: "Microsoft.Network/publicIPAddresses",
    nameInput: "publicIpAddressName",
    computed: (_, { urn }) => ({ ipAddress: address(urn) }),
  },
  "network:PublicIPPrefix": {
    arm: "Microsoft.Network/publicIPPrefixes",
    nameInput: "publicIpPrefixName",
    // As a network of one address: the simulation gives addresses, and no two resources share one.
    computed: (_, { urn }) => ({ ipPrefix: `${address(urn)}/32` }),
  },
  "privatedns:PrivateZone": { arm: privateZones, nameInput: "privateZoneName" },
  "privatedns:VirtualNetworkLink": {
    arm: "virtualNetworkLinks",
    nameInput: "virtualNetworkLinkName",
    outer: { arm: privateZones, input: "privateZoneName" },
  },
  "privatedns:PrivateRecordSet": {
    arm: "A",
    nameInput: "relativeRecordSetName",
    outer: { arm: privateZones, input: "privateZoneName" },
  },
  "managedidentity:UserAssignedIdentity": {
    arm: identities,
    nameInput: "resourceName",
    computed: (_, resource) => ({
      principalId: guid(`${resource.urn} principal`),
      clientId: guid(`${resource.urn} client`),
      tenantId: tenantOf(resource),
    }),
  },
  "managedidentity:FederatedIdentityCredential": {
    arm: "federatedIdentityCredentials",
    nameInput: "federatedIdentityCredentialResourceName",
    outer: { arm: identities, input: "resourceName" },
  },
  "containerservice:ManagedCluster": {
    arm: managedClusters,
    nameInput: "resourceName",
    computed: managedCluster,
  },
  "containerservice:MaintenanceConfiguration": {
    arm: "maintenanceConfigurations",
    nameInput: "configName",
    outer: { arm: managedClusters, input: "resourceName" },
  },
  "resources:ResourceGroup": { arm: "Microsoft.Resources/resourceGroups", nameInput: "resourceGroupName" },
  "authorization:RoleAssignment": {
    arm: "Microsoft.Authorization/roleAssignments",
    nameInput: "roleAssignmentName",
  },
};

const shortType = (type: string): string => type.replace(/^azure-native:/, "");

/** The provider generates a name if the program gives none. */
function ownName(type: string, inputs: Plain, { urn, name }: SimulatedResource): string {
  const given = text(inputs[azureTypes[type]?.nameInput ?? ""]);
  const made = type === "authorization:RoleAssignment" ? guid(urn) : `${name}${digest(urn).slice(0, 8)}`;
  return given || made;
}

function azureId(inputs: Plain, resource: SimulatedResource): string {
  const type = shortType(resource.type);
  const name = ownName(type, inputs, resource);
  const subscription = `/subscriptions/${subscriptionOf(resource)}`;
  const known = azureTypes[type];
  // An unknown type gets an id of the same shape.
  const arm = known?.arm ?? `Simulated.${type.replace(":", "/")}`;
  switch (type) {
    case "resources:ResourceGroup":
      return `${subscription}/resourceGroups/${name}`;
    case "authorization:RoleAssignment":
      return `${text(inputs.scope)}/providers/${arm}/${name}`;
    default: {
      const group = `${subscription}/resourceGroups/${text(inputs.resourceGroupName)}`;
      const outer = known?.outer ? `${known.outer.arm}/${text(inputs[known.outer.input])}/` : "";
      return `${group}/providers/${outer}${arm}/${name}`;
    }
  }
}

function azureOutputs(inputs: Plain, resource: SimulatedResource): Values {
  const type = shortType(resource.type);
  const known = azureTypes[type];
  if (!known) {
    return {};
  }
  const location = text(resource.provider.location);
  const tracked = known.outer === undefined && type !== "authorization:RoleAssignment";
  return {
    name: ownName(type, inputs, resource),
    type: known.outer ? `${known.outer.arm}/${known.arm}` : known.arm,
    // If the program sets no location, the provider uses the one in its configuration.
    ...(tracked && location !== "" ? { location } : {}),
    ...known.computed?.(inputs, { ...resource, id: azureId(inputs, resource) }),
  };
}

const credentials =
  (name: string) =>
  (args: Plain): Values => ({
    kubeconfigs: [{ name, value: base64(kubeconfig(text(args.resourceName))) }],
  });

export const azure: Simulation = {
  ids: { "azure-native:*": azureId },
  outputs: { "azure-native:*": azureOutputs },
  invokes: {
    "azure-native:authorization:getClientConfig": (_, place) => ({
      clientId: text(place.provider.clientId) || guid("client"),
      objectId: guid("object"),
      subscriptionId: subscriptionOf(place),
      tenantId: tenantOf(place),
    }),
    "azure-native:network:getNetworkInterface": ({ networkInterfaceName }) => ({
      ipConfigurations: [{ privateIPAddress: address(text(networkInterfaceName)) }],
    }),
    "azure-native:network:getPrivateLinkService": () => ({ provisioningState: "Succeeded" }),
    "azure-native:containerservice:listManagedClusterUserCredentials": credentials("clusterUser"),
    "azure-native:containerservice:listManagedClusterAdminCredentials": credentials("clusterAdmin"),
  },
};
