import type { NodeOs } from "./naming";

/** How long machines take, in minutes. */
export interface RollMinutes {
  /** From the request for a machine until its node is Ready. */
  readonly boot: Readonly<Record<NodeOs, number>>;
  /** Until the pods of a node have moved. */
  readonly drain: number;
  /** Until Azure has deleted a machine. */
  readonly remove: number;
  /** Until controllers have noticed that a node is Ready, and begin with the next. */
  readonly notice: number;
  /** "estimates of this project", or the date on which they were measured and on what. */
  readonly source: string;
}

/**
 * Estimates: nothing here has been measured on Azure. Boot: the Azure CLI's extension for CAPZ waited 5 minutes for nodes, and
 * 15 since it knows Windows (Azure/azure-capi-cli-extension #162, 2022). Drain: the grace period of a pod is half a minute by
 * default (Kubernetes Pod.spec.terminationGracePeriodSeconds); images are pulled again elsewhere. Notice: CAPZ v1.27.0 looks
 * after 15 s and waits 10 s (main.go), which took 20 to 30 s in test/life/controlPlane.test.ts.
 */
export const estimatedMinutes: RollMinutes = {
  boot: { linux: 5, windows: 12 },
  drain: 2,
  remove: 2,
  notice: 0.5,
  source: "estimates, not measured on Azure",
};

/**
 * For how long CAPZ's end-to-end tests wait until a machine is a node before they fail (CAPZ v1.27.0
 * test/e2e/config/azure-dev.yaml, wait-worker-nodes).
 */
export const longestBootMinutes = 25;
