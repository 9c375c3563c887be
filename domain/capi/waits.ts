/**
 * What `pulumi up` waits for on custom resources. The Kubernetes provider waits for none by itself, and demands an
 * up-to-date observedGeneration: an expression is allowed here only if its controller stamps that on every change.
 */

/** Annotations of @pulumi/kubernetes that the provider reads from an object. */
export const pulumiAnnotations = {
  waitFor: "pulumi.com/waitFor",
  skipAwait: "pulumi.com/skipAwait",
  deletionPropagation: "pulumi.com/deletionPropagationPolicy",
} as const;

/**
 * The API server answers. Never `condition=ControlPlaneInitialized`: Cluster API sets that condition once and does
 * not touch it again, so every later change of the spec would wait until the timeout.
 */
export const controlPlaneInitialized = "jsonpath={.status.initialization.controlPlaneInitialized}=true";

/** All machines of a MachinePool or MachineDeployment are nodes. MachinePools have no usable v1beta2 conditions. */
export const poolRunning = "jsonpath={.status.phase}=Running";

/** A provider of the Cluster API operator runs in the wanted version, for instance `v1.13.6`. */
export const providerInstalled = (version: string): string =>
  JSON.stringify(["condition=Ready", `jsonpath={.status.installedVersion}=${version}`]);

/**
 * The API server's default, foreground deletion, would delete everything that a Cluster owns at the same moment;
 * in the background the finalizers of Cluster API keep their order: pools, control plane, AzureCluster, Cluster.
 */
export const backgroundDeletion = { [pulumiAnnotations.deletionPropagation]: "background" } as const;
