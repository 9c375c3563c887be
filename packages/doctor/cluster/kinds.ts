import { providerNamespaces } from "capz-windows-platform/cluster/providerNamespaces";

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

/** The name of a kind in paths: that of its objects in lower case (controller-tools, and Kubernetes' own kinds). */
export const pluralOf = (kind: string): string =>
  kind
    .toLowerCase()
    .replace(/s$/, "se")
    .replace(/(?<![aeiou])y$/, "ie")
    .concat("s");

export const kindsOf = (
  group: string,
  versions: readonly string[],
  kinds: readonly string[],
  more: Partial<Wanted> = {},
): Wanted[] => kinds.map((kind) => ({ group, versions, kind, plural: pluralOf(kind), ...more }));

export const managementKinds: readonly Wanted[] = [
  ...kindsOf("cluster.x-k8s.io", ["v1beta2", "v1beta1"], ["Cluster"]),
  ...kindsOf(
    "cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    ["Machine", "MachineSet", "MachineDeployment", "MachinePool", "MachineHealthCheck"],
    inCluster,
  ),
  ...kindsOf("controlplane.cluster.x-k8s.io", ["v1beta2", "v1beta1"], ["KubeadmControlPlane"], inCluster),
  ...kindsOf("bootstrap.cluster.x-k8s.io", ["v1beta2", "v1beta1"], ["KubeadmConfig"], inCluster),
  ...kindsOf(
    "addons.cluster.x-k8s.io",
    ["v1beta2", "v1beta1"],
    ["ClusterResourceSet", "ClusterResourceSetBinding"],
    inCluster,
  ),
  ...kindsOf(
    "infrastructure.cluster.x-k8s.io",
    ["v1beta1"],
    [
      "AzureCluster",
      "AzureClusterIdentity",
      "AzureMachine",
      "AzureMachineTemplate",
      "AzureMachinePool",
      "AzureMachinePoolMachine",
    ],
    inCluster,
  ),
  ...kindsOf("resources.azure.com", ["v1api20200601"], ["ResourceGroup"], inCluster),
  ...kindsOf("network.azure.com", ["v1api20201101"], ["VirtualNetwork", "VirtualNetworksSubnet"], inCluster),
  ...kindsOf("network.azure.com", ["v1api20220701"], ["NatGateway"], inCluster),
  ...kindsOf(
    "operator.cluster.x-k8s.io",
    ["v1alpha2"],
    ["CoreProvider", "BootstrapProvider", "ControlPlaneProvider", "InfrastructureProvider"],
  ),
  ...kindsOf("apps", ["v1"], ["Deployment"], inProviders),
  ...kindsOf("", ["v1"], ["Pod"], inProviders),
  // The cluster autoscaler runs beside the objects of its cluster.
  ...kindsOf("apps", ["v1"], ["Deployment"], { ...inCluster, optional: true }),
  ...kindsOf("", ["v1"], ["Pod"], { ...inCluster, optional: true }),
  ...kindsOf("cert-manager.io", ["v1"], ["Certificate"], inProviders),
  ...kindsOf(
    "admissionregistration.k8s.io",
    ["v1"],
    ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
  ),
  ...kindsOf("", ["v1"], ["Event"], inCluster),
];

export const workloadKinds: readonly Wanted[] = [
  ...kindsOf("", ["v1"], ["Node"]),
  ...kindsOf("", ["v1"], ["Pod", "Service", "PersistentVolumeClaim"]),
  ...kindsOf("", ["v1"], ["Secret"], { namespaces: ["kube-system"], metadataOnly: true }),
  ...["type=Warning", ...normalReasons.map((reason) => `type=Normal,reason=${reason}`)].flatMap((selector) =>
    kindsOf("", ["v1"], ["Event"], { query: `fieldSelector=${encodeURIComponent(selector)}` }),
  ),
  ...kindsOf("apps", ["v1"], ["Deployment"], { optional: true }),
  ...kindsOf("operator.tigera.io", ["v1"], ["TigeraStatus"]),
  ...kindsOf("apiregistration.k8s.io", ["v1"], ["APIService"]),
  ...kindsOf("certificates.k8s.io", ["v1"], ["CertificateSigningRequest"], {
    optional: true,
    query: `fieldSelector=${encodeURIComponent("spec.signerName=kubernetes.io/kubelet-serving")}`,
  }),
];

/** Kinds that every diagnosis needs. If the API server does not serve another kind of an add-on, that is no problem. */
const necessary = new Set(["Cluster", "AzureCluster", "Machine"]);

/** Whether every API server serves it: those of Kubernetes itself are in no CRD, so who does not have them is another server. */
const isBuiltIn = ({ group }: Wanted): boolean => /^(?:apps|batch|(?:.*\.)?k8s\.io)?$/.test(group);

/** Whether it is a problem that it is not there. */
export const isNecessary = (wanted: Wanted): boolean => necessary.has(wanted.kind) || isBuiltIn(wanted);
