import { clusterSections } from "../../commands/plan/reports/clusterRows";
import type { ClusterModel } from "../../commands/plan/model/cluster/types";
import { planFiles } from "../../commands/plan/render/render";
import { markdownReport } from "../../commands/plan/reports/markdown/markdownReport";
import { type Box, pictureOf } from "../../commands/plan/reports/picture/boxes";
import { pathText } from "../../platform/network/reach/paths";
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

  it("lists what others must make by subject, with commands that can be copied", async () => {
    const rows = sectionOf(await planOf("spoke"), "What others must make");
    expect(rows.map(({ label }) => label)).toEqual([
      ...["ranges", "VNET", "subnet snet-control-plane", "subnet snet-nodes", "subnet snet-Web"],
      ...[
        "nsg-control-plane",
        "nsg-control-plane, nsg-nodes",
        "nsg-nodes",
        "rules",
        "Services",
        "peering",
        "routes",
        "routes A",
        "routes B",
        "firewall",
        "addresses",
        "DNS",
        "rights",
      ],
      ...["commands", "roles", "commands for roles"],
    ]);
    const [when, ...commands] = rows.find(({ label }) => label === "commands")?.lines ?? [];
    expect(when).toBe(
      "which make all of it from nothing but resource groups, roles, and the hub with its firewall; words in capitals are yours to replace, and Azure refuses them; commands behind a # are a choice, and yours to take; leave out what exists, because create overwrites it, and write update instead of create for a subnet that exists:",
    );
    const isCommand = (line: (typeof commands)[number]): boolean =>
      typeof line === "object" && /^(?:az (?:network|policy)|#) /.test(line.command);
    expect(commands.filter((line) => !isCommand(line))).toEqual([]);
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
    const sections = clusterSections(plan.cluster).filter(({ title }) => /^(What others|Hosts)/.test(title));
    const commands = sections
      .flatMap(({ rows }) => rows.flatMap((one) => one.lines))
      .flatMap((line) => (typeof line === "string" ? [] : line.command));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((command) => !lines.some((line) => line.endsWith(command)))).toEqual([]);
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
    const blocks = rows
      .map(({ lines }) => lines.flatMap((line) => (typeof line === "string" ? [] : line.command)))
      .filter((commands) => commands.length > 0);
    expect(blocks).toHaveLength(2);
    const report = { stack: "spoke", plan };
    const whole = markdownReport([report]);
    const [, section = ""] =
      /<details><summary>What others must make<\/summary>\n\n([^]*?)<\/details>/.exec(whole) ?? [];
    expect(section.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(
      2 + rows.flatMap(({ lines }) => lines.filter((line) => typeof line === "string")).length,
    );
    expect(section).toContain(
      `| nsg-control-plane, nsg-nodes | allow\\_cluster \\(2202\\), inbound any protocol, from the cluster`,
    );
    for (const commands of blocks) {
      expect(section).toContain(`\`\`\`sh\n${commands.join("\n")}\n\`\`\`\n`);
    }
    const short = markdownReport([report], { limit: 6_000 });
    expect(short.length).toBeLessThanOrEqual(6_000);
    expect(short).toContain("Network paths (");
    expect(short).not.toContain("```sh");
    expect(short).toMatch(/Cut to fit:.* command blocks/);
  });

  it("lists the hosts by who reaches them, with rules for Azure Firewall", async () => {
    const rows = sectionOf(await planOf("spoke"), "Hosts that machines reach");
    expect(rows.map(({ label }) => label)).toEqual([
      ...["Linux machines", "Windows nodes", "management cluster", "who runs pulumi up", "not listed"],
      "commands",
    ]);
    expect(rows[1]?.lines).toEqual([
      "TCP 443: *.data.mcr.microsoft.com *.quay.io auth.docker.io docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com mcr.microsoft.com production.cloudflare.docker.com production.cloudfront.docker.com quay.io registry-1.docker.io (images)",
      "TCP 443: login.microsoftonline.com management.azure.com (Azure's API: disks, logins)",
      "TCP 1688: azkms.core.windows.net (activation of Windows)",
      "TCP 80: ctldl.windowsupdate.com (root certificates of Windows)",
    ]);
    const start =
      "az network firewall policy rule-collection-group collection add-filter-collection --subscription SUBSCRIPTION --resource-group GROUP --policy-name POLICY --rule-collection-group-name COLLECTIONS";
    const command = (name: string, from: string, rule: string) => ({
      command: `${start} --name ${name} --collection-priority PRIORITY --action Allow --rule-name ${name} --source-addresses ${from} --rule-type ${rule}`,
    });
    // The control plane and a pool of Linux, and the subnet of the pool of Windows.
    expect(rows.at(-1)?.lines.slice(1)).toEqual([
      command(
        "spoke-linux-443",
        "10.40.0.0/26 10.40.4.0/22",
        "ApplicationRule --protocols Https=443 --target-fqdns '*.data.mcr.microsoft.com' '*.pkg.dev' '*.quay.io' cdn.registry.k8s.io login.microsoftonline.com management.azure.com mcr.microsoft.com quay.io registry.k8s.io",
      ),
      command(
        "spoke-windows-443",
        "10.40.8.0/23",
        "ApplicationRule --protocols Https=443 --target-fqdns '*.data.mcr.microsoft.com' '*.quay.io' auth.docker.io docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com login.microsoftonline.com management.azure.com mcr.microsoft.com production.cloudflare.docker.com production.cloudfront.docker.com quay.io registry-1.docker.io",
      ),
      command(
        "spoke-windows-1688",
        "10.40.8.0/23",
        "NetworkRule --ip-protocols TCP --destination-ports 1688 --destination-fqdns azkms.core.windows.net",
      ),
      command(
        "spoke-windows-80",
        "10.40.8.0/23",
        "ApplicationRule --protocols Http=80 --target-fqdns ctldl.windowsupdate.com",
      ),
    ]);
    // Pools without a subnet of their choice share the first one.
    expect(JSON.stringify(clusterSections((await planOf("hub-spoke")).cluster))).toMatch(
      /--name hub-spoke-linux-443 [^"]* --source-addresses 10\.\S+ 10\.\S+ --rule-type [^"]*"[^]*--name hub-spoke-windows-443 [^"]* --source-addresses 10\.\S+ --rule-type /,
    );
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
