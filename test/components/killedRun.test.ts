import { adviceAfterKill } from "../../components/killedRun";

describe("an error that a killed run has left", () => {
  const inDev = "/subscriptions/1/resourceGroups/dev";
  const vnet = `${inDev}/providers/Microsoft.Network/virtualNetworks/dev`;

  it.each([
    [
      inDev,
      `[ "$(az resource list --subscription '1' --resource-group 'dev' --query 'length(@)' --output tsv)" = 0 ] && az group delete --subscription '1' --name 'dev'`,
    ],
    [
      vnet,
      `[ "$(az network vnet show --ids '${vnet}' --query 'length(subnets[].ipConfigurations[])' --output tsv)" = 0 ] && az resource delete --ids '${vnet}'`,
    ],
  ])("of Azure about what may be alive deletes nothing before Azure was asked: %s", (id, command) => {
    expect(adviceAfterKill(`cannot create already existing resource '${id}'`, "dev")).toBe(
      [
        "This exists in Azure.",
        "If the stack has it already, a changed value would replace it, and all in it would be lost: restore that value, or run `npx pulumi destroy` first.",
        "If a run of this stack was killed while it made it, nothing is in it. This deletes it only then; run `npx pulumi up --stack dev` again:",
        `  ${command}`,
        "Otherwise it belongs to something else, and this stack needs another name for it.",
      ].join("\n"),
    );
  });

  it.each([
    `${inDev}/providers/Microsoft.ContainerService/managedClusters/dev`,
    `${inDev}/providers/Microsoft.Network/publicIPAddresses/dev`,
    `${inDev}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/dev`,
    "/subscriptions/1/providers/Microsoft.Authorization/roleAssignments/2",
  ])("of Azure about anything else asks who made it, and deletes nothing: %s", (id) => {
    const advice = adviceAfterKill(`cannot create already existing resource '${id}'`, "dev");
    expect(advice?.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      `  az monitor activity-log list --resource-id '${id}' --offset 30d --query '[].[eventTimestamp, caller, operationName.value]' --output table`,
    ]);
    expect(advice).not.toMatch(/az .*\bdelete\b/);
    expect(advice).toContain(
      "that run is the first: delete it in the Azure portal, and run `npx pulumi up --stack dev` again:",
    );
  });

  it("of the API server has the advice to take the object over", () => {
    expect(
      adviceAfterKill('resource dev was not successfully created: namespaces "dev" already exists', "dev"),
    ).toBe(
      [
        'namespaces "dev" already exists, and is not in the state. If a run of this stack was killed while it created this resource, take it over:',
        "  PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true npx pulumi up --stack dev",
        "Otherwise it belongs to something else: another stack, or this one under another name of its management cluster.",
      ].join("\n"),
    );
  });

  it("is not recognized in other errors", () => {
    for (const error of [
      'Code="QuotaExceeded" Message="Operation could not be completed"',
      'namespaces "dev" not found',
      'admission webhook "x" denied the request: the pool already exists',
    ]) {
      expect(adviceAfterKill(error, "dev")).toBeUndefined();
    }
  });
});
