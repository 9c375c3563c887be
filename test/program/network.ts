import { contains, mustParseCidr } from "../../components/virtualNetwork/addressing";
import { redact } from "../../plan/engine/values";
import { exampleStacks, planOf, resource } from "../support/plans";

interface SecurityRule {
  readonly name: string;
  readonly sourceAddressPrefixes: readonly string[];
}

describe.each(exampleStacks)("the network of the stack %s", (stack) => {
  it("lets people, the management cluster and its own nodes in to the API server, and nobody else", async () => {
    const plan = await planOf(stack);
    const { management, access } = plan.settings;
    const address = (name: string) => `${redact(resource(plan, name).outputs.ipAddress!) as string}/32`;
    const expected = [
      ...access.allowedCidrs,
      address("network-nat-ip"),
      ...(management.kind === "aks" ? [address("management-aks-egress-ip")] : management.egressCidrs),
    ];
    const { securityRules } = redact(resource(plan, "network-control-plane-nsg").inputs) as {
      securityRules: readonly SecurityRule[];
    };
    const sources = securityRules.find(({ name }) => name === "allow_apiserver")!.sourceAddressPrefixes;
    const within = (outer: readonly string[], inner: string) =>
      outer.some((network) => contains(mustParseCidr(network), mustParseCidr(inner)));
    expect(expected.filter((network) => !within(sources, network))).toEqual([]);
    expect(sources.filter((network) => !within(expected, network))).toEqual([]);
  });
});
