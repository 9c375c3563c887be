import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allows } from "../../commands/preflight/checks/permissions";
import type { RightModel } from "../../plan/model/cluster/types";
import { rightsFiles } from "../../plan/render/rights";
import { reasons, scopeKind } from "capz-windows-platform/azure/rights";
import {
  assignmentCondition,
  builtInRoles,
  roleNames,
  roleOf,
  type BuiltInRole,
} from "capz-windows-platform/azure/roles";
import { permissions } from "../support/roleDefinitions";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, planOf } from "../support/plans";
import { inCi } from "capz-windows-test-kit/sample";
import { existingManagement, minimal, projectDir } from "../support/stacks";

const roleNamed = (name: string): BuiltInRole | undefined =>
  (Object.keys(roleNames) as BuiltInRole[]).find((role) => roleNames[role] === name);

/** The right of a plan is the reason that the table has for it. */
const reasonsOf = ({ role, scope, why, definitionId }: RightModel) =>
  why
    .split("; ")
    .map((part) =>
      reasons.find(
        (one) =>
          (definitionId !== undefined || one.role === roleNamed(role)) &&
          one.scope === scopeKind(scope) &&
          one.why === part,
      ),
    );

const rightsOf = async (stack: string): Promise<RightModel[]> =>
  (await planOf(stack)).cluster.rights.identities.filter(({ scope }) => scope !== "");

describe("the rights of identities", () => {
  it.each(exampleStacks)("of %s all have a reason", async (stack) => {
    const rights = await rightsOf(stack);
    expect(rights.length).toBeGreaterThan(3);
    expect(rights.filter((right) => reasonsOf(right).includes(undefined))).toEqual([]);
  });

  inCi("have no reason without an assignment", async () => {
    const rights = (await Promise.all([...exampleStacks, "private-management"].map(rightsOf))).flat();
    expect(new Set(rights.flatMap(reasonsOf))).toEqual(new Set(reasons));
  });

  it.each(reasons)("$role of the $principal at $scope allows what it is for", ({ role, actions }) => {
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !allows([permissions[role]], action))).toEqual([]);
  });

  it.each(reasons)("$role of the $principal at $scope is the only one for some of that", (reason) => {
    const others = reasons.filter(
      (other) => other !== reason && other.principal === reason.principal && other.scope === reason.scope,
    );
    const rest = others.map(({ role }) => permissions[role]);
    expect(reason.actions.filter((action) => !allows(rest, action))).not.toEqual([]);
  });

  it("of an identity that exists are those of the controllers, but Reader, which is assigned by hand", async () => {
    const principalId = "11111111-2222-4333-8444-555555555555";
    const plan = await updateInline({
      ...minimal(),
      ...existingManagement,
      clusterApi: { identity: { clientId: principalId, principalId } },
    });
    const { identities } = plan.cluster.rights;
    expect(
      identities.filter(({ who }) => who.includes("clusterApi.identity")).map(({ role }) => role),
    ).toEqual(["Contributor"]);
  });
});

describe("rights on resources of others", () => {
  it("are actions in the table of a plan, where they are few, and otherwise the file of a smaller role", async () => {
    const { cluster } = await planOf("spoke");
    const files = new Map(rightsFiles(cluster));
    const rows = (files.get("rights.md") ?? "").split("\n").filter((line) => line.startsWith("| spoke-"));
    const join =
      "`Microsoft.Network/virtualNetworks/subnets/read`, `Microsoft.Network/virtualNetworks/subnets/join/action`";
    expect(
      rows.filter((row) => row.includes("/subnets/") && row.includes("| Network Contributor |")),
    ).not.toEqual([]);
    for (const row of rows.filter((one) => /\| `[^`]*\/subnets\/[^`/]*` \|/.test(one))) {
      expect(row).toContain(`| ${join} |`);
    }
    const named = rows.flatMap((row) => /\| `([\w-]+\.json)` \|/.exec(row)?.[1] ?? []);
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !files.has(name))).toEqual([]);
  });

  it("are in docs/rights.md, action by action", () => {
    const page = readFileSync(join(projectDir, "docs/rights.md"), "utf8");
    const ofOthers = reasons.filter(({ scope }) =>
      /^(subnets|networkSecurityGroups|publicIPAddresses)$/.test(scope),
    );
    expect(ofOthers.length).toBeGreaterThan(3);
    const missing = ofOthers.flatMap(({ actions }) => {
      const [, type = ""] = /^(.*?)\/\w+(?:\/action)?$/.exec(actions[0] ?? "") ?? [];
      const verbs = actions.map((action) => action.slice(type.length));
      const text = `\`${type}${verbs[0] ?? ""}\` and \`${verbs[1] ?? ""}\``;
      return verbs.length === 2 && page.includes(text) ? [] : [text];
    });
    expect(missing).toEqual([]);
  });
});

describe("the condition for whoever assigns roles", () => {
  it("names the IDs of all roles, for writing and for deleting, and identities only", () => {
    const ids =
      "b24988ac-6180-42a0-ab88-20f7382dd24c, acdd72a7-3385-48ef-bd42-f606fba81ae7, 4d97b98b-1d4f-4787-a291-c67834d212e7, 9980e02c-c2be-4d73-94e8-173b1dc7cf3c, 17d1049b-9a84-46fb-8f53-869881c3d3ab, b12aa53e-6015-4669-85d0-8515ebb3ae7f, 7f951dda-4ed3-4680-a7ca-43fe172d538d, 12338af0-0e69-4776-bea7-57ae8d297424";
    expect(assignmentCondition()).toBe(
      `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})) OR (@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${ids}} AND @Request[Microsoft.Authorization/roleAssignments:PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'})) AND ((!(ActionMatches{'Microsoft.Authorization/roleAssignments/delete'})) OR (@Resource[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${ids}} AND @Resource[Microsoft.Authorization/roleAssignments:PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'}))`,
    );
  });

  it("never includes a role that assigns roles", () => {
    for (const role of Object.keys(builtInRoles) as BuiltInRole[]) {
      expect(allows([permissions[role]], "Microsoft.Authorization/roleAssignments/write")).toBe(false);
    }
    expect(roleOf("/x/8e3af657-a8ff-443c-a75c-2fe8c4bcb635")).toBeUndefined();
  });
});
