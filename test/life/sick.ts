import { azureErrors, type Fault } from "./azure/faults";

/** Errors of Azure for a scale set, with its own messages, and the doctor's rule that must name each first. */

const scaleSet = /virtualMachineScaleSets\/win1$/i;
const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick";

const refused = (rule: string, status: number, code: string, message: string): readonly [string, Fault] => [
  rule,
  { method: "PUT", path: scaleSet, status, code, message },
];

/** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors */
export const poolErrors: readonly (readonly [rule: string, fault: Fault])[] = [
  ["quota-cores", { method: "PUT", path: scaleSet, ...azureErrors.quota }],
  refused(
    "size-not-available",
    409,
    "SkuNotAvailable",
    "The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D4s_v5' is currently not available in location 'westeurope'. Please try another size or deploy to a different location or different zone.",
  ),
  refused(
    "image-not-found",
    404,
    "GalleryImageNotFound",
    "The gallery image /CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-win-2022-containerd/Versions/1.35.6 is not available in westeurope region. Please contact image owner to replicate to this region, or change your requested region.",
  ),
  refused(
    "role-missing",
    403,
    "AuthorizationFailed",
    `The client '22222222-2222-4333-8444-555555555555' with object id '33333333-2222-4333-8444-555555555555' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' over scope '${group}/providers/Microsoft.Compute/virtualMachineScaleSets/win1' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  ),
  refused(
    "role-linked",
    403,
    "LinkedAuthorizationFailed",
    `The client '22222222-2222-4333-8444-555555555555' with object id '33333333-2222-4333-8444-555555555555' has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' on scope '${group}'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/shared/providers/Microsoft.Network/virtualNetworks/hub/subnets/nodes' (respectively) or the linked scope(s) are invalid.`,
  ),
  refused(
    "policy",
    403,
    "RequestDisallowedByPolicy",
    'Resource \'win1\' was disallowed by policy. Policy identifiers: \'[{"policyAssignment":{"name":"Require a cost center tag","id":"/subscriptions/11111111-2222-4333-8444-555555555555/providers/Microsoft.Authorization/policyAssignments/costs"}}]\'.',
  ),
  refused(
    "subnet-full",
    400,
    "SubnetIsFull",
    "Subnet node-subnet with address prefix 10.10.128.0/29 does not have enough capacity for 2 IP addresses.",
  ),
  refused(
    "allocation",
    409,
    "ZonalAllocationFailed",
    "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance",
  ),
  refused(
    "image-purchase",
    400,
    "MarketplacePurchaseEligibilityFailed",
    "Marketplace purchase eligibility check returned errors. See inner errors for details.",
  ),
  refused(
    "locked",
    409,
    "ScopeLocked",
    `The scope '${group}/providers/Microsoft.Compute/virtualMachineScaleSets/win1' cannot perform write operation because following scope(s) are locked: '${group}'. Please remove the lock and try again.`,
  ),
  refused(
    "image-generation",
    400,
    "BadRequest",
    "The selected VM size 'Standard_D4s_v6' cannot boot Hypervisor Generation '1'. If this was a Create operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size.",
  ),
  refused(
    "image-disk",
    400,
    "OperationNotAllowed",
    "The specified disk size 30 GB is smaller than the size of the corresponding disk in the VM image: 127 GB. This is not allowed. Please choose equal or greater size or do not specify an explicit size.",
  ),
  ["throttled", { method: "PUT", path: scaleSet, ...azureErrors.throttled }],
  ["azure-outage", { method: "PUT", path: scaleSet, ...azureErrors.unavailable }],
];
