import { bash, type ShellValue, verbatim } from "capz-windows-kit/shell";
import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { diskEncryptionSet } from "capz-windows-platform/azure/diskEncryptionSets";
import { assignsRoles } from "capz-windows-platform/azure/roles";
import { keyVaultKey } from "capz-windows-platform/encryption/keyVault";
import { joinAction } from "capz-windows-platform/company-network/outbound";
import { peeringActions } from "capz-windows-platform/company-network/peerings";
import { lastPart, resourceParts } from "capz-windows-platform/azure/resourceParts";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { ForeignNeed, Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { missingRow, regionOf } from "./found";
import { allows, type RightsScope } from "./permissions";
import { stackLine } from "./stackLine";

/**
 * What this login may do in the scopes where `up` creates resources, and which existing resources CAPZ's controllers
 * may use.
 */

const makesGroups = "Microsoft.Resources/subscriptions/resourceGroups/write";

const ownNetwork = ({ outbound, makesBastion }: Needs): string[] => [
  "Microsoft.Network/virtualNetworks/write",
  ...((outbound?.type ?? "nat") === "nat"
    ? [
        "Microsoft.Network/natGateways/write",
        outbound?.prefixLength === undefined
          ? "Microsoft.Network/publicIPAddresses/write"
          : "Microsoft.Network/publicIPPrefixes/write",
      ]
    : []),
  "Microsoft.Network/networkSecurityGroups/write",
  ...(makesBastion
    ? ["Microsoft.Network/bastionHosts/write", "Microsoft.Network/publicIPAddresses/write"]
    : []),
  ...(outbound?.routeTableId === undefined ? ["Microsoft.Network/routeTables/write"] : []),
];

const inGroup = (needs: Needs): string[] =>
  present(
    makesGroups,
    Object.keys(needs.peerings).length > 0 &&
      "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write",
    ...(needs.existing === undefined ? ownNetwork(needs) : []),
    "Microsoft.ManagedIdentity/userAssignedIdentities/write",
    "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write",
    assignsRoles,
  );

const inAksGroup = ({ aksNetwork }: Needs): string[] =>
  present(
    makesGroups,
    "Microsoft.ContainerService/managedClusters/write",
    // With Microsoft Entra, too: the kubeconfig of users, which `up` takes, then has no certificate.
    "Microsoft.ContainerService/managedClusters/listClusterUserCredential/action",
    ["loadBalancer", "nat"].includes(aksNetwork?.outbound ?? "loadBalancer") &&
      "Microsoft.Network/publicIPAddresses/write",
    aksNetwork !== undefined &&
      aksNetwork.subnetId === undefined &&
      "Microsoft.Network/virtualNetworks/write",
    aksNetwork?.outbound === "nat" && "Microsoft.Network/natGateways/write",
    "Microsoft.ManagedIdentity/userAssignedIdentities/write",
    assignsRoles,
  );

/**
 * The scopes in which this login must be allowed to do something. A resource group that exists may have its own role
 * assignments; for one that does not exist yet, those of the subscription count.
 */
async function scopesOf(arm: Arm, needs: Needs): Promise<RightsScope[]> {
  const id = `/subscriptions/${needs.subscriptionId}`;
  const whole = { id, called: "the subscription" };
  const groups = await Promise.all(
    [
      ...(needs.workload ? [{ name: needs.resourceGroup, actions: inGroup(needs) }] : []),
      ...(needs.makesAks ? [{ name: needs.aksGroup, actions: inAksGroup(needs) }] : []),
    ].map(async ({ name, actions }): Promise<RightsScope> => {
      const group = await orMissing(arm.get(`${id}/resourceGroups/${name}`, "2021-04-01"));
      return group === undefined
        ? { ...whole, actions }
        : { id: `${id}/resourceGroups/${name}`, called: `the resource group ${name}`, actions };
    }),
  );
  const assigned = (id: string, called: string): RightsScope => ({ id, called, actions: [assignsRoles] });
  return [
    ...groups,
    ...needs.registries.map((id) => assigned(id, `the registry ${registryName(id)}`)),
    ...needs.diskSets.map((id) => assigned(id, `the disk encryption set ${diskEncryptionSet(id).set}`)),
    ...[...new Set(needs.keyVaultKeys.map((id) => keyVaultKey(id).keyId))].map((id) =>
      assigned(id, `the key ${keyVaultKey(id).key}`),
    ),
    ...(needs.existing?.scopes ?? []).map(({ id, called }) => assigned(id, called)),
    ...(needs.aksNetwork?.scopes ?? []),
    ...[needs.outbound?.natGatewayId ?? needs.outbound?.routeTableId]
      .filter((id) => id !== undefined)
      .map((id): RightsScope => ({
        id,
        called: `the ${joinAction(id).includes("nat") ? "NAT gateway" : "route table"} ${lastPart(id)}`,
        actions: [joinAction(id)],
      })),
    ...Object.values(needs.peerings).map((peering): RightsScope => ({
      id: peering.vnetId,
      called: `the VNET ${resourceParts(peering.vnetId).name}`,
      actions: peeringActions(peering),
    })),
    // A new identity of CAPZ gets the role Reader on the subscription.
    ...(needs.controllers.made === undefined ? [] : [assigned(whole.id, whole.called)]),
  ];
}

/** https://learn.microsoft.com/rest/api/authorization/permissions */
export async function roles(arm: Arm, needs: Needs): Promise<Row[]> {
  const { error, unknown, ok } = rowsOf("roles");
  const scopes = await scopesOf(arm, needs);
  const different = [...new Set(scopes.map(({ id }) => id))];
  const rows = await Promise.all(
    different.map(async (id) => {
      const found = await orMissing(
        arm.list(`${id}/providers/Microsoft.Authorization/permissions`, "2022-04-01"),
      );
      const here = scopes.filter((scope) => scope.id === id);
      const called = here[0]?.called ?? id;
      if (found === undefined) {
        return [unknown(`what this login may do on ${called} is not known: Azure does not find it`)];
      }
      const permissions = list(found);
      const wanted = [...new Set(here.flatMap(({ actions }) => actions))];
      const missing = wanted.filter((action) => !allows(permissions, action));
      const others = missing.filter((action) => action !== assignsRoles);
      return present(
        missing.length > 0 &&
          error(
            `this login lacks ${missing.join(", ")} on ${called}`,
            ...(others.length > 0
              ? [bash`az role assignment create --role Contributor --assignee YOU --scope ${id}`]
              : []),
            ...(others.length < missing.length
              ? [
                  bash`az role assignment create --role "Role Based Access Control Administrator" --assignee YOU --scope ${id}`,
                ]
              : []),
          ),
      );
    }),
  );
  return orOk(
    rows.flat(),
    ok(
      "this login may do everything that `pulumi up` does",
      "Not asked: deny assignments, conditions of role assignments, and roles that must be activated first.",
    ),
  );
}

/** The principal of the controllers' identity; `undefined` until that has been created. */
async function principalOf(
  arm: Arm,
  { controllers: { principalId, made } }: Needs,
): Promise<string | undefined> {
  return (
    principalId ??
    (made === undefined
      ? undefined
      : textAt(await orMissing(arm.get(made, "2023-01-31")), "properties", "principalId") || undefined)
  );
}

/**
 * Whether a role that is assigned at a scope or above it allows the action.
 * https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-scope
 */
async function hasAction(arm: Arm, { id, action }: ForeignNeed, principal: string): Promise<boolean> {
  const assignments = await arm.list(
    `${id}/providers/Microsoft.Authorization/roleAssignments`,
    "2022-04-01",
    {
      $filter: `assignedTo('${principal}')`,
    },
  );
  const definitions = await Promise.all(
    assignments.map((assignment) =>
      orMissing(arm.get(textAt(assignment, "properties", "roleDefinitionId"), "2022-04-01")),
    ),
  );
  return definitions.some((definition) => allows(list(at(definition, "properties", "permissions")), action));
}

async function foreignRows(
  arm: Arm,
  need: ForeignNeed,
  principal: string | undefined,
  { location, subscriptionId, controllers }: Needs,
): Promise<Row[]> {
  const { path, key, what, id, apiVersion, regional, role } = need;
  const check = `${what} of ${path}`;
  const { error, warning } = rowsOf(check);
  const found = await orMissing(arm.get(id, apiVersion));
  const name = lastPart(id);
  if (found === undefined) {
    return [missingRow(check, id, stackLine(path, `${key}: ID`))];
  }
  const region = regionOf(found);
  if (regional && region !== location) {
    return [
      error(
        `${name} is in ${region}, but the machines will be in ${location}`,
        stackLine(path, `${key}: ID`),
      ),
    ];
  }
  // The same `up` makes the controllers' new identity Reader of the subscription.
  if (
    role === "Reader" &&
    controllers.made !== undefined &&
    id.startsWith(`/subscriptions/${subscriptionId}/`)
  ) {
    return [];
  }
  const assign = (who: ShellValue): string =>
    bash`az role assignment create --role "${role}" --assignee-object-id ${who} --assignee-principal-type ServicePrincipal --scope ${id}`;
  if (principal === undefined) {
    return [
      warning(
        controllers.made === undefined
          ? `whether CAPZ's identity has the role ${role} on ${name} cannot be checked without clusterApi.identity.principalId`
          : `CAPZ's identity does not exist yet: assign the role ${role} on ${name} to it as soon as it does; \`up\` waits for that`,
        assign(
          controllers.made === undefined
            ? "PRINCIPAL-ID"
            : verbatim(bash`$(az identity show --ids ${controllers.made} --query principalId -o tsv)`),
        ),
      ),
    ];
  }
  return (await hasAction(arm, need, principal))
    ? []
    : [error(`CAPZ's identity does not have the role ${role} on ${name}`, assign(principal))];
}

/** https://learn.microsoft.com/rest/api/containerregistry/registries/get */
export async function registries(arm: Arm, needs: Needs): Promise<Row[]> {
  const found = await Promise.all(needs.registries.map((id) => orMissing(arm.get(id, "2023-07-01"))));
  const missing = needs.registries.filter((_, index) => found[index] === undefined);
  return missing.map((id) =>
    rowsOf("container registries").error(
      `${registryName(id)} does not exist, or this login may not read it`,
      "capz-windows:azureContainerRegistries: [ID]",
      bash`az acr show --name ${registryName(id)} --query id`,
    ),
  );
}

/** Disk encryption sets, identities and galleries that the stack file refers to. */
export async function foreign(arm: Arm, needs: Needs): Promise<Row[]> {
  if (needs.foreign.length === 0) {
    return [];
  }
  const principal = await principalOf(arm, needs);
  const rows = await Promise.all(needs.foreign.map((need) => foreignRows(arm, need, principal, needs)));
  const { ok } = rowsOf("resources of others");
  return orOk(rows.flat(), ok(`${needs.foreign.length} exist, and CAPZ's identity may use them`));
}
