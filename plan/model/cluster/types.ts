import type { readApiServer, readManagement, readNetwork } from "./azure";
import type { readControlPlane, readPools } from "./machines";
import type { readQuota } from "./quota";
import type { BillItem } from "./plainTypes";
import type { readAddons, readSample } from "./workload";
import type { readRights } from "./rights";
import type { ReachPath } from "azure-network-paths";
import type { HostsModel } from "capz-windows-platform/company-network/hosts";

export type { BillItem, NodeRange, RightModel } from "./plainTypes";

export type ManagementModel = ReturnType<typeof readManagement>;
export type NetworkModel = ReturnType<typeof readNetwork>;
export type SubnetModel = NetworkModel["subnets"][number];
export type PeeringModel = NonNullable<NetworkModel["peerings"]>[number];
export type ApiServerModel = ReturnType<typeof readApiServer>;
export type PrivateLinkModel = NonNullable<NonNullable<ApiServerModel["private"]>["link"]>;
export type AddonModel = ReturnType<typeof readAddons>[number];
export type SampleModel = NonNullable<ReturnType<typeof readSample>>;
export type QuotaModel = ReturnType<typeof readQuota>;

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
  readonly rights: ReturnType<typeof readRights>;
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

/** Machines of one kind. */
export type MachinesModel = Pick<
  PoolModel,
  | "name"
  | "replicas"
  | "vmSize"
  | "version"
  | "image"
  | "shortImage"
  | "drainLimitSeconds"
  | "details"
  | "overrides"
>;
export type ControlPlaneModel = NonNullable<ReturnType<typeof readControlPlane>>;
export type PoolModel = ReturnType<typeof readPools>[number];
