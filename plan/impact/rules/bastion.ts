import { bastionSubnetName } from "capz-windows-platform/network/bastion";
import { textAt } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatChange, formatList } from "../format";
import { findChange, touches, type ImpactRule } from "../impactRule";

/** Azure Bastion of a stack, and its subnet. */

const subnetPath = new RegExp(`^subnets\\[${bastionSubnetName}\\]`);
const range = new RegExp(`${subnetPath.source}\\.addressPrefix$`);

const nameOf = ({ head, base }: Difference): string => textAt((head ?? base)?.inputs, "bastionHostName");

/** The security group of its subnet, and its address. */
const isPart = ({ head, base }: Difference): boolean =>
  ["networkSecurityGroupName", "publicIpAddressName"].some((key) =>
    /-bastion(-nsg)?$/.test(textAt((head ?? base)?.inputs, key)),
  );

export const bastionRules: readonly ImpactRule[] = [
  {
    id: "bastion-subnet",
    source:
      "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#delete-a-subnet; project: the network is updated before a Bastion is deleted",
    per: "stack",
    match: touches("VirtualNetwork", subnetPath),
    explain: (matched, { base }) => {
      const { before, after } = findChange(matched, range) ?? {};
      const isGone = matched.some(
        ({ property }) => property?.before !== undefined && property.after === undefined,
      );
      const changed = before === undefined ? "is added" : `changes its range: ${formatChange(before, after)}`;
      const what = `The subnet ${bastionSubnetName} ${isGone ? "is removed" : changed}`;
      if ((!isGone && before === undefined) || base?.network.bastion === undefined) {
        return { what, why: "the other subnets and what is in them stay as they are" };
      }
      return {
        severity: "refused",
        what: `The subnet ${bastionSubnetName} cannot ${isGone ? "be removed" : `change its range (${formatChange(before, after)})`} while a Bastion is in it`,
        why: `Azure answers ${isGone ? "InUseSubnetCannotBeDeleted" : "InUsePrefixCannotBeDeleted"}: the VNET changes before the Bastion is deleted`,
        instead: `write kind: none in network.bastion for one \`up\`, with the present range, and ${isGone ? "remove the key" : "the new range with kind: stack"} in the next one`,
      };
    },
  },
  {
    id: "bastion",
    source: "https://learn.microsoft.com/azure/bastion/configuration-settings",
    per: "stack",
    match: ({ type }) => type === "BastionHost",
    claims: isPart,
    explain: (matched) => {
      const [first] = matched;
      const name = nameOf(first);
      if (first.kind === "create") {
        return {
          what: `Azure Bastion ${name} is added: ssh and RDP go through it`,
          why: "Azure needs about ten minutes for it; no machine changes",
        };
      }
      if (first.kind === "update") {
        return {
          what: `Azure Bastion ${name} changes: ${formatList(matched.map(({ path }) => path))}`,
          why: "open sessions end; no machine changes",
        };
      }
      return {
        severity: "replaces",
        what: `Azure Bastion ${name} is deleted${first.kind === "replace" ? " and created again" : ""}`,
        why: "open sessions end, and people need another way in, for about ten minutes where it is created again, with another public address; no machine changes",
      };
    },
  },
  {
    id: "bastion-users",
    source: "https://learn.microsoft.com/azure/bastion/bastion-nsg",
    per: "resource",
    match: (difference) => difference.type === "NetworkSecurityGroup" && isPart(difference),
    what: ([{ kind }]) =>
      kind === "update"
        ? "Who comes to Azure Bastion changes (access.allowedCidrs, network.bastion.allowedCidrs)"
        : `The security group of ${bastionSubnetName} ${kind === "create" ? "is added" : "is removed"}`,
    why: "its rules change in place; no machine changes",
  },
];
