import { networkRequirements } from "../../../platform/network/networkRequirements";

const subnet = (name: string) =>
  `/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

const needs = {
  ...{ location: "westeurope", resourceGroup: "blue" },
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
    "nsg: allow_apiserver (2201), inbound TCP, from 192.0.2.7/32, 198.51.100.10/32, 203.0.113.0/24 to *, port 6443: clients of the API server, and machines, which come from 198.51.100.10/32",
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
  const hub = "/subscriptions/2/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";
  const apiServer = { host: "apiserver.k8s.example.com", ip: "10.0.0.254", linkedVnetIds: [hub] };
  const lines = networkRequirements({
    ...{ ...needs, existing, subnets: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"] },
    ...{ poolSubnets: { web: "10.0.2.0/24" }, managementCidrs: ["10.50.16.0/22"], allowedCidrs: [] },
    ...{ privateApiServer: true, privateSsh: true, apiServer, hubVnetId: hub },
    ...{ firewall: { address: "10.50.0.4" }, vnetCidr: "10.0.0.0/16" },
    addresses: { "10.0.0.0/24": 5, "10.0.1.0/24": 9 },
  }).split("\n");
  const text = lines.filter((line) => !/^(?:# )?az /.test(line));
  const starting = (expected: string): unknown => expect.stringContaining(expected);
  expect(text).toEqual([
    `ranges: "the cluster" below is ${own}, its subnets`,
    'ranges: "clients" are 10.50.16.0/22 (management cluster). Whoever runs `pulumi up`, the doctor or kubectl for this cluster is one and resolves apiserver.k8s.example.com; the platform team adds further ranges to the stack file (access.allowedCidrs)',
    "VNET: spoke is in westeurope, and its range has room for the subnets (10.0.0.0/16 in the commands)",
    "subnet cp: 10.0.0.0/24, security group nsg, route table rt, no delegation; at most 5 addresses at once, those of a rollout included, beside the 5 of Azure",
    "subnet nodes: 10.0.1.0/24, security group nsg, route table rt, no delegation; at most 9 addresses at once, those of a rollout included, and one for each internal Service, beside the 5 of Azure",
    "subnet web: 10.0.2.0/24, security group nsg, route table rt, no delegation",
    "nsg: allow_apiserver (2201), inbound TCP, from clients to *, port 6443: clients of the API server",
    starting("nsg: allow_cluster (2202), inbound any protocol, from the cluster to the cluster, port *: "),
    starting("nsg: allow_balancers (2203), inbound any protocol, from AzureLoadBalancer to *, port *: "),
    starting(
      "nsg: allow_cluster_out (2202), outbound any protocol, from the cluster to the cluster, port *: ",
    ),
    "nsg: allow_https_out (2203), outbound TCP, from the cluster to *, port 443: Azure's API and registries; the firewall knows the hosts",
    "nsg: allow_dns_out (2207), outbound any protocol, from the cluster to DNS-SERVERS, port 53: DNS servers of the VNET; those of Azure need no rule",
    starting("nsg: allow_activation_out (2205), outbound TCP, from the cluster to *, port 1688: "),
    starting("nsg: allow_path_mtu (2208), inbound ICMP, from HUB-RANGE to the cluster, port *: "),
    "nsg: allow_bastion (2206), inbound TCP, from BASTION-RANGE to the cluster, port 22, 3389: ssh and RDP from AzureBastionSubnet, or from the jump host",
    "nsg: deny_in (4096), denies inbound any protocol, from * to *, port *: required: without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in, which is every address with a route 0.0.0.0/0",
    starting("nsg: deny_out (4096), denies outbound any protocol, from * to *, port *: optional: "),
    starting("rules: in nsg, do not remove rules that you did not write"),
    starting(
      "Services: the control plane's identity writes into nsg, from priority 500 on, a rule for each ",
    ),
    'Services: one is public unless it has the annotation service.beta.kubernetes.io/azure-load-balancer-internal: "true", and nothing in the cluster forbids a public one. It would not work: the firewall drops its answers. To forbid it, deny Microsoft.Network/publicIPAddresses in the resource group blue by Azure Policy (the last of the commands): the stack needs none there',
    starting("Services: whoever calls one from elsewhere "),
    "peering: spoke and hub-vnet are peered from both sides, and spoke lets forwarded traffic in",
    "peering: hub-vnet is taken for the VNET of 10.50.0.4, because the name of the API server resolves there; if it is not, write that VNET into the commands",
    "peering: not for a Virtual WAN, where a connection replaces the peering, routing intent may replace the route table, and the zone is linked to VNETs, which a virtual hub is not: ask the platform team first",
    "routes: rt has 0.0.0.0/0 to the virtual appliance 10.50.0.4, and no route for a range of the cluster; machines leave as 198.51.100.10/32",
    starting("routes: each range of clients comes in one of the two ways below"),
    "routes A: not through the firewall, for clients in hub-vnet, in a VNET that is itself peered with spoke, or behind a gateway of hub-vnet",
    "routes A: no route table, that of GatewaySubnet included, sends packets between them and the cluster to 10.50.0.4",
    "routes A: behind a gateway, rt takes the routes of gateways (route propagation), hub-vnet allows gateway transit, and spoke uses remote gateways",
    "routes B: through the firewall, for all other clients, such as those in another spoke, and where you inspect everything",
    "routes B: rt has a route to their range by 10.50.0.4, and takes no routes of gateways, which would bypass the firewall. Where one range needs B, none behind a gateway can have A",
    "routes B: the route tables of their subnets, and that of GatewaySubnet where they are behind a gateway, have routes to the cluster by 10.50.0.4",
    "routes B: the peering of their VNET with hub-vnet lets forwarded traffic in. Behind a gateway, hub-vnet allows gateway transit, and spoke uses remote gateways, as in A: the gateway announces the cluster",
    "routes B: a network rule of the firewall lets TCP 6443 from them to 10.0.0.254, and keeps their source address (no SNAT)",
    "firewall: lets the cluster out to the hosts that the plan lists, and to DNS servers behind it (TCP and UDP 53), and nothing of the Internet in. It does not inspect TLS, unless its certificate authority is in trustedCertificates of the stack file",
    "addresses: 10.0.0.254 of cp stays free: the internal load balancer of the API server takes it",
    "DNS: spoke resolves apiserver.k8s.example.com to 10.0.0.254; DNS servers that are not those of Azure forward k8s.example.com to 168.63.129.16 from a VNET that is linked to the zone. Set up the forwarding before `pulumi up`",
    "DNS: `pulumi up` makes the record before the first machine, and links k8s.example.com to spoke, hub-vnet: make no link yourself, because Azure allows one of a VNET to a zone",
    starting("DNS: clients resolve the name, too, the management cluster first: their VNET is linked, "),
    starting("DNS: the servers of spoke are best the DNS proxy of the firewall (10.50.0.4): "),
    starting("rights: "),
    "commands, which make all of it from nothing but resource groups, roles, and the hub with its firewall; words in capitals are yours to replace, and Azure refuses them; commands behind a # are a choice, and yours to take; leave out what exists, because create overwrites it, and write update instead of create for a subnet that exists:",
    "# optional, the last rule of nsg:",
    "# with the DNS servers of Azure, leave out --dns-servers and allow_dns_out",
    "# routes A and B, only for clients behind a gateway of that VNET, which the VNET must have:",
    "# routes B, only for clients by the firewall; CLIENTS-ROUTE-TABLE is each of their subnets, or that of GatewaySubnet:",
    "# optional, once pulumi up has made the resource group: no Service can be public",
  ]);
  const net = "/subscriptions/1/resourceGroups/net/providers/Microsoft.Network";
  const at = "--subscription 1 --resource-group net";
  const made = lines.filter((line) => /^(?:# )?az /.test(line) && !line.includes(" nsg rule "));
  const routeTo = "--next-hop-type VirtualAppliance --next-hop-ip-address 10.50.0.4";
  const theirs = "--subscription SUBSCRIPTION --resource-group GROUP --route-table-name CLIENTS-ROUTE-TABLE";
  expect(made).toEqual([
    `az network nsg create ${at} --location westeurope --name nsg`,
    `az network route-table create ${at} --location westeurope --name rt`,
    `az network route-table route create ${at} --route-table-name rt --name to-firewall --address-prefix 0.0.0.0/0 ${routeTo}`,
    `az network vnet create ${at} --location westeurope --name spoke --address-prefixes 10.0.0.0/16 --dns-servers DNS-SERVERS`,
    ...["cp", "nodes", "web"].map(
      (name, index) =>
        `az network vnet subnet create ${at} --vnet-name spoke --name ${name} --address-prefixes 10.0.${index}.0/24 --network-security-group ${net}/networkSecurityGroups/nsg --route-table ${net}/routeTables/rt --default-outbound false`,
    ),
    // A side uses gateways once the other one allows it.
    `az network vnet peering create --subscription 2 --resource-group hub --vnet-name hub-vnet --name to-spoke --remote-vnet ${net}/virtualNetworks/spoke --allow-vnet-access`,
    `az network vnet peering create ${at} --vnet-name spoke --name to-hub-vnet --remote-vnet ${hub} --allow-vnet-access --allow-forwarded-traffic`,
    "# az network vnet peering update --subscription 2 --resource-group hub --vnet-name hub-vnet --name to-spoke --set allowGatewayTransit=true",
    `# az network vnet peering update ${at} --vnet-name spoke --name to-hub-vnet --set useRemoteGateways=true`,
    `# az network route-table update ${at} --name rt --disable-bgp-route-propagation true`,
    `# az network route-table route create ${at} --route-table-name rt --name to-clients-1 --address-prefix 10.50.16.0/22 ${routeTo}`,
    ...[0, 1, 2].map(
      (index) =>
        `# az network route-table route create ${theirs} --name to-spoke-${index + 1} --address-prefix 10.0.${index}.0/24 ${routeTo}`,
    ),
    "# az network firewall policy rule-collection-group collection add-filter-collection --subscription SUBSCRIPTION --resource-group GROUP --policy-name POLICY --rule-collection-group-name COLLECTIONS --name spoke-apiserver --collection-priority PRIORITY --action Allow --rule-name spoke-apiserver --source-addresses 10.50.16.0/22 --rule-type NetworkRule --ip-protocols TCP --destination-ports 6443 --destination-addresses 10.0.0.254",
    `# az policy assignment create --name no-public-addresses --scope /subscriptions/1/resourceGroups/blue --policy 6c112d4e-5bc7-47ae-a041-ea2d9dccd749 --params '{"listOfResourceTypesNotAllowed":{"value":["Microsoft.Network/publicIPAddresses"]}}'`,
  ]);
});

