import { image, stackOf } from "./stacks";

/** The stack of the pool tests, and its changes one after another. */

/** With one control plane machine Typha needs two more Linux nodes. */
const linuxPools = { linux: { replicas: 2, ...image("1.35.6") } };

export const birth = stackOf("pools", {
  linuxPools,
  windowsPools: {
    roll: { replicas: 3, ...image("1.35.6") },
    boot: { replicas: 1, ...image("1.35.6") },
    size: { replicas: 2, ...image("1.35.6") },
    disk: { replicas: 1, ...image("1.35.6") },
    gone: { replicas: 1, ...image("1.35.6") },
    down: { replicas: 3, ...image("1.35.6") },
  },
});

/** One `up` with a change of each sort, each in a pool of its own. */
export const changed = stackOf("pools", {
  linuxPools,
  windowsPools: {
    roll: { replicas: 3, ...image("1.35.7") },
    boot: { replicas: 1, ...image("1.35.6"), postKubeadmCommands: ["echo changed"] },
    size: { replicas: 2, ...image("1.35.6"), vmSize: "Standard_D8s_v5" },
    disk: { replicas: 1, ...image("1.35.6"), osDiskGB: 256 },
    renam: { replicas: 1, ...image("1.35.6") },
    down: { replicas: 1, ...image("1.35.6") },
  },
});

/** The pools scaled up, to see what new nodes get. */
export const grown = stackOf("pools", {
  linuxPools,
  windowsPools: {
    ...(changed.windowsPools as object),
    boot: { replicas: 2, ...image("1.35.6"), postKubeadmCommands: ["echo changed"] },
    disk: { replicas: 2, ...image("1.35.6"), osDiskGB: 256 },
    down: { replicas: 2, ...image("1.35.6") },
    renam: { replicas: 2, ...image("1.35.6") },
  },
});

/** Another image for one of the pools. */
export const changedAgain = {
  ...grown,
  windowsPools: { ...(grown.windowsPools as object), roll: { replicas: 3, ...image("1.35.8") } },
};

/** An upgrade of the control plane and a pool in one `up`. */
export const upgraded = {
  ...changedAgain,
  kubernetesVersion: "v1.36.2",
  windowsPools: { ...changedAgain.windowsPools, roll: { replicas: 3, ...image("1.36.2") } },
};
