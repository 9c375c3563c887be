import type { Loose, Patient } from "../patient";
import { cniMissing, unready } from "./onNodes";
import { azure, type Fault } from "./fault";
import { byPool, firstMachine, pool } from "./refusals";

/** Machines and images that Azure refuses. */

/** A machine whose virtual machine Azure keeps in the state Failed: CAPZ is content with it, and it is no node. */
export const failedVm = (p: Patient): Loose => {
  const machine = p.get("AzureMachine");
  machine.status.vmState = "Failed";
  delete p.get("Machine", machine.metadata.name).status.nodeRef;
  return machine;
};

export const machinesInAzure: readonly Fault[] = [
  {
    name: "Azure's reason for a failed virtual machine is too old for its event",
    rule: "vm-failed",
    scope: "control-plane",
    make: failedVm,
  },
  {
    name: "quota of the control plane",
    rule: "quota-cores",
    scope: "control-plane",
    make: (p) => {
      firstMachine(
        p,
        azure(
          409,
          "OperationNotAllowed",
          "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 10, Current Usage: 8, Additional Required: 4, (Minimum) New Limit Required: 12.",
          "virtualmachine",
        ),
      );
    },
  },
  {
    name: "regional quota of the control plane",
    rule: "quota-regional",
    scope: "control-plane",
    make: (p) => {
      firstMachine(
        p,
        azure(
          409,
          "OperationNotAllowed",
          "Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Location: westeurope, Current Limit: 20, Current Usage: 20, Additional Required: 4, (Minimum) New Limit Required: 24.",
          "virtualmachine",
        ),
      );
    },
  },
  {
    name: "a VM size that does not exist",
    rule: "size-unknown",
    scope: "control-plane",
    make: (p) => {
      firstMachine(
        p,
        "failed to initialize machine cache: failed to get VM SKU Standard_D4s_v9 in compute api: reconcile error that cannot be recovered occurred: resource sku with name 'Standard_D4s_v9' and category 'virtualMachines' not found in location 'westeurope'. Object will not be requeued",
        "SKUNotFound",
      );
    },
  },
  {
    name: "a VM size with one core",
    rule: "size-too-small",
    scope: "control-plane",
    make: (p) => {
      firstMachine(
        p,
        "reconcile error that cannot be recovered occurred: VM size should be bigger or equal to at least 2 vCPUs. Object will not be requeued",
      );
    },
  },
  {
    name: "the image of the control plane is missing",
    rule: "image-marketplace",
    scope: "control-plane",
    make: (p) => {
      firstMachine(
        p,
        azure(
          404,
          "PlatformImageNotFound",
          "The platform image 'cncf-upstream:capi:ubuntu-2404-gen1:135.9.20260101' is not available. Verify that all fields in the storage profile are correct.",
          "virtualmachine",
        ),
      );
    },
  },
  byPool(
    "capacity",
    "allocation",
    "AllocationFailed",
    "Allocation failed. We do not have sufficient capacity for the requested VM size in this region.",
  ),
  byPool(
    "a policy about tags",
    "policy",
    "RequestDisallowedByPolicy",
    'Resource \'win1\' was disallowed by policy. Policy identifiers: \'[{"policyAssignment":{"name":"Require a tag","id":"/x"}}]\'.',
  ),
  byPool(
    "encryption at host without the feature",
    "feature-not-registered",
    "InvalidParameter",
    "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
  ),
  byPool(
    "the zone",
    "zone",
    "AvailabilityZoneNotSupported",
    "The zone(s) '3' for resource is not supported.",
  ),
  byPool(
    "an Arm size for an x64 image",
    "image-architecture",
    "BadRequest",
    "Cannot create a VM of size 'Standard_D4ps_v5' because this VM size only supports a CPU Architecture of 'Arm64', but an image or disk with CPU Architecture 'x64' was given: not supported.",
  ),
  byPool(
    "an image that was not generalized",
    "os-provisioning",
    "OSProvisioningTimedOut",
    "OS Provisioning for VM 'win1_0' did not finish in the allotted time. The VM may still finish provisioning successfully.",
  ),
  {
    name: "quota of the only Linux pool, and Typha complains",
    rule: "quota-cores",
    scope: "pool linux1",
    make: (p) => {
      pool(
        p,
        "linux1",
        azure(
          409,
          "OperationNotAllowed",
          "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Additional details - Location: westeurope, Current Limit: 10, Current Usage: 8, Additional Required: 4, (Minimum) New Limit Required: 12.",
        ),
      );
      p.condition(p.get("TigeraStatus", "calico"), "Degraded", {
        status: "True",
        reason: "ResourceUpdateError",
        message: "not enough linux nodes to schedule typha pods on, require 2 and have 1",
        ago: 40,
      });
      unready(p, "win1", cniMissing, 40);
    },
  },
];
