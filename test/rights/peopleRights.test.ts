import { allows } from "../../commands/preflight/checks/permissions";
import type { RightModel } from "../../plan/model/cluster/types";
import { rightsFiles } from "../../plan/render/rights";
import { actsOf, isAtOrBelow, operationsOf, type Act } from "capz-windows-platform/azure/operations";
import type { Plan } from "../../plan/model/plan";
import { assignmentCondition } from "capz-windows-platform/azure/roles";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, planOf, furtherStacks } from "../support/plans";
import { permissionsOfPeople } from "../support/roleDefinitions";
import { existingManagement, minimal } from "../support/stacks";

const definitions: Readonly<Record<string, { actions: string[]; notActions?: string[] }>> =
  permissionsOfPeople;

/** Rights on scopes that have an ARM ID; the scopes of others are words. */
const rightsFor = (command: string, { cluster }: Plan): RightModel[] =>
  cluster.rights.people.filter(({ who, scope }) => who.includes(command) && scope.startsWith("/"));

/** What no right allows at its scope or below, by the roles or by the actions that the table names. */
const refused = (
  acts: readonly Act[],
  rights: readonly RightModel[],
  allowing: (right: RightModel) => { actions: readonly string[] },
): Act[] =>
  acts.filter(
    (act) =>
      !rights.some((right) => isAtOrBelow(act.scope, right.scope) && allows([allowing(right)], act.action)),
  );

const byRole = ({ role }: RightModel) => definitions[role] ?? { actions: [] };

const stacks = [...exampleStacks, ...furtherStacks];

describe.each(stacks)("what the commands do in Azure with %s", (stack) => {
  it("is what the roles of the table allow, and no less than what they are for", async () => {
    const plan = await planOf(stack);
    const acts = operationsOf(plan.resources);
    const up = rightsFor("pulumi up", plan);
    expect(acts.filter(({ scope }) => scope.includes("Simulated"))).toEqual([]);
    expect(refused(acts, up, byRole)).toEqual([]);
    expect(refused(acts, up, ({ actions }) => ({ actions }))).toEqual([]);
    const needless = up.flatMap(({ role, scope, why, actions }) =>
      actions
        .filter((action) => !acts.some((act) => act.action === action && isAtOrBelow(act.scope, scope)))
        .concat(actions.length === 0 || why === "" ? "the whole role" : [])
        .map((action) => `${role} on ${scope}: ${action}`),
    );
    expect(needless).toEqual([]);
  });

  it("is only reading in a preview, also with a refresh", async () => {
    const plan = await planOf(stack);
    const reads = plan.resources.flatMap(({ type, id: path = "" }) =>
      type.startsWith("azure-native:") ? actsOf({ method: "GET", path }) : [],
    );
    expect(reads.length).toBeGreaterThan(1);
    expect(refused(reads, rightsFor("pulumi preview", plan), byRole)).toEqual([]);
    const asked = plan.update.invokes
      .map(({ token }) => token)
      .filter((token) => token.startsWith("azure-") && !token.startsWith("azure-native:network:get"));
    const list = "azure-native:containerservice:listManagedClusterUserCredentials";
    const credentials = plan.cluster.rights.people.filter(({ role }) => role.includes("Cluster User Role"));
    expect(credentials.map(({ actions }) => actions)).toEqual(
      asked.map(() => ["Microsoft.ContainerService/managedClusters/listClusterUserCredential/action"]),
    );
    expect(asked.filter((token) => token !== list)).toEqual([]);
  });
});

it("roles on data allow what they are for", async () => {
  const { people } = (await planOf("dev")).cluster.rights;
  const onData = people.filter(({ who, scope }) => who.includes("up,") && !scope.startsWith("/"));
  expect(onData.map((right) => right.actions.length)).toEqual([3, 2]);
  for (const right of onData) {
    expect(right.actions.filter((action) => !allows([byRole(right)], action))).toEqual([]);
  }
});

describe("what Azure asks of whoever makes", () => {
  const network = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network";
  const vnet = `${network}/virtualNetworks/v`;
  const asked = (path: string, ...ids: string[]): string[] =>
    actsOf({ method: "PUT", path, body: { parts: ids.map((id) => ({ id })) } }).map(({ action }) =>
      action.replace("Microsoft.Network/", ""),
    );

  it.each([
    [
      "a VNET, at what its subnets have",
      asked(
        vnet,
        `${network}/natGateways/n`,
        `${network}/networkSecurityGroups/n`,
        `${network}/routeTables/r`,
      ),
      ["natGateways/join/action", "networkSecurityGroups/join/action", "routeTables/join/action"],
    ],
    [
      "a NAT gateway, at its addresses",
      asked(`${network}/natGateways/n`, `${network}/publicIPAddresses/a`, `${network}/publicIPPrefixes/p`),
      ["publicIPAddresses/join/action", "publicIPPrefixes/join/action"],
    ],
    [
      "a peering, at the other VNET",
      asked(`${vnet}/virtualNetworkPeerings/p`, `${network}/virtualNetworks/hub`),
      ["virtualNetworks/peer/action"],
    ],
    [
      "a link of a zone, at the VNET",
      asked(`${network}/privateDnsZones/z/virtualNetworkLinks/l`, vnet),
      ["virtualNetworks/read", "virtualNetworks/join/action"],
    ],
    [
      "AKS, at its subnet",
      asked(
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/m",
        `${vnet}/subnets/nodes`,
      ),
      ["virtualNetworks/subnets/join/action"],
    ],
    [
      "a role assignment, at nothing but its scope",
      asked(`${vnet}/subnets/s/providers/Microsoft.Authorization/roleAssignments/r`, `${vnet}/subnets/s`),
      [],
    ],
  ])("%s", (_, [, ...linked], expected) => {
    expect(linked).toEqual(expected);
  });
});

