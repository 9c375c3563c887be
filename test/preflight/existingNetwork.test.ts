import { cases } from "./cases";
import { azure, rowsOf, withAzure } from "./support";

/** A VNET of the network team: what is asked about it. */

withAzure();

const { more, change } = cases.find(
  ({ name }) => name === "nothing stands in the way where it is as the stack file says",
)!;

it("Azure is not asked for the VNET that the stack does not make", async () => {
  await rowsOf(change, more);
  expect(azure.asked.filter((asked) => /virtualNetworks(\/test-vnet)? /.test(asked))).toEqual([]);
});
