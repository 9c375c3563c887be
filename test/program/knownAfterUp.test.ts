import { clusterSections } from "../../plan/reports/clusterRows";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { allExamples, furtherStacks, planOf } from "../support/plans";
import { existing } from "../support/networks";
import { minimal } from "../support/stacks";

const egress = "MANAGEMENT-EGRESS";

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
  const named = `from ${egress}, 198.51.100.10/32 to *`;

  it.each([
    {},
    { management: { kind: "aks", network: { vnetCidr: "10.50.0.0/24", outbound: { type: "nat" } } } },
  ])("has a word for it, and what will say it: %j", async (more) => {
    const lines = await listOf(more);
    expect(lines[0]).toBe(
      `known after \`up\`: ${egress} is the address from which the management cluster leaves, which \`pulumi up\` makes, and then waits for these rules: the output networkRequirements of the stack says it`,
    );
    expect(lines.filter((line) => line.includes(named))).toHaveLength(1);
  });

  it("names the output of the stack that makes the management cluster", async () => {
    const stack = "organization/capz-windows/management";
    const lines = await listOf({ management: { kind: "stack", stack } });
    expect(lines[0]).toBe(
      `known after \`up\`: ${egress} is the address from which the management cluster leaves, which the output egressCidrs of ${stack} says`,
    );
  });
});
