import { impactsBetween } from "./between";
import { base, ownBastion } from "./plans";

/** What changes of an Azure Bastion do: Azure deletes and changes its subnet only after the Bastion. */

const own = ownBastion;
const none = { ...own, kind: "none" };

async function bastionImpacts(from: object | undefined, to: object | undefined): Promise<string[]> {
  const having = (bastion: object | undefined) => ({
    ...base,
    network: bastion === undefined ? {} : { bastion },
  });
  return (await impactsBetween(having(from), having(to)))
    .filter(({ rule }) => !["access", "bastion-users"].includes(rule))
    .map(({ severity, what, nodes }) => `${severity}: ${what}${nodes > 0 ? ` (${nodes} nodes)` : ""}`);
}

it.each<[string, object | undefined, object | undefined, string[]]>([
  [
    "is added, and no machine changes",
    undefined,
    own,
    [
      "changes: The subnet AzureBastionSubnet is added",
      "changes: Azure Bastion blue-bastion is added: ssh and RDP go through it",
    ],
  ],
  [
    "gets zones",
    own,
    { ...own, zones: ["1", "2"] },
    ["replaces: Azure Bastion blue-bastion is deleted and created again"],
  ],
  ["has its zones in another order", { ...own, zones: ["1", "2"] }, { ...own, zones: ["2", "1"] }, []],
  ["goes, and its subnet stays for an `up`", own, none, ["replaces: Azure Bastion blue-bastion is deleted"]],
  ["is gone, and its subnet goes", none, undefined, ["changes: The subnet AzureBastionSubnet is removed"]],
  [
    "is gone, and its subnet moves",
    none,
    { ...own, range: "10.10.2.0/26" },
    [
      "changes: The subnet AzureBastionSubnet changes its range: 10.10.1.0/26 → 10.10.2.0/26",
      "changes: Azure Bastion blue-bastion is added: ssh and RDP go through it",
    ],
  ],
  [
    "is to move at once",
    own,
    { ...own, range: "10.10.2.0/26" },
    [
      "refused: The subnet AzureBastionSubnet cannot change its range (10.10.1.0/26 → 10.10.2.0/26) while a Bastion is in it",
    ],
  ],
  [
    "is to be that of others at once",
    own,
    {
      kind: "existing",
      bastionId: "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion",
    },
    [
      "refused: The subnet AzureBastionSubnet cannot be removed while a Bastion is in it",
      "replaces: Azure Bastion blue-bastion is deleted",
    ],
  ],
])("a Bastion %s", async (_, from, to, expected) => {
  expect(await bastionImpacts(from, to)).toEqual(expected);
});
