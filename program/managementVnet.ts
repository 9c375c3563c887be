import { RunError, type Output } from "@pulumi/pulumi";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import {
  isEndpointInStack,
  managementVnetProblem,
  stackPeering,
  type ManagementVnet,
} from "../config/managementReach";
import type { Settings } from "../config/settings";

/** One output for all parts of a stack, so that what it refuses is printed once. */
const vnets = new WeakMap<ManagementCluster, Output<ManagementVnet>>();

const checked = (settings: Settings, vnet: ManagementVnet): ManagementVnet => {
  const problem = managementVnetProblem(settings, vnet);
  if (problem !== undefined) {
    // Pulumi prints it without a stack trace, although it is thrown where an output becomes known.
    throw new RunError(problem);
  }
  return vnet;
};

/**
 * The VNET of the management cluster of another stack, where the stack file says who peers it (management.peering), or the
 * private endpoint is in it.
 */
export function managementVnet(
  settings: Settings,
  management: ManagementCluster,
): Output<ManagementVnet> | undefined {
  const { vnetOfStack } = management;
  if (vnetOfStack === undefined || (stackPeering(settings) === undefined && !isEndpointInStack(settings))) {
    return undefined;
  }
  const vnet = vnets.get(management) ?? vnetOfStack.apply((own) => checked(settings, own));
  vnets.set(management, vnet);
  return vnet;
}
