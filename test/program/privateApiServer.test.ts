import { updateInline } from "../support/inlinePlans";
import type { planOf } from "../support/plans";
import { inputsOf, resource } from "../support/plans";
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
