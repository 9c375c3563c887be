import { redact } from "pulumi-plan-engine";
import { updateInline } from "../support/inlinePlans";
import { planOf, sectionOf } from "../support/plans";
import { subnetId } from "../support/rightManagement";
import { aksIn } from "../support/networks";
import { minimal } from "../support/stacks";

const egressCidrs = ["198.51.100.20/32"];
const subscription = "/subscriptions/00000000-0000-0000-0000-000000000000";
const hubZone = `${subscription}/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io`;

describe("the list for those who made the subnet of AKS", () => {
  const requirements = async (network: object) =>
    String(
      redact(
        (await updateInline({ ...minimal(), ...aksIn(network) })).update.outputs
          .managementNetworkRequirements ?? null,
      ),
    ).split("\n");
  const vnet = subnetId.replace(/\/subnets\/.*/, "");
  const zone =
    "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io";

  it("has subnet, rules, route, firewall, zone and clusters", async () => {
    const apiServer = { private: true, privateDnsZone: zone };
    const lines = await requirements({ subnetId, outbound: { type: "firewall", egressCidrs }, apiServer });
    expect(lines.map((line) => /^(?:AKS GROUP\S+ \w+|[^:,]+)/.exec(line)?.[0])).toEqual([
      ...["AKS subnet aks", "AKS subnet aks"],
      ...["nodes", "balancers", "apiserver", "nodes_out", "https_out", "dns_out", "clusters_out"].map(
        (name) => `AKS GROUP@aks: allow_${name}`,
      ),
      "AKS GROUP@aks: deny_in",
      ...["AKS rules", "AKS ranges", "AKS routes", "AKS routes", "AKS firewall", "AKS firewall"],
      ...["AKS DNS", "AKS clusters", "AKS clients"],
    ]);
    expect(lines[0]).toBe(
      "AKS subnet aks: /28 or larger for 13 addresses (7 nodes while AKS upgrades, 1 private endpoint of the API server, 5 that Azure takes), in the subscription and region of the stack, security group GROUP@aks, a route table, no delegation",
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        // Pods keep their addresses between nodes, so that a rule for the range of nodes alone would shut them out.
        "AKS GROUP@aks: allow_nodes (2201), inbound any protocol, from RANGE-OF-aks, 10.244.0.0/16 to RANGE-OF-aks, 10.244.0.0/16, port *: nodes among themselves and to their API server, and pods, whose packets keep their addresses",
        "AKS GROUP@aks: allow_apiserver (2203), inbound TCP, from CLIENTS-RANGE, FIREWALL-RANGE to RANGE-OF-aks, port 443: whoever reaches the API server of AKS: kubectl and pulumi up, of this stack and of its users",
        "AKS routes: whoever reaches nodes by a gateway or the firewall has the same way back: the firewall drops answers to what it has not seen",
        "AKS firewall: lets CLIENTS-RANGE that come by it to the API server on TCP 443, by an application rule: answers find the way back only with the address of the firewall (SNAT)",
      ]),
    );
    // Without a firewall, the rules alone count.
    const nat = await requirements({
      subnetId,
      outbound: { type: "existingNat", egressCidrs },
      apiServer: { private: true },
    });
    expect(nat.filter((line) => /firewall/i.test(line))).toEqual([]);
    expect([...lines, ...nat].filter((line) => /\baz |:\s*$/.test(line))).toEqual([]);
  });

  it("has the delegated subnet of an API server, and what nodes reach there", async () => {
    const apiServer = { vnetIntegration: true, subnetId: `${vnet}/subnets/api` };
    const lines = await requirements({ subnetId, outbound: { type: "existingNat", egressCidrs }, apiServer });
    expect(lines).toEqual(
      expect.arrayContaining([
        "AKS subnet api: /28 or larger, security group GROUP@api, delegated to Microsoft.ContainerService/managedClusters, nothing else in it but other AKS clusters of the VNET",
        "AKS GROUP@api: allow_nodes (2201), inbound TCP, from RANGE-OF-aks to RANGE-OF-api, port 443, 4443: nodes among themselves and to their API server, and pods, whose packets keep their addresses",
        "AKS GROUP@api: allow_balancers (2202), inbound TCP, from AzureLoadBalancer to RANGE-OF-api, port 9988: probes of load balancers and of the API server",
        "AKS routes: the NAT gateway of the subnet leads out as 198.51.100.20/32, before `pulumi up`",
      ]),
    );
    // Its API server has a public address: no client and no zone.
    expect(lines.filter((line) => /CLIENTS-RANGE|DNS:|firewall/i.test(line))).toEqual([]);
  });

  it("is no output where the stack makes the VNET", async () => {
    expect(
      (await updateInline({ ...minimal(), ...aksIn({ vnetCidr: "10.50.0.0/24" }) })).update.outputs,
    ).not.toHaveProperty("managementNetworkRequirements");
  });

  it("stands in the plan with the roles there, by who assigns them", async () => {
    const plan = await planOf("private-management");
    const others = sectionOf(plan, "What others must make");
    expect(others.map(({ label }) => label)).toEqual([
      ...["AKS subnet snet-aks", "AKS GROUP@snet-aks", "AKS rules", "AKS ranges"],
      ...["AKS routes", "AKS firewall", "AKS DNS", "AKS clusters", "AKS clients"],
      ...["roles", "roles of people"],
    ]);
    const identity = "private-platform-management-aks";
    const scope = `${subscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/platform`;
    expect(others.find(({ label }) => label === "roles")?.lines).toEqual([
      "`pulumi up` makes these identities and assigns their roles: assign none of them yourself:",
      `${identity}: Private DNS Zone Contributor on ${hubZone}: writes the record of its API server, and the link of the zone`,
      `${identity}: Network Contributor on ${scope}: links the zone of its API server to the VNET`,
      `${identity}: Network Contributor on ${scope}/subnets/snet-aks: attaches the nodes of AKS, and internal load balancers, to their subnet`,
    ]);
    expect(others.at(-1)?.lines).toEqual([
      ...[hubZone, scope].map(
        (one) =>
          `pulumi up: Role Based Access Control Administrator, with the condition of condition.txt on ${one}: assigns the roles above; in a resource group that does not exist yet, the one on the subscription counts`,
      ),
      `pulumi up: Network Contributor on ${scope}/subnets/snet-aks: puts AKS into it`,
      "the condition, further roles on what the stack makes, and smaller roles are in rights/",
    ]);
  });
});