it("says who makes the record where the stack does not", () => {
  const apiServer = { host: "apiserver.k8s.example.com", ip: "10.0.0.254", manual: true };
  const lines = networkRequirements({ ...needs, privateApiServer: true, apiServer }).split("\n");
  expect(lines).toContain(
    "DNS: you make the record in k8s.example.com, and link the zone, before `pulumi up`",
  );
  const zone = "--subscription SUBSCRIPTION --resource-group GROUP";
  expect(lines.filter((line) => line.includes(" private-dns "))).toEqual([
    `az network private-dns zone create ${zone} --name k8s.example.com`,
    `az network private-dns record-set a add-record ${zone} --zone-name k8s.example.com --record-set-name apiserver --ipv4-address 10.0.0.254`,
    `az network private-dns link vnet create ${zone} --zone-name k8s.example.com --name spoke --virtual-network /subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke --registration-enabled false`,
  ]);
});

it("has the rules of each group, those that deny last, and none for ssh that is not allowed", () => {
  const existing = { ...needs.existing, controlPlaneSecurityGroup: "cp-nsg" };
  const text = networkRequirements({ ...needs, existing, allowedCidrs: [] });
  expect(text).not.toContain("ssh");
  const names = (group: string) =>
    [...text.matchAll(new RegExp(`--nsg-name ${group} --name (\\w+)`, "g"))].map(([, name]) => name);
  const common = [
    "allow_cluster",
    "allow_balancers",
    "allow_cluster_out",
    "allow_https_out",
    "allow_dns_out",
  ];
  const last = ["deny_in", "deny_out"];
  expect(names("cp-nsg")).toEqual(["allow_apiserver", ...common, ...last]);
  // Windows is in the subnets of nodes only.
  expect(names("nsg")).toEqual([...common, "allow_activation_out", ...last]);
  expect(text).toContain(
    "cp-nsg, nsg: deny_in (4096), denies inbound any protocol, from * to *, port *: required: without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in\n",
  );
  expect(text.match(/--access Deny/g)).toHaveLength(4);
  // Without a firewall, Azure knows the Internet.
  expect(text).toContain(
    "allow_https_out (2203), outbound TCP, from the cluster to Internet, port 443, 6443: ",
  );
  expect(text).not.toContain("publicIPAddresses");
});

