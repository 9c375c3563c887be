import { withInput, without } from "../../../support/planDocuments";
import type { Case } from "../plans";
import { subnetCases } from "./subnets";

export const azureCases: readonly Case[] = [
  ...subnetCases,
  {
    rule: "management-cluster-lost",
    severity: "destroys",
    nodes: 18,
    edit: (document) =>
      withInput(document, "management-aks-cluster", ["networkProfile", "podCidr"], "10.240.0.0/16"),
    what: "The management cluster is deleted and created again, empty: Cluster API and every object in it are lost",
    instead: "new stacks for it and for its clusters, and move the workloads to these",
  },
  {
    rule: "aks-downgrade",
    severity: "refused",
    to: "other",
    what: "AKS cannot be downgraded: 1.34 → 1.33",
  },
  {
    rule: "aks-skips-minor",
    severity: "refused",
    to: "less",
    what: "AKS cannot skip a minor version: 1.34 → 1.36",
    instead: "one minor version per `up`",
  },
  {
    rule: "aks-upgrade",
    severity: "rolls",
    to: "growth",
    nodes: 3,
    what: "The management cluster is upgraded: 1.34 → 1.35",
  },
  {
    rule: "aks-nodes-version",
    severity: "rolls",
    nodes: 3,
    editBefore: (document) =>
      withInput(
        document,
        "management-aks-cluster",
        ["agentPoolProfiles", "0", "orchestratorVersion"],
        undefined,
      ),
    what: "The management cluster's nodes get the version of the cluster: nothing → 1.34",
  },
  {
    rule: "aks-entra",
    severity: "changes",
    edit: (document) => withInput(document, "management-aks-cluster", ["aadProfile"], { managed: true }),
    what: "Who administers the management cluster changes: members of management.entra.adminGroupObjectIds and Azure's roles, by kubelogin",
  },
  {
    rule: "aks-entra-kept",
    severity: "refused",
    editBefore: (document) =>
      withInput(document, "management-aks-cluster", ["aadProfile"], { managed: true }),
    what: "AKS cannot take back access by Microsoft Entra",
    instead: "keep management.entra",
  },
  {
    rule: "aks-node-pool-fixed",
    severity: "refused",
    to: "more",
    what: "AKS cannot change its system pool: vmSize Standard_D4s_v5 → Standard_D8s_v5",
    instead: "keep management.nodeSize",
  },
  {
    rule: "aks-private-fixed",
    severity: "refused",
    edit: (document) =>
      withInput(document, "management-aks-cluster", ["apiServerAccessProfile", "enablePrivateCluster"], true),
    what: "AKS cannot change where its API server is: enablePrivateCluster nothing → true",
    instead: "keep management.network.apiServer",
  },
  {
    rule: "aks-run-command",
    severity: "changes",
    edit: (document) =>
      withInput(document, "management-aks-cluster", ["apiServerAccessProfile", "disableRunCommand"], true),
    what: "`az aks command invoke` no longer runs commands in the management cluster",
  },
  {
    rule: "aks-nodes",
    severity: "changes",
    to: "growth",
    what: "The management cluster's nodes: maxCount 5 → 9",
  },
  {
    rule: "aks-maintenance-window",
    severity: "changes",
    to: "growth",
    what: "The management cluster's maintenance window changes",
  },
  {
    rule: "aks-access",
    severity: "changes",
    to: "less",
    what: 'Who can reach the management cluster\'s API server changes: ["203.0.113.0/24","0.78.21.58/32"] → [], that is everyone on the Internet',
  },
  {
    rule: "resource-group-lost",
    severity: "destroys",
    edit: (document) => withInput(document, "network-resource-group", ["location"], "northeurope"),
    what: "A resource group is deleted with everything in it: blue",
    instead: "second stack",
  },
  {
    rule: "vnet-lost",
    severity: "destroys",
    edit: (document) => withInput(document, "network-vnet", ["virtualNetworkName"], "x"),
    what: "The VNET network-vnet is deleted and created again: every machine of the cluster is in it",
    instead: "second stack",
  },
  {
    rule: "public-address-lost",
    severity: "destroys",
    edit: (document) => withInput(document, "network-nat-ip", ["sku", "name"], "StandardV2"),
    what: "The public address of pip-blue-node-natgw (network-nat-ip) is lost: a new one replaces it",
    instead: "create the new address beside it",
  },
  {
    rule: "way-out",
    severity: "changes",
    to: "addresses",
    what: "The way out of the VNET changes: NAT gateway blue-node-natgw → NAT gateway blue-node-natgw, 2 public addresses",
    instead: "have the new addresses allowed",
  },
  {
    rule: "way-out-kept",
    severity: "refused",
    to: "prefixed",
    what: "A cluster that exists cannot leave its VNET this way: NAT gateway blue-node-natgw → NAT gateway blue-node-natgw, a prefix of 4 public addresses (/30)",
    instead: "restore network.outbound, or create a new cluster",
  },
  {
    rule: "peering",
    severity: "changes",
    to: "hub",
    what: "A peering is added: to-hub of blue-vnet (with hub-vnet)",
  },
  {
    rule: "peering-renamed",
    severity: "refused",
    from: "hub",
    to: "renamedHub",
    what: "A peering cannot change its name while it exists: to-hub → to-center",
    instead: "remove the peering in one `up`",
  },
  {
    rule: "private-link",
    severity: "changes",
    from: "linked",
    to: "linkedToMore",
    what: "The private link to the API server changes: subscriptions 11111111-2222-4333-8444-555555555555 → 11111111-2222-4333-8444-555555555555, 22222222-2222-4333-8444-555555555555",
  },
  {
    rule: "bastion",
    severity: "changes",
    to: "bastion",
    what: "Azure Bastion blue-bastion is added: ssh and RDP go through it",
  },
  {
    rule: "bastion-subnet",
    severity: "refused",
    from: "bastion",
    what: "The subnet AzureBastionSubnet cannot be removed while a Bastion is in it",
    instead:
      "write kind: none in network.bastion for one `up`, with the present range, and remove the key in the next one",
  },
  {
    rule: "bastion-users",
    severity: "changes",
    from: "bastion",
    to: "otherUsers",
    what: "Who comes to Azure Bastion changes (access.allowedCidrs, network.bastion.allowedCidrs)",
  },
  {
    rule: "dns-servers",
    severity: "changes",
    to: "ownDns",
    what: "The DNS servers of the VNET change: those of Azure → 10.10.64.4",
    instead: "let the new servers answer",
  },
  {
    rule: "access",
    severity: "changes",
    to: "growth",
    what: "Who can reach the API server and ssh changes (allow_apiserver and allow_ssh): 198.51.100.0/24 added; 203.0.113.0/24 removed",
    instead: "connect from there yourself",
  },
  {
    rule: "identity-lost",
    severity: "replaces",
    edit: (document) => withInput(document, "cluster-api-identity-controllers", ["resourceName"], "x"),
    what: "Identity cluster-api-identity-controllers is deleted and created again: whatever uses it has no permissions until its roles are assigned again",
  },
  {
    rule: "registry-access",
    severity: "changes",
    to: "registries",
    what: "Pools may pull from mycompany and other",
  },
  {
    rule: "role-remade",
    severity: "replaces",
    edit: (document) => withInput(document, "cluster-api-identity-controllers-role", ["principalId"], "x"),
    what: "Roles are removed and assigned again: cluster-api-identity-controllers-role",
  },
  {
    rule: "federation",
    severity: "changes",
    edit: (document) => withInput(document, "cluster-api-identity-federated-capz-manager", ["issuer"], "x"),
    what: "CAPZ's trust in the management cluster changes: issuer",
  },
  {
    rule: "cluster-api-downgrade",
    severity: "refused",
    edit: (document) => withInput(document, "cluster-api-providers-core", ["spec", "version"], "v1.12.0"),
    what: "Cluster API cannot be downgraded: CoreProvider v1.14.2 → v1.12.0",
  },
  {
    rule: "capz-skips-minor",
    severity: "refused",
    edit: (document) =>
      withInput(document, "cluster-api-providers-infrastructure", ["spec", "version"], "v1.29.0"),
    what: "CAPZ cannot skip a minor version: v1.27.0 → v1.29.0",
    instead: "one minor version",
  },
  {
    rule: "capz-needs-labels",
    severity: "changes",
    edit: (document) =>
      withInput(document, "cluster-api-providers-infrastructure", ["spec", "version"], "v1.28.0"),
    what: "CAPZ is upgraded: v1.27.0 → v1.28.0",
    instead:
      "kubectl label customresourcedefinitions --selector=app.kubernetes.io/name=azure-service-operator",
  },
  {
    rule: "cluster-api-upgrade",
    severity: "changes",
    edit: (document) => withInput(document, "cluster-api-providers-core", ["spec", "version"], "v1.15.0"),
    what: "Cluster API changes: CoreProvider v1.14.2 → v1.15.0",
  },
  {
    rule: "cluster-api-components",
    severity: "changes",
    edit: (document) =>
      withInput(document, "cluster-api-providers-core", ["spec", "fetchConfig"], {
        oci: "registry.example.com/cluster-api",
      }),
    what: "the manifests of Cluster API come from another place: CoreProvider",
  },
  {
    rule: "capz-sync-period",
    severity: "changes",
    edit: (document) =>
      withInput(document, "cluster-api-providers-infrastructure", ["spec", "manager", "syncPeriod"], "10m"),
    what: "CAPZ looks at every object again after another time: 1m → 10m",
  },
  {
    rule: "cluster-api-removed",
    severity: "destroys",
    edit: (document) => without(document, ({ name }) => name.startsWith("cluster-api-providers")),
    what: "Cluster API is removed from the management cluster: BootstrapProvider, ControlPlaneProvider, CoreProvider and InfrastructureProvider",
    instead: "new owner",
  },
  {
    rule: "chart",
    severity: "changes",
    edit: (document) => withInput(document, "cluster-api-providers-cert-manager", ["version"], "v1.0.0"),
    editBefore: (document) =>
      withInput(document, "cluster-api-providers-cert-manager", ["version"], "v1.1.0"),
    what: "Helm chart cluster-api-providers-cert-manager: v1.1.0 → v1.0.0 (older)",
  },
  {
    rule: "namespace-lost",
    severity: "destroys",
    edit: (document) => without(document, ({ name }) => name === "cluster-api-namespace"),
    what: "Namespace blue (cluster-api-namespace) is deleted with every object in it",
  },
];
