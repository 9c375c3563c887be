import type { LeftOut } from "../findings";

/** Why a stack does not have a field of a source: the table, by kind and path. */

export type Reason = Pick<LeftOut, "why" | "instead" | "byController" | "unknown">;

/** A reason, and the fields that it explains. */
export interface ReasonRow {
  readonly kind: RegExp;
  readonly path: RegExp;
  /** Only if the rules of the stack file refused a value at such a path. */
  readonly taken?: RegExp;
  /** Only with this value. */
  readonly value?: unknown;
  readonly reason: Reason;
}

const any = /./;
const bootstraps = /^Kubeadm/;
const machines = /^AzureMachine(Pool|Template)$/;

const because = (why: string, instead?: string): Reason => ({
  why,
  ...(instead === undefined ? {} : { instead }),
});

/** Fields that controllers and webhooks add to live objects, not part of the description of the cluster. */
const writtenBy = (
  why: string,
  ...rows: readonly (readonly [kind: RegExp, path: RegExp, value?: unknown])[]
): ReasonRow[] =>
  rows.map(([kind, path, value]) => ({ kind, path, value, reason: { why, byController: true } }));

/** Values that the rules of the stack file refused. */
const refused = (kind: RegExp, path: RegExp, taken: RegExp, what: string, instead: string): ReasonRow => ({
  ...{ kind, path, taken },
  reason: because(`the rules of the stack file refuse ${what}`, instead),
});

const of = (
  kind: RegExp,
  ...rows: readonly (readonly [path: RegExp, why: string, instead?: string])[]
): ReasonRow[] => rows.map(([path, why, instead]) => ({ kind, path, reason: because(why, instead) }));

