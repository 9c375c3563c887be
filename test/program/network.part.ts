import { addressOf, exampleStacks, inputsOf, planOf } from "../support/plans";

interface SecurityRule {
  readonly name: string;
  readonly sourceAddressPrefixes: readonly string[];
}

describe.each(exampleStacks)("the network of the stack %s", (stack) => {
  it("lets people, the management cluster and its own nodes in to the API server, and nobody else", async () => {
    const plan = await planOf(stack);
    const { management, access } = plan.settings;
    const expected = [
      ...access.allowedCidrs,
      addressOf(plan, "network-nat-ip"),
      ...(management.kind === "aks" ? [addressOf(plan, "management-aks-egress-ip")] : management.egressCidrs),
    ];
    const { securityRules } = inputsOf(plan, "network-control-plane-nsg") as {
      securityRules: readonly SecurityRule[];
    };
    const sources = securityRules.find(({ name }) => name === "allow_apiserver")!.sourceAddressPrefixes;
    // None lies in another one, which would hide it: the simulation has a network of its own for what Azure assigns.
    expect([...sources].sort()).toEqual(expected.sort());
  });
});
