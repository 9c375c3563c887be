import { allows } from "../../commands/preflight/checks/permissions";
import type { RightModel } from "../../plan/model/cluster/types";
import { rightsFiles } from "../../plan/render/rights";
import { scopeKind } from "capz-windows-platform/azure/rights";
import { builtInRoles } from "capz-windows-platform/azure/roles";
import { updateInline } from "../support/inlinePlans";
import { planOf } from "../support/plans";
import { minimal } from "../support/stacks";

const rightsOf = async (stack: string): Promise<RightModel[]> =>
  (await planOf(stack)).cluster.rights.identities.filter(({ scope }) => scope !== "");

describe("custom roles", () => {
  const guid = (end: number): string => `00000000-0000-0000-0000-0000000000${end}`;
  const byWho = (rights: readonly RightModel[], who: string): (readonly [string, string])[] =>
    rights.filter((one) => one.who === who).map(({ role, scope }) => [role, scopeKind(scope)]);

  it("take the place of the built-in ones, one for each identity and scope, and the rest stays", async () => {
    const rights = await rightsOf("everything");
    expect(byWho(rights, "everything-capz")).toEqual([
      ["Reader", "subscriptions"],
      [`custom role ${guid(11)}`, "resourceGroups"],
    ]);
    expect(byWho(rights, "everything-control-plane")).toEqual([
      [`custom role ${guid(12)}`, "resourceGroups"],
      ["Reader", "diskEncryptionSets"],
      [`custom role ${guid(12)}`, "keys"],
    ]);
    expect(rights.filter(({ definitionId }) => definitionId !== undefined)).toHaveLength(3);
    const network = await rightsOf("dev");
    expect(network.filter(({ definitionId }) => definitionId !== undefined)).toEqual([]);
  });

  it("have the same file before the stack file names them and after", async () => {
    const files = async (roles: object): Promise<string | undefined> => {
      const { azure, ...more } = minimal();
      const { cluster } = await updateInline({
        ...{ ...more, azure: { ...(azure as object), ...roles } },
        addons: { azureFile: { enabled: true } },
      });
      return new Map(rightsFiles(cluster)).get("controlPlane.json");
    };
    const before = await files({});
    const definition = JSON.parse(before ?? "") as { Actions: string[]; AssignableScopes: string[] };
    expect(definition.Actions).toContain("Microsoft.Storage/storageAccounts/fileServices/shares/write");
    expect(
      allows([{ actions: definition.Actions }], "Microsoft.Compute/virtualMachines/runCommand/action"),
    ).toBe(false);
    expect(definition.AssignableScopes).toEqual([expect.stringMatching(/^\/subscriptions\/[^/]+$/)]);
    expect(
      await files({
        roles: {
          controlPlane: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid(12)}`,
        },
      }),
    ).toBe(before);
  });

  it("are in the condition, which no longer lets anyone assign what they stand for, only take it away", async () => {
    const { condition } = (await planOf("everything")).cluster.rights;
    const [write = "", remove = ""] = condition.split(") AND ((");
    for (const { part, has } of [
      { part: write, has: false },
      { part: remove, has: true },
    ]) {
      expect(part).toContain(`, ${guid(11)}, ${guid(12)}}`);
      for (const role of ["contributor", "virtualMachineContributor", "keyVaultCryptoUser"] as const) {
        expect(part.includes(builtInRoles[role])).toBe(has);
      }
      expect(part).toContain(builtInRoles.reader);
    }
  });

  it("have other assignments when they change, so that the new one is there before the old one goes", async () => {
    const named = async (end: number): Promise<string[]> => {
      const { resources } = await updateInline({
        ...minimal(),
        azure: {
          ...(minimal().azure as object),
          roles: {
            controllers: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid(end)}`,
          },
        },
      });
      const [found] = resources.filter(({ inputs: { roleDefinitionId } }) =>
        String(roleDefinitionId).endsWith(guid(end)),
      );
      return [
        String(found?.name),
        String(found?.inputs.roleAssignmentName),
        String(found?.inputs.roleDefinitionId),
      ];
    };
    const [one, other] = [await named(11), await named(12)];
    expect(one.filter((text) => other.includes(text))).toEqual([]);
    expect(one[2]).toBe(
      `/subscriptions/${(minimal().azure as { subscriptionId: string }).subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${guid(11)}`,
    );
  });
});
