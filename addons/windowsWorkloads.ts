import type { KubernetesObject } from "capz-types";
import { policyObjects, type PolicyMode } from "capz-windows-platform/workloads/admissionPolicy";
import { runtimeClassObject, windowsClasses } from "capz-windows-platform/workloads/runtimeClasses";

export interface WindowsWorkloadsArgs {
  /** Windows Server releases of the pools. */
  readonly windowsServers: readonly string[];
  readonly runtimeClasses: boolean;
  /** Also create classes with Hyper-V isolation. */
  readonly hyperV: boolean;
  readonly policy: PolicyMode;
  /** Namespaces whose pods may be HostProcess. */
  readonly hostProcessNamespaces: readonly string[];
}

/** RuntimeClasses by which pods select their Windows release, and the API server's policies for pods that do not. */
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
