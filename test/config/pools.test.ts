import { reportWith } from "../support/stacks";

/** Whole problems of pools and of the control plane, whose advice depends on what the user wrote. */

it("shows only the part of a rollout that prevents it", () => {
  const rollout = { maxSurge: "0%", maxUnavailable: 0, deletePolicy: "Newest" };
  expect(reportWith({ windowsPools: { win1: { rollout } } })).toContain(
    `
  windowsPools.win1.rollout
    value    {"maxSurge":"0%","maxUnavailable":0}
    problem  with maxSurge and maxUnavailable both 0, a rollout cannot replace any node
    allowed  at least one of the two greater than 0
    write    maxUnavailable: 1 # in windowsPools.win1.rollout`,
  );
});

it("does not compare an autoscaler's limits when one of them is wrong by itself", () => {
  const report = reportWith({ windowsPools: { win1: { autoscale: { min: 9, max: 5000 } } } });
  expect(report).toContain("\n  windowsPools.win1.autoscale.max\n");
  expect(report).not.toContain("\n  windowsPools.win1.autoscale\n");
});
