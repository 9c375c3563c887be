/** How a scale set is made smaller so that CAPZ deletes the chosen nodes and no others: `pulumi up` does it by itself. */

/** CAPZ does nothing with an AzureMachinePool that has it (v1.27.0 azuremachinepool_controller.go, reconcilePause). */
export const pausedAnnotation = "cluster.x-k8s.io/paused";

/**
 * CAPZ deletes a Machine that has it in its next reconciliation, whatever `replicas` says, and then creates nodes up to
 * `replicas`: so it must see the mark and the lower number at the same moment (v1.27.0
 * azure/scope/strategies/machinepool_deployments, SelectMachinesToDelete).
 */
export const deleteAnnotation = "cluster.x-k8s.io/delete-machine";

/**
 * `pulumi up` has paused an AzureMachinePool that has it, and resumes it. The value says how far the pause goes: until the
 * number is lowered, or until the machines are gone, because the pool also gets a new model.
 */
export const scaleDownAnnotation = "capz-windows/scale-down";

/**
 * CAPZ sets it on an AzureMachinePool that it reconciles, and removes it when it has seen the pause and is done with what it
 * was doing (v1.27.0 controllers/helpers.go, RemoveBlockMoveAnnotation).
 */
export const reconciledAnnotation = "clusterctl.cluster.x-k8s.io/block-move";
