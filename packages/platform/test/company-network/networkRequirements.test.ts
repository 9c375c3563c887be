import { networkRequirements } from "capz-windows-platform/company-network/networkRequirements";
import { requiredRules } from "capz-windows-platform/company-network/requiredRules";

const subnet = (name: string) =>
  `/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

const needs = {
  location: "westeurope",
  existing: {
    controlPlaneSubnetId: subnet("cp"),
    nodeSubnetId: subnet("nodes"),
    nodeSecurityGroup: "nsg",
    egressCidrs: ["198.51.100.10/32"],
  },
  subnetCidrs: ["10.0.0.0/24", "10.0.1.0/24"],
  allowedCidrs: ["203.0.113.0/24"],
  managementCidrs: ["192.0.2.7/32"],
};

it("says what a network team has to make, each rule once", () => {
  const lines = networkRequirements(needs).split("\n");
  expect(lines).toContain(
    "nsg: allow_apiserver (2201), inbound TCP, from 192.0.2.7/32, 198.51.100.10/32, 203.0.113.0/24 to *, port 6443: clients of the API server, and machines where its address is public",
  );
  expect(lines.filter((line) => line.includes(" allow_cluster "))).toHaveLength(1);
  expect(lines.filter((line) => /\baz /.test(line))).toEqual([]);
});

it("gives each rule a reason", () => {
  const proxy = { host: "proxy", port: 3128 };
  const mirror = { host: "mirror", port: 5000 };
  const firewall = { address: "10.50.0.4" };
  const all = [needs, { ...needs, proxy, mirror }, { ...needs, firewall, privateSsh: true }].flatMap((each) =>
    networkRequirements(each).split("\n"),
  );
  expect(all.filter((line) => line.trim().endsWith(":"))).toEqual([]);
});

it("says where the firewall and the name of a private API server are, and attaches what subnets need", () => {
  const own = "10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/24";
  const existing = { ...needs.existing, routeTable: "rt", poolSubnetIds: { web: subnet("web") } };
  const hub = "/subscriptions/2/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";
  const lines = networkRequirements({
    ...needs,
    existing,
    subnetCidrs: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"],
    poolSubnets: { web: "10.0.2.0/24" },
    managementCidrs: ["10.50.16.0/22"],
    allowedCidrs: [],
    privateApiServer: true,
    privateSsh: true,
    apiServer: { host: "apiserver.k8s.example.com", ip: "10.0.0.254", linkedVnetIds: [hub] },
    firewall: { address: "10.50.0.4" },
    vnetCidr: "10.0.0.0/16",
    addresses: { "10.0.0.0/24": 5, "10.0.1.0/24": 9 },
  }).split("\n");
  const starting = (expected: string): unknown => expect.stringContaining(expected);
  expect(lines).toEqual([
    "VNET: spoke is in westeurope, and its range has room for the subnets (10.0.0.0/16)",
    "subnet cp: 10.0.0.0/24, security group nsg, route table rt, no delegation; at most 5 addresses at once, those of a rollout included, beside the 5 of Azure",
    "subnet nodes: 10.0.1.0/24, security group nsg, route table rt, no delegation; at most 9 addresses at once, those of a rollout included, and one for each internal Service, beside the 5 of Azure",
    "subnet web: 10.0.2.0/24, security group nsg, route table rt, no delegation",
    starting("nsg: allow_apiserver (2201), inbound TCP, from 10.50.16.0/22 to *, port 6443: "),
    starting(`nsg: allow_cluster (2202), inbound any protocol, from ${own} to ${own}, port *: `),
    starting("nsg: allow_balancers (2203), inbound any protocol, from AzureLoadBalancer to *, port *: "),
    starting(`nsg: allow_cluster_out (2202), outbound any protocol, from ${own} to ${own}, port *: `),
    starting(`nsg: allow_https_out (2203), outbound TCP, from ${own} to *, port 443: `),
    starting(`nsg: allow_dns_out (2207), outbound any protocol, from ${own} to DNS-SERVERS, port 53: `),
    starting(`nsg: allow_activation_out (2205), outbound TCP, from ${own} to *, port 1688: `),
    starting(`nsg: allow_path_mtu (2208), inbound ICMP, from HUB-RANGE to ${own}, port *: `),
    starting(`nsg: allow_bastion (2206), inbound TCP, from BASTION-RANGE to ${own}, port 22, 3389: `),
    starting("nsg: deny_in (4096), denies inbound any protocol, from * to *, port *: required: "),
    starting("nsg: deny_out (4096), denies outbound any protocol, from * to *, port *: optional: "),
    starting("rules: in nsg, do not remove rules that you did not write"),
    "peering: spoke and the VNET of 10.50.0.4 are peered from both sides, and spoke lets forwarded traffic in",
    "routes: rt has 0.0.0.0/0 to the virtual appliance 10.50.0.4, and no route for a range of the cluster; machines leave as 198.51.100.10/32",
    'routes: each range of clients comes either past the firewall or through it, and answers leave by the same way (docs/private-networks.md, "Clients and a firewall")',
    "firewall: lets the cluster out to the hosts that the plan lists, and to DNS servers behind it (TCP and UDP 53), lets clients that come through it to 10.0.0.254 on TCP 6443 without SNAT, and nothing of the Internet in. It does not inspect TLS, unless its certificate authority is in trustedCertificates of the stack file",
    "DNS: the servers of spoke are best the DNS proxy of the firewall (10.50.0.4): its network rule for azkms.core.windows.net lets only addresses through that it has resolved itself",
    "addresses: 10.0.0.254 of cp stays free: the internal load balancer of the API server takes it",
    "DNS: spoke and clients resolve apiserver.k8s.example.com to 10.0.0.254; DNS servers that are not those of Azure forward k8s.example.com to 168.63.129.16 from a VNET that is linked to the zone, before `pulumi up`",
    "DNS: `pulumi up` makes the record before the first machine, and links k8s.example.com to spoke, hub-vnet: make no link yourself, because Azure allows one of a VNET to a zone. The platform team adds links to the stack file (network.apiServer.linkedVnetIds)",
    "rights: `pulumi up` makes its identities and assigns their roles: assign nothing to them yourself. rights/rights.md of the plan has each role with its scope",
  ]);
});

it("says who makes the record where the stack does not", () => {
  const apiServer = { host: "apiserver.k8s.example.com", ip: "10.0.0.254", manual: true, privateLink: true };
  const lines = networkRequirements({ ...needs, privateApiServer: true, apiServer }).split("\n");
  expect(lines).toContain(
    "DNS: you make the record in k8s.example.com, and link the zone, before `pulumi up`",
  );
  expect(lines).toContain(
    "private link: cp has privateLinkServiceNetworkPolicies Disabled, and one more address stays free",
  );
});

it("has the rules of each group, those that deny last, and none for ssh that is not allowed", () => {
  const existing = { ...needs.existing, controlPlaneSecurityGroup: "cp-nsg" };
  const rules = requiredRules({ ...needs, existing, allowedCidrs: [] });
  const names = (group: string) =>
    rules.filter(({ securityGroup }) => securityGroup === group).map(({ name }) => name);
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
  expect(rules.filter(({ access }) => access === "Deny").map(({ name }) => name)).toEqual([...last, ...last]);
  // Without a firewall, Azure knows the Internet.
  expect(rules.find(({ name }) => name === "allow_https_out")).toMatchObject({
    direction: "Outbound",
    to: ["Internet"],
    ports: "443 6443",
  });
  const withPeople = requiredRules({ ...needs, existing });
  expect(withPeople[0]).toMatchObject({
    securityGroup: "cp-nsg",
    name: "allow_ssh",
    from: ["203.0.113.0/24"],
  });
  expect(requiredRules({ ...needs, privateSsh: true }).map(({ name }) => name)).not.toContain("allow_ssh");
});

it("has rules for a proxy and a mirror, and none for what goes by the proxy", () => {
  const out = (more: Partial<Parameters<typeof requiredRules>[0]>) =>
    requiredRules({ ...needs, ...more })
      .filter(({ name }) => /allow_(https|apiserver|proxy|mirror)_out/.test(name))
      .map(({ name, priority, to, ports }) => [name, priority, to.join(), ports]);
  const proxy = { host: "10.50.1.5", port: 3128, address: "10.50.1.5" };
  const mirror = { host: "mirror.example.com", port: 5000 };
  expect(out({ proxy, mirror })).toEqual([
    ["allow_apiserver_out", 2203, "Internet", "6443"],
    ["allow_proxy_out", 2204, "10.50.1.5", "3128"],
    ["allow_mirror_out", 2206, "MIRROR-ADDRESS", "5000"],
  ]);
  const named = { ...proxy, host: "proxy.example.com", address: undefined };
  expect(out({ proxy: named, privateApiServer: true })).toEqual([
    ["allow_proxy_out", 2204, "PROXY-ADDRESS", "3128"],
  ]);
  expect(out({ mirror, privateApiServer: true })[0]).toEqual(["allow_https_out", 2203, "Internet", "443"]);
});
