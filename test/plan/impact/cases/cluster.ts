import { withInput, without } from "../../../support/planDocuments";
import type { Case } from "../plans";

export const clusterCases: readonly Case[] = [
  {
    rule: "protected",
    severity: "refused",
    to: "renamed",
    from: "protected",
    what: "Pulumi refuses to delete protected resources: cluster-api-namespace, management-aks-cluster, management-aks-resource-group, network-vnet, network-resource-group, cluster-cluster",
    instead: "set protect: false, run `up`",
  },
  {
    rule: "another-cluster",
    severity: "destroys",
    to: "renamed",
    nodes: 18,
    what: "clusterName blue → green is another cluster: the old one is deleted with all its machines, addresses and data",
    instead: "second stack",
  },
  {
    rule: "another-subscription",
    severity: "destroys",
    to: "resubscribed",
    nodes: 18,
    what: "The cluster cannot move to another subscription: 11111111-2222-4333-8444-555555555555 → 22222222-2222-4333-8444-555555555555",
    instead: "second stack",
  },
  {
    rule: "another-namespace",
    severity: "destroys",
    to: "renamespaced",
    nodes: 18,
    what: "namespace blue → other deletes the cluster and creates another one",
    instead: "keep the namespace",
  },
  {
    rule: "another-management-cluster",
    severity: "destroys",
    nodes: 18,
    edit: (document) => withInput(document, "management-provider", ["clusterIdentifier"], "other"),
    what: "Another management cluster (/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/blue-management/providers/Microsoft.ContainerService/managedClusters/blue-management → other): the cluster is deleted in the old one and created again in the new one",
    instead: "keep management.name",
  },
  {
    rule: "cluster-deleted",
    severity: "destroys",
    nodes: 18,
    edit: (document) => without(document, ({ name }) => name === "cluster-cluster"),
    what: "The cluster blue is deleted with all its machines, addresses and data",
  },
  {
    rule: "location",
    severity: "refused",
    to: "moved",
    what: "The cluster cannot change its region: westeurope → northeurope",
    instead: "second stack",
  },
  {
    rule: "resource-group",
    severity: "refused",
    to: "regrouped",
    what: "The cluster cannot change its resource group: blue → other",
    instead: "second stack",
  },
  {
    rule: "pod-network",
    severity: "refused",
    to: "less",
    what: 'The pod network cannot change: ["192.168.0.0/16"] → ["172.20.0.0/16"]',
    instead: "second stack",
  },
  {
    rule: "service-network",
    severity: "refused",
    to: "other",
    what: 'The service network cannot change: ["10.96.0.0/12"] → ["172.21.0.0/16"]',
    instead: "second stack",
  },
  {
    rule: "azure-cluster-immutable-field",
    severity: "refused",
    // CAPZ names a route table itself where none is named, so that leaving it out is a change, too.
    edit: (document) =>
      [
        { path: ["natGateway", "name"], value: "x" },
        { path: ["routeTable"], value: undefined },
      ].reduce(
        (edited, { path, value }) =>
          withInput(edited, "cluster-azure", ["spec", "networkSpec", "subnets", "1", ...path], value),
        document,
      ),
    instead:
      "keep network.outbound and network.existing.routeTable; for another value, create a second stack",
    what: "CAPZ refuses a change of network.outbound and network.existing.routeTable: spec.networkSpec.subnets[node-subnet].natGateway.name, spec.networkSpec.subnets[node-subnet].routeTable",
  },
  {
    rule: "custom-role",
    severity: "changes",
    to: "roles",
    what: "Roles of identities change: Network Contributor, Virtual Machine Contributor → custom role 00000000-0000-4000-8000-000000000001",
    instead: "first replace the condition of whoever assigns roles by rights/condition.txt of this plan",
  },
  {
    rule: "cluster-role",
    severity: "changes",
    from: "login",
    to: "otherLogin",
    what: "Becomes cluster-admin: group entra:c; loses cluster-admin: group entra:a",
  },
];
