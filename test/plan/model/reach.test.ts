import { pathProblems } from "azure-network-paths";
import { compareStack } from "../../../plan/cli/compareStacks";
import { htmlReport } from "../../../plan/reports/html/page";
import { parseReport, reportJson } from "../../../plan/reports/json";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { formatPlan } from "../../../plan/reports/planText";
import { formatComparisons } from "../../../plan/reports/text";
import { changeText } from "../../../plan/reports/networkRows";
import { readCluster } from "../../../plan/model/cluster/readCluster";
import { PlanError } from "../../../plan/model/planError";
import type { PlanDocument } from "capz-windows-contract";
import { planInline, updateInline } from "../../support/inlinePlans";
import { documentOf, withInput } from "../../support/planDocuments";
import { planOf } from "../../support/plans";
import { existingManagement, minimal } from "../../support/stacks";
import { brokenNetworks } from "./brokenNetworks";

jest.setTimeout(120_000);

const documents = new Map<string, PlanDocument>();

const exampleDocument = async (stack: string): Promise<PlanDocument> => {
  const document = documents.get(stack) ?? documentOf(await planOf(stack));
  documents.set(stack, document);
  return document;
};

const report = (document: PlanDocument): string[] =>
  pathProblems(readCluster(document).reach).map(
    ({ path, value, problem, allowed, write }) =>
      `${path}${typeof value === "string" ? ` = ${value}` : ""}: ${problem}; ${allowed}; ${write}`,
  );

it.each(brokenNetworks)("%s in %s", async (_, stack, change, says) => {
  const document = await exampleDocument(stack);
  expect(report(document)).toEqual([]);
  expect(report(change(document))).toEqual(says);
});

it("says by which rule each path of dev is open or shut", async () => {
  const { reach } = readCluster(await exampleDocument("dev"));
  const group = "dev-controlplane-nsg";
  const among = "UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet";
  expect(reach.map((one) => [one.from, one.to, one.port, one.state, one.by].join(" | "))).toEqual([
    `control plane | API server | TCP 6443 | open | AllowInternetOutBound (65001) of ${group}, the NAT gateway dev-node-natgw, allow_apiserver (2201) of ${group}`,
    `linux1, win1 | API server | TCP 6443 | open | AllowInternetOutBound (65001) of dev-node-nsg, the NAT gateway dev-node-natgw, allow_apiserver (2201) of ${group}`,
    `load balancer | API server | TCP 6443 | open | AllowVnetInBound (65000) of ${group}`,
    "load balancer | linux1, win1 | TCP 30000-32767 NodePorts | open | AllowVnetInBound (65000) of dev-node-nsg",
    `management cluster, administrators | API server | TCP 6443 | open | allow_apiserver (2201) of ${group}`,
    `control plane | all machines | ${among} | open | AllowVnetOutBound (65000) of ${group}, AllowVnetInBound (65000) of ${group}, AllowVnetInBound (65000) of dev-node-nsg`,
    `linux1, win1 | all machines | ${among} | open | AllowVnetOutBound (65000) of dev-node-nsg, AllowVnetInBound (65000) of ${group}, AllowVnetInBound (65000) of dev-node-nsg`,
    `control plane | control plane | TCP 2379-2380 etcd | open | AllowVnetOutBound (65000) of ${group}, AllowVnetInBound (65000) of ${group}`,
    "control plane, linux1, win1 | DNS | UDP 53 | open | Azure's DNS, which no rule concerns",
    `control plane | registries | TCP 443 | open | AllowInternetOutBound (65001) of ${group}, the NAT gateway dev-node-natgw`,
    "linux1, win1 | registries | TCP 443 | open | AllowInternetOutBound (65001) of dev-node-nsg, the NAT gateway dev-node-natgw",
    `administrators | control plane | TCP 22 | open | allow_ssh (2200) of ${group}`,
    `others on the Internet | API server | TCP 6443 | shut | DenyAllInBound (65500) of ${group}`,
    `others on the Internet | control plane | TCP 22 | shut | DenyAllInBound (65500) of ${group}`,
    "pods | wire server 168.63.129.16 | TCP 80, 32526 | shut | GlobalNetworkPolicy capz-windows.azure-metadata, which the plan contains and Calico must enforce; pods in the network of their node pass",
  ]);
});

