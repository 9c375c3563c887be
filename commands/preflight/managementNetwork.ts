import type { Settings } from "../../config/settings";
import { nodesInUpgrade, type ManagementOutbound } from "../../platform/azure/managementNetwork";

/** A VNET of the stack for AKS, or a subnet of others for as many nodes. */
export interface ManagementNetworkNeed {
  readonly subnetId?: string | undefined;
  readonly outbound: ManagementOutbound;
  /** Addresses that nodes take during an upgrade. */
  readonly addresses: number;
}

export const managementNetworkOf = ({ management }: Settings): ManagementNetworkNeed | undefined =>
  management.kind === "aks" && management.network !== undefined
    ? {
        subnetId: management.network.subnetId,
        outbound: management.network.outbound.type,
        addresses: nodesInUpgrade(management.maxNodeCount),
      }
    : undefined;
