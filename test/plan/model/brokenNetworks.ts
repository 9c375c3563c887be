import type { PlanDocument } from "../../../commands/plan/model/planDocument";
import { resourceOf, withInput, without } from "../../support/planDocuments";

/** Networks of plans, each broken by hand in one place. */

type Break = (document: PlanDocument) => PlanDocument;

const rule = (name: string, priority: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name, priority, access: "Deny", direction: "Inbound", protocol: "*" },
  ...{ sourceAddressPrefix: "*", sourcePortRange: "*" },
  ...{ destinationAddressPrefix: "*", destinationPortRange: "*", ...more },
});

const noProbe = rule("no_probe", 300, { sourceAddressPrefix: "AzureLoadBalancer" });
const noSsh = rule("no_ssh", 301, { destinationPortRange: "22", sourceAddressPrefix: "10.50.0.0/16" });
const [controlPlane, nodes] = ["network-control-plane-nsg", "network-node-nsg"] as const;

const rules =
  (group: string, ...added: readonly unknown[]): Break =>
  (document) => {
    const inputs = document.resources.find(({ name }) => name === group)?.inputs;
    const own = (inputs?.securityRules ?? []) as unknown[];
    return withInput(document, group, ["securityRules"], [...own, ...added]);
  };

const route = (addressPrefix: string, nextHopType: string, nextHopIpAddress?: string): Break => {
  const own = {
    ...{ name: "own", addressPrefix, nextHopType },
    ...(nextHopIpAddress === undefined ? {} : { nextHopIpAddress }),
  };
  return (document) => withInput(document, "network-routes", ["routes"], [own]);
};

const set =
  (name: string, value: unknown, ...path: readonly string[]): Break =>
  (document) =>
    withInput(document, name, path, value);

const remove =
  (gone: string): Break =>
  (document) =>
    without(document, ({ name }) => name === gone);

const add =
  (type: string, inputs: Readonly<Record<string, unknown>>): Break =>
  (document) => ({ ...document, resources: [...document.resources, resourceOf(type, "added", inputs)] });

const both =
  (first: Break, second: Break): Break =>
  (document) =>
    second(first(document));

