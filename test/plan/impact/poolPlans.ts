/** Pools before and after changes which an earlier report explained differently from what the controllers do. */

const subscriptionId = "11111111-2222-4333-8444-555555555555";

/** One image in its two forms. */
const computeGallery = {
  gallery: "g",
  name: "windows",
  version: "1.0.0",
  subscriptionId,
  resourceGroup: "images",
};
const id = `/subscriptions/${subscriptionId}/resourceGroups/images/providers/Microsoft.Compute/galleries/g/images/windows/versions/1.0.0`;

const newest = { replicas: 3, rollout: { deletePolicy: "Newest" } };

export const poolsBefore = {
  linuxPools: { "win-green": {}, zoned: { zones: ["2", "1"] } },
  windowsPools: {
    "frontend-blue": { replicas: 3 },
    newest,
    shrinks: { replicas: 6 },
    surges: { replicas: 6 },
    swells: { replicas: 2 },
    begins: { replicas: 4 },
    grows: { replicas: 4 },
    fits: { replicas: 4 },
    ends: { autoscale: { min: 6, max: 9 } },
    empty: { autoscale: { min: 1, max: 2 } },
    told: { autoscale: { min: 0, max: 2 } },
    same: { image: { computeGallery } },
  },
};

export const poolsAfter = {
  linuxPools: { zoned: { zones: ["1", "2"] } },
  windowsPools: {
    "backends-blue": { replicas: 3 },
    "backends-green": {},
    newest: { ...newest, vmSize: "Standard_D8s_v5" },
    shrinks: { replicas: 3, vmSize: "Standard_D8s_v5" },
    surges: { replicas: 3, vmSize: "Standard_D8s_v5", rollout: { maxSurge: 3 } },
    swells: { replicas: 4, vmSize: "Standard_D8s_v5" },
    begins: { autoscale: { min: 1, max: 2 } },
    grows: { autoscale: { min: 6, max: 9 } },
    fits: { autoscale: { min: 1, max: 9 } },
    ends: { replicas: 4 },
    empty: { replicas: 0 },
    told: { autoscale: { min: 0, max: 2 }, vmSize: "Standard_D8s_v5" },
    same: { image: { id } },
  },
};
