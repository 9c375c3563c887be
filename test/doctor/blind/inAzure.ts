import { azure, group } from "../faults/fault";
import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Faults that Azure, Microsoft Entra or CAPZ reports. */

const entra = (code: string, description: string): string =>
  `failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not iterate resource skus: WorkloadIdentityCredential authentication failed. \nPOST https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/oauth2/v2.0/token\n--------------------------------------------------------------------------------\nRESPONSE 400: 400 Bad Request\n--------------------------------------------------------------------------------\n{\n  "error": "unauthorized_client",\n  "error_description": "${code}: ${description} Trace ID: 0 Correlation ID: 0 Timestamp: 2026-11-22 05:00:00Z",\n  "error_codes": [0]\n}\n`;

const pool = (p: Patient, status: number, code: string, message: string): Patient =>
  p.refused(p.get("AzureMachinePool", "win1"), "BootstrapSucceeded", azure(status, code, message));

const cluster = (p: Patient, condition: string, message: string): Patient =>
  p.refused(p.get("AzureCluster"), condition, message);

/** As CAPZ reports a failed start with Microsoft Entra: in the one condition about the network. */
const signIn = (p: Patient, code: string, description: string): Patient =>
  cluster(p, "NetworkInfrastructureReady", entra(code, description));

const aso = (p: Patient, object: Loose, reason: string, message: string): Patient =>
  p.condition(object, "Ready", { reason, message, severity: "Error", ago: 20 });