/** What is broken, in which example, how, and every report: path, value, problem, what is allowed, what to write. */
export const brokenNetworks: readonly (readonly [
  breaks: string,
  stack: "dev" | "hub-spoke" | "private",
  change: Break,
  says: readonly string[],
])[] = [
  [
    "the API server is denied to the NAT gateway",
    "dev",
    rules(
      controlPlane,
      rule("deny_api", 100, { destinationPortRange: "6443", sourceAddressPrefix: "0.0.0.0/8" }),
    ),
    [
      "dev-controlplane-nsg securityRules.deny_api = Deny Inbound *, from 0.0.0.0/8 to *, port 6443, priority 100: control plane, linux1, win1, management cluster cannot reach API server (TCP 6443): shut by deny_api (100) of dev-controlplane-nsg; a rule that allows inbound TCP 6443, with a priority below 100; remove deny_api # or such a rule in dev-controlplane-nsg",
    ],
  ],
  [
    "the API server's rule lets people in only",
    "dev",
    set(controlPlane, ["203.0.113.0/24"], "securityRules", "1", "sourceAddressPrefixes"),
    [
      "dev-controlplane-nsg securityRules.DenyAllInBound = Deny Inbound *, from * to *, port *, priority 65500: control plane, linux1, win1, management cluster cannot reach API server (TCP 6443): shut by DenyAllInBound (65500) of dev-controlplane-nsg; a rule that allows inbound TCP 6443, with a priority from 100 to 4096; such a rule in dev-controlplane-nsg",
    ],
  ],
  [
    "probes of load balancers are denied",
    "dev",
    both(rules(controlPlane, noProbe), rules(nodes, noProbe)),
    [
      "dev-controlplane-nsg securityRules.no_probe = Deny Inbound *, from AzureLoadBalancer to *, port *, priority 300: load balancer cannot reach API server (TCP 6443): shut by no_probe (300) of dev-controlplane-nsg; a rule that allows inbound TCP 6443, with a priority below 300; remove no_probe # or such a rule in dev-controlplane-nsg",
      "dev-node-nsg securityRules.no_probe = Deny Inbound *, from AzureLoadBalancer to *, port *, priority 300: load balancer cannot reach linux1, win1 (TCP 30000-32767 NodePorts): shut by no_probe (300) of dev-node-nsg; a rule that allows inbound TCP 30000, with a priority below 300; remove no_probe # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "ICMP and the Azure Bastion of others are denied",
    "hub-spoke",
    rules(nodes, rule("no_icmp", 300, { protocol: "Icmp" }), noSsh),
    [
      "hub-spoke-node-nsg securityRules.no_ssh = Deny Inbound *, from 10.50.0.0/16 to *, port 22, priority 301: Azure Bastion hub-bastion cannot reach all machines (TCP 22): shut by no_ssh (301) of hub-spoke-node-nsg; a rule that allows inbound TCP 22, with a priority below 301; remove no_ssh # or such a rule in hub-spoke-node-nsg",
      "hub-spoke-node-nsg securityRules.no_icmp = Deny Inbound Icmp, from * to *, port *, priority 300: firewall 10.50.0.4, gateway of to-hub cannot reach all machines (ICMP fragmentation needed): shut by no_icmp (300) of hub-spoke-node-nsg; a rule that allows inbound ICMP, with a priority below 300; remove no_icmp # or such a rule in hub-spoke-node-nsg",
    ],
  ],
  [
    "VXLAN is denied to nodes",
    "dev",
    rules(
      nodes,
      rule("no_vxlan", 4000, {
        protocol: "Udp",
        destinationPortRanges: ["4000-5000"],
        destinationPortRange: undefined,
      }),
    ),
    [
      "dev-node-nsg securityRules.no_vxlan = Deny Inbound Udp, from * to *, port 4000-5000, priority 4000: control plane, linux1, win1 cannot reach all machines (UDP 4789 VXLAN): shut by no_vxlan (4000) of dev-node-nsg; a rule that allows inbound UDP 4789, with a priority below 4000; remove no_vxlan # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "Typha is denied on the way out of nodes",
    "dev",
    rules(
      nodes,
      rule("no_typha", 4096, { direction: "Outbound", protocol: "Tcp", destinationPortRange: "5473" }),
    ),
    [
      "dev-node-nsg securityRules.no_typha = Deny Outbound Tcp, from * to *, port 5473, priority 4096: linux1, win1 cannot reach all machines (TCP 5473 Typha): shut by no_typha (4096) of dev-node-nsg; a rule that allows outbound TCP 5473, with a priority below 4096; remove no_typha # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "kubelet is denied to half of the control plane",
    "dev",
    rules(
      nodes,
      rule("no_kubelet", 200, { destinationPortRange: "10250", sourceAddressPrefix: "10.10.0.128/25" }),
    ),
    [
      "dev-node-nsg securityRules.no_kubelet = Deny Inbound *, from 10.10.0.128/25 to *, port 10250, priority 200: control plane cannot reach all machines (TCP 10250 kubelet): shut by no_kubelet (200) of dev-node-nsg; a rule that allows inbound TCP 10250, with a priority below 200; remove no_kubelet # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "etcd is denied by a resource of its own",
    "dev",
    add("azure-native:network:SecurityRule", {
      ...rule("no_etcd", 500, { destinationPortRange: "2380" }),
      networkSecurityGroupName: "dev-controlplane-nsg",
      resourceGroupName: "dev",
    }),
    [
      "dev-controlplane-nsg securityRules.no_etcd = Deny Inbound *, from * to *, port 2380, priority 500: control plane cannot reach control plane (TCP 2379-2380 etcd): shut by no_etcd (500) of dev-controlplane-nsg; a rule that allows inbound TCP 2380, with a priority below 500; remove no_etcd # or such a rule in dev-controlplane-nsg",
    ],
  ],
  [
    "nodes may not leave to the Internet",
    "dev",
    rules(
      nodes,
      rule("no_internet", 1000, {
        direction: "Outbound",
        destinationAddressPrefix: "Internet",
        destinationPortRange: "443",
      }),
    ),
    [
      "dev-node-nsg securityRules.no_internet = Deny Outbound *, from * to Internet, port 443, priority 1000: linux1, win1 cannot reach registries (TCP 443): shut by no_internet (1000) of dev-node-nsg; a rule that allows outbound TCP 443, with a priority below 1000; remove no_internet # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "Azure's DNS is denied",
    "dev",
    rules(
      nodes,
      rule("no_dns", 1000, {
        direction: "Outbound",
        destinationAddressPrefix: "AzurePlatformDNS",
        destinationPortRange: "53",
      }),
    ),
    [
      "dev-node-nsg securityRules.no_dns = Deny Outbound *, from * to *, port 53, priority 1000: linux1, win1 cannot reach DNS (UDP 53): shut by no_dns (1000) of dev-node-nsg; a rule that allows outbound UDP 53, with a priority below 1000; remove no_dns # or such a rule in dev-node-nsg",
    ],
  ],
  [
    "a route drops the node subnet",
    "dev",
    route("10.10.128.0/17", "None"),
    [
      "dev-node-routetable routes.own = 10.10.128.0/17 None: control plane, linux1, win1 cannot reach all machines (UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet): shut by the route own of dev-node-routetable, which drops 10.10.128.0/17; no route None for these addresses; remove own # or a route with a longer prefix for these addresses",
    ],
  ],
  [
    "a route leads everything to a firewall",
    "dev",
    route("0.0.0.0/0", "VirtualAppliance", "10.10.64.4"),
    [
      "dev-node-routetable routes.own = 0.0.0.0/0 VirtualAppliance 10.10.64.4: control plane, linux1, win1, management cluster, administrators cannot reach API server (TCP 6443): shut by the route own of dev-node-routetable, by which answers bypass the load balancer; a private API server, or no route of the control plane's subnet to a firewall; remove own # or network.apiServer with private: true",
      "dev-node-routetable routes.own = 0.0.0.0/0 VirtualAppliance 10.10.64.4: administrators cannot reach control plane (TCP 22): shut by the route own of dev-node-routetable, by which answers bypass the load balancer; a private API server, or no route of the control plane's subnet to a firewall; remove own # or network.apiServer with private: true",
    ],
  ],
  [
    "a route drops what goes to the Internet",
    "private",
    route("0.0.0.0/0", "None"),
    [
      "private-node-routetable routes.own = 0.0.0.0/0 None: management cluster, administrators cannot reach API server (TCP 6443): shut by the route own of private-node-routetable, which drops 0.0.0.0/0; no route None for these addresses; remove own # or a route with a longer prefix for these addresses",
      "private-node-routetable routes.own = 0.0.0.0/0 None: control plane, win1 cannot reach registries (TCP 443): shut by the route own of private-node-routetable, which drops 0.0.0.0/0; no route None for these addresses; remove own # or a route with a longer prefix for these addresses",
      "private-node-routetable routes.own = 0.0.0.0/0 None: administrators cannot reach control plane (TCP 22): shut by the route own of private-node-routetable, which drops 0.0.0.0/0; no route None for these addresses; remove own # or a route with a longer prefix for these addresses",
    ],
  ],
  [
    "a subnet has neither NAT nor default access",
    "private",
    both(
      set("network-vnet", undefined, "subnets", "1", "natGateway"),
      set("network-vnet", false, "subnets", "1", "defaultOutboundAccess"),
    ),
    [
      "network.outbound: win1 cannot reach registries (TCP 443): shut by the subnet node-subnet, which has no way to the Internet; a NAT gateway or a route 0.0.0.0/0 to a firewall, or a target in the VNET or in a peered one; type: nat # in network.outbound",
    ],
  ],
  [
    "ssh is open to everyone",
    "dev",
    rules(
      controlPlane,
      rule("ssh_for_all", 110, {
        access: "Allow",
        protocol: "Tcp",
        sourceAddressPrefix: "Internet",
        destinationPortRange: "22",
      }),
    ),
    [
      "dev-controlplane-nsg securityRules = ssh_for_all (110) of dev-controlplane-nsg: others on the Internet can reach control plane (TCP 22): opened by ssh_for_all (110) of dev-controlplane-nsg; access.allowedCidrs, the management cluster and the addresses of the nodes only; remove ssh_for_all (110) of dev-controlplane-nsg # or its networks in access.allowedCidrs",
    ],
  ],
  [
    "the API server is open to a network of strangers",
    "dev",
    rules(
      controlPlane,
      rule("partner", 120, {
        access: "Allow",
        sourceAddressPrefix: "192.0.2.0/24",
        destinationPortRange: "6443",
      }),
    ),
    [
      "dev-controlplane-nsg securityRules = partner (120) of dev-controlplane-nsg: others on the Internet can reach API server (TCP 6443): opened by partner (120) of dev-controlplane-nsg; access.allowedCidrs, the management cluster and the addresses of the nodes only; remove partner (120) of dev-controlplane-nsg # or its networks in access.allowedCidrs",
    ],
  ],
  [
    "the control plane has no security group",
    "dev",
    set("network-vnet", undefined, "subnets", "0", "networkSecurityGroup"),
    [
      "dev-vnet subnets: control plane, linux1, win1, management cluster, administrators cannot reach API server (TCP 6443): shut by no security group, without which Azure's standard load balancers let nothing in; a subnet with a security group; a security group that allows inbound TCP 6443",
      "dev-vnet subnets: administrators cannot reach control plane (TCP 22): shut by no security group, without which Azure's standard load balancers let nothing in; a subnet with a security group; a security group that allows inbound TCP 22",
    ],
  ],
  [
    "administrators are denied ssh",
    "dev",
    rules(
      controlPlane,
      rule("no_ssh", 150, { sourceAddressPrefix: "203.0.113.64/26", destinationPortRange: "22" }),
    ),
    [
      "dev-controlplane-nsg securityRules.no_ssh = Deny Inbound *, from 203.0.113.64/26 to *, port 22, priority 150: administrators cannot reach control plane (TCP 22): shut by no_ssh (150) of dev-controlplane-nsg; a rule that allows inbound TCP 22, with a priority below 150; remove no_ssh # or such a rule in dev-controlplane-nsg",
    ],
  ],
  [
    "a private API server lets no nodes in",
    "private",
    rules(
      controlPlane,
      rule("no_vnet", 160, { sourceAddressPrefix: "VirtualNetwork", destinationPortRange: "6443" }),
    ),
    [
      "private-controlplane-nsg securityRules.no_vnet = Deny Inbound *, from VirtualNetwork to *, port 6443, priority 160: win1, load balancer cannot reach API server (TCP 6443): shut by no_vnet (160) of private-controlplane-nsg; a rule that allows inbound TCP 6443, with a priority below 160; remove no_vnet # or such a rule in private-controlplane-nsg",
    ],
  ],
  [
    "the zone is not linked to the VNET",
    "private",
    remove("api-server-link-vnet"),
    [
      "zone private.k8s.example.com: win1 cannot reach API server (TCP 6443): shut by the zone private.k8s.example.com, which is not linked to the VNET; a link to the VNET of the cluster; a VirtualNetworkLink to /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/private/providers/Microsoft.Network/virtualNetworks/private-vnet",
    ],
  ],
  [
    "the record has another address",
    "private",
    set("api-server-record", "10.20.0.250", "aRecords", "0", "ipv4Address"),
    [
      "record apiserver.private.k8s.example.com = 10.20.0.250: win1 cannot reach API server (TCP 6443): shut by the record apiserver.private.k8s.example.com, which has 10.20.0.250; the address of the load balancer; aRecords: [{ipv4Address: 10.20.0.254}]",
    ],
  ],
  [
    "a machine of the control plane asks the load balancer for itself",
    "private",
    set("control-plane-kubeadm", [], "spec", "kubeadmConfigSpec", "preKubeadmCommands"),
    [
      "KubeadmControlPlane spec.kubeadmConfigSpec.preKubeadmCommands: control plane cannot reach API server (TCP 6443): shut by the internal load balancer, which sends no machine its own packets; a command that writes the API server's name with 127.0.0.1 into /etc/hosts; echo '127.0.0.1 apiserver.private.k8s.example.com' >> /etc/hosts",
    ],
  ],
  [
    "the peering lets nothing through",
    "hub-spoke",
    set("peering-hub-remote", false, "allowVirtualNetworkAccess"),
    [
      "peering to-hub allowVirtualNetworkAccess = false: management cluster, administrators cannot reach API server (TCP 6443): shut by the peering to-hub, which lets no packets through; true on both sides of the peering; allowVirtualNetworkAccess: true",
      "peering to-hub allowVirtualNetworkAccess = false: control plane, system, win2022 cannot reach DNS (UDP 53): shut by the peering to-hub, which lets no packets through; true on both sides of the peering; allowVirtualNetworkAccess: true",
      "peering to-hub allowVirtualNetworkAccess = false: control plane, system, win2022 cannot reach registries (TCP 443): shut by the peering to-hub, which lets no packets through; true on both sides of the peering; allowVirtualNetworkAccess: true",
      "peering to-hub allowVirtualNetworkAccess = false: Azure Bastion hub-bastion cannot reach all machines (TCP 22): shut by the peering to-hub, which lets no packets through; true on both sides of the peering; allowVirtualNetworkAccess: true",
      "peering to-hub allowVirtualNetworkAccess = false: Azure Bastion hub-bastion cannot reach system, win2022 (TCP 3389): shut by the peering to-hub, which lets no packets through; true on both sides of the peering; allowVirtualNetworkAccess: true",
    ],
  ],
];
