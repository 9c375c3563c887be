import { settingsWith } from "../support/stacks";

/** The settings that pools get from poolDefaults. */

it("pools with poolDefaults are the same as pools that have its keys themselves", () => {
  const own = { vmSize: "Standard_D8s_v5", zones: ["1"], labels: { team: "web" }, kubelet: { maxPods: 60 } };
  expect(settingsWith({ poolDefaults: own, linuxPools: { linux1: {} }, windowsPools: { win1: {} } })).toEqual(
    settingsWith({ linuxPools: { linux1: own }, windowsPools: { win1: own } }),
  );
});

it("keys of a pool win, mappings are merged and lists are replaced", () => {
  const { windowsPools } = settingsWith({
    poolDefaults: {
      replicas: 4,
      zones: ["1", "2"],
      labels: { team: "web", tier: "front" },
      kubelet: { maxPods: 60, imageGC: { highPercent: 70, lowPercent: 60 } },
      rollout: { maxSurge: 3 },
    },
    windowsPools: {
      win1: {
        replicas: 1,
        zones: [],
        labels: { tier: "back" },
        kubelet: { imageGC: { highPercent: 90 } },
        rollout: { deletePolicy: "Newest" },
      },
    },
  });
  expect(windowsPools.win1).toMatchObject({
    replicas: 1,
    zones: [],
    labels: { team: "web", tier: "back" },
    kubelet: { maxPods: 60, imageGC: { highPercent: 90, lowPercent: 60 } },
    rollout: { maxSurge: 3, maxUnavailable: 0, deletePolicy: "Newest" },
  });
});
