import { rowOf } from "capz-windows-platform/compatibility";

/** The release for a Kubernetes minor, or the nearest one that exists. */
export const autoscalerVersion = (kubernetesMinor: number): string =>
  rowOf(kubernetesMinor).clusterAutoscaler;

export const autoscalerImage = (version: string): string =>
  `registry.k8s.io/autoscaling/cluster-autoscaler:${version}`;

/** The minor of an image's tag; undefined for a tag that is no version. */
const taggedMinor = (image: string): number | undefined => {
  const [, minor] = /:v1\.(\d+)\.\d+(?:@|$)/.exec(image) ?? [];
  return minor === undefined ? undefined : Number(minor);
};

/**
 * Whether it has --max-node-startup-time, a second limit of 15 minutes (cluster-autoscaler 1.35.0 config/flags/flags.go);
 * earlier releases end on a flag that they do not know. The tag counts more than the version: it is what starts.
 */
export const hasStartupTime = (image: string, version: string): boolean =>
  (taggedMinor(image) ?? Number(version.split(".")[1])) >= 35;

/** First patch of each minor that reads references without a version (`git grep '"apiGroup"'` over the tags). */
const firstPatches = new Map([
  [30, 6],
  [31, 4],
  [32, 3],
  [33, 1],
]);

/** Whether a release finds the AzureMachinePool or AzureMachineTemplate of a pool. */
export const readsReferences = (minor: number, patch: number): boolean =>
  minor > Math.max(...firstPatches.keys()) || patch >= (firstPatches.get(minor) ?? Infinity);

/** How the autoscaler chooses among pools that could all run a pod (cluster-autoscaler 1.30 to 1.36, --expander). */
export const autoscalerExpanders = ["least-waste", "most-pods", "random", "priority"] as const;

/** Defaults of the cluster autoscaler. */
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
