import { isRecord, list, textAt } from "../../tools/untyped";
import { planOf } from "../support/plans";
import type { Life, World } from "./harness";
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

async function comesUp(world: World, stack: string): Promise<Life> {
  const plan = await planOf(stack);
  const life = await world.begins(plan, { patience: 400 });
  const entries = await live(life, "bring-up", async () => {
    await life.deployment.up(plan);
    await allRun(world, life, plan, 300);
  });
  expect(deletedMachines(entries)).toEqual([]);
  return life;
}

/** Two clusters in networks of a company: one in an existing VNET and one in its own, both without a public address. */
livesIn("networks of a company", {}, (world) => {
  let lives: Promise<readonly [Life, Life]> | undefined;
  const both = (): Promise<readonly [Life, Life]> =>
    (lives ??= Promise.all([comesUp(world(), "spoke"), comesUp(world(), "hub-spoke")]));

  const networkGroup = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network";
  let asMade: unknown[] = [];

  it("an existing VNET: the cluster comes up, and no one writes to the network or makes a part of one", async () => {
    const [spoke] = await both();
    const [rights, made] = [true, false].map((wanted) =>
      contents(world(), networkGroup).filter(({ type }) => /roleAssignments$/i.test(type) === wanted),
    );
    asMade = made!;
    const group = `${spoke.cluster.options.resourceGroupId}/`;
    // What the cloud provider does for Services is not simulated; its role on the network is compared in test/platform/rights.test.ts.
    expect([
      writesOf(world(), networkTypes, `${networkGroup}/`),
      writesOf(world(), networkTypes, group),
    ]).toEqual([[], []]);
    expect([asMade.length, rights!.length]).toEqual([7, 6]);
  }, 900_000);

  it("a private API server: no public address, an internal load balancer, and its name before the first machine", async () => {
    const [, hubSpoke] = await both();
    const { requests, store } = world().arm;
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
    const place = (what: RegExp): number => {
      const found = requests.findIndex((write) => what.test(write));
      expect([String(what), found >= 0]).toEqual([String(what), true]);
      return found;
    };
    const machine = place(/^PUT .*\/resourceGroups\/hub-spoke\/.*\/virtualMachines\/[^/]+$/i);
    expect(
      [
        /^PUT .*\/privateDnsZones\/[^/]+\/A\//i,
        /^PUT .*\/virtualNetworkLinks\//i,
        /^PUT .*\/hub-vnet\/virtualNetworkPeerings\//i,
      ].filter((what) => place(what) > machine),
    ).toEqual([]);
  }, 900_000);

  it("they go away, and the networks are as they were", async () => {
    const [spoke, hubSpoke] = await both();
    await Promise.all(
      [spoke, hubSpoke].map((life) => live(life, "destroy", () => life.deployment.destroy())),
    );
    expect(contents(world(), networkGroup)).toEqual(asMade);
    expect(writesOf(world(), networkTypes, `${networkGroup}/`)).toEqual([]);
    const others = [spoke, hubSpoke].flatMap(({ deployment }) => [...deployment.others]);
    expect(
      world()
        .arm.store.all()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(others.sort());
  }, 600_000);
});