it("leaves to others what only they know", async () => {
  const unknown = readCluster(await exampleDocument("hub-spoke")).reach.filter(
    ({ state }) => state === "unknown",
  );
  expect(unknown.map(({ from, to, by }) => `${from} → ${to}: ${by}`)).toEqual([
    "system, win2022 → API server: the DNS servers 10.50.0.68, 10.50.0.69, which must resolve apiserver.hub-spoke.k8s.example.com",
    "control plane, system, win2022 → registries: the firewall 10.50.0.4, to which to-firewall of hub-spoke-node-routetable leads",
    "administrators → API server: the gateway of the peering to-hub",
    "Azure Bastion hub-bastion → all machines: the AzureBastionSubnet of hub-bastion: from 10.50.0.0/16 (to-hub) it comes in by AllowVnetInBound (65000) of hub-spoke-controlplane-nsg, the peering to-hub, AllowVnetInBound (65000) of hub-spoke-node-nsg",
    "Azure Bastion hub-bastion → system, win2022: the AzureBastionSubnet of hub-bastion: from 10.50.0.0/16 (to-hub) it comes in by AllowVnetInBound (65000) of hub-spoke-node-nsg, the peering to-hub",
  ]);
});

it("refuses a stack whose way out shuts a path that it needs", async () => {
  const network = {
    apiServer: { private: true, dns: { manual: true } },
    outbound: { type: "none" },
    dnsServers: ["192.0.2.53"],
  };
  const registryMirror = { url: "https://198.51.100.7/cache" };
  const remedy = `
    allowed  a NAT gateway or a route 0.0.0.0/0 to a firewall, or a target in the VNET or in a peered one
    write    type: nat # in network.outbound`;
  const by = "shut by the subnet control-plane-subnet, which has no way to the Internet";
  await expect(planInline({ ...minimal(), ...existingManagement, network, registryMirror })).rejects.toEqual(
    new PlanError(`Network: 2 problems

  network.outbound
    problem  control plane cannot reach DNS (UDP 53): ${by}${remedy}

  network.outbound
    problem  control plane cannot reach mirror 198.51.100.7 (TCP 443): ${by}${remedy}`),
  );
});

