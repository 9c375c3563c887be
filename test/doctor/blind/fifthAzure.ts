import type { Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Azure refuses: the texts as azcore formats an answer and as CAPZ and Azure Service Operator pass it on. */

const line = "-".repeat(80);

/** How azcore prints an answer; the address of an operation for answers that came later. */
function answer(url: string, status: string, code: string, message: string, target?: string): string {
  const error = { code, message, ...(target === undefined ? {} : { target }) };
  const body = JSON.stringify({ error }, undefined, 2);
  return [url, line, `RESPONSE ${status}`, `ERROR CODE: ${code}`, line, body, line, ""].join("\n");
}

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const arm = `https://management.azure.com${subscription}`;
const scaleSet = `${arm}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1`;
const operation = `GET ${arm}/providers/Microsoft.Compute/locations/westeurope/operations/6f0e1c5b`;

/** What CAPZ writes at the pool when the scale set is refused. */
export function poolRefused(patient: Patient, text: string): Patient {
  const message = `scalesets failed to create or update. err: failed to create or update resource sick/win1 (service: scalesets): ${text}`;
  return patient.refused(patient.get("AzureMachinePool", "win1"), "BootstrapSucceeded", message);
}

const pool = (status: string, code: string, message: string, target?: string) => (p: Patient) =>
  poolRefused(p, answer(`PUT ${scaleSet}`, status, code, message, target));

const later = (code: string, message: string) => (p: Patient) =>
  poolRefused(p, answer(operation, "200: 200 OK", code, message));

/** An object of Azure Service Operator that Azure refused, and the condition of the AzureCluster that follows. */
function asoRefused(
  p: Patient,
  kind: string,
  condition: string,
  service: string,
  reason: string,
  text: string,
) {
  const object = p.get(kind);
  p.condition(object, "Ready", { reason, message: text, severity: "Error" });
  const err = `${service} failed to create or update. err: resource is not Ready: ${text}`;
  p.refused(p.get("AzureCluster"), condition, err);
}

export const fifthAzure: readonly BlindFault[] = [
  {
    name: "Azure does not open the region to this subscription",
    source: "Azure/static-web-apps#1709, Azure/azure-cli#32567",
    make: (p) => {
      asoRefused(
        p,
        "VirtualNetwork",
        "VNetReady",
        "virtualnetworks",
        "RequestDisallowedByAzure",
        "Resource 'sick-vnet' was disallowed by Azure: This policy maintains a set of best available regions where your subscription can deploy resources. The objective of this policy is to ensure that your subscription has full access to Azure services with optimal performance. Should you need additional or different regions, contact support..: " +
          answer(
            `PUT ${arm}/resourceGroups/sick/providers/Microsoft.Network/virtualNetworks/sick-vnet`,
            "403: 403 Forbidden",
            "RequestDisallowedByAzure",
            "Resource 'sick-vnet' was disallowed by Azure: This policy maintains a set of best available regions where your subscription can deploy resources.",
          ),
      );
    },
    cause: /subscription.*region|region.*subscription/i,
    remedy: /another region|support/i,
  },
  {
    name: "a size with NVMe disks only and an image without NVMe",
    source: "kubernetes-sigs/image-builder#1875",
    make: pool(
      "400: 400 Bad Request",
      "InvalidParameter",
      "The VM size 'Standard_D8s_v6' cannot boot with OS image or disk. Please check that disk controller types supported by the OS image or disk is one of the supported disk controller types for the VM size 'Standard_D8s_v6'. Please query sku api at https://aka.ms/azure-compute-skus  to determine supported disk controller types for the VM size.",
      "vmSize",
    ),
    cause: /NVMe|disk controller/i,
    remedy: /size|image/i,
  },
  {
    name: "the identity of a pool was deleted",
    source: "Azure/azure-policy#1311",
    make: pool(
      "400: 400 Bad Request",
      "FailedIdentityOperation",
      `Identity operation for resource '${subscription}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '{"error":{"code":"BadRequest","message":"Resource '${subscription}/resourcegroups/sick/providers/Microsoft.ManagedIdentity/userAssignedIdentities/win-pull' was not found."}}'.'.`,
    ),
    cause: /identity.*(not exist|not found|missing|deleted|gone)/i,
    remedy: /az identity/i,
  },
  {
    name: "no capacity under the constraints of the pool",
    source: "learn.microsoft.com, troubleshoot allocation failures",
    make: later(
      "OverconstrainedAllocationRequest",
      "Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again. Constraints applied are:\n  - Networking Constraints (such as Accelerated Networking or IPv6)\n  - Subscription Pinning\n  - VM Size\n",
    ),
    cause: /capacity|cannot allocate|no machine .* that meets/i,
    remedy: /size|zone|region/i,
  },
  {
    name: "bootstrap data larger than Azure takes",
    source: "Azure/aks-engine#1663",
    make: pool(
      "400: 400 Bad Request",
      "InvalidParameter",
      "Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.",
      "customData",
    ),
    cause: /(bootstrap|user|custom) data.*(large|long|limit|64)/i,
    remedy: /file|command|image/i,
  },
  {
    name: "a property that a scale set cannot change",
    source: "Azure/aks-engine#2563",
    make: pool(
      "409: 409 Conflict",
      "PropertyChangeNotAllowed",
      "Changing property 'dataDisk.createOption' is not allowed.",
      "dataDisk.createOption",
    ),
    cause: /scale set.*(cannot|not).*chang|(not|cannot) change.*scale set/i,
    remedy: /new pool|another (pool|name)|second pool|replace/i,
  },
  {
    name: "a lock keeps the resource group of a cluster that is being deleted",
    source: "kubernetes-sigs/cluster-api-provider-azure#3354",
    make: (p) => {
      const group = p.get("ResourceGroup");
      for (const object of [p.get("Cluster"), p.get("AzureCluster"), group]) {
        (object.metadata as Record<string, unknown>).deletionTimestamp = p.ago(40);
      }
      const text = `The scope '${subscription}/resourcegroups/sick' cannot perform delete operation because following scope(s) are locked: '${subscription}/resourceGroups/sick'. Please remove the lock and try again.: ${answer(`DELETE ${arm}/resourceGroups/sick`, "409: 409 Conflict", "ScopeLocked", "The scope cannot perform delete operation because following scope(s) are locked.")}`;
      p.condition(group, "Ready", { reason: "ScopeLocked", message: text, severity: "Error" });
      const err = `resourcegroup failed to delete. err: resource is not Ready: ${text}`;
      p.condition(p.get("AzureCluster"), "ResourceGroupReady", {
        reason: "DeletionFailed",
        message: err,
        severity: "Error",
      });
    },
    cause: /lock/i,
    remedy: /az lock/i,
  },
  {
    name: "the subscription is disabled",
    source: "learn.microsoft.com, ReadOnlyDisabledSubscription",
    make: (p) => {
      const message =
        "The subscription '11111111-2222-4333-8444-555555555555' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.";
      asoRefused(p, "NatGateway", "NATGatewaysReady", "natgateways", "ReadOnlyDisabledSubscription", message);
      pool("409: 409 Conflict", "ReadOnlyDisabledSubscription", message)(p);
    },
    cause: /subscription.*(disabled|read.only)/i,
    remedy: /enable|reactivat|billing|pay/i,
  },
  {
    name: "the VM agent of a Windows machine is silent",
    source: "Azure/azure-xplat-cli#2794",
    make: later(
      "VMAgentStatusCommunicationError",
      "VM 'win1_3' has not reported status for VM agent or extensions. Verify that the OS is up and healthy, the VM has a running VM agent, and that it can establish outbound connections to Azure storage. Please refer to https://aka.ms/vmextensionwindowstroubleshoot for additional VM agent troubleshooting information.",
    ),
    cause: /agent/i,
    remedy: /168\.63\.129\.16|boot diagnostics|boot log|serial/i,
  },
  {
    name: "Windows of an own image never says that it is set up",
    source: "openshift/hive tests of messages; learn.microsoft.com, OSProvisioningTimedOut",
    make: later(
      "OSProvisioningTimedOut",
      "OS Provisioning for VM 'win1_1' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check provisioning state later. Also, make sure the image has been properly prepared (generalized).\r\n * Instructions for Windows: https://azure.microsoft.com/documentation/articles/virtual-machines-windows-upload-image/ \r\n * Instructions for Linux: https://azure.microsoft.com/documentation/articles/virtual-machines-linux-capture-image/ ",
    ),
    cause: /image|generali[sz]ed|sysprep/i,
    remedy: /sysprep|generali[sz]e|boot diagnostics|image/i,
  },
  {
    name: "the bootstrap extension runs into its time limit",
    source: "kubernetes-sigs/cluster-api-provider-azure#3903",
    make: (p) => {
      later(
        "VMExtensionProvisioningTimeout",
        'Provisioning of VM extension CAPZ.Windows.Bootstrapping has timed out. Extension provisioning has taken too long to complete. The extension last reported "Plugin enabled (name: Microsoft.Azure.ContainerUpstream.CAPZ.Windows.Bootstrapping, version: 1.0.5.0).". More information on troubleshooting is available at https://aka.ms/vmextensionwindowstroubleshoot.',
      )(p);
      p.condition(p.get("AzureMachinePoolMachine", "win1"), "BootstrapSucceeded", {
        reason: "BootstrapFailed",
        message: "VM bootstrapping failed",
        severity: "Info",
      });
    },
    cause: /bootstrap|join|cloudbase/i,
    remedy: /npm run access|cloudbase/i,
  },
  {
    name: "the region does not have the VM size",
    source: "kubernetes-sigs/cluster-api-provider-azure, azure/services/resourceskus/cache.go",
    make: (p) => {
      const object = p.get("AzureMachinePool", "win1");
      const text =
        "failed to get VM SKU Standard_D4s_v7 in compute api: reconcile error that cannot be recovered occurred: resource sku with name 'Standard_D4s_v7' and category 'virtualMachines' not found in location 'westeurope'. Object will not be requeued";
      Object.assign(object.status, {
        ready: false,
        failureReason: "InvalidConfiguration",
        failureMessage: text,
      });
      p.event(object, "SKUNotFound", `failed to initialize machinepool cache: ${text}`);
    },
    cause: /size.*region|region.*size|westeurope/i,
    remedy: /size|list-skus/i,
  },
];
