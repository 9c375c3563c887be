import { at } from "capz-windows-kit/untyped";

/**
 * Conditions of custom resources for which `pulumi up` waits. The Kubernetes provider does not await custom resources
 * by default, and it requires an up-to-date observedGeneration: use an expression here only if its controller updates
 * observedGeneration on every change.
 */

/** Annotations of @pulumi/kubernetes that the provider reads from an object. */
export const pulumiAnnotations = {
  waitFor: "pulumi.com/waitFor",
  skipAwait: "pulumi.com/skipAwait",
  patchForce: "pulumi.com/patchForce",
  deletionPropagation: "pulumi.com/deletionPropagationPolicy",
} as const;

/**
 * The API server answers. Never `condition=ControlPlaneInitialized`: Cluster API sets that condition once and does
 * not touch it again, so every later change of the spec would wait until the timeout.
 */
export const controlPlaneInitialized = "jsonpath={.status.initialization.controlPlaneInitialized}=true";

/**
 * CAPZ has made the private link service, or has removed it: then this must not hold up the update of the AzureCluster
 * that removes it. AzureCluster has no observedGeneration, and without links the condition is true, too (CAPZ v1.27.0
 * azure/services/aso/service.go), so on a cluster that exists the private endpoint is tried again (components/childOptions.ts).
 */
export const linkServiceReady =
  'jsonpath={.status.conditions[?(@.status == "True" && @.type == "PrivateLinksReady" || !$.spec.networkSpec.apiServerLB.privateLinks)].type}';

/** Whether a Cluster's status says so. */
export const isControlPlaneInitialized = (status: unknown): boolean =>
  at(status, "initialization", "controlPlaneInitialized") === true;

/** All machines of a MachinePool or MachineDeployment are nodes. MachinePool has no usable v1beta2 conditions. */
export const poolRunning = "jsonpath={.status.phase}=Running";

/**
 * Every control plane machine has the version of the spec, whichever it is: so it can stand in an annotation that never
 * changes. status.version is the lowest one of the machines (CAPI v1.14.2 KubeadmControlPlaneStatus).
 */
export const controlPlaneUpgraded =
  "jsonpath={$[?(@.observedGeneration && @.version == $.spec.version)].version}";

/**
 * Every node of a MachinePool has the version of the spec, whichever it is. The machines of a MachinePool have the
 * version of their kubelets (CAPI v1.14.2 core/reconcilers/machinepool, status.versions); without a node, and before
 * CAPI 1.14, there is nothing to wait for.
 */
export const poolUpgraded =
  "jsonpath={$[?(@.observedGeneration && (!@.versions || (length(@.versions) == 1 && @.versions[0].version == $.spec.template.spec.version)))].observedGeneration}";

/**
 * No machine of a MachineDeployment is left from before its last change. Until then its old MachineSet needs the templates
 * of before: without them it replaces no machine that is lost (CAPI v1.14.2 core/reconcilers/machineset, "blocked because").
 * Pulumi deletes what was replaced only after all waits. Not upToDateReplicas: a MachineSet counts them, and still counts
 * the old machines when the MachineDeployment has just seen the change. The deprecated counter is the replicas of the
 * MachineSet that the same reconcile found for the new template (core/reconcilers/machinedeployment/machinedeployment_sync.go,
 * calculateV1Beta1Status).
 */
export const poolRolled =
  "jsonpath={$[?(@.observedGeneration && @.deprecated.v1beta1 && @.replicas == @.deprecated.v1beta1.updatedReplicas)].observedGeneration}";

/**
 * The Cluster API operator has installed a provider in the desired version, for instance `v1.14.2`. Never
 * `condition=Ready`: it also wants the condition's own observedGeneration, which the operator does not renew when
 * something else than the version changes.
 */
export const providerInstalled = (version: string): string[] => [
  'jsonpath={.status.conditions[?(@.type=="Ready")].status}=True',
  `jsonpath={.status.installedVersion}=${version}`,
];

/**
 * The API server's default, foreground deletion, would delete everything that a Cluster owns at the same moment;
 * in the background the finalizers of Cluster API keep their order: pools, control plane, AzureCluster, Cluster.
 */
export const backgroundDeletion = { [pulumiAnnotations.deletionPropagation]: "background" } as const;

/**
 * Of an object that is waited for by its own patch, made right after it: an `up` that is killed while it waits has
 * the object in its state then, and goes on with the next one. Created with the wait, it would exist and not be in the
 * state. The provider reads what to wait for from the live object, where the patch has written it: without
 * skipAwait an update of the object would wait too, and for a status that is not of this update yet.
 */
export const skipAwait = { [pulumiAnnotations.skipAwait]: "true" } as const;

/** The same, of what Cluster API takes apart. */
export const skipAwaitAndDeleteInBackground = { ...backgroundDeletion, ...skipAwait } as const;

const awaited = "capz-windows/awaited";

/**
 * The provider may begin with an object of its cache, from before the patch: it discards older generations, and an annotation
 * makes none. A wait that is over already would end with that object, and leave it in the state (pulumi-kubernetes of
 * 2026-01-15, provider/pkg/await/condition/observer.go).
 */
const isPatched = (subject: string): string => `jsonpath={.metadata.annotations['${awaited}']}=${subject}`;

/**
 * Annotations of the patch that waits. They are its own, so it may take them from a patch that an earlier `up` lost.
 * @param subject - another text after every change that is to be waited for: Pulumi waits for what it updates only
 */
export const awaiting = (conditions: readonly string[], subject: string) =>
  ({
    [awaited]: subject,
    [pulumiAnnotations.waitFor]: JSON.stringify([...conditions, isPatched(subject)]),
    [pulumiAnnotations.patchForce]: "true",
  }) as const;