it("has rules for a proxy and a mirror, and none for what goes by the proxy", () => {
  const out = (more: Partial<Parameters<typeof networkRequirements>[0]>) =>
    networkRequirements({ ...needs, ...more })
      .split("\n")
      .filter((line) => /allow_(https|apiserver|proxy|mirror)_out/.test(line));
  const create = "az network nsg rule create --subscription 1 --resource-group net --nsg-name nsg --name";
  const from =
    "--direction Outbound --access Allow --protocol Tcp --source-address-prefixes 10.0.0.0/24 10.0.1.0/24";
  const proxy = { host: "10.50.1.5", port: 3128, address: "10.50.1.5" };
  const mirror = { host: "mirror.example.com", port: 5000 };
  expect(out({ proxy, mirror })).toEqual([
    "nsg: allow_apiserver_out (2203), outbound TCP, from the cluster to Internet, port 6443: the public address of the API server",
    "nsg: allow_proxy_out (2204), outbound TCP, from the cluster to 10.50.1.5, port 3128: Azure's API and registries by the proxy 10.50.1.5",
    "nsg: allow_mirror_out (2206), outbound TCP, from the cluster to MIRROR-ADDRESS, port 5000: images from the mirror mirror.example.com",
    `${create} allow_apiserver_out --priority 2203 ${from} --destination-address-prefixes Internet --destination-port-ranges 6443`,
    `${create} allow_proxy_out --priority 2204 ${from} --destination-address-prefixes 10.50.1.5 --destination-port-ranges 3128`,
    `${create} allow_mirror_out --priority 2206 ${from} --destination-address-prefixes MIRROR-ADDRESS --destination-port-ranges 5000`,
  ]);
  expect(
    out({ proxy: { ...proxy, host: "proxy.example.com", address: undefined }, privateApiServer: true }),
  ).toEqual([
    "nsg: allow_proxy_out (2204), outbound TCP, from the cluster to PROXY-ADDRESS, port 3128: Azure's API and registries by the proxy proxy.example.com",
    `${create} allow_proxy_out --priority 2204 ${from} --destination-address-prefixes PROXY-ADDRESS --destination-port-ranges 3128`,
  ]);
  expect(out({ mirror, privateApiServer: true })[0]).toBe(
    "nsg: allow_https_out (2203), outbound TCP, from the cluster to Internet, port 443: Azure's API, and registries with registryMirror.fallback",
  );
});
