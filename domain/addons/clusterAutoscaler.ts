/**
 * The cluster autoscaler by Kubernetes minor: the newest release of each (tags of kubernetes/autoscaler, looked up in
 * November 2026). Clusters of an older minor than the first get that one: no release before it reads the references of
 * Cluster API's v1beta2, which have a group and no version.
 */
const releases = new Map([
  [30, "v1.30.7"],
  [31, "v1.31.5"],
  [32, "v1.32.7"],
  [33, "v1.33.6"],
  [34, "v1.34.5"],
  [35, "v1.35.2"],
  [36, "v1.36.1"],
]);

const minors = [...releases.keys()];
const [oldest, newest] = [Math.min(...minors), Math.max(...minors)];

/** The release for a Kubernetes minor: its own, or the nearest that there is. */
export const autoscalerVersion = (kubernetesMinor: number): string =>
  releases.get(Math.min(Math.max(kubernetesMinor, oldest), newest)) ?? "";

export const autoscalerImage = (version: string): string =>
  `registry.k8s.io/autoscaling/cluster-autoscaler:${version}`;

/** First patch of each minor that reads references without a version (`git grep '"apiGroup"'` over the tags). */
const firstPatches = new Map([
  [30, 6],
  [31, 4],
  [32, 3],
  [33, 1],
]);

/** Whether a release finds the AzureMachinePool or AzureMachineTemplate of a pool. */
export const readsReferences = (minor: number, patch: number): boolean =>
  minor > oldest + firstPatches.size - 1 || patch >= (firstPatches.get(minor) ?? Infinity);

/** How it chooses between pools that all have a place for a pod (cluster-autoscaler 1.30 to 1.36, --expander). */
export const autoscalerExpanders = ["least-waste", "most-pods", "random", "priority"] as const;

/** What the autoscaler does where nothing is said. */
export const autoscalerDefaults = {
  expander: "least-waste",
  maxNodeProvisionMinutes: 30,
  scaleDownUnneededMinutes: 10,
  scaleDownDelayAfterAddMinutes: 10,
  scaleDownUtilizationPercent: 50,
  skipNodesWithLocalStorage: false,
  skipNodesWithSystemPods: true,
  balanceSimilarPools: false,
} as const;
