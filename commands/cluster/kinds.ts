import { providerNamespaces } from "../../capi/providerNamespaces";

/** A kind of objects that is read. Of Secrets only the metadata is read, so that no secret leaves the API server. */
export interface Wanted {
  readonly group: string;
  /** Newest first; the first one that the API server serves is read. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  /** Namespaces to read, where "cluster" is that of the Cluster; default: all of them, or the kind has none. */
  readonly namespaces?: readonly ("cluster" | (typeof providerNamespaces)[number] | "kube-system")[];
  readonly metadataOnly?: true;
  /** Only few rules need it. If it may not be read, they find nothing, and all other rules still work. */
  readonly optional?: true;
  readonly query?: string;
}

/**
 * Reasons of events that say what is wrong although their type is Normal: cluster-autoscaler 1.35
 * processors/status/eventing_scale_up_processor.go, kubernetes v1.36.3 pkg/controller/volume/persistentvolume.
 */
export const normalReasons: readonly string[] = [
  "NotTriggerScaleUp",
  "FailedBinding",
  "ExternalProvisioning",
];

const inCluster = { namespaces: ["cluster"] } as const;
const inProviders = { namespaces: providerNamespaces } as const;

const of = (
  group: string,
  versions: readonly string[],
  kinds: Readonly<Record<string, string>>,
  more: Partial<Wanted> = {},
): Wanted[] => Object.entries(kinds).map(([kind, plural]) => ({ group, versions, kind, plural, ...more }));

export const managementKinds: readonly Wanted[] = [
  ...of("cluster.x-k8s.io", ["v1beta2", "v1beta1"], { Cluster: "clusters" }),
  ...of(
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
    "controlplane.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    { KubeadmControlPlane: "kubeadmcontrolplanes" },
    inCluster,
  ),
  ...of("bootstrap.cluster.x-k8s.io", ["v1beta2", "v1beta1"], { KubeadmConfig: "kubeadmconfigs" }, inCluster),
  ...of(
    "addons.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    { ClusterResourceSet: "clusterresourcesets", ClusterResourceSetBinding: "clusterresourcesetbindings" },
    inCluster,
  ),
  ...of(
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
  ...of("resources.azure.com", ["v1api20200601"], { ResourceGroup: "resourcegroups" }, inCluster),
  ...of(
    "network.azure.com",
    ["v1api20201101"],
    { VirtualNetwork: "virtualnetworks", VirtualNetworksSubnet: "virtualnetworkssubnets" },
    inCluster,
  ),
  ...of("network.azure.com", ["v1api20220701"], { NatGateway: "natgateways" }, inCluster),
  ...of("operator.cluster.x-k8s.io", ["v1alpha2"], {
    CoreProvider: "coreproviders",
    BootstrapProvider: "bootstrapproviders",
    ControlPlaneProvider: "controlplaneproviders",
    InfrastructureProvider: "infrastructureproviders",
  }),
  ...of("apps", ["v1"], { Deployment: "deployments" }, inProviders),
  ...of("", ["v1"], { Pod: "pods" }, inProviders),
  // The cluster autoscaler runs beside the objects of its cluster.
  ...of("apps", ["v1"], { Deployment: "deployments" }, { ...inCluster, optional: true }),
  ...of("", ["v1"], { Pod: "pods" }, { ...inCluster, optional: true }),
  ...of("", ["v1"], { Namespace: "namespaces" }),
  ...of("cert-manager.io", ["v1"], { Certificate: "certificates" }, inProviders),
  ...of("admissionregistration.k8s.io", ["v1"], {
    ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  }),
  ...of("", ["v1"], { Event: "events" }, inCluster),
];

export const workloadKinds: readonly Wanted[] = [
  ...of("", ["v1"], { Node: "nodes" }),
  ...of("", ["v1"], {
    Pod: "pods",
    Service: "services",
    PersistentVolumeClaim: "persistentvolumeclaims",
  }),
  ...of("", ["v1"], { Secret: "secrets" }, { namespaces: ["kube-system"], metadataOnly: true }),
  ...["type=Warning", ...normalReasons.map((reason) => `type=Normal,reason=${reason}`)].flatMap((selector) =>
    of("", ["v1"], { Event: "events" }, { query: `fieldSelector=${encodeURIComponent(selector)}` }),
  ),
  ...of(
    "apps",
    ["v1"],
    { DaemonSet: "daemonsets", Deployment: "deployments", StatefulSet: "statefulsets" },
    { optional: true },
  ),
  ...of("operator.tigera.io", ["v1"], { TigeraStatus: "tigerastatuses" }),
  ...of("storage.k8s.io", ["v1"], { StorageClass: "storageclasses" }),
  ...of("", ["v1"], { Namespace: "namespaces" }),
  ...of("apiregistration.k8s.io", ["v1"], { APIService: "apiservices" }),
  ...of(
    "certificates.k8s.io",
    ["v1"],
    { CertificateSigningRequest: "certificatesigningrequests" },
    {
      optional: true,
      query: `fieldSelector=${encodeURIComponent("spec.signerName=kubernetes.io/kubelet-serving")}`,
    },
  ),
  ...of("networking.k8s.io", ["v1"], { NetworkPolicy: "networkpolicies" }),
  ...of(
    "networking.k8s.io",
    ["v1"],
    { Ingress: "ingresses", IngressClass: "ingressclasses" },
    { optional: true },
  ),
];

/** Kinds that every diagnosis needs. If the API server does not serve another kind, that is no problem. */
export const necessary = new Set(["Cluster", "AzureCluster", "Machine"]);
