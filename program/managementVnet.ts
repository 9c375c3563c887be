import { RunError, type Output } from "@pulumi/pulumi";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import { managementVnetProblem, stackPeering, type ManagementVnet } from "../config/managementReach";
import type { Settings } from "../config/settings";

/** The VNET of the management cluster of another stack, where the stack file says who peers it (management.peering). */
export const managementVnet = (
  settings: Settings,
  management: ManagementCluster,
): Output<ManagementVnet> | undefined =>
  stackPeering(settings) === undefined
    ? undefined
    : management.vnetOfStack?.apply((vnet) => {
        const problem = managementVnetProblem(settings, vnet);
        if (problem !== undefined) {
          // Pulumi prints it without a stack trace, although it is thrown where an output becomes known.
          throw new RunError(problem);
        }
        return vnet;
      });
