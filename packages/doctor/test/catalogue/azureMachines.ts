import { answers } from "./told";

/**
 * What Azure Resource Manager and the compute resource provider answer when machines are made. Codes and messages from
 * learn.microsoft.com: "Troubleshoot common Azure deployment errors", "Understand common error messages when you manage
 * virtual machines in Azure", and the article of each code.
 */
export const azureMachines = answers(String.raw`
pool 400 InvalidParameter | The value Standard_D4sv5 provided for the VM size is not valid. | size-not-available | - | -
pool 400 BadRequest | User failed validation to purchase resources. Error message: 'You have not accepted the legal terms on this subscription: 's' for this plan.' | image-purchase | - | -
pool 400 BadRequest | Security type of VM is not compatible with the security type of attached OS Disk. | image-trusted-launch | - | -
group 409 OperationNotAllowed | Creating the resource group 'sick' would exceed the quota of '980'. | azure-limit | - | -
pool 400 InvalidParameter | The requested VM size Standard_D4s_v9 is not available in the current region. The sizes available in the current region are: Standard_D4s_v5. Find out more on the available VM sizes in each region at https://aka.ms/azure-regions. | size-not-available | - | -
pool 409 QuotaExceeded | The quota 'PremiumDiskCount' of the subscription is exceeded: limit 50000, current 49999, requested 5. | azure-limit | - | -
pool 409 AvailabilityZoneNotSupported | The zone(s) '3' for resource is not supported. | zone | zone | zones
pool 404 GalleryImageNotFound | The gallery image /subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/galleries/g/images/win/versions/1.0.0 is not available in westeurope region. Please contact image owner to replicate to this region, or change your requested region. | image-not-found | galleries\/g\/images\/win\/versions\/1\.0\.0 | target-regions
pool 404 GalleryImageNotFound | The gallery image /CommunityGalleries/ClusterAPI-f72ceb4f/Images/capi-win-2022-containerd/Versions/1.35.6 is not available in westeurope region. Please contact image owner to replicate to this region, or change your requested region. | image-not-found | capi-win-2022-containerd | list-community
pool 404 ImageNotFound | The Image '/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute/images/capi-win' cannot be found in 'westeurope' region. | image-not-found | images\/capi-win | az image list
machine 404 PlatformImageNotFound | The platform image 'MicrosoftWindowsServer:WindowsServer:2022-core:1.2.3' is not available. Verify that all fields in the storage profile are correct. | image-not-found | MicrosoftWindowsServer | az vm image list
pool 404 NotFound | The entity name 'versions/9.9.9' could not be found: community gallery image ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019 | image-not-found | image | image
pool 400 BadRequest | The provided gallery image only supports creation of VMs and VM Scale Sets with 'TrustedLaunch' security type. | image-trusted-launch | - | -
machine 409 AttachDiskWhileBeingDetached | Cannot attach data disk 'data1' to VM 'm' because the disk is currently being detached. Please wait until the disk is completely detached and then try again. | azure-conflict | by themselves|again | (wait|activity-log)
pool 200 OSProvisioningInternalError | OS Provisioning failed for VM 'win1_0' due to an internal error. | os-provisioning | operating system | log
pool 409 VMExtensionProvisioningError | VM has reported a failure when processing extension 'AzureMonitorWindowsAgent' (publisher 'Microsoft.Azure.Monitor' and type 'AzureMonitorWindowsAgent'). Error message: 'install failed'. | extension-failed | AzureMonitorWindowsAgent | extension
pool 409 VMExtensionHandlerNonTransientError | The handler for VM extension type 'Microsoft.Azure.Security.IaaSAntimalware' has reported terminal failure for VM extension 'antimalware' with error message: 'x'. | extension-failed | extension | extension
pool 409 AnotherOperationInProgress | Another operation on this or dependent resource is in progress. | azure-conflict | Another operation | [Ww]ait
pool 409 OperationPreempted | Operation execution has been preempted by a more recent operation. | azure-conflict | Another operation | [Ww]ait
network 409 RetryableError | A retryable error occurred. | azure-conflict | Another operation|again | [Ww]ait
pool 409 OperationNotAllowed | Something entirely new is not allowed. | azure-other | Something entirely new | activity-log
pool 418 BrandNewCode | Azure has invented a new reason. | azure-other | BrandNewCode.*Azure has invented a new reason | activity-log
`);
