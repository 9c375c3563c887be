import { scheduleBetween, textOf } from "./schedules";

describe("where no machine is replaced", () => {
  const two = {
    gone: { windowsServer: "2025", replicas: 3 },
    win1: { autoscale: { min: 2, max: 10 } },
  };

  it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>, string[]]>([
    [
      "pools that are deleted and renamed: all of their nodes, by the range of the autoscaler",
      { windowsPools: two },
      { windowsPools: { web: two.win1 } },
      [
        "Windows pool gone: 3 machines deleted, 4 to 62 minutes",
        "Windows pool win1: 2 to 10 machines deleted, 4 to 62 minutes",
        "Windows pool web: 2 machines created, 12 to 25 minutes, +8 vCPUs DSv5",
        "Minutes are estimates, not measured on Azure.",
      ],
    ],
    [
      "a pool that shrinks",
      {},
      { linuxPools: { lin: { replicas: 1 } } },
      [
        "Linux pool lin: 2 machines deleted, 4 minutes or more",
        "Minutes are estimates, not measured on Azure; drains have no limit.",
      ],
    ],
    [
      "more machines of the control plane",
      {},
      { controlPlane: { replicas: 5 } },
      [
        "control plane: 2 machines created, 1 at a time, 11 to 51 minutes, +8 vCPUs DSv5",
        "Minutes are estimates, not measured on Azure.",
      ],
    ],
    [
      "fewer machines of the control plane",
      {},
      { controlPlane: { replicas: 1 } },
      [
        "control plane: 2 machines deleted, 1 at a time, 9 minutes or more",
        "Minutes are estimates, not measured on Azure; drains have no limit.",
      ],
    ],
    [
      "another range of an autoscaler",
      { windowsPools: two },
      { windowsPools: { ...two, win1: { autoscale: { min: 2, max: 12 } } } },
      ["No machine is replaced, created or deleted."],
    ],
    [
      "no Windows pool any more",
      { windowsPools: { win1: {} } },
      { windowsPools: {} },
      [
        "Windows pool win1: 2 machines deleted, 4 to 62 minutes",
        "Minutes are estimates, not measured on Azure.",
      ],
    ],
    [
      "add-ons only",
      {},
      { addons: { metricsServer: { enabled: false } } },
      ["No machine is replaced, created or deleted."],
    ],
    ["only what `up` waits for", {}, { wait: "nodes" }, ["No machine is replaced, created or deleted."]],
  ])("%s", async (_, before, after, lines) => {
    expect(textOf(await scheduleBetween(before, after))).toEqual(lines);
  });

  it("nothing is said where nothing changes", async () => {
    expect(await scheduleBetween({}, {})).toBeUndefined();
  });
});

it("a rollout of a pool that is autoscaled takes from its smallest to its largest number of nodes", async () => {
  const pools = (version: string) => ({
    windowsPools: {
      win1: {
        autoscale: { min: 2, max: 10 },
        image: { computeGallery: { gallery: "mine", name: "capi-windows", version } },
      },
    },
  });
  expect(textOf(await scheduleBetween(pools("1.35.6"), pools("1.35.7")))).toEqual([
    "Windows pool win1: 2 to 10 machines replaced, 1 at a time, 31 minutes or more, +8 vCPUs DSv5",
    "Minutes are estimates, not measured on Azure; drains have no limit.",
    "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
  ]);
});
