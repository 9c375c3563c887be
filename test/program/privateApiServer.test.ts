import { updateInline } from "../support/inlinePlans";
import { expectAfter, inputsOf, objectsOf, planOf, resource } from "../support/plans";
import { privateStack } from "../support/networks";
import { minimal } from "../support/stacks";

/** A cluster whose API server has no public address. */

const dnsTypes = (plan: Awaited<ReturnType<typeof planOf>>) =>
  plan.update.resources.filter(({ type }) => type.includes(":privatedns:")).map(({ name }) => name);

const withDns = (dns: object, more: object = {}) =>
  updateInline({ ...minimal(), ...privateStack({ dns, ...more }) });

const zoneIn = (subscription: string) =>
  `/subscriptions/${subscription}/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/k8s.example.com`;

describe("a private API server", () => {
  it("has one address in the subnet, and CAPZ makes neither a public one nor a zone", async () => {
    const plan = await planOf("private");
    const [azureCluster] = objectsOf(plan, "AzureCluster");
    expect(azureCluster?.spec).toMatchObject({
      networkSpec: {
        apiServerLB: {
          type: "Internal",
          frontendIPs: [{ name: "private-internal-lb-frontEnd", privateIP: "10.20.0.254" }],
        },
        privateDNSZone: "None",
        privateDNSZoneName: "private.k8s.example.com",
      },
    });
    expect(JSON.stringify(azureCluster)).not.toContain("OutboundLB");
  });

  it("leaves no public address in the stack but that of the NAT gateway", async () => {
    const { update } = await planOf("private");
    const addresses = update.resources.filter(({ type }) => type.endsWith(":PublicIPAddress"));
    expect(addresses.map(({ name }) => name)).toEqual(["network-nat-ip"]);
    const { update: open } = await planOf("existing");
    expect(JSON.stringify(update.outputs)).not.toContain("cloudapp.azure.com");
    expect(JSON.stringify(open.outputs)).toContain("cloudapp.azure.com");
  });

  it("has its record before the first machine", async () => {
    const names = ["api-server-zone", "api-server-record", "api-server-link-vnet"];
    expectAfter(await planOf("private"), "cluster-cluster", names);
  });

  it("resolves in the cluster's VNET and in those that the stack file names", async () => {
    const plan = await planOf("private");
    expect(dnsTypes(plan).filter((name) => name.includes("-link-"))).toHaveLength(3);
    expect(inputsOf(plan, "api-server-record")).toMatchObject({
      ...{ recordType: "A", relativeRecordSetName: "apiserver" },
      aRecords: [{ ipv4Address: "10.20.0.254" }],
    });
  });

  it("lets in administrators and the management cluster by their private networks only", async () => {
    const plan = await updateInline({
      ...minimal(),
      ...privateStack(),
      access: { ...(minimal().access as object), allowedCidrs: ["203.0.113.0/24", "10.60.0.0/24"] },
    });
    expect(inputsOf(plan, "network-control-plane-nsg").securityRules).toEqual([
      expect.objectContaining({ name: "allow_ssh", sourceAddressPrefixes: ["10.60.0.0/24"] }),
      expect.objectContaining({
        ...{ name: "allow_apiserver", sourceAddressPrefixes: ["10.10.0.0/16", "10.60.0.0/24"] },
        description: "API server: access.allowedCidrs, the management cluster, the VNET",
      }),
    ]);
  });
});

describe("the zone of a private API server", () => {
  it("of others gets a record and links, by a provider of its subscription", async () => {
    const plan = await withDns({ zoneId: zoneIn("99999999-2222-4333-8444-555555555555") });
    expect(dnsTypes(plan)).not.toContain("api-server-zone");
    expect(inputsOf(plan, "api-server-provider").subscriptionId).toBe("99999999-2222-4333-8444-555555555555");
    expect(JSON.stringify(resource(plan, "api-server-record").provider)).toContain("::api-server-provider");
    expect(inputsOf(plan, "api-server-record")).toMatchObject({
      ...{ resourceGroupName: "dns", privateZoneName: "k8s.example.com" },
    });
  });

  it("by hand is not in the plan, which says what to add", async () => {
    const config = { ...minimal(), ...privateStack({ dns: { manual: true }, linkedVnetIds: [] }) };
    const plan = await updateInline(config);
    expect(dnsTypes(plan)).toEqual([]);
  });
});
