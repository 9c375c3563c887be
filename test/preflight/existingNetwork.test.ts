import { capzResources } from "../../commands/preflight/planned/capz";
import { pulumiResources } from "../../commands/preflight/planned/planned";
import { cases } from "./cases";
import { azure, planOf, rowsOf, withAzure } from "./support";

/** A VNET of the network team: what is asked about it. */

withAzure();

const { more, change } = cases.find(
  ({ name }) => name === "nothing stands in the way where it is as the stack file says",
)!;

it("Azure is not asked for the VNET that the stack does not make", async () => {
  await rowsOf(change, more);
  expect(azure.asked.filter((asked) => /virtualNetworks(\/test-vnet)? /.test(asked))).toEqual([]);
});

it("Azure Policy is asked about no network of the stack's own, and about machines in the subnets of the VNET", async () => {
  const windowsPools = { win1: { subnet: "web" }, win2: { kind: "MachineDeployment" } };
  const { resources, cluster } = await planOf({ ...more, windowsPools });
  const machines = capzResources(resources, cluster, ["1"]);
  const own = /\/(virtualNetworks|subnets|networkSecurityGroups|natGateways|routeTables|publicIPAddresses)$/;
  expect(
    [...pulumiResources(resources), ...machines]
      .filter(({ type, within }) => own.test(type) && within.endsWith("/test"))
      .map(({ name }) => name),
  ).toEqual(["pip-test-apiserver"]);
  const ids = JSON.stringify(machines).match(/[^"]+\/subnets\/[^"]+/g) ?? [];
  expect([...new Set(ids)].sort()).toEqual([
    expect.stringMatching(/\/subnets\/snet-cp$/),
    expect.stringMatching(/\/subnets\/snet-nodes$/),
    expect.stringMatching(/\/subnets\/snet-web$/),
  ]);
});
