import type { KubernetesObject } from "../../../capi/types";
import { type RegisteredResource, redact } from "../../../packages/plan-engine";
import { subnetId } from "../../../platform/network/outbound";
import { linkServiceId } from "../../../platform/network/privateLink";
import { at, list, text } from "../../../tools/untyped";
import { byName } from "../model/order";
import { isAzure, shortType } from "../model/resourceTypes";

/** Names and IDs with which Azure resources, and the objects that CAPZ reads, refer to Azure resources. */

type Plain = Record<string, unknown>;

interface AzureResource {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly inputs: Plain;
  readonly outputs: Plain;
}

/** Azure ignores the case of ids and names. */
const folded = (id: string): string => id.toLowerCase();

const azureResources = (resources: readonly RegisteredResource[]): AzureResource[] =>
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
const linkServices = (objects: readonly KubernetesObject[]): string[] =>
  objects
    .filter(({ kind }) => kind === "AzureCluster")
    .flatMap(({ metadata, spec }) =>
      list(at(spec, "networkSpec", "apiServerLB", "privateLinks")).map(() =>
        folded(
          linkServiceId(text(at(spec, "subscriptionID")), text(at(spec, "resourceGroup")), metadata.name),
        ),
      ),
    );

/** IDs in the stack's own resource groups that nothing creates. Resources in other groups are not the stack's. */
function openIds(azure: readonly AzureResource[], objects: readonly KubernetesObject[]): string[] {
  const groups = azure.filter(({ kind }) => kind === "ResourceGroup").map(({ id }) => folded(id));
  const made = new Set([
    ...linkServices(objects),
    ...azure.flatMap(({ id, kind, inputs }) => [
      folded(id),
      ...(kind === "VirtualNetwork" ? list(inputs.subnets) : []).map(({ name }) =>
        folded(subnetId(id, text(name))),
      ),
    ]),
  ]);
  const sources = [
    ...azure.map(({ name, inputs }) => ({ title: name, value: inputs })),
    ...objects.map(({ kind, metadata, spec }) => ({ title: `${kind} ${metadata.name}`, value: { spec } })),
  ];
  return sources.flatMap(({ title, value }) =>
    idsIn(value)
      .filter(({ id }) => groups.some((group) => folded(id).startsWith(`${group}/`)))
      .filter(({ id }) => !made.has(folded(id)))
      .map(({ path, id }) => `${title} ${path}: there is no ${id}`),
  );
}

/** Resource groups and identities, which other resources refer to by name alone. */
function openNames(azure: readonly AzureResource[]): string[] {
  const names = (kind: string, input: string) =>
    new Set(azure.filter((found) => found.kind === kind).map(({ inputs }) => folded(text(inputs[input]))));
  const groups = names("ResourceGroup", "resourceGroupName");
  const identities = names("UserAssignedIdentity", "resourceName");
  const zones = names("PrivateZone", "privateZoneName");
  // In a DNS zone of others.
  const isForeign = ({ kind, inputs }: AzureResource): boolean =>
    ["VirtualNetworkLink", "PrivateRecordSet"].includes(kind) &&
    !zones.has(folded(text(inputs.privateZoneName)));
  const vnets = names("VirtualNetwork", "virtualNetworkName");
  // In a VNET of others.
  const isRemoteSide = ({ kind, inputs }: AzureResource): boolean =>
    kind === "VirtualNetworkPeering" && !vnets.has(folded(text(inputs.virtualNetworkName)));
  return azure.flatMap(({ name, kind, inputs, ...resource }) => [
    // A private endpoint is beside a VNET of others.
    ...(!["ResourceGroup", "PrivateEndpoint"].includes(kind) &&
    !isForeign({ name, kind, inputs, ...resource }) &&
    !isRemoteSide({ name, kind, inputs, ...resource }) &&
    inputs.resourceGroupName !== undefined &&
    !groups.has(folded(text(inputs.resourceGroupName)))
      ? [`${name} resourceGroupName: there is no resource group ${text(inputs.resourceGroupName)}`]
      : []),
    ...(kind === "FederatedIdentityCredential" && !identities.has(folded(text(inputs.resourceName)))
      ? [`${name} resourceName: there is no identity ${text(inputs.resourceName)}`]
      : []),
  ]);
}

/**
 * The network that AzureCluster names must be the one that the program creates: otherwise CAPZ would silently create a
 * second one beside it.
 */
function openNetwork(azure: readonly AzureResource[], objects: readonly KubernetesObject[]): string[] {
  return objects
    .filter(({ kind }) => kind === "AzureCluster")
    .flatMap(({ metadata, spec }) => {
      const network = at(spec, "networkSpec");
      const group = text(at(network, "vnet", "resourceGroup"));
      const subscription = text(at(spec, "subscriptionID"));
      const find = (type: string, name: string) => {
        const id = `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/${type}/${name}`;
        return azure.find((resource) => folded(resource.id) === folded(id));
      };
      const title = `AzureCluster ${metadata.name}`;
      const vnetName = text(at(network, "vnet", "name"));
      const subnets = list(at(network, "subnets"));
      // Whoever names subnets by their ids has not made them (network.existing).
      if (subnets.length > 0 && subnets.every(({ id }) => text(id) !== "")) {
        return [];
      }
      const vnet = find("virtualNetworks", vnetName);
      if (!vnet) {
        return [`${title} spec.networkSpec.vnet: there is no VNET ${vnetName} in ${group}`];
      }
      const made = new Map(list(vnet.inputs.subnets).map((subnet) => [text(subnet.name), subnet]));
      return list(at(network, "subnets")).flatMap((subnet) => {
        const name = text(subnet.name);
        const path = `${title} subnet ${name}`;
        const own = made.get(name);
        if (!own) {
          return [`${path}: the VNET ${vnetName} has no such subnet`];
        }
        const attached = [
          ["securityGroup", "networkSecurityGroups", "networkSecurityGroup"],
          ["routeTable", "routeTables", "routeTable"],
          ["natGateway", "natGateways", "natGateway"],
        ] as const;
        const ids = azure.map((resource) => folded(resource.id));
        return (
          attached
            .map(([field, type, input]) => ({
              field,
              name: text(at(subnet, field, "name")),
              id: folded(find(type, text(at(subnet, field, "name")))?.id ?? "nothing"),
              attached: folded(text(at(own, input, "id"))),
            }))
            .filter((wanted) => wanted.name !== "" && wanted.id !== wanted.attached)
            // The name is for azure.json, whose cloud provider makes no routes; others' route table has its own.
            .filter((wanted) => wanted.field !== "routeTable" || ids.includes(wanted.attached))
            .map((wanted) => `${path} ${wanted.field}: the VNET's subnet does not have ${wanted.name}`)
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
          .filter(({ spec }) => !clientIds.includes(text(at(spec, "clientID"))))
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

export interface AzureReferenceSources {
  /** The resources of a simulated update, in which every ID is known. */
  readonly resources: readonly RegisteredResource[];
  readonly management: readonly KubernetesObject[];
  /** Object ids that the stack file names. */
  readonly principals: readonly string[];
}

/** Every name, ID and trust that refers to nothing in Azure; empty if there is none. */
export function openAzureReferences({ resources, management, principals }: AzureReferenceSources): string[] {
  const azure = azureResources(resources);
  return [
    ...openIds(azure, management),
    ...openNames(azure),
    ...openNetwork(azure, management),
    ...openTrust(azure, management),
    ...openPrincipals(azure, principals),
  ];
}
