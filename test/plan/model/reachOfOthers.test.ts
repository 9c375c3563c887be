import { compareStack } from "../../../plan/cli/compareStacks";
import { readCluster } from "../../../plan/model/cluster/readCluster";
import type { PlanDocument } from "capz-windows-contract";
import { htmlReport } from "../../../plan/reports/html/page";
import { reportJson } from "../../../plan/reports/json";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { formatPlan } from "../../../plan/reports/planText";
import { formatComparisons } from "../../../plan/reports/text";
import { updateInline } from "../../support/inlinePlans";
import { documentOf, withInput } from "../../support/planDocuments";
import { planOf } from "../../support/plans";
import { existingManagement, minimal } from "../../support/stacks";

/** Paths up to others, and every part of the way that others keep. */

jest.setTimeout(120_000);

const upToOthers = (document: PlanDocument): string[] =>
  readCluster(document)
    .reach.filter(({ state }) => state === "unknown")
    .map(({ from, to, port, by }) => `${from} → ${to} (${port}): ${by}`);

const vnets =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks";
const vnet = `${vnets}/spoke`;

/** A VNET of others, with one security group for everything. */
const network = {
  vnetCidr: "10.40.0.0/20",
  controlPlaneSubnetCidr: "10.40.0.0/26",
  nodeSubnetCidr: "10.40.4.0/22",
  existing: {
    ...{ controlPlaneSubnetId: `${vnet}/subnets/snet-cp`, nodeSubnetId: `${vnet}/subnets/snet-nodes` },
    ...{ nodeSecurityGroup: "nsg", egressCidrs: ["198.51.100.10/32"] },
  },
};

const firewall = { outbound: { type: "firewall", firewallAddress: "10.50.0.4" } };
const inHub = { management: { ...existingManagement.management, egressCidrs: ["10.50.16.0/22"] } };
const among = "UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet";

it("names each part of the spoke's ways that others keep", async () => {
  expect(upToOthers(documentOf(await planOf("spoke")))).toEqual([
    "linux1, win1 → API server (TCP 6443): the DNS servers of spoke-weu, which must resolve apiserver.spoke.k8s.example.com; outbound rules of nsg-nodes to 10.40.0.0/26; routes of rt-spoke to 10.40.0.0/26, 10.40.4.0/22, 10.40.8.0/23; inbound rules of nsg-control-plane from 10.40.4.0/22, 10.40.8.0/23",
    "load balancer → API server (TCP 6443): inbound rules of nsg-control-plane from AzureLoadBalancer",
    "load balancer → linux1, win1 (TCP 30000-32767 NodePorts): inbound rules of nsg-nodes from AzureLoadBalancer",
    "management cluster, administrators → API server (TCP 6443): inbound rules of nsg-control-plane from 10.50.16.0/22, 10.200.8.0/24; routes of rt-spoke to 10.50.16.0/22, 10.200.8.0/24; peerings, gateways and routes of others between spoke-weu and 10.50.16.0/22, 10.200.8.0/24; the firewall 10.50.0.4, if routes lead there",
    `control plane → all machines (${among}): outbound rules of nsg-control-plane to 10.40.0.0/26, 10.40.4.0/22, 10.40.8.0/23; routes of rt-spoke to 10.40.0.0/26, 10.40.4.0/22, 10.40.8.0/23; inbound rules of nsg-control-plane from 10.40.0.0/26; inbound rules of nsg-nodes from 10.40.0.0/26`,
    `linux1, win1 → all machines (${among}): outbound rules of nsg-nodes to 10.40.0.0/26, 10.40.4.0/22, 10.40.8.0/23; routes of rt-spoke to 10.40.0.0/26, 10.40.4.0/22, 10.40.8.0/23; inbound rules of nsg-control-plane from 10.40.4.0/22, 10.40.8.0/23; inbound rules of nsg-nodes from 10.40.4.0/22, 10.40.8.0/23`,
    "control plane → control plane (TCP 2379-2380 etcd): outbound rules of nsg-control-plane to 10.40.0.0/26; routes of rt-spoke to 10.40.0.0/26; inbound rules of nsg-control-plane from 10.40.0.0/26",
    "control plane → DNS (UDP 53): the DNS servers of spoke-weu, which others set; outbound rules of nsg-control-plane to them; routes of rt-spoke to them",
    "linux1, win1 → DNS (UDP 53): the DNS servers of spoke-weu, which others set; outbound rules of nsg-nodes to them; routes of rt-spoke to them",
    "control plane → registries (TCP 443): outbound rules of nsg-control-plane to the Internet; routes of rt-spoke to the Internet; the firewall 10.50.0.4",
    "linux1, win1 → registries (TCP 443): outbound rules of nsg-nodes to the Internet; routes of rt-spoke to the Internet; the firewall 10.50.0.4",
    "Azure Bastion hub-bastion → all machines (TCP 22): the AzureBastionSubnet of hub-bastion; peerings, gateways and routes of others between spoke-weu and it; inbound rules of nsg-control-plane from it; routes of rt-spoke to it; inbound rules of nsg-nodes from it",
    "Azure Bastion hub-bastion → linux1, win1 (TCP 3389): the AzureBastionSubnet of hub-bastion; peerings, gateways and routes of others between spoke-weu and it; inbound rules of nsg-nodes from it; routes of rt-spoke to it",
    "firewall 10.50.0.4 → all machines (ICMP fragmentation needed): inbound rules of nsg-control-plane from 10.50.0.4/32; inbound rules of nsg-nodes from 10.50.0.4/32",
  ]);
});

