import { textAt } from "../../../tools/untyped";
import { answered } from "./answers";
import { azureDocs } from "./kinds";
import type { Match, Rule } from "./rule";

/** Azure's answers about ranges of addresses. */

const azure = answered("azure", `${azureDocs}/common-deployment-errors`);

const manage = "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet";

/** Fills in the names when the message does not have them. */
const named = (rule: Rule): Rule => ({
  ...rule,
  find: (world) => {
    const vnet = textAt(world.all("AzureCluster")[0]?.spec, "networkSpec", "vnet", "name");
    return rule.find(world).map((match): Match => {
      return { ...match, vars: { subnet: "of the plan", vnet, ...match.vars } };
    });
  },
});

const setting =
  "capz-windows:network: {nodeSubnetCidr: A-FREE-RANGE}   # of node-subnet; controlPlaneSubnetCidr: of control-plane-subnet; poolSubnets: of the others. A subnet in use keeps its range";

const subnetsOf =
  "az network vnet list --query \"[?name=='{vnet}'].subnets[].{name:name, range:addressPrefix, ranges:addressPrefixes}\" -o json";

export const ranges: readonly Rule[] = [
  named(
    azure({
      id: "subnet-overlap",
      symptom: "NetcfgSubnetRangesOverlap",
      cause:
        "The range of the subnet {subnet} overlaps that of a subnet which the VNET {vnet} has already, such as one that was made by hand or left by an earlier plan.",
      remedy: [
        `${subnetsOf}   # which one has these addresses?`,
        setting,
        "az network vnet subnet delete --resource-group {group} --vnet-name {vnet} --name OTHER-SUBNET   # or free the range, when nothing uses it",
      ],
      source: manage,
      text: /(?:NetcfgSubnetRangesOverlap[^]*?)?Subnet '?(?<subnet>[\w.-]+)'? is not valid because its IP address range overlaps with that of an existing subnet in virtual network '?(?<vnet>[\w.-]*\w)|NetcfgSubnetRangesOverlap/,
    }),
  ),
  named(
    azure({
      id: "subnet-outside",
      symptom: "NetcfgSubnetRangeOutsideVnet",
      cause: "The range of the subnet {subnet} is not within the ranges of its VNET: {why}.",
      remedy: [
        'az network vnet list --query "[].{name:name, ranges:addressSpace.addressPrefixes}" -o json',
        setting,
        "az network vnet update --resource-group {group} --name {vnet} --address-prefixes OLD-RANGE NEW-RANGE   # or a further range for a VNET of your own",
      ],
      source: manage,
      text: /(?:NetcfgSubnetRangeOutsideVnet[^]*?)?Subnet '?(?<subnet>[\w.-]+)'? (?:is not valid because its IP address range is outside|range \S+ is outside)|NetcfgSubnetRangeOutsideVnet/,
    }),
  ),
  azure({
    id: "peering-overlap",
    symptom: "VnetAddressSpacesOverlap",
    cause: "Two VNETs with common addresses cannot be peered: {why}.",
    remedy: [
      'az network vnet list --query "[].{name:name, ranges:addressSpace.addressPrefixes}" -o json',
      "capz-windows:network: {vnetCidr: A-FREE-RANGE}   # of a new cluster: the range of machines that run cannot change",
    ],
    source: "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-peering",
    text: /VnetAddressSpace(?:s)?Overlaps?|address spaces overlap/,
  }),
];
