import type { Side } from "../model/snapshot";
import { providerNamespaces } from "../rules/kinds";

/** What is read of a cluster. Secrets by their metadata only, so that no secret leaves the API server. */
export interface Wanted {
  readonly side: Side;
  readonly group: string;
  /** The newest first; the first that is served is read. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  /** In which namespaces; undefined for all of them and for kinds without. */
  readonly namespaces?: readonly ("cluster" | (typeof providerNamespaces)[number] | "kube-system")[];
  readonly metadataOnly?: true;
  readonly query?: string;
}

const inCluster = { namespaces: ["cluster"] } as const;
const inProviders = { namespaces: providerNamespaces } as const;

const of = (
  side: Side,
  group: string,
  versions: readonly string[],
  kinds: Readonly<Record<string, string>>,
  more: Partial<Wanted> = {},
): Wanted[] =>
  Object.entries(kinds).map(([kind, plural]) => ({ side, group, versions, kind, plural, ...more }));

export const managementKinds: readonly Wanted[] = [
  ...of("management", "cluster.x-k8s.io", ["v1beta2", "v1beta1"], { Cluster: "clusters" }),
  ...of(
    "management",
    "cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    {
      Machine: "machines",
      MachineSet: "machinesets",
      MachineDeployment: "machinedeployments",
      MachinePool: "machinepools",
      MachineHealthCheck: "machinehealthchecks",
    },
    inCluster,
  ),
  ...of(
    "management",
    "controlplane.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    { KubeadmControlPlane: "kubeadmcontrolplanes" },
    inCluster,
  ),
  ...of(
    "management",
    "bootstrap.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    { KubeadmConfig: "kubeadmconfigs" },
    inCluster,
  ),
  ...of(
    "management",
    "addons.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    { ClusterResourceSet: "clusterresourcesets", ClusterResourceSetBinding: "clusterresourcesetbindings" },
    inCluster,
  ),
  ...of(
    "management",
    "infrastructure.cluster.x-k8s.io",
    ["v1beta1"],
    {
      AzureCluster: "azureclusters",
      AzureClusterIdentity: "azureclusteridentities",
      AzureMachine: "azuremachines",
      AzureMachineTemplate: "azuremachinetemplates",
      AzureMachinePool: "azuremachinepools",
      AzureMachinePoolMachine: "azuremachinepoolmachines",
    },
    inCluster,
  ),
  ...of(
    "management",
    "resources.azure.com",
    ["v1api20200601"],
    { ResourceGroup: "resourcegroups" },
    inCluster,
  ),
  ...of(
    "management",
    "network.azure.com",
    ["v1api20201101"],
    { VirtualNetwork: "virtualnetworks", VirtualNetworksSubnet: "virtualnetworkssubnets" },
    inCluster,
  ),
  ...of("management", "network.azure.com", ["v1api20220701"], { NatGateway: "natgateways" }, inCluster),
  ...of("management", "operator.cluster.x-k8s.io", ["v1alpha2"], {
    CoreProvider: "coreproviders",
    BootstrapProvider: "bootstrapproviders",
    ControlPlaneProvider: "controlplaneproviders",
    InfrastructureProvider: "infrastructureproviders",
  }),
  ...of("management", "apps", ["v1"], { Deployment: "deployments" }, inProviders),
  ...of("management", "", ["v1"], { Pod: "pods" }, inProviders),
  ...of("management", "", ["v1"], { Namespace: "namespaces" }),
  ...of("management", "cert-manager.io", ["v1"], { Certificate: "certificates" }, inProviders),
  ...of("management", "admissionregistration.k8s.io", ["v1"], {
    ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  }),
  ...of("management", "", ["v1"], { Event: "events" }, inCluster),
];

export const workloadKinds: readonly Wanted[] = [
  ...of("workload", "", ["v1"], { Node: "nodes" }),
  ...of("workload", "", ["v1"], {
    Pod: "pods",
    Service: "services",
    PersistentVolumeClaim: "persistentvolumeclaims",
  }),
  ...of("workload", "", ["v1"], { Secret: "secrets" }, { namespaces: ["kube-system"], metadataOnly: true }),
  ...of("workload", "", ["v1"], { Event: "events" }, { query: "fieldSelector=type%3DWarning" }),
  ...of(
    "workload",
    "apps",
    ["v1"],
    { DaemonSet: "daemonsets", Deployment: "deployments" },
    { namespaces: ["kube-system"] },
  ),
  ...of("workload", "operator.tigera.io", ["v1"], { TigeraStatus: "tigerastatuses" }),
  ...of("workload", "storage.k8s.io", ["v1"], { StorageClass: "storageclasses" }),
];

/** Kinds without which nothing can be said; for all others absence means that the program does not use them here. */
export const necessary = new Set(["Cluster", "AzureCluster", "Machine"]);
