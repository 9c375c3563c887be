import { contains, mustParseCidr } from "capz-windows-platform/network/addressing";
import { controlPlaneRules } from "../../../components/virtualNetwork/securityRules";

/** The fields of a security rule that decide about a connection. */
interface Rule {
  readonly priority: number;
  readonly access: string;
  readonly direction: string;
  readonly protocol: string;
  readonly destinationPortRange: string;
  readonly sourceAddressPrefixes: readonly string[];
}

/** Evaluates rules like Azure: the matching rule with the lowest number decides; without one, the Internet is denied. */
function letsIn(rules: readonly Rule[], from: string, port: number): boolean {
  const address = mustParseCidr(`${from}/32`);
  const [first] = [...rules]
    .sort((a, b) => a.priority - b.priority)
    .filter(({ direction, protocol }) => direction === "Inbound" && protocol === "Tcp")
    .filter(({ destinationPortRange }) => destinationPortRange === String(port))
    .filter(({ sourceAddressPrefixes }) =>
      sourceAddressPrefixes.some((network) => contains(mustParseCidr(network), address)),
    );
  return first?.access === "Allow";
}

describe("the rules of the control plane's subnet", () => {
  const [person, node, stranger] = ["203.0.113.9", "198.51.100.7", "192.0.2.1"] as const;
  const rules = controlPlaneRules({ apiServer: ["203.0.113.0/24", `${node}/32`], ssh: ["203.0.113.0/24"] });

  it.each([
    [person, 6443, true],
    [node, 6443, true],
    [stranger, 6443, false],
    [person, 22, true],
    [node, 22, false],
    [stranger, 22, false],
    [person, 443, false],
  ])("for %s on port %i: %s", (from, port, allowed) => {
    expect(letsIn(rules, from, port)).toBe(allowed);
  });

  it("have the names and priorities under which CAPZ would add its own, open to all, if they were missing", () => {
    expect(rules.map(({ name, priority }) => [name, priority])).toEqual([
      ["allow_ssh", 2200],
      ["allow_apiserver", 2201],
    ]);
  });

  it("have no rule without sources, which Azure would refuse", () => {
    const none = controlPlaneRules({ apiServer: [`${node}/32`], ssh: [] });
    expect(none.map(({ name }) => name)).toEqual(["allow_apiserver"]);
  });
});