/** The first row that matches counts. */
export const reasonTable: readonly ReasonRow[] = [
  ...writtenBy("controllers and kubectl write it", [
    any,
    /^metadata\.(annotations|labels)\[.*(kubectl\.kubernetes\.io|clusters?\.x-k8s\.io|sigs\.k8s\.io|serviceoperator)/,
  ]),
  ...writtenBy("Pulumi and this program write it", [
    any,
    /^metadata\.annotations\["(pulumi\.com|capz-windows)\//,
  ]),
  ...writtenBy("CAPZ writes the address that it made", [/^(Azure)?Cluster$/, /controlPlaneEndpoint/]),
  ...writtenBy(
    "CAPZ's webhook writes its default",
    [/^AzureCluster$/, /^spec\.(azureEnvironment|controlPlaneEnabled)/],
    [
      /^AzureCluster$/,
      /^spec\.networkSpec\.(vnet\.id$|apiServerLB\.(backendPool|sku|idleTimeoutInMinutes|type|name|frontendIPs)|subnets\[[^\]]+\]\.(id$|natGateway\.(id|ip)|securityGroup\.securityRules))/,
    ],
    [
      machines,
      /providerIDList|orchestrationMode|roleAssignmentName|systemAssignedIdentityRole|nodeDrainTimeout|disableVMBootstrapExtension|enableVMSSNodePublicIP/,
    ],
    [machines, /^spec\.(template\.spec\.)?identity$/, "None"],
    [machines, /osDisk\.cachingType$/, "None"],
    [machines, /diagnostics\.boot\.storageAccountType$/, "Managed"],
  ),
  ...writtenBy("the API server writes the default of the CRD", [
    machines,
    /image\.marketplace\.thirdPartyImage$/,
    false,
  ]),
  ...writtenBy("Cluster API's default; images read cloud-config only", [bootstraps, /\.format$/]),
  ...writtenBy("Cluster API's webhook writes its default", [
    any,
    /deletion\.nodeDeletionTimeoutSeconds$/,
    10,
  ]),
  ...writtenBy("the controllers of Cluster API and CAPZ write it", [
    any,
    /^spec\.providerID(List)?$|bootstrap\.dataSecretName$|discovery\.bootstrapToken\.|^spec\.failureDomain$/,
  ]),

  refused(machines, /\.vmExtensions/, /\.vmExtensions/, "this extension", "vmExtensions of the pool"),
  refused(
    ...([
      machines,
      /\.networkInterfaces/,
      /^network|\.subnet$|NetworkInterfaces|acceleratedNetworking$/,
    ] as const),
    ...(["these interfaces", "subnet and additionalNetworkInterfaces of the pool"] as const),
  ),
  refused(bootstraps, /kubeletconfiguration/, /\.kubelet\./, "this field", "kubelet of the pool"),
  ...of(machines, [
    /\.image\..*\.?(?:plan|thirdPartyImage)(?:\.|$)/,
    "images of third parties, which need a purchase plan, are not supported",
    "image",
  ]),
  refused(machines, /\.image\./, /\.image|^kubernetesVersion/, "this image", "image"),
  refused(any, /^spec\.replicas$/, /replicas$/, "this number", "replicas"),
  refused(/^(Azure)?Cluster$/, /cidrBlocks/, /^network/, "this range", "network"),
  refused(
    /^AzureMachinePool$|^MachineDeployment$/,
    /strategy/,
    /\.rollout/,
    "this rollout",
    "rollout of the pool",
  ),
  refused(machines, /spotVMOptions/, /\.spot/, "this price", "spot of the pool"),

  ...of(/^(MachinePool|MachineDeployment|KubeadmControlPlane)$/, [
    /\.version$/,
    "this program's Cluster API cannot make that version",
    "kubernetesVersion",
  ]),
  ...of(
    /^KubeadmControlPlane$/,
    [
      /apiServer\.(extraArgs\[audit-|extraVolumes\[[^\]]*audit)|\.files\[[^\]]*audit[^\]]*\]/,
      "the program has its own paths for the policy and the log, which is kept in files; without audit-policy-file and audit-log-path the API server writes none",
      "controlPlane.audit",
    ],
    [
      /apiServer\.(extraArgs\[encryption-provider-|extraVolumes\[[^\]]*encrypt)|\.files\[[^\]]*encrypt[^\]]*\]/,
      "the program makes its own keys, and a new cluster has nothing that is encrypted with those of the source",
      "controlPlane.encryption",
    ],
    [
      /apiServer\.(extraArgs\[(oidc-|authentication-config)|extraVolumes\[[^\]]*(oidc|authentication))|\.files\[[^\]]*(oidc|authentication)[^\]]*\]/,
      "the program writes the file with the issuers whose tokens the API server accepts, from Kubernetes v1.30 on",
      "controlPlane.authentication",
    ],
    [
      /apiServer\.(extraArgs\[admission-control-config|extraVolumes\[[^\]]*admission)|\.files\[[^\]]*admission[^\]]*\]/,
      "the program writes the file with the Pod Security of namespaces without labels",
      "controlPlane.podSecurity",
    ],
    [
      /apiServer\.extraArgs\[kubelet-certificate-authority|(init|join)Configuration\.patches|\.files\[[^\]]*kubeletconfiguration[^\]]*\]/,
      "the program writes the file with which kubelets of all machines ask for serving certificates, and delivers an approver for them",
      "kubeletCertificates",
    ],
    [
      /\.files\[|(pre|post)KubeadmCommands$/,
      "no key adds files or commands to control plane machines, because they would decide about upgrades",
      "files, preKubeadmCommands and postKubeadmCommands of pools",
    ],
    [
      /\.(diskSetup|mounts)/,
      "machines of the control plane have the disk of etcd, which the program formats and mounts",
      "controlPlane.etcdDiskGB",
    ],
    [
      /controllerManager\.extraArgs\[(allocate-node-cidrs|cluster-cidr|configure-cloud-routes|cluster-name)/,
      "Calico gives pods their addresses, and the program computes the arguments that depend on it",
      "network.podCidr",
    ],
  ),

  ...of(any, [/azure-json|azure\.json\]/i, "the secret is named after the object that it belongs to"]),
  ...of(/^Cluster$/, [
    /^metadata\.labels(\.|\[")(cni|cni-windows|cloud-provider|csi-proxy|windows|containerd-logger|metrics-server|azuredisk-csi)\b/,
    "add-ons of the template select their cluster by it; the stack's add-ons have their own labels",
    "addons",
  ]),
  ...of(
    machines,
    [
      /userAssignedIdentities|\.identity$/,
      "the control plane gets an identity that the stack makes, with the smallest roles that work",
      "identityIds, for those of a pool",
    ],
    [
      /[dD]isks?(\[\w+\])?\.managedDisk\.storageAccountType$/,
      "disks of the control plane are Premium SSDs: etcd waits for each of its writes",
      "osDiskType of pools",
    ],
    [
      /diffDiskSettings\.option$/,
      "it has only one value, and follows from ephemeralOsDisk",
      "ephemeralOsDisk",
    ],
    [/allocatePublicIP$/, "machines of a stack have no public addresses", "a Service of type LoadBalancer"],
    [/windowsServerVersion$/, "the release is written out", "windowsServer"],
    [/^metadata\.annotations\.runtime$/, "CAPZ reads it from the template inside, where the stack has it"],
    [
      /sshPublicKey$/,
      "the stack has the key as text, which CAPZ has in base64; Windows machines have it in bootstrap data, because Azure ignores it there",
      "access.sshPublicKey",
    ],
  ),
  ...of(
    /^AzureMachinePool$/,
    [
      /\.securityProfile\./,
      "CAPZ sends only encryptionAtHost to a scale set",
      "trustedLaunch of a Windows pool with kind: MachineDeployment",
    ],
    [/enableIPForwarding$/, "CAPZ has no such field for a scale set, and Calico with VXLAN needs none"],
  ),
  ...of(/^MachinePool$/, [
    /deletion\.node(Drain|VolumeDetach)TimeoutSeconds$/,
    "it reaches no machine of a scale set: Cluster API passes them no limit",
    "deletion.drain of the pool, or a Windows pool with kind: MachineDeployment",
  ]),
  ...of(
    bootstraps,
    [
      /kubeletExtraArgs\[register-with-taints\]/,
      "it would replace the taints that the bootstrap provider hands over; a patch of kubelet's configuration has the one for the cloud provider",
      "taints",
    ],
    [
      /kubeletExtraArgs\[image-credential-provider/,
      "its program is not on the node, because the script that downloads it is left out",
      "an image with the credential provider (docs/images.md)",
    ],
    [/\.files\[.*registerWithTaints/, "taints of a pool reach kubelets of every image", "taints"],
    [/\.files\[.*\.owner$/, "files belong to the administrator"],
    [/\.files\[.*\.permissions$/, "a default, written out"],
    [/patches\.directory$/, "the stack uses its own folder for patches"],
    [/users(\[|$)/, "the user capi logs in with access.sshPublicKey", "access.sshPublicKey"],
    [
      /nodeRegistration\.(name|criSocket)$/,
      "the cloud provider finds a node by its name, and the runtime by the image",
    ],
    [
      /clusterConfiguration\.(kubernetesVersion|networking|clusterName|apiVersion|kind)/,
      "Cluster API derives it from the objects",
      "kubernetesVersion and network",
    ],
  ),
  ...of(
    /^KubeadmConfig/,
    [
      /(^|\.)(clusterConfiguration|initConfiguration)\./,
      "kubeadm reads it on the first machine of the control plane only",
      "controlPlane.overrides with a patch of KubeadmControlPlane",
    ],
    [
      /kubeletExtraArgs\[(node-labels|max-pods|system-reserved|image-gc-[a-z-]+)\]/,
      "the stack file has a key for it",
      "labels and kubelet of the pool",
    ],
    [
      /kubeletExtraArgs\[/,
      "Windows kubelets of newer images take no further arguments, and a merge patch would replace the whole list",
      "kubelet of the pool",
    ],
  ),
  ...of(/^MachineDeployment$/, [
    /^spec\.(selector|template\.metadata\.labels)/,
    "the stack's pools use their own labels for their machines",
  ]),
  ...of(/^MachineHealthCheck$/, [/^spec\.selector/, "the stack's health checks use their own labels"]),
  ...of(
    /^AzureCluster$/,
    [
      /networkSpec\.apiServerLB/,
      "the API server has a public address, behind a security group, and the name that CAPZ derives",
      "access.allowedCidrs",
    ],
    [
      /networkSpec\.(controlPlane|node)OutboundLB/,
      "machines leave by the NAT gateway or another way out, not by a load balancer",
      "network.outbound",
    ],
    [
      /networkSpec\.privateDNSZone/,
      "CAPZ makes no zone and no record: Pulumi does, or others",
      "network.apiServer.dns",
    ],
    [
      /networkSpec\.vnet\.peerings/,
      "CAPZ makes no peerings: Pulumi makes those of the VNET of the stack, and others those of theirs",
      "network.peerings",
    ],
    [
      /^spec\.bastionSpec/,
      "an import makes no Bastion: its range is for you to choose, and CAPZ's own would be deleted by the next update of the VNET",
      "network.bastion",
    ],
    [
      /networkSpec\.(vnet|subnets)(?!.*cidrBlocks)/,
      "the stack makes the network itself, or takes that of others as it is",
      "network",
    ],
  ),
];
