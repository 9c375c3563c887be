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
    "az network nsg rule create --subscription 1 --resource-group net --nsg-name nsg --name allow_apiserver --priority 2201 --direction Inbound --access Allow --protocol Tcp --source-address-prefixes 192.0.2.7/32 198.51.100.10/32 203.0.113.0/24 --destination-address-prefixes '*' --destination-port-ranges 6443",
  );
  // A group for both has each rule once.
  expect(lines.filter((line) => line.includes("--name allow_cluster "))).toHaveLength(1);
});

it("says where the firewall and the name of a private API server are, and attaches what subnets need", () => {
  const own = "10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24";
  const existing = { ...needs.existing, routeTable: "rt", poolSubnetIds: { web: subnet("web") } };
  const lines = networkRequirements({
    ...{ ...needs, existing, subnets: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"] },
    ...{ poolSubnets: { web: "10.0.2.0/24" }, managementCidrs: ["10.50.16.0/22"], allowedCidrs: [] },
    ...{ privateApiServer: true, apiServer: { host: "apiserver.k8s.example.com", ip: "10.0.0.254" } },
    ...{ firewall: { address: "10.50.0.4" }, vnetCidr: "10.0.0.0/16" },
    hubVnetId: "/subscriptions/2/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet",
  }).split("\n");
  const text = lines.filter((line) => !line.startsWith("az ") && !line.startsWith("nsg: "));
  expect(text).toEqual([
    "subnet cp: 10.0.0.0/24, security group nsg, route table rt, no delegation",
    "subnet nodes: 10.0.1.0/24, security group nsg, route table rt, no delegation",
    "subnet web: 10.0.2.0/24, security group nsg, route table rt, no delegation",
    expect.stringContaining("rules: they keep others out only if ") as string,
    "peering: this VNET and that of 10.50.0.4 (hub-vnet in the commands, of network.apiServer.linkedVnetIds) are peered from both sides; this side lets forwarded traffic in, and uses the gateways of the other one (useRemoteGateways here, allowGatewayTransit there) where 10.50.16.0/22 come by such a gateway",
    `routes: rt has 0.0.0.0/0 to the virtual appliance 10.50.0.4, and no other route to ${own}; machines leave as 198.51.100.10/32`,
    `routes: either 10.50.16.0/22 and ${own} reach one another without the firewall: rt takes the routes of gateways (BGP), and neither the GatewaySubnet nor the subnet of the management cluster has a route to ${own}`,
    `routes: or they pass it in both directions, because it drops answers to what it has not seen: rt has routes to 10.50.16.0/22 by 10.50.0.4, the other two have routes to ${own} by it, and a network rule of the firewall, which keeps the source address, lets TCP 6443 from 10.50.16.0/22 to 10.0.0.254`,
    "firewall: lets 10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24 out to the hosts that the plan lists, and nothing of the Internet in",
    "addresses: 10.0.0.254 of cp stays free: the internal load balancer of the API server takes it",
    "DNS: servers of the VNET resolve apiserver.k8s.example.com to 10.0.0.254 before the first machine starts; where they are not those of Azure, they forward k8s.example.com to 168.63.129.16 from a VNET that is linked to the zone",
    "DNS: `pulumi up` makes the record, and links k8s.example.com to this VNET and to those of network.apiServer.linkedVnetIds: a VNET has one link to a zone, so make none of these",
    expect.stringContaining("rights: ") as string,
    "commands, which make all of it from nothing; leave out what exists, and write update instead of create for a subnet that exists:",
  ]);
  const net = "/subscriptions/1/resourceGroups/net/providers/Microsoft.Network";
  const at = "--subscription 1 --resource-group net";
  const hub = "/subscriptions/2/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";
  const made = lines.filter((line) => line.startsWith("az ") && !line.includes(" nsg rule "));
  expect(made).toEqual([
    `az network nsg create ${at} --name nsg`,
    `az network route-table create ${at} --name rt`,
    `az network route-table route create ${at} --route-table-name rt --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address 10.50.0.4`,
    `az network vnet create ${at} --name spoke --address-prefixes 10.0.0.0/16`,
    ...["cp", "nodes", "web"].map(
      (name, index) =>
        `az network vnet subnet create ${at} --vnet-name spoke --name ${name} --address-prefixes 10.0.${index}.0/24 --network-security-group ${net}/networkSecurityGroups/nsg --route-table ${net}/routeTables/rt --default-outbound false`,
    ),
    `az network vnet peering create ${at} --vnet-name spoke --name to-hub-vnet --remote-vnet ${hub} --allow-vnet-access --allow-forwarded-traffic`,
    `az network vnet peering create --subscription 2 --resource-group hub --vnet-name hub-vnet --name to-spoke --remote-vnet ${net}/virtualNetworks/spoke --allow-vnet-access`,
    `az network firewall policy rule-collection-group collection add-filter-collection --resource-group GROUP --policy-name POLICY --rule-collection-group-name COLLECTIONS --name spoke-apiserver --collection-priority 1002 --action Allow --rule-name spoke-apiserver --source-addresses 10.50.16.0/22 --rule-type NetworkRule --ip-protocols TCP --destination-ports 6443 --destination-addresses 10.0.0.254  # only where they pass the firewall on their way to ${own}`,
  ]);
});

it("says who makes the record where the stack does not", () => {
  const apiServer = { host: "apiserver.k8s.example.com", ip: "10.0.0.254", manual: true };
  const lines = networkRequirements({ ...needs, privateApiServer: true, apiServer }).split("\n");
  expect(lines).toContain("DNS: you make the record in k8s.example.com, and link the zone");
  const zone = "--subscription SUBSCRIPTION --resource-group GROUP";
  expect(lines.filter((line) => line.includes(" private-dns "))).toEqual([
    `az network private-dns zone create ${zone} --name k8s.example.com`,
    `az network private-dns record-set a add-record ${zone} --zone-name k8s.example.com --record-set-name apiserver --ipv4-address 10.0.0.254`,
    `az network private-dns link vnet create ${zone} --zone-name k8s.example.com --name spoke --virtual-network /subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke --registration-enabled false`,
  ]);
});

it("has the rules of each group, and none for ssh that nobody may use", () => {
  const existing = { ...needs.existing, controlPlaneSecurityGroup: "cp-nsg" };
  const text = networkRequirements({ ...needs, existing, allowedCidrs: [] });
  expect(text).not.toContain("ssh");
  expect(text.match(/--nsg-name cp-nsg --name \w+/g)).toHaveLength(7);
  expect(text.match(/--nsg-name nsg --name \w+/g)).toHaveLength(6);
});
