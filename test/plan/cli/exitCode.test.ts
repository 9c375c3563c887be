import { compareStack } from "../../../commands/plan/cli/compareStacks";
import { exitCode } from "../../../commands/plan/cli/exitCode";
import type { StackComparison } from "../../../commands/plan/impact/impact";
import { planOfResources, resourceOf } from "../../support/planDocuments";

describe("exit codes", () => {
  const one = planOfResources(resourceOf("t:t:T", "x", { a: 1 }));
  const other = planOfResources(resourceOf("t:t:T", "x", { a: 2 }));
  const side = (document = one) => ({ document });
  const failure = { failure: "Pulumi.s.yaml: 1 problem" };
  const compared: Readonly<Record<string, StackComparison>> = {
    same: compareStack("s", "x", side(), side()),
    changed: compareStack("s", "x", side(), side(other)),
    new: compareStack("s", "x", {}, side()),
    removed: compareStack("s", "x", side(), {}),
    failed: compareStack("s", "x", failure, side()),
    deleted: compareStack("s", "x", side(), side(planOfResources())),
    outputs: compareStack("s", "x", side(), side({ ...one, outputs: { mtu: 1500 } })),
  };

  it.each([
    ["same", "compared", 0, 0],
    ["changed", "compared", 2, 0],
    ["outputs", "compared", 2, 0],
    ["new", "new", 2, 0],
    ["removed", "removed", 3, 3],
    ["deleted", "compared", 3, 3],
    ["failed", "failed", 1, 1],
  ] as const)("%s: status %s, %i, and %i with --fail-on destructive", (name, status, any, destructive) => {
    const comparison = compared[name]!;
    expect(comparison.status).toBe(status);
    expect([exitCode([comparison]), exitCode([comparison], "destructive")]).toEqual([any, destructive]);
  });

  it("are those of the worst stack, and a failure is worse than a deletion", () => {
    const { same, changed, deleted, failed } = compared;
    expect(exitCode([same!, changed!])).toBe(2);
    expect(exitCode([changed!, deleted!, same!])).toBe(3);
    expect(exitCode([deleted!, failed!])).toBe(1);
  });

  it("the reports of both sides are kept if neither can be planned", () => {
    expect(compareStack("s", "x", failure, { failure: "and this" })).toMatchObject({
      failure: "Pulumi.s.yaml: 1 problem\n\nand this",
      changes: [],
      impacts: [],
    });
  });
});
