import { answers } from "./told";

/**
 * What Azure's network resource provider, private DNS and Resource Manager answer when the network of a cluster is made or
 * changed. Codes and messages from learn.microsoft.com: "Troubleshoot common Azure deployment errors" and the article of
 * each code; the list of network error codes of Azure's SDKs.
 */
export const azureNetworks = answers(String.raw`
vnet 400 BadRequest | Cannot create or update peering hub: the address spaces overlap. | network-overlap | - | -
subnet 400 BadRequest | Subnet 'node-subnet' range 10.9.0.0/16 is outside of the VNET range 10.0.0.0/16. | network-overlap | - | -
subnet 400 NetcfgSubnetRangesOverlap | Subnet 'node-subnet' is not valid because its IP address range overlaps with that of an existing subnet in virtual network 'sick-vnet'. | network-overlap | - | -
subnet 400 NetcfgSubnetRangeOutsideVnet | Subnet 'node-subnet' range 10.9.0.0/16 is outside of the VNET range 10.0.0.0/16. | network-overlap | - | -
subnet 400 InUseSubnetCannotBeDeleted | Subnet node-subnet is in use by /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/networkInterfaces/vm1-nic/ipConfigurations/ip and cannot be deleted. | resource-in-use | networkInterfaces\/vm1-nic | az resource (?:show|delete)
addresses 400 PublicIPAddressCannotBeDeleted | Public IP address /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/publicIPAddresses/p can not be deleted since it is still allocated to resource /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/loadBalancers/l/frontendIPConfigurations/f. | resource-in-use | in use|uses | az resource
balancer 400 LoadBalancerInUseByVirtualMachineScaleSet | Cannot delete load balancer /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/loadBalancers/l since its child resources are in use by virtual machine scale set win1. | resource-in-use | in use|uses | az resource
pool 404 InvalidResourceReference | Resource /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/loadBalancers/sick/backendAddressPools/x referenced by resource /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/virtualMachineScaleSets/win1 was not found. Please make sure that the referenced resource exists, and that both resources are in the same region. | resource-missing | loadBalancers\/sick | az resource show|pulumi up
subnet 404 ParentResourceNotFound | Failed to perform 'write' on resource(s) of type 'virtualNetworks/subnets', because the parent resource '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub' could not be found. | resource-missing | virtualNetworks\/hub | az resource|pulumi up
vnet 409 ReferencedResourceNotProvisioned | Cannot proceed with operation because resource /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Network/virtualNetworks/v/subnets/s used by resource n is not in Succeeded state. Resource is in Updating state. | azure-conflict | Another operation | [Ww]ait
network 409 CanceledAndSupersededDueToAnotherOperation | Operation was canceled because it was superseded by another operation. | azure-conflict | Another operation | [Ww]ait
vnet 400 LocationNotAvailableForResourceType | The provided location 'mars' is not available for resource type 'Microsoft.Network/virtualNetworks'. List of available regions for the resource type is 'westeurope'. | region-closed | region|location | location
vnet 409 MissingSubscriptionRegistration | The subscription is not registered to use namespace 'Microsoft.Network'. See https://aka.ms/rps-not-found for how to register subscriptions. | provider-not-registered | Microsoft\.Network | az provider register --namespace Microsoft\.Network
pool 409 MissingRegistrationForLocation | The subscription is not registered for the resource type 'virtualMachineScaleSets' in the location 'westeurope'. Please re-register for this provider in order to have access to this location. | provider-not-registered | regist | az provider register
pool 409 InvalidSubscriptionRegistrationState | The subscription registration is in 'Unregistered' state. The subscription must be registered to use namespace 'Microsoft.Compute'. | provider-not-registered | Microsoft\.Compute | az provider register --namespace Microsoft\.Compute
vnet 409 SubscriptionNotRegistered | Subscription s is not registered with NRP. | provider-not-registered | regist | az provider register
addresses 400 SubscriptionNotRegisteredForFeature | Subscription /subscriptions/11111111-2222-4333-8444-555555555555 is not registered for feature Microsoft.Network/AllowBringYourOwnPublicIpAddress required to carry out the requested operation. | feature-not-registered | AllowBringYourOwnPublicIpAddress | az feature register --namespace Microsoft\.Network --name AllowBringYourOwnPublicIpAddress
vnet 400 ResourceCountExceedsLimit | The number of resources of type exceeds the limit of 800 in the resource group. | azure-limit | limit | list-usages|Quotas|group
subnet 418 BrandNewNetworkCode | The network has a new reason. | network-not-ready | BrandNewNetworkCode|The network has a new reason | describe
`);
