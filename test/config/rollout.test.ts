import fc from "fast-check";
import { surgeNodes, unavailableNodes } from "capz-windows-platform/machines/rollout";
import { reportWith, settingsWith } from "../support/stacks";

const pool = (settings: object) => ({ windowsPools: { win1: settings } });

const quarter = { maxSurge: 0, maxUnavailable: "25%" };

it.each([
  ["the share that the report says", { replicas: 3, rollout: { ...quarter, maxUnavailable: "34%" } }],
  ["a share that is rounded up", { replicas: 1, rollout: { maxSurge: "1%", maxUnavailable: 0 } }],
  ["no nodes", { replicas: 0, rollout: quarter }],
  ["an autoscaler that keeps enough", { autoscale: { min: 4, max: 9 }, rollout: quarter }],
  // Cluster API takes one node if both are rounded to none (mdutil, ResolveFenceposts).
  ["single machines", { kind: "MachineDeployment", replicas: 3, rollout: quarter }],
])("%s is accepted", (_, settings) => {
  expect(settingsWith(pool(settings))).toBeDefined();
});

it("an autoscaler that may leave too few nodes is refused, also if it starts from zero", () => {
  expect(reportWith(pool({ autoscale: { min: 3, max: 9 }, rollout: quarter }))).toContain(
    "25% of 3 nodes is 0",
  );
  expect(reportWith({ linuxPools: { a: { autoscale: { min: 0, max: 9 }, rollout: quarter } } })).toContain(
    "25% of 1 node is 0",
  );
});

it("a surge is rounded up, and unavailable nodes are rounded down", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1000 }), (percent, nodes) => {
      expect(surgeNodes(`${percent}%`, nodes)).toBeGreaterThanOrEqual(1);
      expect(unavailableNodes(`${percent}%`, nodes) * 100).toBeLessThanOrEqual(percent * nodes);
      expect(surgeNodes(percent, nodes)).toBe(percent);
      expect(unavailableNodes(percent, nodes)).toBe(percent);
    }),
  );
});
