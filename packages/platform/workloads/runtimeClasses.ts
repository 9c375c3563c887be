import type { KubernetesObject } from "capz-types";
import { windowsNodeSelector, windowsTolerations } from "./windowsPods";
import type { Isolation } from "./windowsVersions";

/** RuntimeClasses by which a pod says for which Windows it is, without knowing the labels and taints of nodes. */

export interface WindowsClass {
  readonly name: string;
  readonly windowsServer: string;
  readonly isolation: Isolation;
}

/** Runtimes that containerd has on Windows by default (containerd v2.3 internal/cri/config/config_windows.go). */
const handlers: Readonly<Record<Isolation, string>> = {
  process: "runhcs-wcow-process",
  hyperv: "runhcs-wcow-hypervisor",
};

/** Isolation of the containers of a handler; `undefined` for handlers that are not for Windows. */
export const isolationOf = (handler: string): Isolation | undefined =>
  (Object.entries(handlers) as [Isolation, string][]).find(([, name]) => name === handler)?.[0];

/**
 * What the virtual machine of a pod needs in addition to its containers (kubernetes-sigs/windows-testing,
 * helpers/hyper-v-mutating-webhook/hyperv-runtimeclass.yaml). Process isolation needs nothing.
 */
const hyperVOverhead = { memory: "512Mi", cpu: "100m" } as const;

export const className = (windowsServer: string, isolation: Isolation): string =>
  `windows-${windowsServer}${isolation === "hyperv" ? "-hyperv" : ""}`;

/** The classes of a cluster with nodes of some releases. */
export const windowsClasses = (windowsServers: readonly string[], hyperV: boolean): WindowsClass[] =>
  [...new Set(windowsServers)].sort().flatMap((windowsServer) =>
    (hyperV ? (["process", "hyperv"] as const) : (["process"] as const)).map((isolation) => ({
      ...{ name: className(windowsServer, isolation), windowsServer, isolation },
    })),
  );

/** Kubernetes adds selector, tolerations and overhead to each pod that names the class. */
export const runtimeClassObject = ({ name, windowsServer, isolation }: WindowsClass): KubernetesObject => ({
  apiVersion: "node.k8s.io/v1",
  kind: "RuntimeClass",
  metadata: { name },
  handler: handlers[isolation],
  ...(isolation === "hyperv" ? { overhead: { podFixed: { ...hyperVOverhead } } } : {}),
  scheduling: {
    nodeSelector: windowsNodeSelector(windowsServer),
    tolerations: windowsTolerations.map((toleration) => ({ ...toleration })),
  },
});
