import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rightsFiles } from "../../plan/render/rights";
import { isDataAction, linkServiceActions, reasons } from "capz-windows-platform/azure/rights";
import { filesBelow, readText } from "../architecture/sources";
import { allExamples, furtherStacks, planOf } from "../support/plans";
import { azureTypes } from "./azureTypes";

const page = (name: string): string =>
  `https://learn.microsoft.com/azure/role-based-access-control/permissions/${name}`;

/** Actions that no built-in role names, by the page on which Microsoft documents them. */
const documented: Readonly<Record<string, readonly string[]>> = {
  [page("compute")]: [
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/delete",
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read",
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/ipConfigurations/publicIPAddresses/read",
  ],
  [page("containers")]: ["Microsoft.ContainerService/managedClusters/delete"],
  [page("networking")]: [
    "Microsoft.Network/bastionHosts/delete",
    "Microsoft.Network/bastionHosts/read",
    "Microsoft.Network/bastionHosts/write",
    "Microsoft.Network/loadBalancers/backendAddressPools/delete",
    "Microsoft.Network/loadBalancers/inboundNatRules/delete",
    "Microsoft.Network/loadBalancers/inboundNatRules/write",
    "Microsoft.Network/natGateways/delete",
    "Microsoft.Network/natGateways/write",
    "Microsoft.Network/privateDnsZones/A/read",
    "Microsoft.Network/privateDnsZones/delete",
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks/delete",
    "Microsoft.Network/privateEndpoints/delete",
    "Microsoft.Network/publicIPPrefixes/write",
  ],
  [page("management-and-governance")]: ["Microsoft.Resources/tags/delete"],
  [page("storage")]: [
    "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/delete",
    "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read",
    "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write",
  ],
};

const action = /Microsoft\.\w+\/[\w/]*\b(?:read|write|delete|action)\b/gi;
const actionsIn = (text: string): string[] => [...text.matchAll(action)].map(([found]) => found);

/** Every action of a right, or in a text that is printed, a message or a document. */
async function actionsOfProject(): Promise<Set<string>> {
  const files = ["commands", "components", "docs", "packages", "plan"].flatMap(filesBelow);
  const found = files
    .filter((path) => /\.(ts|md|yaml)$/.test(path) && !/^packages\/[^/]+\/test\//.test(path))
    .flatMap((path) => actionsIn(readText(path)));
  for (const stack of [...allExamples, ...furtherStacks]) {
    const { cluster } = await planOf(stack);
    found.push(...rightsFiles(cluster).flatMap(([, text]) => actionsIn(text)));
  }
  return new Set([...reasons.flatMap(({ actions }) => actions), ...linkServiceActions, ...found]);
}

describe("actions of Azure's roles", () => {
  if (azureTypes === undefined) {
    it.skip("skipped: comparison with Azure's built-in roles, which needs CAPZ_WINDOWS_AZURE_TYPES", () =>
      undefined);
    return;
  }
  const named = new Set(readFileSync(join(azureTypes, "role-actions.txt"), "utf8").toLowerCase().split("\n"));
  const isNamed = (one: string): boolean =>
    named.has(one.toLowerCase()) || named.has(`data:${one.toLowerCase()}`);
  const sourced = Object.values(documented).flat();

  it("are in a built-in role, or have their page in the table", async () => {
    const all = await actionsOfProject();
    expect(all.size).toBeGreaterThan(100);
    expect([...all].filter((one) => !isNamed(one) && !sourced.includes(one))).toEqual([]);
    // Nothing stays in the table that is no longer used, or that a role has got.
    expect(sourced.filter((one) => isNamed(one) || !all.has(one))).toEqual([]);
  });

  it("are data actions where a built-in role has them as such, and only there", () => {
    const actions = reasons.flatMap((one) => one.actions);
    expect(actions.filter((one) => isDataAction(one) !== named.has(`data:${one.toLowerCase()}`))).toEqual([]);
  });
});
