import { createHash } from "node:crypto";
import type { Value, Values } from "./values";
import { Secret, unknown, unwrap } from "./values";

/** What a cloud would answer: made up, the same in every run, and recognisable as not real. */

export interface SimulatedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly inputs: Values;
  /** Inputs of the explicit provider, for instance the subscription. */
  readonly provider: Values;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A GUID of version 8 (RFC 9562: custom), so that no real one is like it. */
function guid(seed: string): string {
  const hex = digest(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An address of TEST-NET-3 (RFC 5737). */
const address = (seed: string): string =>
  `203.0.113.${(Number.parseInt(digest(seed).slice(0, 4), 16) % 254) + 1}`;

const text = (value: Value | undefined): string => {
  const plain = unwrap(value);
  return typeof plain === "string" ? plain : "";
};

interface AzureType {
  /** Resource provider namespace and type in ARM ids. */
  readonly arm: string;
  /** The input with the resource's own name. */
  readonly nameInput: string;
  /** Input with the name of the resource around it. */
  readonly outer?: { readonly arm: string; readonly input: string };
  readonly computed?: (resource: SimulatedResource) => Values;
}

const azureTypes: Readonly<Record<string, AzureType>> = {
  "network:VirtualNetwork": { arm: "Microsoft.Network/virtualNetworks", nameInput: "virtualNetworkName" },
  "network:NetworkSecurityGroup": {
    arm: "Microsoft.Network/networkSecurityGroups",
    nameInput: "networkSecurityGroupName",
  },
  "network:RouteTable": { arm: "Microsoft.Network/routeTables", nameInput: "routeTableName" },
  "network:NatGateway": { arm: "Microsoft.Network/natGateways", nameInput: "natGatewayName" },
  "network:PublicIPAddress": {
    arm: "Microsoft.Network/publicIPAddresses",
    nameInput: "publicIpAddressName",
    computed: ({ urn }) => ({ ipAddress: address(urn) }),
  },
  "managedidentity:UserAssignedIdentity": {
    arm: "Microsoft.ManagedIdentity/userAssignedIdentities",
    nameInput: "resourceName",
    computed: ({ urn, provider }) => ({
      principalId: guid(`${urn} principal`),
      clientId: guid(`${urn} client`),
      tenantId: text(provider.tenantId),
    }),
  },
  "managedidentity:FederatedIdentityCredential": {
    arm: "federatedIdentityCredentials",
    nameInput: "federatedIdentityCredentialResourceName",
    outer: { arm: "Microsoft.ManagedIdentity/userAssignedIdentities", input: "resourceName" },
  },
  "containerservice:ManagedCluster": {
    arm: "Microsoft.ContainerService/managedClusters",
    nameInput: "resourceName",
    computed: ({ inputs, provider, urn }) => ({
      fqdn: `${text(inputs.dnsPrefix)}-simulated.hcp.${text(inputs.location)}.azmk8s.io`,
      oidcIssuerProfile: {
        issuerURL: `https://${text(inputs.location)}.oic.prod-aks.azure.com/${text(provider.tenantId)}/${guid(urn)}/`,
      },
    }),
  },
};

const azureId = ({ type, inputs, provider, name }: SimulatedResource): { id: string; name: string } => {
  const short = type.replace(/^azure-native:/, "");
  const subscription = `/subscriptions/${text(provider.subscriptionId)}`;
  if (short === "resources:ResourceGroup") {
    const group = text(inputs.resourceGroupName);
    return { id: `${subscription}/resourceGroups/${group}`, name: group };
  }
  if (short === "authorization:RoleAssignment") {
    const own = text(inputs.roleAssignmentName);
    return {
      id: `${text(inputs.scope)}/providers/Microsoft.Authorization/roleAssignments/${own}`,
      name: own,
    };
  }
  const known = azureTypes[short];
  const own = known ? text(inputs[known.nameInput]) : name;
  const group = `${subscription}/resourceGroups/${text(inputs.resourceGroupName)}`;
  const outer = known?.outer ? `${known.outer.arm}/${text(inputs[known.outer.input])}/` : "";
  return { id: `${group}/providers/${outer}${known?.arm ?? short.replace(":", "/")}/${own}`, name: own };
};

/** Computed outputs by name, nested ones too; a first preview shows each as unknown. */
function computedOutputs(resource: SimulatedResource): Values {
  if (!resource.type.startsWith("azure-native:")) {
    return {};
  }
  const { name } = azureId(resource);
  return { name, ...azureTypes[resource.type.replace(/^azure-native:/, "")]?.computed?.(resource) };
}

const allUnknown = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null ? allUnknown(value as Values) : unknown,
    ]),
  );

/** Computed outputs in a first preview. Top-level ones would be unknown anyway, nested ones would seem to be absent. */
export const previewOutputs = (resource: SimulatedResource): Values => allUnknown(computedOutputs(resource));

export function simulatedId(resource: SimulatedResource): string {
  const { type, inputs, name, urn } = resource;
  if (type.startsWith("azure-native:")) {
    return azureId(resource).id;
  }
  if (type.startsWith("kubernetes:")) {
    const metadata = (unwrap(inputs.metadata) ?? inputs) as { name?: string; namespace?: string };
    return [metadata.namespace, metadata.name ?? name].filter(Boolean).join("/");
  }
  // Providers have GUIDs.
  return guid(urn);
}

export const simulatedOutputs = computedOutputs;

/** State of an object that the program reads; only kubeconfig secrets are read. */
export function simulatedRead(type: string, id: string): Values | undefined {
  if (type !== "kubernetes:core/v1:Secret") {
    return undefined;
  }
  const [namespace = "", name = ""] = id.split("/");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    data: new Secret({ value: Buffer.from(simulatedKubeconfig(name)).toString("base64") }),
  };
}

const simulatedKubeconfig = (name: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: "https://simulated.invalid" } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user: { token: "simulated" } }],
  });

/** Answer of a provider function, or `undefined` when nothing is known of it. */
export function simulatedInvoke(token: string, args: Values): Values | undefined {
  if (token === "azure-native:containerservice:listManagedClusterUserCredentials") {
    const value = Buffer.from(simulatedKubeconfig(text(args.resourceName))).toString("base64");
    return { kubeconfigs: [{ name: "clusterUser", value }] };
  }
  return undefined;
}