describe("the rights of whoever runs the commands", () => {
  it("are Contributor, roles for roles with a condition, and reading for a preview", async () => {
    const { people, condition } = (await planOf("dev")).cluster.rights;
    const subscription = "/subscriptions/00000000-0000-0000-0000-000000000000";
    expect(people.map(({ who, role, scope }) => [who, role, scope])).toEqual([
      ["pulumi up", "Contributor", subscription],
      [
        "pulumi up",
        "Role Based Access Control Administrator, with the condition of condition.txt",
        subscription,
      ],
      ["pulumi preview", "Reader", subscription],
      ["pulumi preview", "Azure Kubernetes Service Cluster User Role", "AKS cluster dev-management"],
      [
        "pulumi up, pulumi preview",
        "Storage Blob Data Contributor",
        "the container of the state, with a backend azblob://…",
      ],
      [
        "pulumi up, pulumi preview",
        "Key Vault Crypto User",
        "the key of the state's secrets, with secretsprovider: azurekeyvault://…",
      ],
    ]);
    expect(condition).toBe(assignmentCondition());
  });

  it("of a stack that makes only a management cluster, are on its subscription, under the name of that cluster", async () => {
    const { cluster } = await planOf("management");
    const text = new Map(rightsFiles(cluster)).get("rights.md") ?? "";
    expect(text.split("\n")[0]).toBe("# Rights of platform-management in Azure");
    expect(text).toContain(
      "| pulumi up | Contributor | `/subscriptions/00000000-0000-0000-0000-000000000000` |",
    );
    expect(text).not.toContain("`/subscriptions/`");
  });

  it("are rights for roles at each scope outside of the subscription's", async () => {
    const { people } = (
      await updateInline({
        ...minimal(),
        azureContainerRegistries: [
          "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.ContainerRegistry/registries/shared",
        ],
      })
    ).cluster.rights;
    expect(people.filter(({ role }) => role.startsWith("Role Based")).map(({ scope }) => scope)).toEqual([
      expect.stringMatching(/^\/subscriptions\/[-\d]+$/),
      expect.stringMatching(/registries\/shared$/),
    ]);
  });
});

describe("rights on resources of others", () => {
  const hub =
    "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";

  it("are joining VNETs to which the private zone is linked, and not the stack's own", async () => {
    const { people } = (
      await updateInline({
        ...{ ...minimal(), ...existingManagement },
        network: { apiServer: { private: true, linkedVnetIds: [hub] } },
      })
    ).cluster.rights;
    expect(people.filter(({ role }) => role === "Network Contributor")).toEqual([
      {
        who: "pulumi up",
        role: "Network Contributor",
        scope: hub,
        why: "links the private zone of the API server to it",
        key: "up",
        ofOthers: true,
        actions: ["Microsoft.Network/virtualNetworks/join/action", "Microsoft.Network/virtualNetworks/read"],
      },
    ]);
  });

  it("are in the same custom role, for a hub and a zone", async () => {
    const { cluster } = await planOf("hub-spoke");
    const text = new Map(rightsFiles(cluster)).get("up.json") ?? "{}";
    const of = (type: string, ...verbs: string[]): string[] =>
      verbs.map((verb) => `Microsoft.Network/${type}/${verb}`);
    const definition = JSON.parse(text) as { Actions: string[]; AssignableScopes: string[] };
    expect(definition.Actions).toEqual(
      expect.arrayContaining([
        ...of("privateDnsZones/A", "delete", "read", "write"),
        ...of("privateDnsZones/virtualNetworkLinks", "delete", "read", "write"),
        ...of("virtualNetworks", "join/action", "peer/action", "read"),
        ...of("virtualNetworks/virtualNetworkPeerings", "delete", "read", "write"),
      ]),
    );
    expect(definition.AssignableScopes).toEqual([
      "/subscriptions/00000000-0000-0000-0000-000000000000",
      "/subscriptions/00000000-0000-0000-0000-000000000001",
    ]);
    const hub =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";
    expect(
      cluster.rights.people
        .filter(({ scope }) => scope === hub)
        .map(({ who, role, why }) => [who, role, why]),
    ).toEqual([
      [
        ...["pulumi up", "Network Contributor"],
        "makes both sides of the peering; links the private zone of the API server to it",
      ],
      ["pulumi preview", "Reader", "a refresh, and npm run preflight, read it"],
    ]);
  });
});
