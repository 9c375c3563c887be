import { networkRequirements } from "../../../platform/network/networkRequirements";

const subnet = (name: string) =>
  `/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

const needs = {
  existing: {
    controlPlaneSubnetId: subnet("cp"),
    nodeSubnetId: subnet("nodes"),
    nodeSecurityGroup: "nsg",
    egressCidrs: ["198.51.100.10/32"],
  },
  subnets: ["10.0.0.0/24", "10.0.1.0/24"],
  allowedCidrs: ["203.0.113.0/24"],
  managementCidrs: ["192.0.2.7/32"],
};

it("says what a network team has to make, as text and as commands", () => {
  const lines = networkRequirements(needs).split("\n");
  expect(lines).toContain(
    "nsg: allow_apiserver (2201), inbound TCP, from 192.0.2.7/32, 198.51.100.10/32, 203.0.113.0/24 to *, port 6443: API server: access.allowedCidrs, the management cluster, and the nodes (network.existing.egressCidrs)",
  );
  expect(lines).toContain(
    "az network nsg rule create --resource-group net --nsg-name nsg --name allow_apiserver --priority 2201 --direction Inbound --access Allow --protocol Tcp --source-address-prefixes 192.0.2.7/32 198.51.100.10/32 203.0.113.0/24 --destination-address-prefixes '*' --destination-port-ranges 6443",
  );
  // A group for both has each rule once.
  expect(lines.filter((line) => line.includes("--name allow_cluster "))).toHaveLength(1);
});

it("says where the firewall and the name of a private API server are, and attaches what subnets need", () => {
  const existing = { ...needs.existing, routeTable: "rt", poolSubnetIds: { web: subnet("web") } };
  const lines = networkRequirements({
    ...{ ...needs, existing, subnets: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"] },
    ...{ poolSubnets: { web: "10.0.2.0/24" }, managementCidrs: ["10.50.16.0/22"], allowedCidrs: [] },
    ...{ privateApiServer: true, apiServer: { host: "apiserver.k8s.example.com", ip: "10.0.0.254" } },
    firewall: { address: "10.50.0.4", targets: "TCP 443 to example.com" },
  }).split("\n");
  const text = lines.filter((line) => !line.startsWith("az ") && !line.startsWith("nsg: "));
  expect(text).toEqual([
    "subnet cp: 10.0.0.0/24, security group nsg, route table rt, no delegation",
    "subnet nodes: 10.0.1.0/24, security group nsg, route table rt, no delegation",
    "subnet web: 10.0.2.0/24, security group nsg, route table rt, no delegation",
    "routes: rt has 0.0.0.0/0 to the virtual appliance 10.50.0.4, in a VNET that is peered with this one and whose forwarded traffic may come in; machines leave as 198.51.100.10/32",
    "routes: connections between 10.50.16.0/22 and 10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24 pass the firewall in both directions or in neither, because it drops answers to what it has not seen. If rt does not take routes of gateways (BGP), the GatewaySubnet needs a route to 10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24 by 10.50.0.4",
    "firewall: lets 10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24 out by TCP 443 to example.com",
    "addresses: 10.0.0.254 of cp stays free: the internal load balancer of the API server takes it",
    "DNS: servers of the VNET resolve apiserver.k8s.example.com to 10.0.0.254 before the first machine starts; where they are not those of Azure, they forward k8s.example.com to 168.63.129.16 from a VNET that is linked to the zone",
    expect.stringContaining("rights: ") as string,
  ]);
  const net = "/subscriptions/1/resourceGroups/net/providers/Microsoft.Network";
  expect(lines.slice(-4)).toEqual([
    "az network route-table route create --resource-group net --route-table-name rt --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address 10.50.0.4",
    ...["cp", "nodes", "web"].map(
      (name) =>
        `az network vnet subnet update --ids ${subnet(name)} --network-security-group ${net}/networkSecurityGroups/nsg --route-table ${net}/routeTables/rt`,
    ),
  ]);
});

it("has the rules of each group, and none for ssh that nobody may use", () => {
  const existing = { ...needs.existing, controlPlaneSecurityGroup: "cp-nsg" };
  const text = networkRequirements({ ...needs, existing, allowedCidrs: [] });
  expect(text).not.toContain("ssh");
  expect(text.match(/--nsg-name cp-nsg --name \w+/g)).toHaveLength(8);
  expect(text.match(/--nsg-name nsg --name \w+/g)).toHaveLength(7);
});
