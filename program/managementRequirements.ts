import type { Settings } from "../config/settings";
import { managementRequirements } from "capz-windows-platform/company-network/managementRequirements";

/** The output for whoever made the subnet in which AKS is; it has nothing that only Azure knows. */
export function managementRequirementsOutput({ management }: Settings) {
  const { network, maxNodeCount } =
    management.kind === "aks" ? management : { network: undefined, maxNodeCount: 0 };
  return network?.subnetId === undefined
    ? {}
    : {
        managementNetworkRequirements: managementRequirements({
          maxNodeCount,
          subnetId: network.subnetId,
          outbound: network.outbound,
          apiServer: network.apiServer,
        }),
      };
}
