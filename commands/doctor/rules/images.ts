import { withAnswer } from "./answers";
import { says } from "./finders";
import { azureDocs, azureKinds } from "./kinds";
import { missingImages } from "./missingImages";
import type { Family, Rule } from "./rule";

/** Images of virtual machines. */

const image = (rule: Omit<Rule, "stage" | "find"> & { readonly text: RegExp }): Rule => {
  const { text, ...rest } = rule;
  return {
    ...rest,
    stage: "image",
    find: withAnswer(says({ kinds: azureKinds, text })),
  };
};

export const images: Family = {
  name: "images",
  title: "Images of the machines",
  intro:
    "`npm run plan` shows the image of each pool, and the output `listImages` has the command that lists the available ones.",
  rules: [
    ...missingImages,
    image({
      id: "image-terms",
      symptom: "ResourcePurchaseValidationFailed, or legal terms are not accepted",
      cause: "The terms of the Marketplace image have not been accepted in this subscription.",
      remedy: ["az vm image terms accept --publisher PUBLISHER --offer OFFER --plan SKU"],
      source: `${azureDocs}/error-marketplace`,
      text: /[Ll]egal terms have not been accepted|not accepted the legal terms|accept (?:the )?(?:legal |Marketplace )?terms/,
    }),
    image({
      id: "image-purchase",
      symptom: "MarketplacePurchaseEligibilityFailed",
      cause: "Azure's Marketplace does not sell the image to this subscription: {why}.",
      remedy: [
        "az vm image terms show --publisher PUBLISHER --offer OFFER --plan SKU --query accepted   # false: az vm image terms accept",
        "az account show --subscription {subscription}   # true: the offer is not sold in the country or to the kind of this subscription (free, CSP, sponsored), or a private Marketplace does not list it",
        "capz-windows:windowsPools: {{pool}: {image: {marketplace: {version: A-VERSION}}}}   # or an image of another publisher",
      ],
      source: `${azureDocs}/error-marketplace`,
      text: /MarketplacePurchaseEligibilityFailed|PurchasePlan\w*|ResourcePurchaseValidationFailed/,
    }),
    image({
      id: "image-plan-unneeded",
      symptom: "a non Marketplace image does not need Plan information",
      cause: "The machine names a purchase plan, and its image has none, or another one.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {image: {marketplace: {version: A-VERSION}}}}   # without thirdPartyImage and plan in overrides",
        "az vm image show --urn PUBLISHER:OFFER:SKU:VERSION --query plan",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/marketplace-images",
      text: /does not need Plan information|purchase plan information[^"]*does not match/,
    }),
    image({
      id: "image-deprecated",
      symptom: "ImageVersionDeprecated, or the image is scheduled for deprecation",
      cause: "The publisher has withdrawn the image (deprecated), so no new machine can be made of it.",
      remedy: [
        "npm run images -- --stack {stack}   # which versions there are",
        "capz-windows:windowsPools: {{pool}: {image: {marketplace: {version: A-VERSION-OF-THE-LIST}}}}",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/deprecated-images",
      text: /Image\w*Deprecated|(?:Sku|Offer|Version|image)[^"]*is deprecated/i,
    }),
    image({
      id: "image-not-ready",
      symptom: "DiskImageNotReady, or the Image is marked for deletion",
      cause: "The image is not ready: it is being made, replicated or deleted.",
      remedy: [
        'az sig image-version list --resource-group GROUP --gallery-name GALLERY --gallery-image-definition DEFINITION --query "[].{name:name, state:provisioningState}" -o table   # wait for Succeeded in {location}',
        "npm run images -- --stack {stack}   # or another version of the image",
      ],
      source: "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/error-messages",
      text: /DiskImageNotReady|ImageNotReady|on Image '?[^']*'? since the Image is marked for deletion/i,
    }),
    image({
      id: "image-security-type",
      symptom: "The provided gallery image only supports ... 'TrustedLaunch' security type",
      cause:
        "The image and the machine have different security types (Trusted Launch, Confidential VM, or none).",
      remedy: [
        'az sig image-definition show --resource-group GROUP --gallery-name GALLERY --gallery-image-definition DEFINITION --query "{generation:hyperVGeneration, features:features}"   # an image for every type has SecurityType TrustedLaunchSupported',
        "capz-windows:windowsPools: {{pool}: {trustedLaunch: {}}}   # for single machines whose image demands it; docs/images.md",
      ],
      source: "https://aka.ms/TrustedLaunch-FAQ",
      text: /only supports creation of VMs[^"]*security type|Security type of VM is not compatible|image[^"]*requires? security ?type/i,
    }),
    image({
      id: "image-plan",
      symptom: "VMMarketplaceInvalidInput",
      cause: "The image carries purchase plan information that the machine does not name.",
      remedy: [
        'capz-windows:windowsPools: {{pool}: {image: {marketplace: {urn: "PUBLISHER:OFFER:SKU:VERSION"}}}}',
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/marketplace-images",
      text: /VMMarketplaceInvalidInput|requires Plan information/,
    }),
    image({
      id: "image-generation",
      symptom: "cannot boot Hypervisor Generation '1', or the disk controller does not fit",
      cause:
        "The image and the VM size do not go together: sizes of v6 and newer need images of generation 2 with NVMe.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}   # boots generation 1 with SCSI disks",
        "az vm list-skus --location {location} --size SIZE --query \"[0].capabilities[?name=='HyperVGenerations' || name=='DiskControllerTypes']\"",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/generation-2",
      text: /cannot boot Hypervisor Generation|DiskControllerType|disk controller type/i,
    }),
    image({
      id: "image-trusted-launch",
      symptom: "Use of TrustedLaunch setting is not supported for the provided image",
      cause:
        "The machine asks for Trusted Launch, and its image was not made for it: it is of generation 1, or its definition does not have the security type TrustedLaunchSupported.",
      remedy: [
        "Leave out trustedLaunch of the pool (or securityProfile.securityType of its overrides), or build such an image: docs/images.md.",
        'az sig image-definition show --resource-group GROUP --gallery-name GALLERY --gallery-image-definition DEFINITION --query "{generation:hyperVGeneration, features:features}"',
      ],
      source: "azure-cli #27975; https://aka.ms/TrustedLaunch-FAQ",
      text: /TrustedLaunch setting is not supported|Trusted Launch Supported|securityType (?:of the VM )?is not (?:valid|supported)|parameter securityProfile\.securityType/,
    }),
    image({
      id: "image-architecture",
      symptom: "the VM size and the image have different CPU architectures",
      cause: "The VM size has another architecture (Arm64 or x64) than the image.",
      remedy: ["capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}   # without a p: x64"],
      source: "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
      text: /only supports a CPU Architecture|(?:CPU|processor) [Aa]rchitecture '?\w+'?.*?(?:not|mismatch|different)|ArchitectureMismatch/s,
    }),
    image({
      id: "image-disk",
      symptom: "the OS disk is smaller than the image",
      cause: "osDiskGB is less than the size of the image's disk.",
      remedy: ["capz-windows:windowsPools: {{pool}: {osDiskGB: 128}}"],
      source: `${azureDocs}/common-deployment-errors`,
      text: /smaller than the size of the corresponding disk|ResizeDiskError|disk size \d+ (?:GB )?is smaller/i,
    }),
    image({
      id: "os-provisioning",
      symptom: "OSProvisioningTimedOut or OSProvisioningClientError",
      cause:
        "Azure started the machine, but its operating system did not report in time. Typical for Windows images that were not generalized, or built before image-builder v0.1.55.",
      remedy: [
        'az rest --method post --url "https://management.azure.com/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachineScaleSets/{pool}/virtualMachines/0/retrieveBootDiagnosticsData?api-version=2024-07-01"   # boot diagnostics: the screenshot shows where Windows waits',
        "An image of your own must be generalized (sysprep /generalize /oobe), and its setup must not wait for input: docs/images.md.",
        "npm run access -- --stack {stack}   # then the command that collects the node's logs",
        "az vmss run-command invoke --resource-group {group} --name {pool} --instance-id 0 --command-id RunPowerShellScript --scripts \"Get-Content 'C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\log\\cloudbase-init-unattend.log' -Tail 50\"",
        'az vmss run-command invoke --resource-group {group} --name {pool} --instance-id 0 --command-id RunShellScript --scripts "tail -50 /var/log/cloud-init-output.log"',
        'az vm run-command invoke --resource-group {group} --name {vm} --command-id RunShellScript --scripts "tail -50 /var/log/cloud-init-output.log"',
        "az vm boot-diagnostics get-boot-log --resource-group {group} --name {vm}",
      ],
      source:
        "image-builder #2117, #1712; https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/troubleshoot-deployment-new-vm-windows",
      text: /OSProvisioning(?:TimedOut|ClientError|InternalError)/,
    }),
  ],
};
