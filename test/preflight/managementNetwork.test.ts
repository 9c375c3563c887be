import { aksIn } from "../config/managementNetworkCases";
import { subnetId } from "../support/rightManagement";
import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** A subnet of others for AKS, as Azure shows it. */

withAzure();

type Fields = Readonly<Record<string, unknown>>;

const vnetId = subnetId.split("/subnets/")[0] ?? "";
const usual: Fields = {
  addressPrefix: "10.50.0.0/24",
  natGateway: { id: "nat" },
  routeTable: { id: "routes" },
};

/** Azure with the subnet, unless it has no properties. */
const azureWith =
  (properties: Fields | undefined, location = "westeurope", actions = ["*"]): Change =>
  (_, { pathname }) => {
    if (pathname.startsWith(subnetId) && pathname.endsWith("/Microsoft.Authorization/permissions")) {
      return { body: { value: [{ actions, notActions: [] }] } };
    }
    return pathname === vnetId
      ? { body: { location, properties: {} } }
      : pathname === subnetId && properties !== undefined
        ? { body: { properties } }
        : undefined;
  };

const rows = async (change: Change, type = "firewall", apiServer: Fields = {}) =>
  (
    await rowsOf(
      change,
      aksIn({ subnetId, apiServer, outbound: { type, egressCidrs: ["198.51.100.20/32"] } }),
    )
  )
    .filter(({ check, state }) => check === "management network" || (check === "roles" && state !== "ok"))
    .map(({ state, check, found, remedy }) => [`${state} ${check}: ${found}`, ...remedy]);

const update = `az network vnet subnet update --ids ${subnetId}`;
const line = "capz-windows:management: {network: {subnetId: ID   # of a subnet in westeurope}}";

it.each(["firewall", "existingNat"])("a subnet with its way out (%s) is right", async (type) => {
  expect(await rows(azureWith(usual), type)).toEqual([["ok management network: aks has what AKS needs"]]);
});

it("a missing subnet is an error", async () => {
  expect(await rows(azureWith(undefined))).toEqual([
    ["error management network: aks is not in the VNET platform", line, `az resource show --ids ${subnetId}`],
  ]);
});

it("a subnet without a way out is an error", async () => {
  expect(await rows(azureWith({ ...usual, routeTable: undefined }))).toEqual([
    [
      "error management network: aks has no route table, and management.network.outbound says firewall: AKS refuses to start without a way out",
      `${update} --route-table ROUTE-TABLE-ID`,
    ],
  ]);
  expect(await rows(azureWith({ ...usual, natGateway: undefined }), "existingNat")).toEqual([
    [
      "error management network: aks has no NAT gateway, and management.network.outbound says existingNat: AKS refuses to start without a way out",
      `${update} --nat-gateway NAT-GATEWAY-ID`,
    ],
  ]);
});

it("a delegated subnet, one that is too small, and one elsewhere are errors", async () => {
  const delegations = [{ properties: { serviceName: "Microsoft.Web/serverFarms" } }];
  expect(await rows(azureWith({ ...usual, delegations }))).toEqual([
    [
      "error management network: aks is delegated to Microsoft.Web/serverFarms, so nodes of AKS cannot use it",
      `${update} --remove delegations`,
      line,
    ],
  ]);
  expect(await rows(azureWith({ ...usual, addressPrefix: "10.50.0.0/29" }))).toEqual([
    [
      "error management network: aks has 3 addresses, and the nodes of AKS need 7 during an upgrade (management.maxNodeCount)",
      line,
    ],
  ]);
  expect(await rows(azureWith(usual, "northeurope"))).toEqual([
    [
      "error management network: platform is in northeurope, and the stack is in westeurope: Azure attaches nodes only to VNETs of their own region",
      line,
    ],
  ]);
});

it("addresses that others have may be too many", async () => {
  const ipConfigurations = Array.from({ length: 6 }, (_, index) => ({ id: String(index) }));
  expect(await rows(azureWith({ ...usual, addressPrefix: "10.50.0.0/28", ipConfigurations }))).toEqual([
    [
      "warning management network: aks has 11 addresses, 6 are taken, and the nodes of AKS need 7 during an upgrade: that is enough only if most of them are its own",
      line,
    ],
  ]);
});

it("whoever deploys may join the subnet and assign the role", async () => {
  expect(await rows(azureWith(usual, "westeurope", ["*/read"]))).toEqual([
    [
      "error roles: this login lacks Microsoft.Network/virtualNetworks/subnets/join/action, Microsoft.Authorization/roleAssignments/write on the subnet aks",
      `az role assignment create --role Contributor --assignee YOU --scope ${subnetId}`,
      `az role assignment create --role "Role Based Access Control Administrator" --assignee YOU --scope ${subnetId}`,
    ],
    ["ok management network: aks has what AKS needs"],
  ]);
});

const apiServerSubnet = `${subnetId}-api`;
const zone = `/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/private.westeurope.azmk8s.io`;
const delegated = {
  delegations: [{ properties: { serviceName: "Microsoft.ContainerService/managedClusters" } }],
};

/** With a subnet for the API server, and perhaps the zone. */
const withApiServer =
  (properties: Fields | undefined, hasZone = true): Change =>
  (request, url, ...rest) =>
    url.pathname.endsWith("/Microsoft.Authorization/permissions")
      ? { body: { value: [{ actions: ["*"], notActions: [] }] } }
      : url.pathname === apiServerSubnet
        ? properties && { body: { properties } }
        : url.pathname === zone
          ? hasZone
            ? { body: {} }
            : undefined
          : azureWith(usual)(request, url, ...rest);

it("a delegated subnet for the API server and a zone are right", async () => {
  const apiServer = {
    ...{ private: true, vnetIntegration: true, subnetId: apiServerSubnet, privateDnsZone: zone },
  };
  const found = (properties: Fields | undefined, hasZone?: boolean) =>
    rows(withApiServer(properties, hasZone), "firewall", apiServer);
  const apiLine = "capz-windows:management: {network: {apiServer: {subnetId: ID}}}";
  expect(await found({ addressPrefix: "10.50.1.0/28", ...delegated })).toEqual([
    ["ok management network: aks has what AKS needs"],
  ]);
  expect(await found({ addressPrefix: "10.50.1.0/29" })).toEqual([
    [
      "error management network: aks-api is not delegated to Microsoft.ContainerService/managedClusters, so the API server cannot use it",
      `az network vnet subnet update --ids ${apiServerSubnet} --delegations Microsoft.ContainerService/managedClusters`,
    ],
    ["error management network: aks-api is smaller than the /28 of an API server", apiLine],
  ]);
  expect(await found(undefined)).toEqual([
    [
      "error management network: aks-api, for the API server, does not exist",
      apiLine,
      `az resource show --ids ${apiServerSubnet}`,
    ],
  ]);
  expect(await found({ addressPrefix: "10.50.1.0/28", ...delegated }, false)).toEqual([
    [
      "error management network: the zone private.westeurope.azmk8s.io does not exist, or this login may not read it",
      "capz-windows:management: {network: {apiServer: {privateDnsZone: ID}}}",
      `az resource show --ids ${zone}`,
    ],
  ]);
});
