/**
 * Minutes after which CAPZ reconciles every object. An AzureMachinePool that is being deleted waits for its machines and is
 * not notified when the last one is gone: with CAPZ's default of 10 minutes (v1.27.0 main.go, --sync-period) it stays that
 * long, and so does the control plane, which waits for it.
 */
export const defaultSyncPeriodMinutes = 1;
