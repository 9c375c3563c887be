import { isVnetOfOthers, refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { covers } from "capz-windows-platform/network/addressing";
import { strings } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatChange, formatList } from "../format";
import { changeText, findChange, touches, type ImpactRule } from "../impactRule";

/** The ranges of the VNET, and its subnets. */

const addressSpace = /^(addressSpace|spec\.networkSpec\.vnet\.cidrBlocks)/;
const subnetPrefix = /^(subnets\[[^\]]*\]\.addressPrefix|spec\.networkSpec\.subnets\[[^\]]*\]\.cidrBlocks)$/;
const wholeSubnet = /^(spec\.networkSpec\.)?subnets\[([^\]]*)\]$/;

const network = (path: RegExp) => touches(["VirtualNetwork", "AzureCluster"], path);

/** The subnets that one side has and the other has not. */
const subnetsGone = (whole: readonly Difference[], side: "before" | "after"): string[] =>
  whole
    .filter(({ property }) => property?.[side] !== undefined)
    .map(({ path }) => wholeSubnet.exec(path)?.[2] ?? path);

const usedText = (there: readonly string[], isNow: string, gone: readonly string[], isGone: string): string =>
  formatList([...there.map((name) => `${name} ${isNow}`), ...gone.map((name) => `${name} ${isGone}`)]);

export const subnetRules: readonly ImpactRule[] = [
  {
    id: "vnet-address-space",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network#add-or-remove-an-address-range",
    per: "stack",
    match: network(addressSpace),
    claims: network(subnetPrefix),
    what: (matched) => {
      const { before, after } = findChange(matched, addressSpace) ?? {};
      return (
        !covers(strings(after), strings(before)) &&
        `The VNET cannot change its address range: ${formatChange(before, after)}`
      );
    },
    why: "the subnets, and every machine in them, have addresses of the old range, and Azure does not remove a range that is in use",
    instead: "create a second stack with the new network, move the workload, and destroy this one",
  },
  {
    id: "subnet-range",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#change-subnet-settings",
    per: "stack",
    match: network(subnetPrefix),
    what: (matched) =>
      `A subnet with machines cannot change its address range: ${formatList([...new Set(matched.map(({ property }) => formatChange(strings(property?.before)[0] ?? property?.before, strings(property?.after)[0] ?? property?.after)))])}`,
    why: "Azure answers InUsePrefixCannotBeDeleted; a larger VNET also moves the default subnets",
    instead: "set network.controlPlaneSubnetCidr and network.nodeSubnetCidr to the current ranges",
  },
  {
    id: "existing-subnets",
    source:
      "project: packages/platform/cluster/refusedChanges.ts (no webhook refuses it: CAPZ v1.27.0 internal/webhooks)",
    match: (difference) =>
      touches("AzureCluster", wholeSubnet)(difference) &&
      [difference.base, difference.head].some((side) => isVnetOfOthers(side?.inputs)),
    explain: (matched) => {
      const [{ base, head }] = matched;
      const [gone, there] = [subnetsGone(matched, "before"), subnetsGone(matched, "after")];
      const moves = refusedChanges(base?.inputs, head?.inputs).some((line) =>
        /^spec\.networkSpec\.subnets\[[\w-]+\]\.name /.test(line),
      );
      return moves
        ? {
            severity: "refused",
            what: `Machines do not move to another subnet: ${formatList(gone)} → ${formatList(there)}`,
            why: "Azure gives a machine its subnet when it is made, and CAPZ leaves the subnet out of later updates",
            instead:
              "keep the ARM IDs in network.existing; to use another subnet, add it for a new pool, move the workload, and remove the old pool and its subnet in a later `up`; the control plane and the pools without `subnet` need a new cluster",
          }
        : {
            what: `Subnets of the existing VNET: ${usedText(there, "is used from now on", gone, "is no longer used")}`,
            why: "nothing in the VNET changes; the identities of the cluster get their roles on a subnet that is used, and lose them on one that is not",
          };
    },
  },
  {
    id: "pool-subnets",
    source:
      "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#delete-a-subnet; project: the network is updated before pools are deleted",
    per: "stack",
    match: network(wholeSubnet),
    explain: (matched, { base }) => {
      const ofVnet = matched.filter(({ type }) => type === "VirtualNetwork");
      const [removed, added] = [subnetsGone(ofVnet, "before"), subnetsGone(ofVnet, "after")];
      const inUse = removed.filter((name) => base?.pools.some(({ subnets = [] }) => subnets.includes(name)));
      const pools = base?.pools.filter(({ subnets = [] }) => subnets.some((name) => inUse.includes(name)));
      return inUse.length > 0
        ? {
            severity: "refused",
            what: `The subnet ${formatList(inUse)} cannot be removed while ${formatList(pools?.map(({ name }) => name) ?? [])} has machines in it`,
            why: "Azure answers InUseSubnetCannotBeDeleted: the VNET changes before pools are deleted",
            instead: "remove the pools in one `up`, and the subnet in the next one",
          }
        : {
            what: `Subnets for pools: ${usedText(added, "is added", removed, "is removed")}`,
            why: "the other subnets and what is in them stay as they are",
          };
    },
  },
  {
    id: "vnet-grows",
    source:
      "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network#add-or-remove-an-address-range",
    per: "stack",
    match: network(addressSpace),
    what: (matched) => `The VNET grows: ${changeText(matched, addressSpace)}`,
    why: "the old range is part of the new one; peered networks must be synced",
  },
];
