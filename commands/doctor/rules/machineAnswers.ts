import { answered } from "./answers";
import { azureDocs } from "./kinds";
import { replaceMachinesOfPool } from "./commands";
import type { Rule } from "./rule";

/** Azure's answers about the definition of a machine or a scale set, without quotas and images. */

const azure = answered("azure", `${azureDocs}/common-deployment-errors`);

const vmErrors = "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/error-messages";

/** Rules about the definition of a machine. */
export const descriptionAnswers: readonly Rule[] = [
  azure({
    id: "user-data-too-large",
    symptom:
      "Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters",
    cause: "The user data of the machines is too large: Azure takes 64 KiB, and files of the pool are in it.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {files: []}}   # fewer or smaller files: put large ones into the image, or download them in preKubeadmCommands",
      "npm run plan -- --stack {stack}   # rendered/: userdata of each pool, with its size",
    ],
    source: vmErrors,
    text: /Custom data in OSProfile must be|customData[^"]*(?:87380|too (?:long|large))/i,
  }),
  azure({
    id: "admin-user",
    symptom: "The Admin Username specified is not allowed",
    cause:
      "Azure does not allow the name of the administrator that the machines' description has, such as admin, root or administrator.",
    remedy: [
      "npm run plan -- --stack {stack}   # the program names the user capi; a template or override of your own has another name",
      "kubectl get {kind} {name} -n {namespace} -o yaml",
    ],
    source: vmErrors,
    text: /Admin Username specified is not allowed|admin user name cannot be|InvalidAdminUsername/i,
  }),
  azure({
    id: "admin-password",
    symptom: "The supplied password must be between 8-123 characters long",
    cause: "The password of the administrator does not meet Azure's rules: {why}.",
    remedy: [
      "kubectl get {kind} {name} -n {namespace} -o yaml   # CAPZ makes a random password for Windows; an override has one of its own",
    ],
    source: vmErrors,
    text: /supplied password must be|Admin Password (?:specified|is)|PasswordTooLong/i,
  }),
  azure({
    id: "computer-name",
    symptom: "Windows computer name cannot be more than 15 characters long",
    cause:
      "The computer names of a Windows pool would be longer than 15 characters, or have characters that Windows does not allow.",
    remedy: [
      "capz-windows:windowsPools: {A-NAME-OF-AT-MOST-9-CHARACTERS: {}}   # scale sets put six characters behind the pool's name",
    ],
    source: vmErrors,
    text: /computer ?name(?: ?prefix)? cannot be (?:more|longer) than|InvalidComputerName/i,
  }),
  azure({
    id: "disk-lun",
    symptom: "a disk already uses the same LUN, or a disk of this name exists",
    cause: "Two data disks of the machine have the same LUN or name: {why}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {dataDisks: []}}   # a name of its own for each; overrides: a `lun` of its own",
    ],
    source: vmErrors,
    text: /already uses the same (?:LUN|VHD)|disk at LUN \d+ already exists|disk named \S+ already exists/i,
  }),
  azure({
    id: "license-type",
    symptom: "the license type is invalid",
    cause: "The licence type of the machines does not fit their image: {why}.",
    remedy: [
      "licenseType: Windows_Server   # for Azure Hybrid Benefit with Windows Server images; Windows_Client is for desktops. Without it the licence is part of the price",
      "npm run plan -- --stack {stack}   # hybridBenefit of Windows pools prints the command that sets it",
    ],
    source: vmErrors,
    text: /licen[sc]e ?type (?:is |\S+ is |')[^"]*(?:invalid|not (?:supported|valid))/i,
  }),
  azure({
    id: "boot-diagnostics",
    symptom: "StorageAccountNotFound",
    cause:
      "The storage account that the machine names, usually for its boot diagnostics, does not exist or is in another location: {why}.",
    remedy: [
      'az storage account list --query "[].{name:name, location:location}" -o table',
      "diagnostics: {boot: {storageAccountType: Managed}}   # of the machine template: needs no storage account",
    ],
    source: `${azureDocs}/error-not-found`,
    text: /StorageAccountNotFound|Storage account '?[\w-]+'? not found|StorageAccountLocationMismatch/i,
  }),
  azure({
    id: "property-fixed",
    symptom: "PropertyChangeNotAllowed",
    cause:
      "Azure does not change {property} of a machine or scale set that exists, so CAPZ's update of {name} fails each time.",
    remedy: [
      "npm run plan -- --stack {stack} --against HEAD   # what changed; take it back, or:",
      "capz-windows:windowsPools: {NEW-POOL: {}}   # a pool of another name with the new value; then remove {name}",
      replaceMachinesOfPool,
    ],
    source: `${azureDocs}/common-deployment-errors: PropertyChangeNotAllowed`,
    text: /(?:PropertyChangeNotAllowed[^]*?)?Changing property '(?<property>[^']+)' is not allowed|PropertyChangeNotAllowed/,
  }),
  azure({
    id: "disk-owned",
    symptom: "ConflictingUserInput: the disk is already owned by VM",
    cause: "The disk {disk} is attached to the machine {owner} and cannot be attached to a second one.",
    remedy: [
      "az vm disk detach --resource-group {group} --vm-name {owner} --name {disk}   # when nothing there uses it",
      "az disk show --resource-group {group} --name {disk} --query managedBy -o tsv",
    ],
    source: vmErrors,
    text: /(?:ConflictingUserInput[^]*?)?Disk '?(?<disk>[^'\s]+)'? cannot be attached as the disk is already owned by VM '(?<owner>[^']+)'|ConflictingUserInput/,
  }),
  azure({
    id: "disk-encryption-set",
    symptom: "a disk encryption set is not found, or is in another region",
    cause: "The disk encryption set that the machines name does not exist, or is not in {location}.",
    remedy: [
      'az disk-encryption-set list --query "[].{id:id, location:location}" -o table   # it must be in the region and subscription of the machines',
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/disk-encryption",
    text: /diskEncryptionSets?\b[^"]*(?:(?:is|was|could) not (?:be )?found|not in the same)|DiskEncryptionSetNotFound/i,
  }),
];

/** Rules about machines that exist. */
export const stateAnswers: readonly Rule[] = [
  azure({
    id: "machine-start",
    symptom: "VMStartTimedOut",
    cause:
      "Azure started the machine {name}, and it did not come up in time: its image does not boot on this size, or its host is faulty.",
    remedy: [
      "az vm boot-diagnostics get-boot-log --resource-group {group} --name {vm}",
      "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' -o json",
      "kubectl delete machine {machineName} -n {namespace}   # makes a new one, on another host",
    ],
    source: vmErrors,
    text: /VMStartTimedOut|VMProvisioningTimeout|did not start in the allotted time/,
  }),
  azure({
    id: "guest-agent",
    symptom: "VMAgentStatusCommunicationError",
    cause:
      "The VM agent of a machine of {name} reports nothing to Azure: a firewall, a route or a security group blocks the address 168.63.129.16, Windows does not come up, or the image lacks the agent. Run commands of `az` do not work without it.",
    remedy: [
      `az network nsg list --resource-group {group} --query "[].{nsg:name, denies:securityRules[?access=='Deny'].[name, direction, destinationAddressPrefix]}" -o json`,
      "npm run access -- --stack {stack}   # log in; Windows: Get-Service WindowsAzureGuestAgent, RdAgent; Linux: systemctl status walinuxagent",
      "Let 168.63.129.16 pass on ports 80 and 32526 in every firewall and route.",
    ],
    source: vmErrors,
    text: /VMAgentStatusCommunicationError|has not reported status for VM agent/,
  }),
  // The answers above may be about the extension of CAPZ, which then did not fail by itself.
  azure({
    id: "extension-bootstrap",
    stage: "bootstrap",
    symptom: "VMExtensionProvisioningError: CAPZ.Windows.Bootstrapping or CAPZ.Linux.Bootstrapping",
    cause:
      "The machine of {name} started, and its bootstrap did not succeed: CAPZ's extension waits for the file that the last bootstrap command writes.",
    remedy: [
      "npm run access -- --stack {stack}   # the command that collects the node's logs: cloudbase-init.log on Windows, cloud-init-output.log on Linux, and kubelet's",
      "az vmss run-command invoke --resource-group {group} --name {pool} --instance-id {instance} --command-id RunPowerShellScript --scripts \"Get-Content 'C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\log\\cloudbase-init.log' -Tail 50\"",
      'az vmss run-command invoke --resource-group {group} --name {pool} --instance-id {instance} --command-id RunShellScript --scripts "tail -50 /var/log/cloud-init-output.log"',
    ],
    source: "CAPZ v1.27.0 azure/defaults.go, GetBootstrappingVMExtension",
    text: /CAPZ\.(?:Windows|Linux)\.Bootstrapping/,
  }),
  azure({
    id: "extension-failed",
    symptom:
      "VMExtensionProvisioningError, VMExtensionHandlerNonTransientError or VMExtensionProvisioningTimeout",
    cause:
      "An extension of the machines, {extension}, fails or takes too long, and Azure calls the machine failed for it. Extensions often come from a policy.",
    remedy: [
      "az vmss extension list --resource-group {group} --vmss-name {pool} -o table",
      "az vmss extension delete --resource-group {group} --vmss-name {pool} --name EXTENSION   # when nobody needs it; a policy makes it again",
      "npm run access -- --stack {stack}   # its log: C:\\WindowsAzure\\Logs\\Plugins, or /var/log/azure",
    ],
    source: vmErrors,
    text: /VMExtension(?:ProvisioningError|HandlerNonTransientError|ProvisioningTimeout|ManagementInternalError)(?:[^]*?(?:extension |type )'?(?<extension>[\w.-]+))?/,
  }),
  azure({
    id: "extension-missing",
    symptom: "ArtifactNotFound or ArtifactVersionNotFound",
    cause: "Azure does not have the extension, or its version, in this region: {why}.",
    remedy: ["az vm extension image list --location {location} --publisher PUBLISHER -o table"],
    source: vmErrors,
    text: /Artifact(?:Version)?NotFound|could not be found in the extension repository/,
  }),
  azure({
    id: "azure-being-deleted",
    symptom: "OperationNotAllowed: ... is marked for deletion",
    cause: "What {name} needs is being deleted in Azure, so nothing of it can change: {why}.",
    remedy: [
      'az resource list --resource-group {group} --query "[].{name:name, type:type, state:provisioningState}" -o table',
      "az monitor activity-log list --resource-group {group} --offset 1d --query \"[?contains(operationName.value,'delete')].{who:caller, what:resourceId}\" -o table",
    ],
    source: vmErrors,
    text: /(?:scale set|VM|virtual machine)\b[^"]*is marked for deletion|resource is being deleted/i,
  }),
  azure({
    id: "machine-deallocated",
    symptom: "OperationNotAllowed: the VM is either deallocated or marked to be deallocated",
    cause:
      "The machine {name} is deallocated, that is switched off in Azure, and cannot be changed until it runs.",
    remedy: [
      "az vm start --resource-group {group} --name {vm}",
      "az vmss start --resource-group {group} --name {pool}",
      "az monitor activity-log list --resource-group {group} --offset 3d --query \"[?contains(operationName.value, 'deallocate')].{who:caller, when:eventTimestamp}\" -o table",
    ],
    source: vmErrors,
    text: /either deallocated or marked to be deallocated|requires? the VM to be running|VM is not running/i,
  }),
];
