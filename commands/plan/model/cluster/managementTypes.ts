import type { ManagementOutbound } from "../../../../platform/azure/managementNetwork";

/** The management cluster of a stack, as plain text and numbers. */

/** The cluster that Cluster API runs in. */
export interface ManagementModel {
  readonly name: string;
  /** Fully qualified name of the stack that makes it, where that is another one. */
  readonly stack?: string;
  /** Where this stack makes it for other stacks, and no workload cluster. */
  readonly only?: true;
  /** Names of the stacks that use it, where this one makes it for others: those with a file beside this one's. */
  readonly clients?: readonly string[];
  /** Minutes of a round of CAPZ (its --sync-period), where a plan knows it. */
  readonly syncPeriodMinutes?: number;
  /** Where this stack makes it as an AKS cluster. */
  readonly aks?: {
    readonly kubernetesVersion: string;
    /** "free", "standard" or "premium". */
    readonly tier: string;
    /** Of the system pool. */
    readonly nodes: NodeRange;
    readonly vmSize: string;
    /** Machines beyond the wanted number while nodes are replaced: 1, "33%". */
    readonly maxSurge: number | string;
    /** Of the nodes; none where AKS does not spread them. */
    readonly zones?: readonly string[];
    /** Where it is in a VNET that can be peered. */
    readonly network?: {
      /** ARM ID of the subnet of the nodes. */
      readonly subnetId: string;
      /** Of the VNET that the stack makes. */
      readonly vnetCidr?: string;
      readonly outbound: ManagementOutbound;
      readonly egressCidrs: readonly string[];
      /** Where its API server has a private address only: its zone, and whether a public name leads there. */
      readonly private?: { readonly zone: string; readonly publicName: boolean };
      /** Whether its API server is in a subnet of the VNET. */
      readonly integrated?: true;
    };
    /** Where `az aks command invoke` is not possible. */
    readonly runCommand?: false;
    /** Networks that people reach its API server from; none means from anywhere. */
    readonly authorizedCidrs: readonly string[];
  };
  /** Where it is in a subnet of others: what must exist there, one a line. */
  readonly byOthers?: readonly string[];
  /** Cluster API and the charts it needs, where this stack installs them. */
  readonly providers: readonly { readonly name: string; readonly version: string }[];
}

/** A fixed number of nodes has the same limits. */
export interface NodeRange {
  readonly min: number;
  readonly max: number;
}