/** With one security group for everything, and Internet by the network of others. */
const fromBalancers = [
  "load balancer → API server (TCP 6443): inbound rules of nsg from AzureLoadBalancer",
  "load balancer → linux1, win1 (TCP 30000-32767 NodePorts): inbound rules of nsg from AzureLoadBalancer",
];
const withinVnet = [
  `control plane → all machines (${among}): outbound rules of nsg to 10.40.0.0/26, 10.40.4.0/22; routes of the route table of snet-cp to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg from 10.40.0.0/26; routes of the route table of snet-nodes to 10.40.0.0/26`,
  `linux1, win1 → all machines (${among}): outbound rules of nsg to 10.40.0.0/26, 10.40.4.0/22; routes of the route table of snet-nodes to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg from 10.40.4.0/22; routes of the route table of snet-cp to 10.40.4.0/22`,
  "control plane → control plane (TCP 2379-2380 etcd): outbound rules of nsg to 10.40.0.0/26; routes of the route table of snet-cp to 10.40.0.0/26; inbound rules of nsg from 10.40.0.0/26",
  "control plane → DNS (UDP 53): the DNS servers of spoke, which others set; outbound rules of nsg to them; routes of the route table of snet-cp to them",
  "linux1, win1 → DNS (UDP 53): the DNS servers of spoke, which others set; outbound rules of nsg to them; routes of the route table of snet-nodes to them",
  "control plane → registries (TCP 443): outbound rules of nsg to the Internet; routes of the route table of snet-cp to the Internet; the way out as 198.51.100.10/32",
  "linux1, win1 → registries (TCP 443): outbound rules of nsg to the Internet; routes of the route table of snet-nodes to the Internet; the way out as 198.51.100.10/32",
];

