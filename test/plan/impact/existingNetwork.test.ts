import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { impactsOfPlans } from "./between";
import { updateFileInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { objectsOf, planOf } from "../../support/plans";
import { readExample } from "../../support/stacks";

type Network = Record<string, unknown> & { existing: Record<string, unknown> };

/** What the plan says of a change of `network`, and what the hook of AzureCluster refuses. */
async function changed(stack: string, change: (network: Network) => unknown) {
  const file = readExample(stack);
  const key = "capz-windows:network";
  const network = change(JSON.parse(String(file.config[key])) as Network);
  const [before, after] = [
    await planOf(stack),
    await updateFileInline({ ...file, config: { ...file.config, [key]: JSON.stringify(network) } }),
  ];
  const [was, is] = [before, after].map((plan) => objectsOf(plan, "AzureCluster")[0]);
  return {
    impacts: impactsOfPlans(documentOf(before), documentOf(after)),
    hook: refusedChanges(was, is),
  };
}

const existing =
  (more: object) =>
  (network: Network): object => ({ ...network, existing: { ...network.existing, ...more } });

const subnet = (name: string): string =>
  `/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke-weu/subnets/${name}`;

const another = "create a second stack beside this one, move the workload, and destroy the old one";
const moved =
  "keep the ARM IDs in network.existing; to use another subnet, add it for a new pool, move the workload, and remove the old pool and its subnet in a later `up`; the control plane and the pools without `subnet` need a new cluster";
const ofSubnet = "restore network.existing, or create a new cluster and move the workloads there";
const spec = "spec.networkSpec.subnets";

describe("a running cluster keeps, in the plan and in the hook,", () => {
  it.each([
    [
      "the subnet of nodes",
      existing({ nodeSubnetId: subnet("snet-nodes2") }),
      ["Machines do not move to another subnet: snet-nodes → snet-nodes2", moved],
      `${spec}[node].name from snet-nodes to snet-nodes2: machines do not move to another subnet: restore the ARM ID in network.existing, or create a new cluster and move the workloads there`,
    ],
    [
      "the subnet of a pool",
      existing({ poolSubnetIds: { web: subnet("snet-Web2") } }),
      ["Machines do not move to another subnet: snet-Web → snet-Web2", moved],
      `${spec}[pools].name from ["snet-Web"] to ["snet-Web2"]: machines do not move to another subnet: restore the ARM ID in network.existing; to use another subnet, add it for a new pool, move the workload, and remove the old pool and its subnet in a later \`up\``,
    ],
    [
      "the security group of nodes",
      existing({ nodeSecurityGroup: "other" }),
      [
        `CAPZ refuses a change of ${spec}[snet-Web].securityGroup.name and ${spec}[snet-nodes].securityGroup.name`,
        another,
      ],
      `${spec}.securityGroup from ["snet-control-plane: nsg-control-plane","snet-nodes: nsg-nodes","snet-Web: nsg-nodes"] to ["snet-control-plane: nsg-control-plane","snet-nodes: other","snet-Web: other"]: CAPZ keeps the security group of a subnet: ${ofSubnet}`,
    ],
    [
      "the security group of the control plane",
      existing({ controlPlaneSecurityGroup: "other" }),
      [`CAPZ refuses a change of ${spec}[snet-control-plane].securityGroup.name`, another],
      `${spec}.securityGroup from ["snet-control-plane: nsg-control-plane","snet-nodes: nsg-nodes","snet-Web: nsg-nodes"] to ["snet-control-plane: other","snet-nodes: nsg-nodes","snet-Web: nsg-nodes"]: CAPZ keeps the security group of a subnet: ${ofSubnet}`,
    ],
    [
      "its route table, also where it is no longer named",
      existing({ routeTable: undefined }),
      [
        `CAPZ refuses a change of ${spec}[snet-Web].routeTable, ${spec}[snet-control-plane].routeTable and ${spec}[snet-nodes].routeTable`,
        another,
      ],
      `${spec}.routeTable from ["snet-control-plane: rt-spoke","snet-nodes: rt-spoke","snet-Web: rt-spoke"] to ["snet-control-plane: spoke-node-routetable","snet-nodes: spoke-node-routetable","snet-Web: spoke-node-routetable"]: CAPZ keeps the route table of a subnet: ${ofSubnet}`,
    ],
  ])("%s", async (_, change, [what, instead], line) => {
    const { impacts, hook } = await changed("spoke", change);
    expect(hook).toEqual([line]);
    expect(impacts[0]).toMatchObject({ severity: "refused", what, instead });
    expect(impacts.filter(({ rule }) => rule === "other")).toEqual([]);
  });
});

it("another pool may use another subnet, and the plan says which role comes with it", async () => {
  const { impacts, hook } = await changed("spoke", (network) => ({
    ...existing({ poolSubnetIds: { web: subnet("snet-Web"), api: subnet("snet-api") } })(network),
    poolSubnets: { web: "10.40.8.0/23", api: "10.40.10.0/23" },
  }));
  expect(hook).toEqual([]);
  expect(impacts.map(({ severity, what }) => [severity, what])).toEqual([
    ["changes", "Roles are assigned: Network Contributor on snet-api"],
    ["changes", "Subnets of the existing VNET: snet-api is used from now on"],
  ]);
});

it("a private API server does not become public, and the plan names the key and the way to move", async () => {
  const { impacts, hook } = await changed("private", ({ vnetCidr }) => ({ vnetCidr }));
  expect(hook[0]).toMatch(/^network\.apiServer from private, .* to public: /);
  expect(impacts[0]).toMatchObject({
    severity: "refused",
    what: "CAPZ refuses a change of spec.networkSpec.apiServerLB, spec.networkSpec.privateDNSZone and spec.networkSpec.privateDNSZoneName",
    why: expect.stringContaining("network.apiServer") as string,
    instead: another,
  });
});