export const inAzure: readonly BlindFault[] = [
  {
    name: "the DNS name of the API server is taken",
    source: "kubernetes-sigs/cluster-api-provider-azure#958",
    make: (p) =>
      cluster(
        p,
        "PublicIPsReady",
        azure(
          400,
          "DnsRecordInUse",
          "DNS record sick-5475e249.westeurope.cloudapp.azure.com is already used by another public IP.",
          "publicips",
        ),
      ),
    cause: /DNS (name|label|record)/,
    remedy: /name|public-ip/i,
  },
  {
    name: "no more public IP addresses in the region",
    source: "Azure, PublicIPCountLimitReached",
    make: (p) =>
      cluster(
        p,
        "PublicIPsReady",
        azure(
          400,
          "PublicIPCountLimitReached",
          "Cannot create more than 10 public IP addresses for this subscription in this region.",
          "publicips",
        ),
      ),
    cause: /public IP/,
    remedy: /quota|delete/i,
  },
  {
    name: "the second federated credential, of Azure Service Operator, is missing",
    source: "kubernetes-sigs/cluster-api-provider-azure#3732",
    make: (p) =>
      aso(
        p,
        p.get("ResourceGroup"),
        "AuthenticationFailed",
        "WorkloadIdentityCredential authentication failed. POST https://login.microsoftonline.com/x/oauth2/v2.0/token RESPONSE 401 Unauthorized AADSTS70021: No matching federated identity record found for presented assertion. Assertion Issuer: 'https://westeurope.oic.prod-aks.azure.com/x/y/'. Assertion Subject: 'system:serviceaccount:capz-system:azureserviceoperator-default'. Assertion Audience: 'api://AzureADTokenExchange'.",
      ),
    cause: /federated/i,
    remedy: /azureserviceoperator-default|federated-credential/,
  },
  {
    name: "the client id is of another directory",
    source: "Microsoft Entra, AADSTS700016",
    make: (p) =>
      signIn(
        p,
        "AADSTS700016",
        "Application with identifier '11111111-2222-4333-8444-777777777777' was not found in the directory 'Contoso'.",
      ),
    cause: /client|identity|application/i,
    remedy: /client|identity/i,
  },
  {
    name: "the tenant does not exist",
    source: "Microsoft Entra, AADSTS90002",
    make: (p) =>
      signIn(
        p,
        "AADSTS90002",
        "Tenant '11111111-2222-4333-8444-666666666666' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.",
      ),
    cause: /tenant/i,
    remedy: /tenant/i,
  },
  {
    name: "encryption at host is not registered",
    source: "Azure, feature Microsoft.Compute/EncryptionAtHost",
    make: (p) =>
      pool(
        p,
        400,
        "InvalidParameter",
        "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
      ),
    cause: /encryption.?at.?host/i,
    remedy: /az feature register/,
  },
  {
    name: "the ephemeral OS disk does not fit the size",
    source: "Azure, ephemeral OS disks",
    make: (p) =>
      pool(
        p,
        400,
        "InvalidParameter",
        "OS disk of Ephemeral VM with size greater than 75 GB is not allowed for VM size Standard_D2ds_v5 when the DiffDiskPlacement is CacheDisk.",
      ),
    cause: /ephemeral/i,
    remedy: /osDisk|vmSize|size/i,
  },
  {
    name: "the spot quota is used up",
    source: "Azure, LowPriorityCores",
    make: (p) =>
      pool(
        p,
        409,
        "OperationNotAllowed",
        "Operation could not be completed as it results in exceeding approved LowPriorityCores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 3, Current Usage: 0, Additional Required: 8, (Minimum) New Limit Required: 8.",
      ),
    cause: /spot|low.?priority/i,
    remedy: /quota|spot/i,
  },
  {
    name: "Microsoft.Network is not registered",
    source: "Azure, MissingSubscriptionRegistration",
    make: (p) =>
      aso(
        p,
        p.get("VirtualNetwork"),
        "MissingSubscriptionRegistration",
        "The subscription is not registered to use namespace 'Microsoft.Network'. See https://aka.ms/rps-not-found for how to register subscriptions.: PUT https://management.azure.com/x RESPONSE 409: 409 Conflict ERROR CODE: MissingSubscriptionRegistration",
      ),
    cause: /regist/i,
    remedy: /az provider register/,
  },
  {
    name: "the disk encryption set may not use its key",
    source: "Azure, KeyVaultAccessForbidden",
    make: (p) =>
      pool(
        p,
        400,
        "KeyVaultAccessForbidden",
        "Unable to access key vault resource 'https://keys.vault.azure.net/keys/disks/1' to enable encryption at rest. Please grant get, wrap and unwrap key permissions to disk encryption set 'disks'. Please visit https://aka.ms/keyvaultaccessssecmk for more information.",
      ),
    cause: /key vault|disk encryption set/i,
    remedy: /key|role|access/i,
  },
  {
    name: "the region has no zones",
    source: "Azure, LocationNotSupportAvailabilityZones",
    make: (p) =>
      pool(
        p,
        400,
        "LocationNotSupportAvailabilityZones",
        "The provided location 'northcentralus' does not support availability zones.",
      ),
    cause: /zone/i,
    remedy: /zones/,
  },
  {
    name: "Windows did not finish its setup: an image that nobody generalized",
    source: "kubernetes-sigs/cluster-api-provider-azure#5038, #5657",
    make: (p) =>
      pool(
        p,
        200,
        "OSProvisioningClientError",
        "OS Provisioning for VM 'win1_0' did not finish in the allotted time. However, the VM guest agent was detected running. This suggests the guest OS has not been properly prepared to be used as a VM image (with CreateOption=FromImage).",
      ),
    cause: /image|did not finish|setup|provision/i,
    remedy: /log|image|boot/i,
  },
  {
    name: "the first start timed out",
    source: "cloudbase/cloudbase-init#94",
    make: (p) =>
      p.refused(
        p.get("AzureMachine"),
        "VMRunning",
        azure(
          200,
          "OSProvisioningTimedOut",
          "OS Provisioning for VM 'sick-control-plane-942cq' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check provisioning state later.",
          "virtualmachine",
        ),
      ),
    cause: /time|did not finish/i,
    remedy: /log|boot|access/i,
  },
  {
    name: "somebody deleted the VM of a control-plane machine",
    source: "CAPZ 1.27.0, azure/errors.go and controllers/azuremachine_controller.go",
    make: (p) => {
      const machine = p.get("AzureMachine");
      machine.status.ready = false;
      p.event(
        machine,
        "VMDeleted",
        `failed to reconcile AzureMachine: VM with provider id "azure://${group}/providers/Microsoft.Compute/virtualMachines/sick-control-plane-942cq" has been deleted`,
      );
      p.condition(machine, "Ready", { reason: "Failed", message: "VM has been deleted", severity: "Error" });
    },
    cause: /deleted/,
    remedy: /Machine|delete|replace/i,
  },
  {
    name: "the identity is not for this namespace",
    source: "CAPZ 1.27.0, controllers/helpers.go",
    make: (p) =>
      p.refused(p.get("AzureCluster"), "NetworkInfrastructureReady", "", {
        reason: "NamespaceNotAllowedByIdentity",
      }),
    cause: /namespace/i,
    remedy: /allowedNamespaces/,
  },
  {
    name: "the resource group is being deleted",
    source: "Azure, ResourceGroupBeingDeleted",
    make: (p) =>
      cluster(
        p,
        "LoadBalancersReady",
        azure(
          409,
          "ResourceGroupBeingDeleted",
          "The resource group 'sick' is in deprovisioning state and cannot perform this operation.",
          "loadbalancers",
        ),
      ),
    cause: /resource group.*delet/i,
    remedy: /wait|group/i,
  },
  {
    name: "a network interface of somebody else holds the subnet while the cluster is deleted",
    source: "kubernetes-sigs/cluster-api-provider-azure#172",
    make: (p) => {
      const now = p.ago(40);
      for (const object of [
        ...["Cluster", "AzureCluster", "VirtualNetwork", "NatGateway"].map((kind) => p.get(kind)),
        ...p.all("VirtualNetworksSubnet"),
      ]) {
        Object.assign(object.metadata, { deletionTimestamp: now, finalizers: ["x"] });
      }
      for (const kind of ["Machine", "MachinePool", "AzureMachinePool", "AzureMachinePoolMachine"]) {
        p.remove("management", (object) => object.kind === kind);
      }
      p.remove("management", ({ kind }) => /KubeadmC|AzureMachine|ClusterResourceSet/.test(kind));
      p.problem("workload", { what: "noKubeconfig", asked: "cluster", message: "" });
      aso(
        p,
        p.get("VirtualNetworksSubnet", "sick-vnet-node"),
        "InUseSubnetCannotBeDeleted",
        `Subnet node-subnet is in use by ${group}/providers/Microsoft.Network/networkInterfaces/bastion347/ipConfigurations/ipconfig1 and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
      );
    },
    cause: /subnet|in use/i,
    remedy: /delete|networkInterfaces|nic/i,
  },
];
