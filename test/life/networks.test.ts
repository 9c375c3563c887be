import { isRecord, list, textAt } from "capz-windows-kit/untyped";
import { planFileInline } from "../support/inlinePlans";
import { planOf } from "../support/plans";
import { readExample } from "../support/stacks";
import { isApproved } from "./azure/network";
import { until } from "./deploy";
import type { Plan } from "../../plan/model/plan";
import type { Life, LifeOptions, World } from "./harness";
import { allRun, deletedMachines, live, livesIn } from "./lives";

/** Writes of a type below a path, in their order; the type is that of the path's end. */
const writesOf = (world: World, types: RegExp, below = ""): string[] =>
  world.arm.requests.filter(
    (write) =>
      !write.startsWith("GET ") && types.test(write) && write.toLowerCase().includes(below.toLowerCase()),
  );

const networkTypes =
  /\/(natGateways|publicIPAddresses|publicIPPrefixes|virtualNetworks|subnets|networkSecurityGroups|securityRules|routeTables|routes|virtualNetworkPeerings)\/[^/]+$/i;

/** All that is in a group, without what the simulated Azure counts. */
const contents = ({ arm }: World, group: string) =>
  arm.store.below(group).map(({ id, type, tags, properties }) => ({ id, type, tags, properties }));

async function comesUp(world: World, plan: Plan, options: LifeOptions = {}): Promise<Life> {
  const life = await world.begins(plan, { patience: 400, ...options });
  const entries = await live(life, "bring-up", async () => {
    await life.deployment.up(plan);
    await allRun(world, life, plan, 300);
  });
  expect(deletedMachines(entries)).toEqual([]);
  return life;
}

/** The plan of an example with other values of some keys. */
const changed = (stack: string, change: Readonly<Record<string, object>>): Promise<Plan> => {
  const file = readExample(stack);
  const values = Object.entries(change).map(([key, value]) => [`capz-windows:${key}`, JSON.stringify(value)]);
  return planFileInline({
    ...file,
    config: { ...file.config, ...Object.fromEntries(values) } as typeof file.config,
  });
};

/**
 * Three clusters in networks of a company, each without a public address of its API server: in an existing VNET, in a peered VNET, and
 * in one with the range of the management cluster, which reaches it by a private link.
 */
