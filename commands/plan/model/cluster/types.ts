import type { ManagementModel, NodeRange } from "./managementTypes";
import type { PeeringModel, PrivateModel } from "./peeringModel";
import type { RightsModel } from "./rightTypes";
import type { ReachPath } from "../../../../platform/network/reach/paths";
import type { Reach } from "./serviceReach";
import type { PoolAccess } from "../../../../platform/cluster/access";
import type { WayIn } from "../../../../platform/cluster/wayIn";
import type { NodeOs } from "../../../../platform/machines/naming";
import type { PoolKind } from "../../../../platform/machines/pools";
import type { HostsModel } from "../../../../platform/network/hosts";
import type { ExpectedMtus } from "../../../../platform/network/mtu";

export type { ManagementModel, NodeRange } from "./managementTypes";
export type { RightModel, RightsModel } from "./rightTypes";

/**
 * What a stack is, read from the resources of a plan. Everything is plain text, numbers and URNs, so that it can be
 * written as JSON and two of them can be compared. A field whose resource is missing in the plan is "" or 0.
 */
export interface ClusterModel {
  readonly name: string;
  readonly namespace: string;
  /** Of the control plane, with leading v. */
  readonly kubernetesVersion: string;
  /** Azure region. */
  readonly location: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly management: ManagementModel;
  readonly network: NetworkModel;
  readonly apiServer: ApiServerModel;
  /** Who reaches whom, and by which rule; none without a workload cluster. */
  readonly reach: readonly ReachPath[];
  readonly hosts: readonly HostsModel[];
  /** By name. */
  readonly identities: readonly IdentityModel[];
  readonly rights: RightsModel;
  readonly controlPlane?: ControlPlaneModel;
  /** By name. */
  readonly pools: readonly PoolModel[];
  /** By name. */
  readonly addons: readonly AddonModel[];
  /** Release of the cluster autoscaler on the management cluster, where this stack installs it. */
  readonly autoscaler?: string;
  readonly sample?: SampleModel;
  readonly quota: QuotaModel;
  /** What Azure bills by time. */
  readonly bill: readonly BillItem[];
  /** Fields of Cluster and AzureCluster that the stack file overrides: `AzureCluster spec.bastionSpec.azureBastion.name`. */
  readonly overrides?: readonly string[];
  /** Commands for when it runs: the kubeconfigs, and what to look at first. */
  readonly nextSteps: readonly string[];
}

export interface NetworkModel {
  readonly vnet: string;
  /** ARM id. */
  readonly vnetId: string;
  readonly cidrs: readonly string[];
  /** Bytes. */
  readonly mtu: number;
  /** Bytes inside the overlay network of the pods. */
  readonly podMtu: number;
  /** Which MTU holds where, and what sets it. */
  readonly mtus: ExpectedMtus;
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
  readonly subnets: readonly SubnetModel[];
  /** A VNET of others: what must exist in it, one a line. */
  readonly byOthers?: readonly string[];
  /** Name of the stack's own; missing where nothing of the stack translates addresses on the way out. */
  readonly natGateway?: string;
  /** The way out that the stack file chooses (network.outbound), in words; missing where it chooses none. */
  readonly outbound?: OutboundModel;
  /** How nodes reach registries and the Internet; missing where they do so directly. */
  readonly egress?: EgressModel;
  readonly peerings?: readonly PeeringModel[];
  /** ARM ID of the VNET of the management cluster, where its stack names it and others peer it (management.peering). */
  readonly managementVnetId?: string;
  /** How people reach machines without a public port (network.bastion); missing where that is by the control plane. */
  readonly wayIn?: WayIn;
  /** An Azure Bastion of the stack. */
  readonly bastion?: BastionModel;
  /** Missing where the VNET has those of Azure. */
  readonly dnsServers?: readonly string[];
}

export interface BastionModel {
  readonly name: string;
  /** Range of AzureBastionSubnet. */
  readonly cidr: string;
  readonly zones: readonly string[];
  /** Networks from which people come to it. */
  readonly allowedCidrs: readonly string[];
}

export interface OutboundModel {
  /** "firewall" */
  readonly what: string;
  /** Name or address. */
  readonly name: string;
  /** The rest, one sentence or less each. */
  readonly details: readonly string[];
}

export interface EgressModel {
  /** http://HOST:PORT */
  readonly proxy?: string;
  /** https://HOST/PATH */
  readonly registryMirror?: string;
  /** Whether registries are asked for what the mirror does not have. */
  readonly fallback: boolean;
  /** Certificate authorities of the user's own that nodes trust. */
  readonly trustedCertificates: number;
}

export interface SubnetModel {
  readonly name: string;
  readonly cidrs: readonly string[];
  readonly role: "control-plane" | "node";
  /** In a VNET of others: names of the security group and of the route table. */
  readonly attached?: { readonly group: string; readonly table?: string };
}

export interface ApiServerModel {
  readonly host: string;
  readonly port: number;
  /** Where it has no public address. */
  readonly private?: PrivateModel;
  /** Networks that people may come from. */
  readonly allowedCidrs: readonly string[];
  /** Log in to the control plane, the jump host for all nodes. */
  readonly ssh: string;
}

