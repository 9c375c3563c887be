import type { CsiImages } from "./csi";
import type { KubernetesObject } from "capz-types";

/** What a CSI driver of Azure is, and the parts that its controller and its node plug-ins share. */

export interface CsiDriver {
  /** The driver's name: `disk.csi.azure.com`. */
  readonly name: string;
  /** Part of the names of all its objects: `azuredisk`. */
  readonly short: "azuredisk" | "azurefile";
  readonly images: CsiImages;
  /** Volumes are attached to a machine before they are mounted. */
  readonly attaches: boolean;
  readonly controllerPorts: { readonly health: number; readonly metrics: number };
  readonly nodePorts: { readonly health: number; readonly metrics: number; readonly registrar: number };
  readonly controllerArgs: readonly string[];
  readonly controllerEnv?: readonly { readonly name: string; readonly value: string }[];
  /** Folders that the controller writes, by the name of their volume. */
  readonly controllerFolders?: Readonly<Record<string, string>>;
  readonly nodeArgs: { readonly linux: readonly string[]; readonly windows: readonly string[] };
  /** Memory limits of the driver's own containers. */
  readonly memory: { readonly controller: string; readonly linux: string; readonly windows: string };
  /** Timeouts of the sidecars' calls, in seconds. */
  readonly timeouts: { readonly provisioner: number; readonly resizer: number };
}

export const controllerAccount = ({ short }: CsiDriver): string => `csi-${short}-controller-sa`;
export const nodeAccount = ({ short }: CsiDriver): string => `csi-${short}-node-sa`;

/** A container that drops all capabilities needs only its socket. */
export const unprivileged = { securityContext: { capabilities: { drop: ["ALL"] } } } as const;

export const resources = (memoryLimit: string, memory = "20Mi", cpu = "10m") => ({
  resources: { requests: { cpu, memory }, limits: { memory: memoryLimit } },
});

export const socketMount = { name: "socket-dir", mountPath: "/csi" } as const;
export const azureJsonMount = { name: "azure-json", mountPath: "/etc/kubernetes/", readOnly: true } as const;

/** azure.json, which CAPZ delivers to every machine; the driver reads it at its default path. */
export const azureJsonVolume = {
  name: "azure-json",
  hostPath: { path: "/etc/kubernetes/", type: "Directory" },
} as const;

export const nodeName = {
  name: "KUBE_NODE_NAME",
  valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } },
} as const;

/** Checks the driver's socket, and answers the kubelet on the host's loopback. */
export const livenessProbe = ({ images }: CsiDriver, port: number, timeoutSeconds: number) => ({
  name: "liveness-probe",
  image: images.livenessProbe,
  args: [
    "--csi-address=/csi/csi.sock",
    `--probe-timeout=${timeoutSeconds}s`,
    `--http-endpoint=localhost:${port}`,
    "--v=2",
  ],
  volumeMounts: [socketMount],
  ...resources("100Mi"),
  ...unprivileged,
});

export const healthz = (port: number, timeoutSeconds: number) => ({
  livenessProbe: {
    httpGet: { host: "localhost", path: "/healthz", port },
    failureThreshold: 5,
    initialDelaySeconds: 30,
    timeoutSeconds,
    periodSeconds: 30,
  },
});

/** Declared, so that the scheduler never puts two such pods on one host. */
export const metricsPort = (port: number) => ({
  ports: [{ containerPort: port, name: "metrics", protocol: "TCP" }],
});

export const csiDriverObject = (
  { name, attaches }: CsiDriver,
  spec: Readonly<Record<string, unknown>>,
): KubernetesObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name },
  spec: { attachRequired: attaches, ...spec },
});
