import { reportWith } from "../support/stacks";

/** Whole problems of pools and of the control plane, whose advice depends on what the user wrote. */

it("shows only the part of a rollout that prevents it", () => {
  const rollout = { maxSurge: "0%", maxUnavailable: 0, deletePolicy: "Newest" };
  expect(reportWith({ windowsPools: { win1: { rollout } } })).toContain(
    `
  windowsPools.win1.rollout
    value    {"maxSurge":"0%","maxUnavailable":0}
    problem  with maxSurge and maxUnavailable both 0, a rollout cannot replace any node
    allowed  at least one of the two greater than 0`,
  );
});

it("does not compare an autoscaler's limits when one of them is wrong by itself", () => {
  const report = reportWith({ windowsPools: { win1: { autoscale: { min: 9, max: 5000 } } } });
  expect(report).toContain("\n  windowsPools.win1.autoscale.max\n");
  expect(report).not.toContain("\n  windowsPools.win1.autoscale\n");
});

/** Searches in texts that a check of many pools makes, of which each has a problem of the schema and one of the rules. */
function searchesFor(pools: number): number {
  const wrong = { osDiskGB: 1, vmSize: "Standard_D2s_v3", dataDisks: [{ sizeGB: 9, lun: 99 }] };
  const windowsPools = Object.fromEntries(
    Array.from({ length: pools }, (_, index) => [`p${index}`, { ...wrong, kubernetesVersion: "v1.20.0" }]),
  );
  const searches = [jest.spyOn(RegExp.prototype, "exec"), jest.spyOn(String.prototype, "startsWith")];
  reportWith({ windowsPools });
  return searches.reduce((sum, spy) => {
    const { length } = spy.mock.calls;
    spy.mockRestore();
    return sum + length;
  }, 0);
}

it("looks at each problem of many pools once, not at each pair", () => {
  searchesFor(1);
  const [few, many] = [searchesFor(30), searchesFor(120)];
  expect(many / few).toBeLessThan(5);
});
