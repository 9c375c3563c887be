import type { Plan } from "../../plan/model/plan";
import { planFileInline, planInline, updateInline } from "../support/inlinePlans";
import { expectAfter, inputsOf, objectsOf, requires, resource, rowsOf } from "../support/plans";
import { besideAks, privateStack } from "../support/networks";
import { minimal, readExample } from "../support/stacks";

/** A private API server that the management cluster reaches by a private endpoint, because the two VNETs cannot be peered. */

const subnetId =
  "/subscriptions/99999999-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Network/virtualNetworks/platform-vnet/subnets/endpoints";
const vnetId = subnetId.replace("/subnets/endpoints", "");
const serviceId =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers/Microsoft.Network/privateLinkServices/test-apiserver";
const linked = (privateLink: object, more: object = {}) => ({
  ...minimal(),
  ...privateStack({ linkedVnetIds: [], privateLink }),
  ...more,
});
const named = ({ update }: Plan, part: string): string[] =>
  update.resources.filter(({ type }) => type.includes(part)).map(({ name }) => name);
const reach = ({ cluster }: Plan) =>
  cluster.reach.find(({ from, to }) => from === "management cluster" && to === "API server");
const link = (plan: Plan) =>
  (objectsOf(plan, "AzureCluster")[0]?.spec as { networkSpec: { apiServerLB: { privateLinks: object[] } } })
    .networkSpec.apiServerLB.privateLinks;