livesIn("networks of a company", {}, (world) => {
  const hubSpokeGroup = "/resourceGroups/hub-spoke/";
  const linkedGroup = "/resourceGroups/private-link/";
  /** Whether the name of the API server leads to a private endpoint that carries connections. */
  const isLinked = (): boolean => {
    const { store } = world().arm;
    const [endpoint] = store
      .ofType("Microsoft.Network/privateEndpoints")
      .filter(({ id }) => id.includes("/platform/"));
    const records = store
      .ofType("Microsoft.Network/privateDnsZones/A")
      .filter(
        ({ id }) => id.includes(linkedGroup) && id.endsWith("/apiserver.private-link.k8s.example.com/A/@"),
      );
    return endpoint !== undefined && isApproved(store, endpoint) && records.length === 1;
  };
  let lives: Promise<readonly [Life, Life]> | undefined;
  const both = (): Promise<readonly [Life, Life]> =>
    (lives ??= Promise.all([
      planOf("spoke").then((plan) => comesUp(world(), plan)),
      planOf("hub-spoke").then((plan) => comesUp(world(), plan)),
    ]));
  let third: Promise<Life> | undefined;
  /** While the others only change. With few machines, because the way to them matters. */
  const linked = (): Promise<Life> =>
    (third ??= both().then(async () =>
      comesUp(
        world(),
        await changed("private-link", {
          controlPlane: { replicas: 1 },
          windowsPools: { win1: { replicas: 1 } },
        }),
        { leads: isLinked },
      ),
    ));
  /** The place of the first such request after others. */
  const place = (what: RegExp, from = 0): number => {
    const found = world().arm.requests.findIndex((write, index) => index >= from && what.test(write));
    expect([String(what), found >= 0]).toEqual([String(what), true]);
    return found;
  };
  /** Each of these requests is made, and after the one before. */
  const inTurn = (from: number, ...requests: readonly RegExp[]): number =>
    requests.reduce((after, what) => place(what, after), from);

  const networkGroup = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network";
  let asMade: unknown[] = [];

  it("an existing VNET: the cluster comes up, and no one writes to the network or makes a part of one", async () => {
    const [spoke] = await both();
    const [rights, made] = [true, false].map((wanted) =>
      contents(world(), networkGroup).filter(({ type }) => /roleAssignments$/i.test(type) === wanted),
    );
    asMade = made!;
    const group = `${spoke.cluster.options.resourceGroupId}/`;
    // What the cloud provider does for Services is not simulated; its role on the network is compared in test/rights/rights.test.ts.
    expect([
      writesOf(world(), networkTypes, `${networkGroup}/`),
      writesOf(world(), networkTypes, group),
    ]).toEqual([[], []]);
    expect([asMade.length, rights!.length]).toEqual([7, 6]);
  }, 900_000);

  it("a private API server: no public address, an internal load balancer, and its name before the first machine", async () => {
    const [, hubSpoke] = await both();
    const { store } = world().arm;
    const group = `${hubSpoke.cluster.options.resourceGroupId}/`;
    expect(writesOf(world(), /\/(publicIPAddresses|publicIPPrefixes|natGateways)\//i, group)).toEqual([]);
    const balancers = store
      .below(group.slice(0, -1))
      .filter(({ type }) => type === "Microsoft.Network/loadBalancers");
    const frontends = balancers.flatMap(({ properties }) => list(properties.frontendIPConfigurations));
    expect(
      frontends.map(({ properties }) => [
        textAt(properties, "privateIPAddress"),
        isRecord(properties) && "publicIPAddress" in properties,
      ]),
    ).toEqual([["10.40.0.62", false]]);
    const machine = place(/^PUT .*\/resourceGroups\/hub-spoke\/.*\/virtualMachines\/[^/]+$/i);
    expect(
      [
        /^PUT .*\/privateDnsZones\/[^/]+\/A\//i,
        /^PUT .*\/virtualNetworkLinks\//i,
        /^PUT .*\/hub-vnet\/virtualNetworkPeerings\//i,
      ].filter((what) => place(what) > machine),
    ).toEqual([]);
  }, 900_000);

  it("an existing VNET: another image and a new pool roll nodes, and no one writes to the network", async () => {
    const [spoke] = await both();
    linked().catch(() => undefined);
    const plan = await changed("spoke", {
      windowsPools: { win1: { subnet: "web", windowsServer: "2025" }, win2: { replicas: 1 } },
    });
    const entries = await live(spoke, "another image, and one more pool", async () => {
      await spoke.deployment.up(plan);
      await allRun(world(), spoke, plan, 300);
    });
    expect(deletedMachines(entries).sort()).toEqual(["win1/0", "win1/1"]);
    expect([
      writesOf(world(), networkTypes, `${networkGroup}/`),
      writesOf(world(), networkTypes, `${spoke.cluster.options.resourceGroupId}/`),
    ]).toEqual([[], []]);
  }, 600_000);

  it("a cluster that runs gets a private link and loses it, and its machines stay", async () => {
    const [, hubSpoke] = await both();
    const subnetId =
      "/subscriptions/00000000-0000-0000-0000-000000000002/resourceGroups/team/providers/Microsoft.Network/virtualNetworks/team-vnet/subnets/endpoints";
    const from = world().arm.requests.length;
    const network = JSON.parse(readExample("hub-spoke").config["capz-windows:network"] ?? "") as {
      apiServer: object;
    };
    const plan = await changed("hub-spoke", {
      network: { ...network, apiServer: { ...network.apiServer, privateLink: { subnetId } } },
    });
    const entries = await live(hubSpoke, "a private link comes and goes", async () => {
      await hubSpoke.deployment.up(plan);
      await hubSpoke.deployment.up(await planOf("hub-spoke"));
      await until("the private link service is gone", 60, () =>
        Promise.resolve(
          !world()
            .arm.store.all()
            .some(({ id }) => id.includes(`${hubSpokeGroup}providers/Microsoft.Network/privateLinkServices`)),
        ),
      );
    });
    inTurn(
      from,
      /^PUT .*\/hub-spoke\/.*\/privateLinkServices\/hub-spoke-apiserver$/,
      /^PUT .*\/team\/.*\/privateEndpoints\/hub-spoke-apiserver$/,
      /^DELETE .*\/team\/.*\/privateEndpoints\/hub-spoke-apiserver$/,
      /^DELETE .*\/hub-spoke\/.*\/privateLinkServices\/hub-spoke-apiserver$/,
    );
    expect(deletedMachines(entries)).toEqual([]);
  }, 600_000);

  it("a private link: the service, the endpoint, its name, and only then an answer of the API server", async () => {
    const life = await linked();
    const group = life.cluster.options.resourceGroupId;
    expect(writesOf(world(), /\/publicIPAddresses\//i, `${group}/`)).toEqual([
      expect.stringMatching(/^PUT .*-natgw$/),
    ]);
    inTurn(
      0,
      /^PUT .*\/private-link\/.*\/loadBalancers\/private-link-internal-lb$/,
      /^PUT .*\/privateLinkServices\/private-link-apiserver$/,
      /^PUT .*\/platform\/.*\/privateEndpoints\/private-link-apiserver$/,
      /^PUT .*\/apiserver\.private-link\.k8s\.example\.com\/A\/@$/,
    );
    const told = life.timeline.entries.map(({ object, what }) => `${object}: ${what}`);
    const order = [
      "privateLinkServices private-link-apiserver: created",
      "privateDnsZones/A @: created",
      "Cluster private-link: Provisioned, network provisioned, API server answers",
    ].map((entry) => told.indexOf(entry));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(order).not.toContain(-1);
  }, 900_000);

  it("they go away, without the way to the API server, too, and the networks are as they were", async () => {
    const three = [...(await both()), await linked()];
    const from = world().arm.requests.length;
    await Promise.all(three.map((life) => live(life, "destroy", () => life.deployment.destroy())));
    inTurn(
      from,
      /^DELETE .*\/privateEndpoints\/private-link-apiserver$/,
      /^DELETE .*\/privateLinkServices\/private-link-apiserver$/,
      /^DELETE .*\/private-link\/.*\/loadBalancers\//,
    );
    expect(contents(world(), networkGroup)).toEqual(asMade);
    expect(writesOf(world(), networkTypes, `${networkGroup}/`)).toEqual([]);
    const others = three.flatMap(({ deployment }) => [...deployment.others]);
    expect(
      world()
        .arm.store.all()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(others.sort());
  }, 600_000);
});
