import { answered } from "./answers";
import { azureDocs } from "./kinds";
import type { Rule } from "./rule";

/** Azure's answers about the definition of a network, its addresses, names and tags. */

const azure = answered("azure", `${azureDocs}/common-deployment-errors`);
const networkDocs = "https://learn.microsoft.com/azure/virtual-network";

const subnets = `az network vnet subnet list --resource-group {group} --vnet-name {vnet} --query "[].{name:name, prefix:addressPrefix, delegations:delegations[].serviceName, used:length(ipConfigurations || '')}" -o table`;
const addresses =
  'az network public-ip list --query "[].{name:name, group:resourceGroup, sku:sku.name, address:ipAddress, usedBy:ipConfiguration.id}" -o table';

export const networkAnswers: readonly Rule[] = [
  azure({
    id: "resource-in-use",
    symptom:
      "InUseSubnetCannotBeDeleted, InUseNetworkSecurityGroupCannotBeDeleted, NicInUse, LoadBalancerInUse...",
    cause: "Azure does not delete or change a resource that another one uses: {why}.",
    remedy: [
      "az resource show --ids {user}   # whose is it? az resource delete --ids ..., when nobody needs it",
      'az resource list --resource-group {group} --query "[].{name:name, type:type}" -o table',
    ],
    source: `${azureDocs}/error-in-use`,
    text: /(?:InUse(?!Prefix)\w*|PublicIPAddress|Vnet\w*)CannotBeDeleted(?:[^]*?(?:in use by(?: the following resources:)?|allocated to resource) (?<user>\/subscriptions\/[^\s,"]+))?|LoadBalancerInUseBy|NicInUse|CannotDeleteResource|VnetInUse|InUseRouteTable/,
  }),
  azure({
    id: "subnet-in-use",
    symptom: "InUsePrefixCannotBeDeleted or InUseSubnetCannotBeUpdated",
    cause: "The range of a subnet cannot change while it is in use: {why}.",
    remedy: [
      "npm run plan -- --stack {stack} --against HEAD   # take the change of the range back; larger ranges need a subnet of their own and new machines",
      subnets,
    ],
    source: `${networkDocs}/virtual-network-manage-subnet`,
    text: /InUsePrefixCannotBeDeleted|InUseSubnetCannotBeUpdated|Subnet\w*CannotBeUpdated|has active allocations/,
  }),
  azure({
    id: "network-range-invalid",
    symptom: "InvalidCIDRNotation or InvalidAddressPrefixFormat",
    cause: "A range of the network is not a valid CIDR: {why}.",
    remedy: [
      'capz-windows:network: {vnetCidr: "10.0.0.0/16"}   # the address bits behind the prefix must be 0',
    ],
    source: `${networkDocs}/manage-virtual-network`,
    text: /InvalidCIDRNotation|InvalidAddressPrefixFormat|AddressPrefixStringNot\w*|has an invalid CIDR/,
  }),
  azure({
    id: "vnet-peered",
    symptom: "VnetAddressSpaceCannotChangeDueToPeerings",
    cause: "The address space of the VNET cannot change in this way while the VNET is peered with others.",
    remedy: [
      "az network vnet peering list --resource-group {group} --vnet-name {vnet} -o table",
      "az network vnet peering sync --ids PEERING-ID   # after a change; or delete the peering, change, and make it again",
    ],
    source: `${networkDocs}/update-virtual-network-peering-address-space`,
    text: /VnetAddressSpaceCannotChangeDueToPeerings|AddressSpaceCannotChange/,
  }),
  azure({
    id: "private-address-taken",
    symptom: "PrivateIPAddressInUse or PrivateIPAddressIsAllocated",
    cause:
      "The private address {address} that a load balancer or interface asks for is in use by another resource of the subnet.",
    remedy: [
      "az network vnet check-ip-address --resource-group {group} --name VNET --ip-address {address}   # and which addresses are free",
      subnets,
    ],
    source: "https://learn.microsoft.com/azure/virtual-network/ip-services/private-ip-addresses",
    text: /(?:PrivateIPAddress(?:InUse|IsAllocated)[^]*?|)private IP address (?<address>[\d.]+)[^"]*(?:already allocated|is allocated)/,
  }),
  azure({
    id: "private-address-outside",
    symptom: "PrivateIPAddressNotInSubnet or PrivateIPAddressInReservedRange",
    cause:
      "A private address does not fit its subnet, of which Azure reserves the first four addresses and the last: {why}.",
    remedy: [
      "capz-windows:network: {controlPlaneSubnetCidr: THE-RANGE}   # the address of the API server must lie in it",
      subnets,
    ],
    source: "https://learn.microsoft.com/azure/virtual-network/ip-services/private-ip-addresses",
    text: /PrivateIPAddress(?:NotInSubnet|InReservedRange|NotIn\w*)/,
  }),
  azure({
    id: "address-sku",
    symptom: "PublicIPAndLBSkuDoNotMatch or DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed",
    cause:
      "A public address or load balancer of the SKU Basic is used together with Standard ones, which Azure does not allow.",
    remedy: [
      "az network public-ip create --resource-group {group} --name NAME --sku Standard --allocation-method Static   # in the place of the Basic one",
      addresses,
    ],
    source: "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-basic-upgrade-guidance",
    text: /SkuDoNotMatch|DifferentSku\w*NotAllowed|cannot reference (?:Basic|Standard) sku/i,
  }),
  azure({
    id: "public-address-taken",
    symptom: "PublicIPAddressInUse",
    cause: "A public address is in use by another resource, {user}.",
    remedy: [addresses],
    source: "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-addresses",
    text: /PublicIPAddressInUse(?:[^]*?already allocated to resource (?<user>\/subscriptions\/[^\s,"]+[^\s,".]))?/,
  }),
  azure({
    id: "security-rule",
    symptom: "SecurityRuleConflict, SecurityRuleInvalidPriority, SecurityRuleInvalidAddressPrefix",
    cause: "Azure does not accept a rule of the network security group: {why}.",
    remedy: [
      "az network nsg rule list --resource-group {group} --nsg-name NSG --include-default -o table   # somebody's own rules beside those of the program?",
      "capz-windows:access: {allowedCidrs: [YOUR-ADDRESS/32]}   # addresses as CIDRs",
    ],
    source: `${networkDocs}/network-security-groups-overview`,
    text: /SecurityRule\w+|\w*NetworkSecurityRule\w*Invalid/,
  }),
  azure({
    id: "peering-disconnected",
    symptom: "RemotePeeringIsDisconnected",
    cause:
      "A peering of the VNET is left over: the other side was deleted or recreated, so it stays Disconnected.",
    remedy: [
      'az network vnet peering list --resource-group {group} --vnet-name {vnet} --query "[].{name:name, state:peeringState, remote:remoteVirtualNetwork.id}" -o table   # on both sides',
      "az network vnet peering delete --ids PEERING-ID   # on both sides; CAPZ makes its own again",
    ],
    source: `${networkDocs}/virtual-network-troubleshoot-peering-issues`,
    text: /RemotePeeringIsDisconnected|peering is in Disconnected state/i,
  }),
  azure({
    id: "peering-exists",
    symptom: "AnotherPeeringAlreadyReferencesRemoteVnet",
    cause: "The VNET is peered with the same remote VNET already, by a peering of another name: {why}.",
    remedy: [
      "az network vnet peering list --resource-group {group} --vnet-name {vnet} -o table   # keep one of the two",
    ],
    source: `${networkDocs}/virtual-network-troubleshoot-peering-issues`,
    text: /AnotherPeeringAlreadyReferencesRemoteVnet|another peering already references/i,
  }),
  azure({
    id: "dns-zone-overlap",
    symptom: "A virtual network cannot be linked to multiple zones with overlapping namespaces",
    cause: "The VNET is linked to another private DNS zone of the same name: {why}.",
    remedy: [
      'az network private-dns zone list --query "[].{name:name, group:resourceGroup}" -o table',
      "az network private-dns link vnet list --resource-group GROUP --zone-name ZONE -o table   # one cluster needs one zone: give this one a clusterName of its own",
    ],
    source: "https://learn.microsoft.com/azure/dns/private-dns-virtual-network-links",
    text: /linked to multiple zones with overlapping namespaces/,
  }),
  azure({
    id: "subnet-delegated",
    symptom: "a subnet is delegated, or its delegation cannot change",
    cause:
      "A subnet is delegated to another Azure service, so machines cannot be in it, or its delegation is not what is asked for: {why}.",
    remedy: [
      subnets,
      "az network vnet subnet update --ids SUBNET-ID --remove delegations   # when no service uses it; or give the pool another subnet: network.poolSubnets",
    ],
    source: `${networkDocs}/subnet-delegation-overview`,
    text: /\w*[Dd]elegations?\w*(?:CannotChange|CannotBeUsed|NotAllowed|Missing)\w*|requires delegations|MissingRequiredDelegation/,
  }),
  azure({
    id: "nat-basic",
    symptom: "a NAT gateway cannot be used by a subnet with Basic SKU resources",
    cause:
      "The subnet of the NAT gateway has a public address or load balancer of the SKU Basic, which do not go together.",
    remedy: [addresses, "Replace it by one of the SKU Standard, or use a subnet of its own for the nodes."],
    source: "https://learn.microsoft.com/azure/nat-gateway/troubleshoot-nat",
    text: /Nat ?Gateway[^"]*Basic ?SKU/i,
  }),
  azure({
    id: "location-taken",
    symptom: "InvalidResourceGroupLocation or InvalidResourceLocation",
    cause: "A resource or group of this name exists in another location, {elsewhere}, and Azure moves none.",
    remedy: [
      "capz-windows:clusterName: ANOTHER-NAME   # or azure.location as it was",
      'az resource list --resource-group {group} --query "[].{name:name, location:location}" -o table   # left over from a deployment elsewhere: delete it',
    ],
    text: /InvalidResource(?:Group)?Location(?:[^]*?already exists in location '(?<elsewhere>[^']+)')?/,
  }),
  azure({
    id: "region-closed",
    symptom:
      "RequestDisallowedByAzure, RegionDoesNotAllowProvisioning or LocationNotAvailableForResourceType",
    cause: "Azure does not let this subscription create such resources in the region {location}: {why}.",
    remedy: [
      "capz-windows:azure: {location: ANOTHER-REGION}",
      "az account list-locations --query \"[?metadata.regionType=='Physical'].name\" -o tsv",
      "Ask for access to the region in the portal under Quotas, or Help and support; student and trial subscriptions have a few regions only.",
    ],
    text: /RequestDisallowedByAzure|RegionDoesNotAllowProvisioning|LocationNotAvailable\w*|is not accepting (?:creation|new customers)/,
  }),
  azure({
    id: "provider-version",
    symptom: "NoRegisteredProviderFound, InvalidApiVersionParameter or InvalidResourceType",
    cause: "This cloud or region does not have the API version that CAPZ asks for: {why}.",
    remedy: [
      "az provider show --namespace NAMESPACE --query \"resourceTypes[?resourceType=='TYPE'].{locations:locations, versions:apiVersions}\"",
      "az provider register --namespace NAMESPACE --wait",
    ],
    source: `${azureDocs}/error-register-resource-provider`,
    text: /NoRegisteredProviderFound|InvalidApiVersionParameter|InvalidResource(?:Type|Namespace)\b|UnsupportedApiVersion/,
  }),
  azure({
    id: "tags-invalid",
    symptom: "InvalidTagNameCharacters, or too many tags",
    cause: "Azure does not accept the tags of the stack: {why}.",
    remedy: [
      "kubectl get azurecluster {cluster} -n {namespace} -o jsonpath='{.spec.additionalTags}'   # the key `tags` of the stack file: at most 50, without < > % & \\ ? / in the name",
    ],
    source: "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    text: /InvalidTag\w*|Tag(?:Name|Value|Count|s)\w*(?:Exceed|Invalid|Limit)\w*|number of tags/,
  }),
  azure({
    id: "name-invalid",
    symptom: "InvalidResourceName, ReservedResourceName or InvalidDomainNameLabel",
    cause: "Azure does not accept a name: {why}.",
    remedy: ["capz-windows:clusterName: ANOTHER-NAME   # most names begin with it"],
    source: "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",
    text: /InvalidResource(?:Group)?Name|ReservedResourceName|InvalidDomainNameLabel|DomainNameLabelInvalid|AccountNameInvalid/,
  }),
];
