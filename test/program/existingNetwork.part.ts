import { clusterSections } from "../../commands/plan/reports/clusterRows";
import { inputsOf, objectsOf, planOf } from "../support/plans";

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
    const { cluster } = await planOf("spoke");
    const rows = clusterSections(cluster).find(({ title }) => title === "What others must make")?.rows ?? [];
    expect(rows.map(({ label }) => label)).toEqual([
      ...["subnet snet-control-plane", "subnet snet-nodes", "subnet snet-Web"],
      ...[
        "nsg-control-plane",
        "nsg-nodes",
        "rules",
        "peering",
        "routes",
        "firewall",
        "addresses",
        "DNS",
        "rights",
      ],
      "commands",
    ]);
    const [when, ...commands] = rows.at(-1)?.lines ?? [];
    expect(when).toBe(
      "when the VNET, its subnets, the security groups and the route table have been created:",
    );
    expect(commands.map((line) => typeof line === "object" && line.command.slice(0, 11))).toEqual(
      commands.map(() => "az network "),
    );
  });
});
