import type { LeftOut } from "../findings";

/** The table of reasons for differences between the objects of a plan and a source, by kind and path. */

export type Reason = Pick<LeftOut, "why" | "instead" | "byController">;

/** A reason, and the differences that it explains. */
export interface Row {
  readonly kind: RegExp;
  readonly path: RegExp;
  /** Only if the rules of the stack file refused a value at such a path. */
  readonly taken?: RegExp;
  /** Only with this value. */
  readonly value?: unknown;
  readonly why: string;
  readonly instead?: string;
}

const any = /./;
const bootstraps = /^Kubeadm/;
const machines = /^AzureMachine(Pool|Template)$/;

/** Reasons for fields that only the plan has. */
export const added: readonly Row[] = [
  {
    kind: any,
    path: /^metadata\.annotations\.pulumi\.com/,
    why: "Pulumi reads how long it waits, and in which order it deletes",
  },
  {
    kind: /^Cluster$/,
    path: /^metadata\.labels\./,
    why: "the stack's ClusterResourceSets select their cluster by it",
  },
  {
    ...{ kind: /^KubeadmControlPlane$/, path: /^spec\.rollout\.before\./ },
    why: "the certificates of a control plane without an upgrade expire after a year",
    instead: "controlPlane.certificatesExpiryDays",
  },
  {
    kind: any,
    path: /rollout\.strategy|^spec\.strategy|deletion\.order$/,
    why: "a default, written out so that an upgrade of the providers does not change it",
  },
  {
    ...{ kind: /^Cluster$/, path: /clusterNetwork\.services/ },
    why: "kubeadm's default, written out",
    instead: "network.serviceCidr",
  },
  {
    kind: /^AzureCluster$/,
    path: /networkSpec/,
    why: "the stack makes the network itself, smaller than CAPZ's default of 10.0.0.0/8",
    instead: "network",
  },
  {
    kind: machines,
    path: /\.image\./,
    why: "CAPZ's default image, written out so that an upgrade of CAPZ does not roll nodes",
    instead: "image",
  },
  { kind: machines, path: /storageAccountType$|cachingType$/, why: "a default, written out" },
  { kind: machines, path: /sshPublicKey$/, why: "the key of access.sshPublicKey" },
  { kind: machines, path: /additionalTags/, why: "tags are those of all resources", instead: "tags" },
  {
    kind: machines,
    path: /^(spec\.template\.)?metadata\.annotations\.(runtime|windowsServerVersion)/,
    why: "CAPZ knows the image by it",
    instead: "windowsServer",
  },
  {
    kind: /^AzureMachinePool$/,
    path: /^spec\.location$/,
    why: "the region of the cluster",
    instead: "azure.location",
  },
  {
    kind: machines,
    path: /userAssignedIdentities|\.identity$/,
    why: "the stack makes the identity of the control plane, which the cloud provider needs",
  },
  {
    kind: bootstraps,
    path: /kubeletExtraArgs\[(v|windows-priorityclass|node-labels)\]/,
    why: "kubelet of every Windows node has it, as CAPZ's template for single machines does",
  },
  {
    kind: bootstraps,
    path: /patches\.directory$|\.files\[|(pre|post)KubeadmCommands$/,
    why: "what every node of the stack needs (docs/architecture.md)",
  },
  {
    kind: bootstraps,
    path: /nodeRegistration\.taints/,
    why: "taints of a pool reach kubelets of every image",
    instead: "taints",
  },
  {
    kind: bootstraps,
    path: /users(\[|$)/,
    why: "the key of access.sshPublicKey, with which people log in to Windows",
  },
  {
    kind: bootstraps,
    path: /clusterConfiguration|initConfiguration|verbosity|joinConfiguration|diskSetup|mounts/,
    why: "what a control plane for Windows nodes needs, as CAPZ's Windows templates have it",
  },
  {
    kind: /^Machine(Deployment|HealthCheck)$/,
    path: /cluster\.x-k8s\.io\/(cluster|deployment)-name/,
    why: "the pool knows its machines by it",
  },
  {
    kind: /^MachineHealthCheck$/,
    path: any,
    why: "the control plane and pools of single machines have a health check",
  },
];

/** Reasons for fields that the source has, and the plan does not have or has with another value. */
export const others: readonly Row[] = [
  {
    kind: /^Cluster$/,
    path: /^metadata\.labels\.(cni|cni-windows|cloud-provider|csi-proxy|windows|containerd-logger|metrics-server|azuredisk-csi|topology\.)/,
    why: "add-ons of the template select their cluster by it; those of the stack have labels of their own",
    instead: "addons",
  },
  {
    kind: any,
    path: /azure-json|azure\.json\]/i,
    why: "the secret is named after the object that it belongs to",
  },
  {
    kind: machines,
    path: /userAssignedIdentities|\.identity$/,
    why: "the control plane gets an identity that the stack makes, with the smallest roles that work",
    instead: "identityIds, for those of a pool",
  },
  {
    kind: machines,
    path: /windowsServerVersion$/,
    why: "the release is written out",
    instead: "windowsServer",
  },
  {
    kind: machines,
    path: /^metadata\.annotations\.runtime$/,
    why: "CAPZ reads it from the template inside, where the stack has it",
  },
  {
    kind: machines,
    path: /sshPublicKey$/,
    why: "Azure ignores the key of Windows machines: bootstrap data has it",
    instead: "access.sshPublicKey",
  },
  {
    kind: machines,
    path: /\.vmExtensions/,
    taken: /\.vmExtensions/,
    why: "the rules of the stack file refuse this extension",
    instead: "vmExtensions of the pool",
  },
  {
    kind: machines,
    path: /\.networkInterfaces/,
    taken: /(^network|\.subnet$|NetworkInterfaces|acceleratedNetworking$)/,
    why: "the rules of the stack file refuse these interfaces",
    instead: "subnet and additionalNetworkInterfaces of the pool",
  },
  {
    kind: /^AzureMachinePool$/,
    path: /\.securityProfile\./,
    why: "CAPZ sends only encryptionAtHost to a scale set",
    instead: "trustedLaunch of a Windows pool with kind: MachineDeployment",
  },
  {
    kind: /^MachinePool$/,
    path: /deletion\.node(Drain|VolumeDetach)TimeoutSeconds$/,
    why: "it reaches no machine of a scale set: Cluster API passes them no limit",
    instead: "deletion.drain of the pool, or a Windows pool with kind: MachineDeployment",
  },
  {
    kind: bootstraps,
    path: /kubeletconfiguration/,
    taken: /\.kubelet\./,
    why: "the rules of the stack file refuse this field",
    instead: "kubelet of the pool",
  },
  {
    kind: machines,
    path: /\.image\./,
    taken: /\.image|^kubernetesVersion/,
    why: "the rules of the stack file refuse this image",
    instead: "image",
  },
  {
    ...{ kind: bootstraps, path: /kubeletExtraArgs\[register-with-taints\]/ },
    why: "it would replace the taints that the bootstrap provider hands over; a patch of kubelet's configuration has the one for the cloud provider",
    instead: "taints",
  },
  {
    kind: bootstraps,
    path: /kubeletExtraArgs\[image-credential-provider/,
    why: "its program is not on the node, because the script that downloads it is left out",
    instead: "an image with the credential provider (docs/images.md)",
  },
  {
    kind: /^KubeadmConfig/,
    path: /kubeletExtraArgs\[(node-labels|max-pods|system-reserved|image-gc-[a-z-]+)\]/,
    why: "the stack file has a key for it",
    instead: "labels and kubelet of the pool",
  },
  {
    kind: /^KubeadmConfig/,
    path: /kubeletExtraArgs\[/,
    why: "Windows kubelets of newer images take no further arguments, and a merge patch would replace the whole list",
    instead: "kubelet of the pool",
  },
  {
    kind: bootstraps,
    path: /clusterConfiguration\.(kubernetesVersion|networking|clusterName|apiVersion|kind)/,
    why: "Cluster API derives it from the objects",
    instead: "kubernetesVersion and network",
  },
  { kind: bootstraps, path: /patches\.directory$/, why: "the stack has a folder of its own for patches" },
  {
    kind: bootstraps,
    path: /users(\[|$)/,
    why: "the user capi logs in with access.sshPublicKey",
    instead: "access.sshPublicKey",
  },
  {
    kind: bootstraps,
    path: /nodeRegistration\.(name|criSocket)$/,
    why: "the cloud provider finds a node by its name, and the runtime by the image",
  },
  {
    kind: /^(MachinePool|MachineDeployment|KubeadmControlPlane)$/,
    path: /\.version$/,
    taken: /kubernetesVersion$/,
    why: "this program's Cluster API cannot make that version",
    instead: "kubernetesVersion",
  },
  {
    kind: any,
    path: /^spec\.replicas$/,
    taken: /replicas$/,
    why: "the rules of the stack file refuse this number",
    instead: "replicas",
  },
  {
    kind: /^MachineDeployment$/,
    path: /^spec\.(selector|template\.metadata\.labels)/,
    why: "the stack's pools know their machines by labels of their own",
  },
  {
    kind: /^MachineHealthCheck$/,
    path: /^spec\.selector/,
    why: "the stack's health checks select by labels of their own",
  },
  {
    ...{ kind: /^AzureCluster$/, path: /networkSpec\.apiServerLB/ },
    why: "the API server has a public address, behind a security group, and the name that CAPZ derives",
    instead: "access.allowedCidrs",
  },
  {
    ...{ kind: /^AzureCluster$/, path: /networkSpec\.controlPlaneOutboundLB/ },
    why: "CAPZ refuses it beside a public API server",
  },
  {
    ...{ kind: /^AzureCluster$/, path: /^spec\.bastionSpec/ },
    why: "its subnet would be in the VNET of the stack, whose next update deletes it",
    instead: "a bastion in a peered VNET, and --bastion of npm run access",
  },
  {
    ...{ kind: /^AzureCluster$/, path: /networkSpec\.(vnet|subnets)(?!.*cidrBlocks)/ },
    why: "the stack makes the network itself",
    instead: "network",
  },
  {
    kind: /^(Azure)?Cluster$/,
    path: /cidrBlocks/,
    taken: /^network/,
    why: "the rules of the stack file refuse this range",
    instead: "network",
  },
];
