import type { KubernetesObject } from "capz-types";
import { type RegisteredResource, redact } from "pulumi-plan-engine";
import { subnetId } from "capz-windows-platform/company-network/outbound";
import { linkServiceId } from "capz-windows-platform/company-network/privateLink";
import { present } from "capz-windows-kit/present";
import { at, list, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { byName } from "../model/order";
import { isAzure, shortType } from "../model/resourceTypes";

/** Names and IDs with which Azure resources, and the objects that CAPZ reads, refer to Azure resources. */

type AzureResource = ReturnType<typeof azureResources>[number];

/** Azure ignores the case of ids and names. */
const folded = (id: string): string => id.toLowerCase();

const azureResources = (resources: readonly RegisteredResource[]) =>
  resources
    .filter(({ type, custom }) => custom && isAzure(type))
    .map(({ name, type, id = "", inputs, outputs }) => ({
      name,
      kind: shortType(type),
      id,
      inputs: redact(inputs) as Plain,
      outputs: redact(outputs) as Plain,
    }))
    .sort(byName);

/** Every ARM id in a value, with its path; `azure://` before it is the form of a providerID. */
function idsIn(value: unknown, path = ""): { readonly path: string; readonly id: string }[] {
  if (typeof value === "string") {
    const [, id] = /^(?:azure:\/\/)?(\/subscriptions\/[^/]+\/resourceGroups\/.+)$/i.exec(value) ?? [];
    return id === undefined ? [] : [{ path, id }];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => idsIn(inner, path === "" ? key : `${path}.${key}`))
    : [];
}

/** Private link services, which CAPZ makes in the resource group of the cluster. */
const linkServices = ({ metadata, spec }: KubernetesObject): string[] =>
  list(at(spec, "networkSpec", "apiServerLB", "privateLinks")).map(() =>
    linkServiceId(textAt(spec, "subscriptionID"), textAt(spec, "resourceGroup"), metadata.name),
  );

/** IDs in the stack's own resource groups that nothing creates. Resources in other groups are not the stack's. */
function openIds(azure: readonly AzureResource[], objects: readonly KubernetesObject[]): string[] {
  const groups = azure.filter(({ kind }) => kind === "ResourceGroup").map(({ id }) => folded(id));
  const made = [
    ...objects.filter(({ kind }) => kind === "AzureCluster").flatMap(linkServices),
    ...azure.flatMap(({ id, kind, inputs }) => [
      id,
      ...(kind === "VirtualNetwork" ? list(inputs.subnets) : []).map(({ name }) => subnetId(id, text(name))),
    ]),
  ].map(folded);
  const sources = [
    ...azure.map(({ name, inputs }) => ({ title: name, value: inputs })),
    ...objects.map(({ kind, metadata, spec }) => ({ title: `${kind} ${metadata.name}`, value: { spec } })),
  ];
  return sources.flatMap(({ title, value }) =>
    idsIn(value)
      .filter(({ id }) => groups.some((group) => folded(id).startsWith(`${group}/`)))
      .filter(({ id }) => !made.includes(folded(id)))
      .map(({ path, id }) => `${title} ${path}: there is no ${id}`),
  );
}

/** Parts of what others may have made, and by which name they refer to it. */
const partsOf: Readonly<Record<string, readonly [kind: string, input: string]>> = {
  VirtualNetworkLink: ["PrivateZone", "privateZoneName"],
  PrivateRecordSet: ["PrivateZone", "privateZoneName"],
  VirtualNetworkPeering: ["VirtualNetwork", "virtualNetworkName"],
};

/** Resource groups and identities, which other resources refer to by name alone. */
function openNames(azure: readonly AzureResource[]): string[] {
  const has = (kind: string, input: string, { inputs }: AzureResource): boolean =>
    azure.some((one) => one.kind === kind && folded(text(one.inputs[input])) === folded(text(inputs[input])));
  return azure.flatMap((resource) => {
    const { name, kind, inputs } = resource;
    const whole = partsOf[kind];
    return present(
      // A private endpoint is beside a VNET of others.
      !["ResourceGroup", "PrivateEndpoint"].includes(kind) &&
        (whole === undefined || has(...whole, resource)) &&
        inputs.resourceGroupName !== undefined &&
        !has("ResourceGroup", "resourceGroupName", resource) &&
        `${name} resourceGroupName: there is no resource group ${text(inputs.resourceGroupName)}`,
      kind === "FederatedIdentityCredential" &&
        !has("UserAssignedIdentity", "resourceName", resource) &&
        `${name} resourceName: there is no identity ${text(inputs.resourceName)}`,
    );
  });
}

/** What a subnet of AzureCluster names, with its type in ARM and the input of the VNET's subnet. */
const attached = [
  ["securityGroup", "networkSecurityGroups", "networkSecurityGroup"],
  ["routeTable", "routeTables", "routeTable"],
  ["natGateway", "natGateways", "natGateway"],
] as const;

/**
 * The network that AzureCluster names must be the one that the program creates: otherwise CAPZ would silently create a
 * second one beside it.
 */
function openNetwork(azure: readonly AzureResource[], { metadata, spec }: KubernetesObject): string[] {
  const network = at(spec, "networkSpec");
  const [vnetName, group] = [textAt(network, "vnet", "name"), textAt(network, "vnet", "resourceGroup")];
  const find = (type: string, name: string): AzureResource | undefined => {
    const id = `/subscriptions/${textAt(spec, "subscriptionID")}/resourceGroups/${group}/providers/Microsoft.Network/${type}/${name}`;
    return azure.find((resource) => folded(resource.id) === folded(id));
  };
  const title = `AzureCluster ${metadata.name}`;
  const subnets = list(at(network, "subnets"));
  // Whoever names subnets by their ids has not made them (network.existing).
  if (subnets.length > 0 && subnets.every(({ id }) => text(id) !== "")) {
    return [];
  }
  const vnet = find("virtualNetworks", vnetName);
  if (!vnet) {
    return [`${title} spec.networkSpec.vnet: there is no VNET ${vnetName} in ${group}`];
  }
  return subnets.flatMap((subnet) => {
    const path = `${title} subnet ${text(subnet.name)}`;
    const own = list(vnet.inputs.subnets).find(({ name }) => name === subnet.name);
    return own === undefined
      ? [`${path}: the VNET ${vnetName} has no such subnet`]
      : attached.flatMap(([field, type, input]) => {
          const name = textAt(subnet, field, "name");
          const id = folded(textAt(own, input, "id"));
          // The name is for azure.json, whose cloud provider makes no routes; others' route table has its own.
          const isOfOthers = field === "routeTable" && !azure.some((one) => folded(one.id) === id);
          return present(
            name !== "" &&
              id !== folded(find(type, name)?.id ?? "nothing") &&
              !isOfOthers &&
              `${path} ${field}: the VNET's subnet does not have ${name}`,
          );
        });
  });
}

/**
 * Service accounts that CAPZ v1.27.0 creates in the namespace of its InfrastructureProvider, and which use Azure
 * (infrastructure-components.yaml: the manager, and Azure Service Operator beside it).
 */
const capzServiceAccounts = ["capz-manager", "azureserviceoperator-default"] as const;

/** Namespace of a CAPZ that others installed (clusterctl's default). */
const capzNamespace = "capz-system";

/** Only the service accounts of CAPZ may use an identity, and only the one that the cluster refers to. */
function openTrust(azure: readonly AzureResource[], objects: readonly KubernetesObject[]): string[] {
  const provider = objects.find(({ kind }) => kind === "InfrastructureProvider");
  const namespace = provider?.metadata.namespace ?? capzNamespace;
  const accounts = capzServiceAccounts.map((account) => `system:serviceaccount:${namespace}:${account}`);
  const credentials = azure.filter(({ kind }) => kind === "FederatedIdentityCredential");
  const subjects = new Set(credentials.map(({ inputs }) => text(inputs.subject)));
  const identities = azure.filter(({ kind }) => kind === "UserAssignedIdentity");
  const trusted = new Set(credentials.map(({ inputs }) => text(inputs.resourceName)));
  const clientIds = identities
    .filter(({ inputs }) => trusted.has(text(inputs.resourceName)))
    .map(({ outputs }) => text(outputs.clientId));
  return credentials.length === 0
    ? []
    : [
        ...[...subjects]
          .filter((subject) => !accounts.includes(subject))
          .map((subject) => `federated credential: CAPZ has no service account ${subject}`),
        ...accounts
          .filter((account) => !subjects.has(account))
          .map((account) => `federated credentials: ${account} cannot log in, none has it as its subject`),
        ...objects
          .filter(({ kind }) => kind === "AzureClusterIdentity")
          .filter(({ spec }) => !clientIds.includes(textAt(spec, "clientID")))
          .map(
            ({ metadata }) =>
              `AzureClusterIdentity ${metadata.name} clientID: no identity that CAPZ may take has it`,
          ),
      ];
}

/** Role assignments for principals that neither the program creates nor the stack file names. */
function openPrincipals(azure: readonly AzureResource[], given: readonly string[]): string[] {
  const known = new Set([...azure.map(({ outputs }) => text(outputs.principalId)), ...given]);
  return azure
    .filter(({ kind, inputs }) => kind === "RoleAssignment" && !known.has(text(inputs.principalId)))
    .map(({ name, inputs }) => `${name} principalId: there is no principal ${text(inputs.principalId)}`);
}

/**
 * Every name, ID and trust that refers to nothing in Azure; empty if there is none.
 * @param resources - of a simulated update, in which every ID is known
 * @param principals - object ids that the stack file names
 */
export function openAzureReferences(
  resources: readonly RegisteredResource[],
  management: readonly KubernetesObject[],
  principals: readonly string[],
): string[] {
  const azure = azureResources(resources);
  return [
    ...openIds(azure, management),
    ...openNames(azure),
    ...management.filter(({ kind }) => kind === "AzureCluster").flatMap((one) => openNetwork(azure, one)),
    ...openTrust(azure, management),
    ...openPrincipals(azure, principals),
  ];
}
