import type { ClusterModel } from "../../plan/model/cluster/types";
import { planFiles } from "../../plan/render/render";
import { markdownReport } from "../../plan/reports/markdown/markdownReport";
import { type Box, pictureOf } from "../../plan/reports/picture/boxes";
import { pathText } from "azure-network-paths";
import { inputsOf, objectsOf, planOf, sectionOf } from "../support/plans";

/** A stack in a VNET of others. */

const subscription = "/subscriptions/00000000-0000-0000-0000-000000000000";
const network = `${subscription}/resourceGroups/network/providers/Microsoft.Network`;
const subnets = `${network}/virtualNetworks/spoke-weu/subnets`;

describe("a stack in a VNET of others", () => {
  it("makes nothing of a network", async () => {
    const { update } = await planOf("spoke");
    const made = update.resources
      .filter(({ type }) => type.startsWith("azure-native:network:"))
      .map(({ name }) => name);
    expect(made).toEqual([]);
  });

  it("names each subnet by its id, so that CAPZ adds no NAT gateway", async () => {
    const [cluster] = objectsOf(await planOf("spoke"), "AzureCluster");
    const attached = (group: string) => ({
      securityGroup: { name: group },
      routeTable: { name: "rt-spoke" },
    });
    const subnet = (name: string, role: string, cidr: string, group: string) => ({
      ...{ id: `${subnets}/${name}`, name, role, cidrBlocks: [cidr], ...attached(group) },
    });
    expect(cluster).toMatchObject({ spec: { resourceGroup: "spoke" } });
    expect((cluster as { spec?: { networkSpec?: unknown } }).spec?.networkSpec).toEqual({
      vnet: { resourceGroup: "network", name: "spoke-weu", cidrBlocks: ["10.40.0.0/20"] },
      subnets: [
        subnet("snet-control-plane", "control-plane", "10.40.0.0/26", "nsg-control-plane"),
        subnet("snet-nodes", "node", "10.40.4.0/22", "nsg-nodes"),
        subnet("snet-Web", "node", "10.40.8.0/23", "nsg-nodes"),
      ],
      apiServerLB: {
        type: "Internal",
        frontendIPs: [{ name: "spoke-internal-lb-frontEnd", privateIP: "10.40.0.62" }],
      },
      privateDNSZone: "None",
      privateDNSZoneName: "spoke.k8s.example.com",
    });
  });

  it("puts machines into the subnets by Azure's names", async () => {
    const pools = objectsOf(await planOf("spoke"), "AzureMachinePool");
    expect(JSON.stringify(pools[0])).toContain('"subnetName":"snet-nodes"');
    expect(JSON.stringify(pools[1])).toContain('"subnetName":"snet-Web"');
  });

  it("lets identities join its subnets, and the cloud provider write security rules", async () => {
    const plan = await planOf("spoke");
    const scopes = (who: string) =>
      plan.update.resources
        .filter(({ name }) => name.startsWith(`cluster-api-identity-${who}-network-`))
        .map(({ name }) => String(inputsOf(plan, name).scope))
        .filter((scope) => scope.startsWith(network))
        .sort();
    expect(scopes("controllers")).toEqual([
      `${subnets}/snet-Web`,
      `${subnets}/snet-control-plane`,
      `${subnets}/snet-nodes`,
    ]);
    expect(scopes("control-plane")).toEqual([
      `${network}/networkSecurityGroups/nsg-nodes`,
      `${subnets}/snet-Web`,
      `${subnets}/snet-nodes`,
    ]);
  });

  it("lists what others must make by subject", async () => {
    const rows = sectionOf(await planOf("spoke"), "What others must make");
    expect(rows.map(({ label }) => label)).toEqual([
      ...["VNET", "subnet snet-control-plane", "subnet snet-nodes", "subnet snet-Web"],
      ...["nsg-control-plane", "nsg-nodes", "rules"],
      ...["peering", "routes", "firewall", "DNS", "addresses", "rights"],
      ...["roles", "roles of people"],
    ]);
    const lines = rows.flatMap((each) => each.lines);
    expect(lines.filter((line) => typeof line !== "string")).toEqual([]);
  });

  it("writes the list, the hosts and the paths into one file for those who own the network, and for no one else", async () => {
    const plan = await planOf("spoke");
    const text = planFiles(plan).get("network/others.txt") ?? "";
    const titles = text.split("\n").filter((line) => /^\S/.test(line));
    expect(titles).toEqual([
      "What others must make for spoke",
      "Hosts that machines reach",
      "Network paths that need it",
    ]);
    const lines = text.split("\n").map((line) => line.trim());
    const rules = (plan.cluster.network.byOthers ?? []).filter((line) => line.startsWith("nsg-"));
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.filter((rule) => !text.includes(rule.split(": ")[1]?.split(",")[0] ?? "-"))).toEqual([]);
    const open = plan.cluster.reach.filter(({ state }) => state === "unknown").map(pathText);
    expect(open.length).toBeGreaterThan(5);
    expect(lines.slice(lines.indexOf("Network paths that need it"))).toEqual(expect.arrayContaining(open));
    expect([...planFiles(await planOf("dev")).keys()].filter((path) => path.startsWith("network/"))).toEqual(
      [],
    );
  });

  it("lists the same in Markdown, folded, and leaves it out first where there is no room", async () => {
    const plan = await planOf("spoke");
    const rows = sectionOf(plan, "What others must make");
    const report = { stack: "spoke", plan };
    const whole = markdownReport([report]);
    const [, section = ""] =
      /<details><summary>What others must make<\/summary>\n\n([^]*?)<\/details>/.exec(whole) ?? [];
    expect(section.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(
      2 + rows.flatMap(({ lines }) => lines.filter((line) => typeof line === "string")).length,
    );
    expect(section).toContain("| nsg-control-plane | allow\\_apiserver \\(2201\\), inbound TCP, from ");
    const limit = whole.indexOf("<details><summary>What others must make");
    const short = markdownReport([report], { limit });
    expect(short.length).toBeLessThanOrEqual(limit);
    expect(short).not.toContain("What others must make");
    expect(short).toMatch(/Cut to fit:/);
  });

  it("lists the hosts by who reaches them, for the firewall", async () => {
    const rows = sectionOf(await planOf("spoke"), "Hosts that machines reach");
    expect(rows.map(({ label }) => label)).toEqual([
      ...["Linux machines", "Windows nodes", "management cluster", "not listed"],
    ]);
    expect(rows[1]?.lines).toEqual([
      "TCP 443: *.data.mcr.microsoft.com *.quay.io auth.docker.io docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com mcr.microsoft.com production.cloudflare.docker.com production.cloudfront.docker.com quay.io registry-1.docker.io (images)",
      "TCP 443: login.microsoftonline.com management.azure.com (Azure's API: disks, logins)",
      "TCP 1688: azkms.core.windows.net (activation of Windows)",
      "TCP 80: ctldl.windowsupdate.com (root certificates of Windows)",
    ]);
    // Where the stack has a NAT gateway, everything may leave.
    expect(sectionOf(await planOf("dev"), "Hosts that machines reach")).toEqual([]);
    // With a mirror and no other source, machines reach no registry.
    const { hosts } = (await planOf("locked-down")).cluster;
    expect(hosts.filter(({ who, why }) => who === "Linux machines" && why === "images")).toEqual([
      { who: "Linux machines", why: "images", port: 443, hosts: ["mirror.example.com"] },
    ]);
  });

  it("marks in the picture what belongs to others", async () => {
    const flat = (boxes: readonly Box[]): readonly Box[] =>
      boxes.flatMap((box) => [box, ...flat(box.boxes ?? [])]);
    const marked = ({ cluster }: { readonly cluster: ClusterModel }) =>
      flat([pictureOf(cluster).cluster!])
        .filter(({ badge = "", lines }) => `${badge} ${lines.join(" ")}`.includes("of others"))
        .map(({ tone, title, lines }) => (tone === "subnet" ? [title, ...lines].join(": ") : title));
    expect(marked(await planOf("spoke"))).toEqual([
      "Firewall",
      "Way in",
      "VNET spoke-weu",
      "snet-control-plane: of others · nsg-control-plane · rt-spoke",
      "snet-nodes: of others · nsg-nodes · rt-spoke",
      "snet-Web: of others · nsg-nodes · rt-spoke",
    ]);
    expect(marked(await planOf("prod"))).toEqual([]);
  });
});
