import { clusterSections } from "../../commands/plan/reports/clusterRows";
import type { Plan } from "../../commands/plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { allExamples, furtherStacks, planOf } from "../support/plans";
import { existing } from "../support/networks";
import { minimal } from "../support/stacks";

const egress = "$MANAGEMENT_EGRESS";

const textsOf = ({ cluster }: Plan): string[] =>
  clusterSections(cluster).flatMap(({ rows }) =>
    rows.flatMap(({ label, lines }) =>
      lines.map((line) => `${label}: ${typeof line === "string" ? line : line.command}`),
    ),
  );

/** Addresses of the simulated Azure begin with 0; 0.0.0.0/0 is a route. */
const simulatedIn = (plan: Plan): string[] =>
  textsOf(plan).filter((text) => /(?<![\d.])0(?:\.\d+){3}(?!\/0)/.test(text));

it.each([...allExamples, ...furtherStacks])(
  "no row of a plan has an address of the simulation: %s",
  async (stack) => {
    expect(simulatedIn(await planOf(stack))).toEqual([]);
  },
);

describe("a list for others that needs an address which only Azure chooses", () => {
  const listOf = async (more: object = {}) => {
    const plan = await updateInline({ ...minimal(), ...existing({}), ...more });
    expect(simulatedIn(plan)).toEqual([]);
    return plan.cluster.network.byOthers ?? [];
  };
  const rule = `--source-address-prefixes ${egress} 198.51.100.10/32`;

  it.each([
    [{}, "publicIPAddresses/pip-test-management-egress"],
    [
      { management: { kind: "aks", network: { vnetCidr: "10.50.0.0/24", outbound: { type: "nat" } } } },
      "publicIPAddresses/pip-test-management-natgw",
    ],
  ])("has a variable for it, which Azure fills while `pulumi up` waits: %j", async (more, id) => {
    const lines = await listOf(more);
    expect(lines[0]).toBe(
      `known after \`up\`: ${egress}, from where the management cluster leaves, is known as soon as \`pulumi up\` has made it, which then waits for these rules: the first of the commands asks Azure, and after \`up\` the output networkRequirements of the stack says it`,
    );
    const start = lines.findIndex((line) => line.startsWith("MANAGEMENT_EGRESS="));
    expect(lines[start]).toBe(
      `MANAGEMENT_EGRESS="$(az network public-ip show --ids /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test-management/providers/Microsoft.Network/${id} --query ipAddress --output tsv)/32"`,
    );
    expect(lines.slice(0, start).filter((line) => /^(?:az|#) /.test(line))).toEqual([]);
    expect(lines.slice(start).filter((line) => line.includes(rule))).toHaveLength(1);
  });

  it("names the output of the stack that makes the management cluster", async () => {
    const stack = "organization/capz-windows/management";
    const lines = await listOf({ management: { kind: "stack", stack } });
    expect(lines[0]).toBe(
      `known after \`up\`: ${egress}, from where the management cluster leaves, is known after \`up\` of ${stack}: the output egressCidrs of that stack says it`,
    );
    expect(lines).toContain(
      `MANAGEMENT_EGRESS="$(npx pulumi stack output egressCidrs --stack ${stack} --json | jq --raw-output 'join(" ")')"`,
    );
  });

  it("stands in the row of the commands, before them", async () => {
    const plan = await updateInline({ ...minimal(), ...existing({}) });
    const commands = textsOf(plan).filter((text) => text.startsWith("commands: "));
    expect(commands[1]).toMatch(/^commands: MANAGEMENT_EGRESS=/);
  });
});
