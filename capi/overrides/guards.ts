import { purchasePlan } from "capz-windows-platform/machines/purchasePlan";
import { machineSpecs, optionRows } from "../poolOptions";

/**
 * Fields that an override may not set: references between objects, parts of their names, fields that the plan and the rules
 * of a stack file read, and lists that a merge patch would replace as a whole. Those for which pools have an option follow
 * from poolOptions.ts.
 */
export interface Guard {
  readonly kinds: readonly string[];
  /** Path from the root of the object, with dots. */
  readonly path: string;
  readonly why: string;
  /** What to write instead; by default there is nothing. */
  readonly instead?: string;
  /** Whether an override may set what the program has not set. */
  readonly isIfSet?: true;
  /** Whether `instead` is a key of pools, of which the control plane has only some. */
  readonly isOfPools?: true;
}

const pools = ["MachinePool", "MachineDeployment"];
const bootstraps = ["KubeadmConfig", "KubeadmConfigTemplate", "KubeadmControlPlane"];

/** CAPI v1.14.2 (computeClusterConfigurationAndAdditionalData) keeps an endpoint that is given, and kubeadm an address. */
const ownAddress =
  "Cluster API and kubeadm write the addresses of this cluster, and with others no node joins";
const reference = "the objects of a cluster find each other by it";
const ownedByController = "its controller writes this field";
const hasKey = (key: string): Pick<Guard, "why" | "instead"> => ({
  why: "the stack file has a key for it",
  instead: key,
});

const guards = (kinds: readonly string[], paths: Readonly<Record<string, Omit<Guard, "kinds" | "path">>>) =>
  Object.entries(paths).map(([path, guard]): Guard => ({ kinds, path, ...guard }));

