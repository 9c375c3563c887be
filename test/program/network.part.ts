import { addressOf, apiServerSources, exampleStacks, planOf } from "../support/plans";

describe.each(exampleStacks.filter((one) => one !== "spoke"))("the network of the stack %s", (stack) => {
  it("allows users, the management cluster and its own nodes to reach the API server, and no one else", async () => {
    const plan = await planOf(stack);
    const { management, access, network } = plan.settings;
    const expected = [
      ...access.allowedCidrs,
      network.apiServer === undefined ? addressOf(plan, "network-nat-ip") : network.vnetCidr,
      ...(management.kind === "aks" ? [addressOf(plan, "management-aks-egress-ip")] : []),
      ...(management.kind === "existing" ? management.egressCidrs : []),
      ...(management.kind === "stack"
        ? [addressOf(await planOf("management"), "management-aks-egress-ip")]
        : []),
    ];
    // No range contains another one, which would hide a fault: the simulation assigns addresses from a network of its
    // own.
    expect([...apiServerSources(plan)!].sort()).toEqual(expected.sort());
  });
});