describe("a change", () => {
  const changed = async (stack: string, change: (document: PlanDocument) => PlanDocument) => {
    const document = await exampleDocument(stack);
    return compareStack(stack, "main", { document }, { document: change(document) });
  };

  it("of the name of a pool changes no path: those of its machines come and go with them", async () => {
    const named = async (name: string) => ({
      document: documentOf(await updateInline({ ...minimal(), windowsPools: { [name]: {} } })),
    });
    expect(compareStack("dev", "main", await named("win1"), await named("web")).paths).toBeUndefined();
  });

  it("to a mirror leaves running machines the registries", async () => {
    const document = async (more: object) => ({
      document: documentOf(await updateInline({ ...minimal(), ...more })),
    });
    const mirrored = await document({ registryMirror: { url: "https://mirror.example.com" } });
    const { paths = [] } = compareStack("dev", "main", await document({}), mirrored);
    expect(paths.filter(({ to }) => to === "registries").map(changeText)).toEqual([
      "open → not needed by new machines; those that run use it until they are replaced",
    ]);
  });

  it("says which paths it opens and shuts, in every report", async () => {
    const comparison = await changed("hub-spoke", (document) =>
      withInput(withInput(document, "network-routes", ["routes"], []), "network-vnet", ["dhcpOptions"], {}),
    );
    const way = "has no way to the Internet";
    expect(comparison.paths).toEqual([
      {
        ...{ from: "system, win2022", to: "API server", port: "TCP 6443", before: "unknown", after: "open" },
        by: "the name by the zone hub-spoke.k8s.example.com, AllowVnetOutBound (65000) of hub-spoke-node-nsg, allow_apiserver (2201) of hub-spoke-controlplane-nsg",
      },
      {
        ...{ from: "control plane", to: "registries", port: "TCP 443", before: "unknown", after: "shut" },
        by: `the subnet control-plane-subnet, which ${way}`,
      },
      {
        ...{ from: "system, win2022", to: "registries", port: "TCP 443", before: "unknown", after: "shut" },
        by: `the subnet node-subnet, which ${way}`,
      },
      {
        ...{ from: "firewall 10.50.0.4", to: "all machines", port: "ICMP fragmentation needed" },
        ...{ before: "open", after: "none" },
        by: "AllowVnetInBound (65000) of hub-spoke-controlplane-nsg, AllowVnetInBound (65000) of hub-spoke-node-nsg",
      },
    ]);
    const reports = [{ stack: "hub-spoke", comparison }];
    expect(parseReport(JSON.stringify(reportJson(reports)))).toMatchObject(reports);
    expect(formatComparisons(reports, { color: false, width: 200, verbose: true })).toContain(
      `
Network paths
  system, win2022 → API server (TCP 6443)
    up to others → open by the name by the zone`,
    );
    expect(markdownReport(reports)).toContain(`**Network paths**

- system, win2022 → API server \\(TCP 6443\\): up to others → open by the name by the zone hub-spoke`);
    expect(htmlReport(reports)).toContain("<strong>Network paths</strong>");
  });

  it("to everybody opens it to the Internet, and shuts out nobody who is named", async () => {
    const open = { allowedCidrs: ["203.0.113.0/24", "0.0.0.0/0"] };
    const plan = await updateInline({ ...minimal(), access: { ...(minimal().access as object), ...open } });
    const { reach } = readCluster(documentOf(plan));
    const people = reach.filter(({ from }) => /administrators|Internet/.test(from));
    expect(people.length).toBeGreaterThan(1);
    expect(people.map(({ state, wanted }) => [state, wanted])).toEqual(people.map(() => ["open", "open"]));
  });

  it("of pools or rules that decide nothing opens and shuts nothing", async () => {
    const comparison = await changed("dev", (document) =>
      withInput(document, "pool-win1-azure", ["spec", "template", "vmSize"], "Standard_D8s_v5"),
    );
    expect(comparison).not.toHaveProperty("paths");
  });
});

it("counts what is as it must be, and says what is up to others, in reports of a plan", async () => {
  const plan = await planOf("hub-spoke");
  const report = { stack: "hub-spoke", plan };
  expect(formatPlan(plan, { out: "out", files: [] }, { color: false, width: 200, verbose: true })).toContain(
    `
  network paths     10 open and 3 shut as they must be, 5 up to others
                    system, win2022 → API server (TCP 6443) is up to others: the DNS servers 10.50.0.68, 10.50.0.69, which must resolve apiserver.hub-spoke.k8s.example.com
                    control plane, system, win2022 → registries (TCP 443) is up to others: the firewall 10.50.0.4, to which to-firewall of hub-spoke-node-routetable leads
                    administrators → API server (TCP 6443) is up to others: the gateway of the peering to-hub
                    Azure Bastion hub-bastion → all machines (TCP 22) is up to others: the AzureBastionSubnet of hub-bastion: from 10.50.0.0/16 (to-hub) it comes in by AllowVnetInBound (65000) of
                    hub-spoke-controlplane-nsg, the peering to-hub, AllowVnetInBound (65000) of hub-spoke-node-nsg
                    Azure Bastion hub-bastion → system, win2022 (TCP 3389) is up to others: the AzureBastionSubnet of hub-bastion: from 10.50.0.0/16 (to-hub) it comes in by AllowVnetInBound (65000) of
                    hub-spoke-node-nsg, the peering to-hub
`,
  );
  const line = "administrators → API server (TCP 6443) is up to others: the gateway of the peering to-hub";
  expect(htmlReport([report])).toContain(`<td>${line}</td>`);
  expect(markdownReport([report])).toContain(line.replace(/[()]/g, "\\$&"));
});