it.each<[string, Parameters<typeof updateInline>[0], string[]]>([
  [
    "a NAT gateway of others and a public API server",
    { network },
    [
      "control plane → API server (TCP 6443): outbound rules of nsg to the Internet; routes of the route table of snet-cp to 198.51.100.10/32, the Internet; the way out as 198.51.100.10/32; inbound rules of nsg from 198.51.100.10/32",
      "linux1, win1 → API server (TCP 6443): outbound rules of nsg to the Internet; routes of the route table of snet-nodes to the Internet; the way out as 198.51.100.10/32; inbound rules of nsg from 198.51.100.10/32; routes of the route table of snet-cp to 198.51.100.10/32",
      ...fromBalancers,
      "management cluster → API server (TCP 6443): inbound rules of nsg from 198.51.100.4/32; routes of the route table of snet-cp to 198.51.100.4/32",
      ...withinVnet,
      "others on the Internet → API server (TCP 6443): inbound rules of nsg from the Internet; routes of the route table of snet-cp to the Internet",
      "others on the Internet → control plane (TCP 22): inbound rules of nsg from the Internet; routes of the route table of snet-cp to the Internet",
    ],
  ],
  [
    "the hub's side of a peering, and DNS servers behind it",
    {
      ...inHub,
      network: {
        ...firewall,
        apiServer: {
          private: true,
          dns: { zoneName: "test.k8s.example.com" },
          linkedVnetIds: [`${vnets}/hub`],
        },
        peerings: { hub: { vnetId: `${vnets}/hub`, addressSpaces: ["10.50.0.0/16"] } },
        dnsServers: ["10.50.0.68"],
      },
    },
    [
      "linux1, win1 → API server (TCP 6443): the DNS servers 10.50.0.68, which must resolve apiserver.test.k8s.example.com",
      "management cluster → API server (TCP 6443): the other side of the peering to-hub",
      "control plane, linux1, win1 → DNS (UDP 53): the other side of the peering to-hub",
      "control plane, linux1, win1 → registries (TCP 443): the other side of the peering to-hub; the firewall 10.50.0.4, to which to-firewall of test-node-routetable leads",
    ],
  ],
  [
    "a firewall, the record of a private API server and the way of a jump host",
    {
      ...inHub,
      network: {
        ...{ ...network, ...firewall },
        existing: { ...network.existing, controlPlaneSecurityGroup: "nsg-cp", routeTable: "rt" },
        apiServer: { private: true, dns: { manual: true } },
        bastion: { kind: "jumpHost", jumpHost: "ops@10.60.0.9" },
      },
    },
    [
      "linux1, win1 → API server (TCP 6443): the DNS servers of spoke, which must resolve apiserver.test.capz.io; the record apiserver.test.capz.io, which others make; outbound rules of nsg to 10.40.0.0/26; routes of rt to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg-cp from 10.40.4.0/22",
      "load balancer → API server (TCP 6443): inbound rules of nsg-cp from AzureLoadBalancer",
      "load balancer → linux1, win1 (TCP 30000-32767 NodePorts): inbound rules of nsg from AzureLoadBalancer",
      "management cluster → API server (TCP 6443): inbound rules of nsg-cp from 10.50.16.0/22; routes of rt to 10.50.16.0/22; peerings, gateways and routes of others between spoke and 10.50.16.0/22; the firewall 10.50.0.4, if routes lead there",
      `control plane → all machines (${among}): outbound rules of nsg-cp to 10.40.0.0/26, 10.40.4.0/22; routes of rt to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg-cp from 10.40.0.0/26; inbound rules of nsg from 10.40.0.0/26`,
      `linux1, win1 → all machines (${among}): outbound rules of nsg to 10.40.0.0/26, 10.40.4.0/22; routes of rt to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg-cp from 10.40.4.0/22; inbound rules of nsg from 10.40.4.0/22`,
      "control plane → control plane (TCP 2379-2380 etcd): outbound rules of nsg-cp to 10.40.0.0/26; routes of rt to 10.40.0.0/26; inbound rules of nsg-cp from 10.40.0.0/26",
      "control plane → DNS (UDP 53): the DNS servers of spoke, which others set; outbound rules of nsg-cp to them; routes of rt to them",
      "linux1, win1 → DNS (UDP 53): the DNS servers of spoke, which others set; outbound rules of nsg to them; routes of rt to them",
      "control plane → registries (TCP 443): outbound rules of nsg-cp to the Internet; routes of rt to the Internet; the firewall 10.50.0.4",
      "linux1, win1 → registries (TCP 443): outbound rules of nsg to the Internet; routes of rt to the Internet; the firewall 10.50.0.4",
      "jump host 10.60.0.9 → all machines (TCP 22): inbound rules of nsg-cp from 10.60.0.9/32; routes of rt to 10.60.0.9/32; peerings, gateways and routes of others between spoke and 10.60.0.9/32; the firewall 10.50.0.4, if routes lead there; inbound rules of nsg from 10.60.0.9/32",
      "jump host 10.60.0.9 → linux1, win1 (TCP 3389): inbound rules of nsg from 10.60.0.9/32; routes of rt to 10.60.0.9/32; peerings, gateways and routes of others between spoke and 10.60.0.9/32; the firewall 10.50.0.4, if routes lead there",
      "firewall 10.50.0.4 → all machines (ICMP fragmentation needed): inbound rules of nsg-cp from 10.50.0.4/32; inbound rules of nsg from 10.50.0.4/32",
    ],
  ],
  [
    "a private endpoint of the management cluster, in a VNET of others",
    {
      network: {
        ...network,
        apiServer: {
          private: true,
          dns: { zoneName: "test.k8s.example.com" },
          privateLink: { manual: true },
        },
      },
    },
    [
      "linux1, win1 → API server (TCP 6443): the DNS servers of spoke, which must resolve apiserver.test.k8s.example.com; outbound rules of nsg to 10.40.0.0/26; routes of the route table of snet-nodes to 10.40.0.0/26; inbound rules of nsg from 10.40.4.0/22; routes of the route table of snet-cp to 10.40.4.0/22",
      ...fromBalancers,
      "management cluster → API server (TCP 6443): the private endpoint on test-apiserver, which others make; outbound rules of nsg to 10.40.0.0/26; routes of the route table of snet-cp to 10.40.0.0/26; inbound rules of nsg from 10.40.0.0/26",
      ...withinVnet,
    ],
  ],
])("names each part of %s", async (_, raw, says) => {
  const pools = { linuxPools: { linux1: {} }, windowsPools: { win1: {} } };
  const plan = await updateInline({ ...minimal(), ...existingManagement, ...pools, ...raw });
  expect(upToOthers(documentOf(plan))).toEqual(says);
});