/** The fields of the options of pools. */
const optionGuards = optionRows.flatMap(
  ([name, { machine = [], fields = {}, fieldsIfSet = {}, instead = name }]) => {
    const guard = (kind: string, path: string): Guard => ({
      kinds: [kind],
      path,
      ...hasKey(instead),
      isOfPools: true,
    });
    const each = (all: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(all).flatMap(([kind, paths]) => paths.map((path) => guard(kind, path)));
    return [
      ...Object.entries(machineSpecs).flatMap(([kind, spec]) =>
        machine.map((field) => guard(kind, `${spec}.${field}`)),
      ),
      ...each(fields),
      ...each(fieldsIfSet).map((one): Guard => ({ ...one, isIfSet: true })),
    ];
  },
);

/** The options of pools that the control plane has, too. */
export const controlPlaneOptions: readonly string[] = ["image", "vmSize", "osDiskGB", "healthCheck"];

/** Lists of bootstrap data, and the fields by which a machine becomes the node that Cluster API waits for. */
const bootstrapGuards = (kinds: readonly string[], spec: string): Guard[] => {
  const nodeGuards = (configuration: string) => ({
    [`${spec}.${configuration}.nodeRegistration.name`]: {
      why: "the cloud provider finds a node by this name",
    },
    [`${spec}.${configuration}.nodeRegistration.criSocket`]: {
      why: "it is where the image's runtime listens",
    },
    [`${spec}.${configuration}.patches`]: {
      why: "the folder has the patch with the taint by which a node gets its provider id",
    },
  });
  const replaced = "a merge patch replaces the whole list, and with it what every node needs";
  return guards(kinds, {
    [`${spec}.files`]: { why: replaced, instead: "files" },
    [`${spec}.users`]: { why: replaced, instead: "access.sshPublicKey" },
    [`${spec}.preKubeadmCommands`]: { why: replaced, instead: "preKubeadmCommands" },
    [`${spec}.postKubeadmCommands`]: { why: replaced, instead: "postKubeadmCommands" },
    [`${spec}.format`]: { why: "the images read cloud-config only" },
    // CAPI v1.14.2 bootstrap/kubeadm, validateIgnition.
    [`${spec}.ignition`]: { why: "Cluster API refuses it without format: ignition" },
    ...nodeGuards("initConfiguration"),
    ...nodeGuards("joinConfiguration"),
    [`${spec}.joinConfiguration.discovery`]: { why: "the bootstrap provider writes token and endpoint" },
  });
};

const workerGuards = (kinds: readonly string[], spec: string): Guard[] => [
  ...bootstrapGuards(kinds, spec),
  ...guards(kinds, {
    [`${spec}.clusterConfiguration`]: { why: "a worker has none" },
    [`${spec}.initConfiguration`]: { why: "a worker has none" },
    [`${spec}.joinConfiguration.controlPlane`]: { why: "it would make a control plane machine of a worker" },
    [`${spec}.joinConfiguration.nodeRegistration.kubeletExtraArgs`]: {
      why: "a merge patch replaces the whole list, and with it what every node needs",
      instead: "kubelet",
    },
  }),
];

/** What a machine is made of, at its place in an AzureMachinePool or an AzureMachineTemplate. */
const machineGuards = (kinds: readonly string[], spec: string): Guard[] =>
  guards(kinds, {
    [`${spec}.osDisk.osType`]: { why: "it follows from the pool" },
    [`${spec}.sshPublicKey`]: hasKey("access.sshPublicKey"),
    [`${spec}.providerID`]: { why: ownedByController },
    ...Object.fromEntries(purchasePlan.fields.map((field) => [`${spec}.image.${field}`, purchasePlan])),
    ...Object.fromEntries(
      ["subnetName", "acceleratedNetworking"].map((field) => [
        `${spec}.${field}`,
        {
          why: "CAPZ's webhook moves this field into networkInterfaces, and refuses both the next time",
          instead: "networkInterfaces",
        },
      ]),
    ),
  });

const zone = hasKey("network.apiServer.dns");

export const allGuards: readonly Guard[] = [
  ...guards(pools, {
    "spec.clusterName": { why: reference },
    "spec.providerIDList": { why: ownedByController },
    "spec.selector": { why: reference },
    "spec.template.spec.clusterName": { why: reference },
    "spec.template.spec.bootstrap": { why: reference },
    "spec.template.spec.infrastructureRef": { why: reference },
    "spec.template.spec.providerID": { why: ownedByController },
  }),
  ...guards(["MachineDeployment"], {
    "spec.template.metadata.labels.cluster.x-k8s.io/cluster-name": { why: reference },
    "spec.template.metadata.labels.cluster.x-k8s.io/deployment-name": { why: reference },
  }),
  ...guards(["AzureMachinePool"], {
    "spec.location": hasKey("azure.location"),
    "spec.providerID": { why: ownedByController },
    "spec.providerIDList": { why: ownedByController },
    "spec.orchestrationMode": {
      why: "machines of another mode have other names than those that the plan has",
    },
  }),
  ...machineGuards(["AzureMachinePool"], "spec.template"),
  // CAPZ v1.27.0 azure/services/scalesets/spec.go (getSecurityProfile) dereferences encryptionAtHost without a nil check.
  ...guards(["AzureMachinePool"], {
    "spec.template.securityProfile": {
      why: "CAPZ sends only encryptionAtHost to a scale set, and crashes without it",
      instead: "encryptionAtHost, or trustedLaunch of a Windows pool with kind: MachineDeployment",
    },
  }),
  ...machineGuards(["AzureMachineTemplate"], "spec.template.spec"),
  ...guards(["AzureMachineTemplate"], {
    // CAPZ v1.27.0 has no such field for a scale set.
    "spec.template.spec.allocatePublicIP": {
      why: "the plan and its network paths count on machines without public addresses",
    },
    "spec.template.metadata.annotations": {
      why: "CAPZ chooses the image and the settings of a machine by them",
    },
  }),
  ...workerGuards(["KubeadmConfig"], "spec"),
  ...workerGuards(["KubeadmConfigTemplate"], "spec.template.spec"),
  ...bootstrapGuards(["KubeadmControlPlane"], "spec.kubeadmConfigSpec"),
  ...guards(["KubeadmControlPlane"], {
    "spec.replicas": hasKey("controlPlane.replicas"),
    "spec.version": hasKey("kubernetesVersion"),
    "spec.rollout.before": hasKey("controlPlane.certificatesExpiryDays"),
    "spec.machineTemplate.spec.infrastructureRef": { why: reference },
    "spec.kubeadmConfigSpec.clusterConfiguration.etcd.local.dataDir": {
      why: "etcd would leave the disk that it has",
    },
    "spec.kubeadmConfigSpec.clusterConfiguration.etcd.external": { why: "the machines have etcd themselves" },
    ...Object.fromEntries(
      [
        "clusterConfiguration.controlPlaneEndpoint",
        "initConfiguration.localAPIEndpoint",
        "joinConfiguration.controlPlane.localAPIEndpoint",
      ].map((field) => [`spec.kubeadmConfigSpec.${field}`, { why: ownAddress }]),
    ),
  }),
  ...guards(["MachineHealthCheck"], {
    "spec.clusterName": { why: reference },
    "spec.selector": { why: reference },
  }),
  ...guards(["Cluster"], {
    "spec.clusterNetwork.pods": hasKey("network.podCidr"),
    "spec.clusterNetwork.services": hasKey("network.serviceCidr"),
    "spec.clusterNetwork.apiServerPort": { why: "the network security rules and all commands have 6443" },
    "spec.controlPlaneEndpoint": { why: ownedByController },
    "spec.controlPlaneRef": { why: reference },
    "spec.infrastructureRef": { why: reference },
    "spec.topology": { why: "this program makes the objects that a ClusterClass would" },
    "metadata.labels.cni": { why: "the add-ons find the cluster by it" },
    "metadata.labels.cni-windows": { why: "the add-ons find the cluster by it" },
    "metadata.labels.cloud-provider": { why: "the add-ons find the cluster by it" },
  }),
  ...guards(["AzureCluster"], {
    "spec.subscriptionID": hasKey("azure.subscriptionId"),
    "spec.location": hasKey("azure.location"),
    "spec.resourceGroup": hasKey("azure.resourceGroup"),
    "spec.identityRef": { why: reference },
    "spec.controlPlaneEndpoint": { why: ownedByController },
    "spec.controlPlaneEnabled": { why: "the control plane is part of the stack" },
    "spec.azureEnvironment": {
      why: "the addresses and identities of the stack are those of the public cloud",
    },
    "spec.networkSpec.vnet": hasKey("network"),
    "spec.networkSpec.subnets": hasKey("network"),
    "spec.networkSpec.apiServerLB": {
      why: "the host of the API server follows from the names in it",
      instead: "network.apiServer, for a private one",
    },
    // CAPZ v1.27.0 azure/scope/cluster.go (PublicIPSpecs): a public address for each of its frontends.
    "spec.networkSpec.nodeOutboundLB": {
      why: "CAPZ would make public addresses for it, and nodes leave by the way that the stack file names",
      instead: "network.outbound",
    },
    // CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go refuses these three.
    "spec.networkSpec.controlPlaneOutboundLB": {
      why: "CAPZ refuses it beside a public API server, and the control plane of a private one leaves as its nodes do (network.outbound)",
    },
    "spec.networkSpec.privateDNSZone": zone,
    "spec.networkSpec.privateDNSZoneName": zone,
    "spec.networkSpec.privateDNSZoneResourceGroup": zone,
    // CAPZ v1.27.0 internal/api/v1beta1/azurecluster_default.go (10.255.255.224/27), internal/webhooks/azurecluster_webhook.go
    // (cannot be removed); Azure requires a /26.
    "spec.bastionSpec.azureBastion": {
      why: "CAPZ would make its subnet in the VNET of the stack, whose next update deletes it, and a bastion can never be removed from an AzureCluster",
      instead: "network.bastion, for one of the stack or of others",
    },
  }),
  ...guards(
    [
      ...pools,
      ...bootstraps,
      "AzureMachinePool",
      "AzureMachineTemplate",
      "MachineHealthCheck",
      "Cluster",
      "AzureCluster",
    ],
    {
      "metadata.name": { why: reference },
      "metadata.namespace": { why: reference },
      apiVersion: { why: reference },
      kind: { why: reference },
    },
  ),
  ...optionGuards,
];

/** Elements of lists, by their names, that only the program may put there. */
export interface ElementGuard extends Omit<Guard, "isIfSet"> {
  readonly name: RegExp;
  /** The first minor version of Kubernetes that has another way. Default: all have it. */
  readonly from?: number;
}

const clusterConfiguration = "spec.kubeadmConfigSpec.clusterConfiguration";
const apiServer = `${clusterConfiguration}.apiServer`;

/** Arguments that kubeadm writes with the addresses of each machine, by their lists. */
const addressArguments = {
  "apiServer.extraArgs": "(advertise-address|bind-address|etcd-servers|secure-port)",
  "etcd.local.extraArgs":
    "(name|(initial-)?advertise-(client|peer)-urls|initial-cluster(-state|-token)?|listen-(client|peer)-urls)",
};

const elementGuard = (list: "extraArgs" | "extraVolumes", name: RegExp, key: string): ElementGuard => ({
  kinds: ["KubeadmControlPlane"],
  path: `${apiServer}.${list}`,
  name,
  ...hasKey(key),
});

export const elementGuards: readonly ElementGuard[] = [
  ...Object.entries(addressArguments).map(([list, names]) => ({
    kinds: ["KubeadmControlPlane"],
    path: `${clusterConfiguration}.${list}`,
    name: new RegExp(`^${names}$`),
    why: ownAddress,
  })),
  elementGuard("extraArgs", /^audit-(log|policy|webhook)-/, "controlPlane.audit"),
  elementGuard("extraVolumes", /^audit-(log|policy)$/, "controlPlane.audit"),
  {
    ...elementGuard("extraArgs", /^kubelet-certificate-authority$/, "kubeletCertificates"),
    from: 26,
  },
  elementGuard("extraArgs", /^encryption-provider-config/, "controlPlane.encryption"),
  elementGuard("extraVolumes", /^encryption/, "controlPlane.encryption"),
  { ...elementGuard("extraArgs", /^admission-control-config-file$/, "controlPlane.podSecurity"), from: 25 },
  { ...elementGuard("extraVolumes", /^admission$/, "controlPlane.podSecurity"), from: 25 },
  // Older versions have arguments only (bootstrap/authentication.ts).
  {
    ...elementGuard("extraArgs", /^(authentication-config$|oidc-)/, "controlPlane.authentication"),
    from: 30,
  },
  { ...elementGuard("extraVolumes", /^authentication$/, "controlPlane.authentication"), from: 30 },
];

/** Annotations and labels of an object that the program or Pulumi's provider reads. */
export const isReservedMetadata = (key: string): boolean =>
  key.startsWith("pulumi.com/") ||
  /^cluster\.x-k8s\.io\/(cluster-api-autoscaler-node-group-(min|max)-size|cluster-name)$/.test(key) ||
  ["runtime", "windowsServerVersion"].includes(key);

/** Lists whose elements a patch may not leave out, because the program has put them there. */
export const keptLists: readonly RegExp[] = [
  /\.(extraArgs|kubeletExtraArgs|extraVolumes|ignorePreflightErrors)$/,
  /\.(dataDisks|userAssignedIdentities|networkInterfaces|vmExtensions|unhealthyNodeConditions)$/,
  /\.diskSetup\.(partitions|filesystems)$/,
  /\.mounts$/,
];
