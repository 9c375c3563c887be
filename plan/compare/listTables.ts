import { ownValue } from "capz-windows-kit/untyped";
import { listTypes } from "capz-types/crds/listTypes";
import { type ListRules, type ListTable, listRules } from "./lists";

/**
 * List semantics of each resource type. Lists that are not in here are compared in order.
 */

/**
 * Objects, or parts of them, that a controller compares as a whole and in order, whatever the schema says about a list:
 * the applied order is the stored one (structured-merge-diff v6 typed/merge.go), and another order rolls machines.
 */
const comparedInOrder: Readonly<Record<string, string>> = {
  // CAPI v1.14.2 controlplane/kubeadm/pkg/filters.go, matchesKubeadmConfig
  "controlplane.cluster.x-k8s.io/v1beta2 KubeadmControlPlane": "spec.kubeadmConfigSpec",
};

const ofCrd = (kind: string, table: ListTable): ListTable => {
  const inOrder = ownValue(comparedInOrder, kind);
  return inOrder === undefined
    ? table
    : Object.fromEntries(Object.entries(table).filter(([path]) => !path.startsWith(`${inOrder}.`)));
};

/**
 * Built-in kinds that the program registers with lists in them. The pods of a Deployment are not here: its controller
 * compares the template in order, and rolls (Kubernetes pkg/controller/deployment/util, EqualIgnoreHash).
 */
const builtIn: Readonly<Record<string, ListTable>> = {
  // Kubernetes api/core/v1, ServiceSpec: listType=map
  "core/v1 Service": { "spec.ports": ["port", "protocol"] },
};

/**
 * Azure resources. ARM names the parts of a resource (their ids end with the name) and takes lists of ids, zones and
 * address ranges as sets: Azure REST API reference of each type.
 */
const azure: Readonly<Record<string, ListTable>> = {
  "azure-native:containerservice:ManagedCluster": {
    agentPoolProfiles: ["name"],
    "agentPoolProfiles[].availabilityZones": "set",
    "apiServerAccessProfile.authorizedIPRanges": "set",
    // A mapping by ID in Azure's API, which azure-native turns into a list.
    "identity.userAssignedIdentities": "set",
    "networkProfile.loadBalancerProfile.outboundIPs.publicIPs": ["id"],
  },
  "azure-native:managedidentity:FederatedIdentityCredential": { audiences: "set" },
  "azure-native:network:BastionHost": { ipConfigurations: ["name"], zones: "set" },
  "azure-native:network:NatGateway": {
    publicIpAddresses: ["id"],
    publicIpPrefixes: ["id"],
    zones: "set",
  },
  "azure-native:network:NetworkSecurityGroup": {
    // Their order is their priority.
    securityRules: ["name"],
    "securityRules[].sourceAddressPrefixes": "set",
    "securityRules[].destinationAddressPrefixes": "set",
    "securityRules[].sourcePortRanges": "set",
    "securityRules[].destinationPortRanges": "set",
  },
  "azure-native:network:PublicIPAddress": { zones: "set" },
  "azure-native:network:PublicIPPrefix": { zones: "set" },
  "azure-native:network:RouteTable": { routes: ["name"] },
  "azure-native:network:VirtualNetwork": {
    "addressSpace.addressPrefixes": "set",
    subnets: ["name"],
    "subnets[].addressPrefixes": "set",
  },
};

const kubernetes = Object.entries({ ...listTypes, ...builtIn }).map(([kind, table]): [string, ListTable] => [
  `kubernetes:${kind.replace(" ", ":")}`,
  ofCrd(kind, table),
]);

const byType: ReadonlyMap<string, ListRules> = new Map(
  [...kubernetes, ...Object.entries(azure)].map(([type, table]) => [type, listRules(table)]),
);

/** For resource types that are not listed here: all lists are compared in order. */
export const orderedLists: ListRules = listRules({});

/** Rules for the inputs of a resource, by its Pulumi type. A patch has those of the resource that it patches. */
export const listsOfType = (type: string): ListRules =>
  byType.get(type) ?? byType.get(type.replace(/Patch$/, "")) ?? orderedLists;

/** Rules for the options of a resource: their property paths and resources have no order (Pulumi, "Resource options"). */
export const listsOfOptions: ListRules = listRules({
  ignoreChanges: "set",
  replaceOnChanges: "set",
  replaceWith: "set",
});