it("has a path to a proxy and a mirror, and none to registries by them", async () => {
  const mirror = { registryMirror: { url: "https://10.60.0.9:5000/cache" } };
  const proxy = { url: "http://10.50.1.5:3128" };
  const ways = async (more: Record<string, unknown>) => {
    const plan = await updateInline({ ...minimal(), ...existingManagement, network, ...more });
    return plan.cluster.reach
      .filter(({ to }) => /^(proxy|mirror|registries)/.test(to))
      .map(({ from, to, port, by }) => `${from} → ${to} (${port}): ${by}`);
  };
  const way = (address: string): string =>
    `outbound rules of nsg to ${address}; routes of the route table of snet-cp to ${address}; peerings, gateways and routes of others between spoke and ${address}`;
  const toProxy = `control plane → proxy 10.50.1.5 (TCP 3128): ${way("10.50.1.5/32")}`;
  const toMirror = `control plane → mirror 10.60.0.9 (TCP 5000): ${way("10.60.0.9/32")}`;
  const toRegistries =
    "control plane → registries (TCP 443): outbound rules of nsg to the Internet; routes of the route table of snet-cp to the Internet; the way out as 198.51.100.10/32";
  expect(await ways({ proxy, ...mirror })).toEqual([toProxy]);
  expect(await ways({ proxy: { ...proxy, noProxy: ["10.60.0.0/16"] }, ...mirror })).toEqual([
    toProxy,
    toMirror,
  ]);
  expect(await ways({ registryMirror: { ...mirror.registryMirror, fallback: true } })).toEqual([
    toMirror,
    toRegistries,
  ]);
});

it("says them in every report", async () => {
  const plan = await planOf("spoke");
  const [report, by] = [
    { stack: "spoke", plan },
    "outbound rules of nsg-nodes to the Internet; routes of rt-spoke to the Internet; the firewall 10.50.0.4",
  ];
  expect(formatPlan(plan, { out: "out", files: [] }, { color: false, width: 250, verbose: true })).toContain(
    `\n                    linux1, win1 → registries (TCP 443) is up to others: ${by}\n`,
  );
  const line = `linux1, win1 → registries (TCP 443) is up to others: ${by}`;
  expect(markdownReport([report])).toContain(line.replace(/[()]/g, "\\$&"));
  expect(htmlReport([report])).toContain(`<td>${line}</td>`);
  expect(JSON.stringify(reportJson([report]))).toContain(
    `"by":"${by}","others":[{"what":"outbound rules of nsg-nodes to","ranges":["the Internet"]},{"what":"routes of rt-spoke to","ranges":["the Internet"]},{"what":"the firewall 10.50.0.4","ranges":[]}]`,
  );
});

it("compares them by who must let a path pass, and not by its addresses", async () => {
  const document = documentOf(await planOf("spoke"));
  const comparison = (head: PlanDocument) => compareStack("spoke", "main", { document }, { document: head });
  const range = ["spec", "networkSpec", "subnets", "1", "cidrBlocks"];
  expect(comparison(withInput(document, "cluster-azure", range, ["10.40.5.0/24"]))).not.toHaveProperty(
    "paths",
  );
  const other = comparison(withInput(document, "network", ["firewall", "address"], "10.50.0.5"));
  const text = formatComparisons([{ stack: "spoke", comparison: other }], {
    ...{ color: false, width: 300, verbose: true },
  });
  expect(text.slice(text.indexOf("Network paths"))).toContain(`Network paths
  management cluster, administrators → API server (TCP 6443)
    still up to others, now: inbound rules of nsg-control-plane from 10.50.16.0/22, 10.200.8.0/24; routes of rt-spoke to 10.50.16.0/22, 10.200.8.0/24; peerings, gateways and routes of others between spoke-weu and 10.50.16.0/22, 10.200.8.0/24; the firewall 10.50.0.5, if routes lead there
  control plane → registries (TCP 443)
    still up to others, now: outbound rules of nsg-control-plane to the Internet; routes of rt-spoke to the Internet; the firewall 10.50.0.5
  linux1, win1 → registries (TCP 443)
    still up to others, now: outbound rules of nsg-nodes to the Internet; routes of rt-spoke to the Internet; the firewall 10.50.0.5
  firewall 10.50.0.4 → all machines (ICMP fragmentation needed)
    up to others → none: inbound rules of nsg-control-plane from 10.50.0.4/32; inbound rules of nsg-nodes from 10.50.0.4/32
  firewall 10.50.0.5 → all machines (ICMP fragmentation needed)
    none → up to others: inbound rules of nsg-control-plane from 10.50.0.5/32; inbound rules of nsg-nodes from 10.50.0.5/32
`);
});
