import { redact } from "../../packages/plan-engine";
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
  const at = /--subscription \S+ --resource-group \S+ /;
  const zone =
    "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io";

  it("has subnet, rules, route, firewall, zone and clusters, and commands that make them", async () => {
    const apiServer = { private: true, privateDnsZone: zone };
    const lines = await requirements({ subnetId, outbound: { type: "firewall", egressCidrs }, apiServer });
    const text = lines.filter((line) => !/^(?:az|#) /.test(line));
    expect(text.map((line) => /^(?:AKS GROUP\S+ \w+|[^:,]+)/.exec(line)?.[0])).toEqual([
      "AKS subnet aks",
      ...["nodes", "balancers", "apiserver", "nodes_out", "https_out", "dns_out", "clusters_out"].map(
        (name) => `AKS GROUP@aks: allow_${name}`,
      ),
      "AKS GROUP@aks: deny_in",
      ...["AKS rules", "AKS rules", "AKS pods", "AKS services"],
      ...[
        "AKS routes",
        "AKS routes",
        "AKS routes",
        "AKS routes",
        "AKS routes",
        "AKS firewall",
        "AKS firewall",
      ],
      ...["AKS DNS", "AKS DNS", "AKS clusters", "AKS clients", "commands for AKS"],
    ]);
    expect(text[0]).toBe(
      "AKS subnet aks: /28 or larger for 13 addresses (7 nodes while AKS upgrades, 1 private endpoint of the API server, 5 that Azure takes), in the subscription and region of the stack, security group GROUP@aks, route table ROUTES@aks, no delegation",
    );
    // Pods keep their addresses between nodes, so that a rule for the range of nodes alone would shut them out.
    expect(lines).toContain(
      "AKS GROUP@aks: allow_nodes (2201), inbound any protocol, from RANGE-OF-aks, 10.244.0.0/16 to RANGE-OF-aks, 10.244.0.0/16, port *: nodes among themselves, and pods (10.244.0.0/16), whose packets keep their addresses between nodes",
    );
    expect(
      lines.filter((line) => /^az (?!network nsg)/.test(line)).map((line) => line.replace(at, "")),
    ).toEqual([
      "az network route-table create --location westeurope --name ROUTES@aks",
      "az network route-table route create --route-table-name ROUTES@aks --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL-ADDRESS",
      "az network vnet create --location westeurope --name platform --address-prefixes VNET-RANGE --dns-servers DNS-SERVERS",
      "az network vnet subnet create --vnet-name platform --name aks --address-prefixes RANGE-OF-aks --network-security-group GROUP@aks --route-table ROUTES@aks --default-outbound false --private-endpoint-network-policies Enabled",
      `az network vnet peering create --vnet-name HUB --name to-platform --remote-vnet ${vnet} --allow-vnet-access`,
      "az network vnet peering create --vnet-name platform --name to-HUB --remote-vnet /subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB --allow-vnet-access --allow-forwarded-traffic",
      "az network private-dns zone create --name privatelink.westeurope.azmk8s.io",
      "az network private-dns link vnet create --zone-name privatelink.westeurope.azmk8s.io --name HUB --virtual-network /subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB --registration-enabled false",
      "az network firewall policy rule-collection-group collection add-filter-collection --policy-name POLICY --rule-collection-group-name COLLECTIONS --name test-management-apiserver --collection-priority PRIORITY --action Allow --rule-name test-management-apiserver --source-addresses CLIENTS-RANGE --rule-type ApplicationRule --protocols Https=443 --target-fqdns '*.privatelink.westeurope.azmk8s.io' '*.hcp.westeurope.azmk8s.io'",
    ]);
    // Pasted as a whole, it gives no role, and what is not filled in is refused.
    expect(lines.slice(-2).map((line) => line.replace(at, ""))).toEqual([
      "# only once pulumi up has made the identity, and if AKS answers CustomRouteTableMissingPermission:",
      `# az role assignment create --role "Network Contributor" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --name test-management-aks --query principalId --output tsv)" --scope ${vnet.replace(/virtualNetworks.*/, "")}routeTables/ROUTES@aks`,
    ]);
    expect(text.at(-1)).toBe(
      "commands for AKS, which make all of it from nothing but resource groups, roles, and HUB with the firewall and its policy; words in capitals are yours to replace, and Azure refuses them (so replace all of GROUP@aks, too); commands behind a # are a choice, and yours to take; leave out what exists, because create overwrites it, and write update instead of create for a subnet that exists:",
    );
  });

  it("says how clients reach a private endpoint, and who names them", async () => {
    const lines = await requirements({
      ...{ subnetId, outbound: { type: "firewall", egressCidrs } },
      apiServer: { private: true, publicFqdn: false, privateDnsZone: zone },
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        "AKS GROUP@aks: allow_apiserver (2203), inbound TCP, from CLIENTS-RANGE, FIREWALL-RANGE to RANGE-OF-aks, port 443: whoever reaches the API server of AKS: kubectl, and pulumi up of this stack and of those that use the cluster; the private endpoint is in this subnet, and rules count for it only with privateEndpointNetworkPolicies, as in the commands",
        "AKS rules: privateEndpointNetworkPolicies of aks is on, without which rules do not count for the private endpoint; look again after the first `pulumi up`, because services that put endpoints into a subnet can turn it off",
        "AKS pods: 10.244.0.0/16, an overlay inside AKS, and nodes and pods reach nothing else that has an address of it: platform, the VNETs that are peered with it, and what nodes reach by routes (API servers of workload clusters, DNS servers) are outside of it. Other clusters may have the same range for their pods: beyond platform, packets have the address of the node",
        "AKS services: 10.245.0.0/16, inside AKS, DNS 10.245.0.10, and nodes and pods reach nothing else that has an address of it: platform, the VNETs that are peered with it, and what nodes reach by routes (API servers of workload clusters, DNS servers) are outside of it. Both ranges are the program's, and no stack file changes them",
        "AKS routes: whoever reaches nodes by a gateway or the firewall has the same way back: the firewall drops answers to what it has not seen",
        "AKS routes: answers of the API server, from its private endpoint, ignore ROUTES@aks. They reach a client that comes by the firewall only if the firewall puts its address in place of the client's (SNAT). Azure Firewall does that in application rules, such as the one in the commands, and by default in no network rule to private addresses",
        "AKS routes: clients in platform, or in a VNET that is peered with it, go straight to the private endpoint, whose route (/32) Azure adds there. To send those in a peered VNET by the firewall, give their route table a route to VNET-RANGE, or to RANGE-OF-aks, by FIREWALL-ADDRESS (0.0.0.0/0 is not enough), and keep privateEndpointNetworkPolicies of aks on Enabled, as in the commands, or on RouteTableEnabled, with which security rules do not count",
        "AKS firewall: lets CLIENTS-RANGE to the API server on TCP 443, where they come by the firewall. The rule in the commands has names, so the firewall resolves them, too; a network rule from CLIENTS-RANGE to RANGE-OF-aks needs SNAT",
        "AKS clients: CLIENTS-RANGE is whoever reaches the API server on TCP 443: the machines that run `pulumi up` and kubectl, for this stack and for those that use the cluster. The stack file does not know their ranges: the platform team names them, and the VNETs in which they are, before you begin, because rules, routes and names depend on them. FIREWALL-RANGE is the subnet of the firewall: clients by an application rule come with its addresses",
      ]),
    );
    expect(lines.filter((line) => /add-filter-collection.*-apiserver/.test(line))).toEqual([
      expect.stringMatching(/ --target-fqdns '\*\.privatelink\.westeurope\.azmk8s\.io'$/),
    ]);
    // Without a firewall, the rules alone count.
    const nat = await requirements({
      ...{ subnetId, outbound: { type: "existingNat", egressCidrs } },
      apiServer: { private: true },
    });
    expect(nat.filter((line) => line.includes(" --default-outbound"))).toEqual([
      expect.stringMatching(
        / --nat-gateway NAT-GATEWAY --default-outbound false --private-endpoint-network-policies NetworkSecurityGroupEnabled$/,
      ),
    ]);
    expect(nat.filter((line) => /firewall/i.test(line))).toEqual([]);
  });

  it("has the delegated subnet of an API server, and what nodes reach there", async () => {
    const apiServer = { vnetIntegration: true, subnetId: `${vnet}/subnets/api` };
    const lines = await requirements({ subnetId, outbound: { type: "existingNat", egressCidrs }, apiServer });
    expect(lines).toEqual(
      expect.arrayContaining([
        "AKS subnet api: /28 or larger, security group GROUP@api, delegated to Microsoft.ContainerService/managedClusters, nothing else in it but other AKS clusters of the VNET",
        "AKS GROUP@api: allow_nodes (2201), inbound TCP, from RANGE-OF-aks to RANGE-OF-api, port 443, 4443: nodes to their API server",
        "AKS GROUP@api: allow_balancers (2202), inbound TCP, from AzureLoadBalancer to RANGE-OF-api, port 9988: probes of the API server",
        "AKS routes: the NAT gateway of the subnet leads out as 198.51.100.20/32, before `pulumi up`",
      ]),
    );
    // Its API server has a public address: no client and no zone.
    expect(lines.filter((line) => /CLIENTS-RANGE|DNS:|private-dns|firewall/i.test(line))).toEqual([]);
    expect(lines.map((line) => line.replace(at, ""))).toEqual(
      expect.arrayContaining([
        "az network vnet subnet create --vnet-name platform --name aks --address-prefixes RANGE-OF-aks --network-security-group GROUP@aks --nat-gateway NAT-GATEWAY --default-outbound false",
        "az network vnet subnet create --vnet-name platform --name api --address-prefixes RANGE-OF-api --network-security-group GROUP@api --delegations Microsoft.ContainerService/managedClusters",
      ]),
    );
  });

  it("is no output where the stack makes the VNET", async () => {
    expect(
      (await updateInline({ ...minimal(), ...aksIn({ vnetCidr: "10.50.0.0/24" }) })).update.outputs,
    ).not.toHaveProperty("managementNetworkRequirements");
  });

  it("stands in the plan with the roles there, by who assigns them, and with the hosts", async () => {
    const plan = await planOf("private-management");
    const others = sectionOf(plan, "What others must make");
    const hosts = sectionOf(plan, "Hosts that machines reach");
    expect(others.map(({ label }) => label)).toEqual([
      ...["AKS subnet snet-aks", "AKS GROUP@snet-aks", "AKS rules", "AKS pods", "AKS services"],
      ...["AKS routes", "AKS firewall", "AKS DNS", "AKS clusters", "AKS clients", "commands for AKS"],
      ...["roles", "commands for roles"],
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
      "of whoever runs the commands of the comments, by the object ID of a user, a group or a service principal; run them in the folder of the plan, which has rights/condition.txt. Further roles, on what the stack makes, are in rights/rights.md",
      "In place of Contributor, Network Contributor, whoever runs the commands can have custom roles of rights/up.json and rights/upElsewhere.json: `az role definition create --role-definition '@FILE'` makes them, and their names take the place of those roles.",
      ...[hubZone, scope].flatMap((one) => [
        {
          command:
            "# pulumi up: assigns the roles above; in a resource group that does not exist yet, the one on the subscription counts",
        },
        {
          command: `az role assignment create --role "Role Based Access Control Administrator" --assignee UP_OBJECT_ID --scope ${one} --condition-version 2.0 --condition '@rights/condition.txt'`,
        },
      ]),
      { command: "# pulumi up: puts AKS into it" },
      {
        command: `az role assignment create --role "Network Contributor" --assignee UP_OBJECT_ID --scope ${scope}/subnets/snet-aks`,
      },
    ]);
    expect(JSON.stringify(hosts.at(-1))).toContain(
      "--source-addresses RANGE-OF-snet-aks --rule-type ApplicationRule --protocols Https=443 --fqdn-tags AzureKubernetesService",
    );
    // The name alone is known before there is a cluster.
    expect(hosts.find(({ label }) => label === "who runs pulumi up")?.lines).toContain(
      "TCP 443: *.privatelink.westeurope.azmk8s.io (API server of AKS)",
    );
  });
});
