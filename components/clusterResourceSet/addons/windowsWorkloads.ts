import type { KubernetesObject } from "../../../domain/capi/types";
import { policyObjects, type PolicyMode } from "../../../domain/workloads/admissionPolicy";
import { runtimeClassObject, windowsClasses } from "../../../domain/workloads/runtimeClasses";

export interface WindowsWorkloadsArgs {
  /** Windows Server releases of the pools. */
  readonly windowsServers: readonly string[];
  readonly runtimeClasses: boolean;
  /** Classes with Hyper-V isolation besides. */
  readonly hyperV: boolean;
  readonly policy: PolicyMode;
  /** Namespaces whose pods may be HostProcess. */
  readonly hostProcessNamespaces: readonly string[];
}

/** RuntimeClasses by which pods say for which Windows they are, and what the API server says about those that do not. */
export function windowsWorkloadObjects(args: WindowsWorkloadsArgs): KubernetesObject[] {
  const { windowsServers, runtimeClasses, hyperV, policy, hostProcessNamespaces } = args;
  const classes = runtimeClasses ? windowsClasses(windowsServers, hyperV) : [];
  return [
    ...classes.map(runtimeClassObject),
    ...(policy === "none"
      ? []
      : policyObjects({ mode: policy, windowsServers, classes, hostProcessNamespaces })),
  ];
}