export interface IdentityModel {
  readonly name: string;
  /** Service accounts that may act as it, as `namespace:name`. */
  readonly serviceAccounts: readonly string[];
  /** "contributor on group blue" */
  readonly roles: readonly string[];
}

/** Machines of one kind. */
export interface MachinesModel {
  readonly name: string;
  /** Wanted machines; with an autoscaler its smallest number. */
  readonly replicas: number;
  readonly vmSize: string;
  /** Of Kubernetes, with leading v. */
  readonly version: string;
  /** In full: gallery, definition and version, a Marketplace URN, or an ARM id. */
  readonly image: string;
  /** Without the gallery or publisher. */
  readonly shortImage: string;
  /** How long a machine may be drained, and wait for its volumes, before it is deleted; missing where there is no limit. */
  readonly drainLimitSeconds?: number;
  /** What it has beyond what every one has, in words: labels, taints, limits. */
  readonly details?: readonly string[];
  /** Fields of its objects that the stack file overrides: `AzureMachinePool spec.template.diagnostics`. */
  readonly overrides?: readonly string[];
}

export interface ControlPlaneModel extends MachinesModel {
  /** Machines beyond the wanted number while they are replaced. */
  readonly maxSurge: number;
  /** Whether `pulumi up` waits until it is upgraded before it changes what must not be newer. */
  readonly ordersUpgrades?: true;
  /** URNs. */
  readonly members: {
    readonly component: string;
    readonly controlPlane: string;
    readonly infrastructure?: string;
    readonly healthCheck?: string;
  };
}

export interface PoolModel extends MachinesModel {
  readonly os: NodeOs;
  readonly kind: PoolKind;
  /** Windows Server release: "2022". Missing for Linux. */
  readonly windowsServer?: string;
  /** How old the Windows of the image is, in words. */
  readonly patches?: string;
  /** Whether Azure may take its machines back at any time. */
  readonly spot?: boolean;
  /** Where the cluster autoscaler decides how many machines there are. */
  readonly autoscale?: NodeRange;
  /** Subnets of its network interfaces, the node's first; missing where CAPZ takes the only node subnet. */
  readonly subnets?: readonly string[];
  /** Availability zones; none means regional. */
  readonly zones: readonly string[];
  readonly rollout: {
    /** A number of machines, or a percentage such as "25%". */
    readonly maxSurge: number | string;
    readonly maxUnavailable: number | string;
    readonly deletePolicy?: string;
  };
  /** Name; missing for a MachineDeployment, whose machines are in none. */
  readonly scaleSet?: string;
  /** What the computer names of all its machines begin with. */
  readonly computerNamePrefix: string;
  /** Computer names of the machines that a scale set makes first; those of a MachineDeployment cannot be known. */
  readonly firstNodes: readonly string[];
  readonly access: PoolAccess;
  /** URNs. */
  readonly members: {
    readonly component: string;
    /** The MachinePool or MachineDeployment. */
    readonly machines: string;
    /** The AzureMachinePool or AzureMachineTemplate. */
    readonly infrastructure?: string;
    /** The KubeadmConfig or KubeadmConfigTemplate. */
    readonly bootstrap?: string;
    readonly healthCheck?: string;
  };
}

/** A ClusterResourceSet with what it delivers. */
export interface AddonModel {
  readonly name: string;
  /** Each object is applied once, and left to the cluster afterwards. */
  readonly applyOnce?: true;
  /** Of the manifest, or the tags of its images: "v3.32.1". */
  readonly versions: readonly string[];
  /** In the order in which Cluster API applies them. */
  readonly streams: readonly {
    readonly configMap: string;
    readonly key: string;
    /** "DaemonSet kube-proxy-windows" */
    readonly objects: readonly string[];
  }[];
}

/** What Pulumi itself runs in the workload cluster. */
export interface SampleModel {
  readonly name: string;
  readonly replicas: number;
  readonly image: string;
  /** Networks that its public load balancer lets in; none means everyone. */
  readonly allowedCidrs: readonly string[];
  /** Where it has no public load balancer: from where it can be reached instead. */
  readonly reach?: Exclude<Reach, "internet">;
  /** The StatefulSet of the second sample, where there is one. */
  readonly statefulSet?: string;
}

/** What it takes of the quota of its subscription and region. */
export interface QuotaModel {
  /** By family: "DSv5". */
  readonly vcpus: readonly {
    readonly family: string;
    /** With the smallest number of machines, none of which is being replaced. */
    readonly steady: number;
    /** With the largest number of machines, and everything being replaced at once. */
    readonly peak: number;
  }[];
  /** VM sizes whose names do not say how many vCPUs they have. */
  readonly unknownSizes: readonly string[];
  /** Public IPv4 addresses of the Standard SKU. */
  readonly publicAddresses: number;
}

/** Equal things that Azure bills by time. */
export interface BillItem {
  /** What they are for: "pool windows". With `role` it is unique in a stack. */
  readonly owner: string;
  /** "machines", "OS disks" */
  readonly role: string;
  readonly count: NodeRange;
  /** Of one of them, as price lists name it: "Standard_D4s_v5 Windows", "Premium_LRS P10". */
  readonly price: string;
}
