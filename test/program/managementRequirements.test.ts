import { clusterSections } from "../../commands/plan/reports/clusterRows";
import { redact } from "../../packages/plan-engine";
import { aksIn } from "../config/managementNetworkCases";
import { updateInline } from "../support/inlinePlans";
import { planOf } from "../support/plans";
import { subnetId } from "../support/rightManagement";
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
        (name) => `AKS GROUP-OF-aks: allow_${name}`,
      ),
      "AKS GROUP-OF-aks: deny_in",
      ...["AKS rules", "AKS routes", "AKS routes", "AKS routes", "AKS firewall", "AKS DNS", "AKS DNS"],
      ...["AKS clusters", "AKS clusters", "commands for AKS"],
    ]);
    expect(text[0]).toBe(
      "AKS subnet aks: /28 or larger for 13 addresses (7 nodes while AKS upgrades, 1 private endpoint of the API server, 5 that Azure takes), in the subscription and region of the stack, security group GROUP-OF-aks, route table ROUTES-OF-aks, no delegation",
    );
    // Pods keep their addresses between nodes, so that a rule for the range of nodes alone would shut them out.
    expect(lines).toContain(
      "AKS GROUP-OF-aks: allow_nodes (2201), inbound any protocol, from RANGE-OF-aks, 10.244.0.0/16 to RANGE-OF-aks, 10.244.0.0/16, port *: nodes among themselves, and pods (10.244.0.0/16), whose packets keep their addresses between nodes",
    );
    expect(
      lines.filter((line) => /^az (?!network nsg)/.test(line)).map((line) => line.replace(at, "")),
    ).toEqual([
      "az network route-table create --location westeurope --name ROUTES-OF-aks",
      "az network route-table route create --route-table-name ROUTES-OF-aks --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL-ADDRESS",
      "az network vnet create --location westeurope --name platform --address-prefixes VNET-RANGE --dns-servers DNS-SERVERS",
      "az network vnet subnet create --vnet-name platform --name aks --address-prefixes RANGE-OF-aks --network-security-group GROUP-OF-aks --route-table ROUTES-OF-aks --default-outbound false",
      `az network vnet peering create --vnet-name HUB --name to-platform --remote-vnet ${vnet} --allow-vnet-access`,
      "az network vnet peering create --vnet-name platform --name to-HUB --remote-vnet /subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB --allow-vnet-access --allow-forwarded-traffic",
      "az network private-dns zone create --name privatelink.westeurope.azmk8s.io",
      "az network private-dns link vnet create --zone-name privatelink.westeurope.azmk8s.io --name HUB --virtual-network /subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB --registration-enabled false",
      `az role assignment create --role "Network Contributor" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --name test-management-aks --query principalId --output tsv)" --scope ${vnet.replace(/virtualNetworks.*/, "")}routeTables/ROUTES-OF-aks  # only if AKS answers CustomRouteTableMissingPermission`,
    ]);
  });

  it("has the delegated subnet of an API server, and what nodes reach there", async () => {
    const apiServer = { vnetIntegration: true, subnetId: `${vnet}/subnets/api` };
    const lines = await requirements({ subnetId, outbound: { type: "existingNat", egressCidrs }, apiServer });
    expect(lines).toEqual(
      expect.arrayContaining([
        "AKS subnet api: /28 or larger, security group GROUP-OF-api, delegated to Microsoft.ContainerService/managedClusters, nothing else in it but other AKS clusters of the VNET",
        "AKS GROUP-OF-api: allow_nodes (2201), inbound TCP, from RANGE-OF-aks to RANGE-OF-api, port 443, 4443: nodes to their API server",
        "AKS GROUP-OF-api: allow_balancers (2202), inbound TCP, from AzureLoadBalancer to RANGE-OF-api, port 9988: probes of the API server",
        "AKS routes: the NAT gateway of the subnet leads out as 198.51.100.20/32, before `pulumi up`",
      ]),
    );
    // Its API server has a public address: no client and no zone.
    expect(lines.filter((line) => /CLIENTS-RANGE|DNS:|private-dns|firewall/i.test(line))).toEqual([]);
    expect(lines.map((line) => line.replace(at, ""))).toEqual(
      expect.arrayContaining([
        "az network vnet subnet create --vnet-name platform --name aks --address-prefixes RANGE-OF-aks --network-security-group GROUP-OF-aks --nat-gateway NAT-GATEWAY --default-outbound false",
        "az network vnet subnet create --vnet-name platform --name api --address-prefixes RANGE-OF-api --network-security-group GROUP-OF-api --delegations Microsoft.ContainerService/managedClusters",
      ]),
    );
  });

  it("is no output where the stack makes the VNET", async () => {
    expect(
      (await updateInline({ ...minimal(), ...aksIn({ vnetCidr: "10.50.0.0/24" }) })).update.outputs,
    ).not.toHaveProperty("managementNetworkRequirements");
  });

  it("stands in the plan with the roles there, by who assigns them, and with the hosts", async () => {
    const sections = clusterSections((await planOf("private-management")).cluster);
    const rowsIn = (title: string) => sections.find((one) => one.title === title)?.rows ?? [];
    const others = rowsIn("What others must make");
    expect(others.map(({ label }) => label)).toEqual([
      ...["AKS subnet snet-aks", "AKS GROUP-OF-snet-aks", "AKS rules", "AKS routes", "AKS firewall"],
      ...["AKS DNS", "AKS clusters", "commands for AKS", "roles", "commands for roles"],
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
      "of whoever runs the commands of the comments, a user, a group or a service principal whose ID is OBJECT_ID; run them in the folder of the plan, which has rights/condition.txt. Roles on what the stack makes are in rights/rights.md:",
      ...[hubZone, scope].flatMap((one) => [
        {
          command:
            "# pulumi up: assigns the roles above; in a resource group that does not exist yet, the one on the subscription counts",
        },
        {
          command: `az role assignment create --role "Role Based Access Control Administrator" --assignee OBJECT_ID --scope ${one} --condition-version 2.0 --condition @rights/condition.txt`,
        },
      ]),
      { command: "# pulumi up: puts AKS into it" },
      {
        command: `az role assignment create --role "Network Contributor" --assignee OBJECT_ID --scope ${scope}/subnets/snet-aks`,
      },
      "In place of Contributor, Network Contributor, whoever runs the commands can have custom roles of rights/up.json and rights/upElsewhere.json.",
    ]);
    expect(JSON.stringify(rowsIn("Hosts that machines reach").at(-1))).toContain(
      "--source-addresses RANGE-OF-snet-aks --rule-type ApplicationRule --protocols Https=443 --fqdn-tags AzureKubernetesService",
    );
  });
});