describe("a private link to the API server", () => {
  it("has its service at the load balancer, open to the subscriptions of the stack and of the endpoint", async () => {
    const plan = await updateInline(linked({ subnetId }));
    const subscriptions = ["11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"];
    expect(link(plan)).toEqual([
      {
        name: "test-apiserver",
        lbFrontendIPConfigNames: ["test-internal-lb-frontEnd"],
        natIPConfigurations: [{ allocationMethod: "Dynamic", subnet: "control-plane-subnet" }],
        allowedSubscriptions: subscriptions,
        autoApprovedSubscriptions: subscriptions,
      },
    ]);
    const [controlPlane, nodes] = inputsOf(plan, "network-vnet").subnets as object[];
    expect(controlPlane).toMatchObject({ privateLinkServiceNetworkPolicies: "Disabled" });
    expect(nodes).not.toHaveProperty("privateLinkServiceNetworkPolicies");
    // The management cluster comes by an address of the VNET.
    expect(inputsOf(plan, "network-control-plane-nsg").securityRules).toEqual([
      expect.objectContaining({ name: "allow_apiserver", sourceAddressPrefixes: ["10.10.0.0/16"] }),
    ]);
  });

  it("has an endpoint beside the VNET of the management cluster, where the name has its address", async () => {
    const plan = await updateInline(linked({ subnetId, location: "northeurope" }));
    expect(inputsOf(plan, "private-link-provider").subscriptionId).toBe(
      "99999999-2222-4333-8444-555555555555",
    );
    expect(inputsOf(plan, "private-link-endpoint")).toMatchObject({
      ...{ resourceGroupName: "platform", location: "northeurope", subnet: { id: subnetId } },
      privateLinkServiceConnections: [{ privateLinkServiceId: serviceId }],
    });
    expect(JSON.stringify(resource(plan, "private-link-endpoint").provider)).toContain(
      "::private-link-provider",
    );
    expect(inputsOf(plan, "private-link-zone")).toMatchObject({
      ...{ resourceGroupName: "test", privateZoneName: "apiserver.test.capz.io" },
    });
    expect(inputsOf(plan, "private-link-link")).toMatchObject({ virtualNetwork: { id: vnetId } });
    const [record] = inputsOf(plan, "private-link-record").aRecords as { ipv4Address: string }[];
    expect(record?.ipv4Address).toMatch(/^[\d.]+$/);
    expect(record?.ipv4Address).not.toBe("10.10.0.254");
    // The zone of the cluster is not linked there, and nothing is peered.
    expect(named(plan, "VirtualNetworkLink")).toEqual(["api-server-link-vnet", "private-link-link"]);
    expect(named(plan, "Peering")).toEqual([]);
    expect(reach(plan)).toMatchObject({
      state: "open",
      by: expect.stringContaining("test-apiserver") as string,
    });
    expect(rowsOf(plan, "private link")).toContain(subnetId);
    const rights = Object.fromEntries(
      plan.cluster.rights.people.map(({ scope, actions }) => [scope, actions]),
    );
    expect(rights[subnetId]).toEqual(["Microsoft.Network/virtualNetworks/subnets/join/action"]);
    expect(Object.keys(rights)).toEqual(
      expect.arrayContaining([
        vnetId.replace("virtualNetworks/platform-vnet", "privateEndpoints/test-apiserver"),
        vnetId.replace("virtualNetworks/platform-vnet", "networkInterfaces/test-apiserver-nic"),
      ]),
    );
    expect(plan.cluster.apiServer.private).toMatchObject({
      record: "zone of the stack",
      links: ["test-vnet"],
    });
  });

  it("makes the endpoint when CAPZ has made the service, and then waits for the API server", async () => {
    const plan = await updateInline(linked({ subnetId }));
    const [endpoint, made] = ["private-link-endpoint", "cluster-initialized"] as const;
    expectAfter(plan, endpoint, ["cluster-private-link", "cluster-cluster", "cluster-azure"]);
    expect(requires(plan, endpoint)).not.toContain(made);
    expectAfter(plan, made, [endpoint, "private-link-link", "private-link-record"]);
    expect(JSON.stringify(inputsOf(plan, "cluster-private-link"))).toContain("PrivateLinksReady");
    expect(resource(plan, "private-link-endpoint").options).toMatchObject({ deleteBeforeReplace: true });
  });

  it("makes the endpoint when Azure has the service, for which a preview does not wait", async () => {
    const asked: unknown[] = [];
    await planInline(linked({ subnetId }), "inline", {
      invokes: {
        "azure-native:network:getPrivateLinkService": (args) => {
          asked.push(args);
          return { provisioningState: "Succeeded" };
        },
      },
    });
    expect(asked).toEqual([{ resourceGroupName: "test", serviceName: "test-apiserver" }]);
  });

  it("by hand has commands, with the name and the service", async () => {
    const plan = await planInline(
      linked({ manual: true, subscriptions: ["88888888-2222-4333-8444-555555555555"] }),
    );
    expect(named(plan, "PrivateEndpoint")).toEqual([]);
    expect(link(plan)).toMatchObject([
      {
        autoApprovedSubscriptions: [
          "11111111-2222-4333-8444-555555555555",
          "88888888-2222-4333-8444-555555555555",
        ],
      },
    ]);
    const commands = (plan.update.outputs.privateLinkCommands as string).split("\n");
    expect(commands[0]).toContain(`--private-connection-resource-id ${serviceId} `);
    expect(commands[2]).toContain("--name apiserver.test.capz.io");
    expect(rowsOf(plan, "private link")).toEqual(
      expect.arrayContaining(commands.map((command) => ({ command }))),
    );
    expect(reach(plan)).toMatchObject({
      state: "unknown",
      by: "the private endpoint on test-apiserver, which others make",
    });
  });

  it("leads to AKS of the stack in a VNET with the same range", async () => {
    const own = besideAks({ vnetCidr: "10.10.0.0/24" }, { apiServer: { private: true, privateLink: {} } });
    const plan = await updateInline({ ...minimal(), ...own });
    expect(named(plan, "Peering")).toEqual([]);
    expect(inputsOf(plan, "private-link-endpoint").subnet).toMatchObject({
      id: "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test-management/providers/Microsoft.Network/virtualNetworks/test-management-vnet/subnets/nodes",
    });
    expectAfter(plan, "private-link-endpoint", ["management-aks-cluster"]);
    expect(plan.warnings.join()).not.toContain("can never be peered");
  });

  it("leads to the management cluster of another stack by its outputs, whatever its range", async () => {
    const file = readExample("team-a");
    const client = (stack: string) =>
      planFileInline({
        ...file,
        file: "test/support/sharing/Pulumi.client.yaml",
        config: {
          ...file.config,
          "capz-windows:management": JSON.stringify({ kind: "stack", stack }),
          "capz-windows:network": JSON.stringify({
            ...{ vnetCidr: "10.50.0.0/20", apiServer: { private: true, privateLink: {} } },
          }),
        },
      });
    const plan = await client("organization/capz-windows/platform");
    expect(inputsOf(plan, "private-link-endpoint").subnet).toMatchObject({
      id: "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/platform-management/providers/Microsoft.Network/virtualNetworks/platform-management-vnet/subnets/nodes",
    });
    expect(link(plan)).toMatchObject([
      {
        allowedSubscriptions: [
          "00000000-0000-0000-0000-000000000000",
          "00000000-0000-0000-0000-000000000001",
        ],
      },
    ]);
  });
});
