import type { KubernetesObject } from "capz-types";
import { daemonSet, windowsRollout } from "../windowsPods";
import { hostProcess, tolerateEverything } from "capz-windows-platform/workloads/hostProcess";
import type { CsiDriver } from "./csiDriver";
import {
  azureJsonMount,
  azureJsonVolume,
  healthz,
  livenessProbe,
  metricsPort,
  nodeAccount,
  nodeName,
  resources,
  socketMount,
  unprivileged,
} from "./csiDriver";

/** The node plug-ins of a CSI driver: one pod on every node, by operating system. */

const kubelet = "/var/lib/kubelet";

const nodePods = (name: string, updateStrategy: object, podSpec: object): KubernetesObject => {
  const labels = { app: name };
  // Also on nodes with their own taints: any pod that may run there may have a volume there.
  const pod = { tolerations: tolerateEverything, ...podSpec };
  return daemonSet(name, updateStrategy, pod, { labels, ownLabels: labels });
};

const hostDirectory = (name: string, path: string, type = "DirectoryOrCreate") => ({
  name,
  hostPath: { path, type },
});

/** Folders of the host that only disks need: for devices, and for the order of their controllers. */
const diskDevices = [
  { name: "device-dir", path: "/dev" },
  { name: "sys-devices-dir", path: "/sys/bus/scsi/devices" },
  { name: "sys-class", path: "/sys/class" },
] as const;

/** When a node is drained, the driver waits until the disks of its pods are detached. */
const whenStopped = ({ attaches }: CsiDriver, program: string) =>
  attaches ? { lifecycle: { preStop: { exec: { command: [program, "--pre-stop-hook=true"] } } } } : {};

export function csiNodesLinux(driver: CsiDriver): KubernetesObject {
  const { health, metrics, registrar } = driver.nodePorts;
  const socket = `${kubelet}/plugins/${driver.name}/csi.sock`;
  const devices = driver.attaches ? diskDevices : [];
  return nodePods(
    `csi-${driver.short}-node`,
    { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
    {
      priorityClassName: "system-node-critical",
      serviceAccountName: nodeAccount(driver),
      nodeSelector: { "kubernetes.io/os": "linux" },
      // The zone comes from the metadata service, which is reached from the host's network.
      hostNetwork: true,
      dnsPolicy: "Default",
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        livenessProbe(driver, health, 10),
        {
          name: "node-driver-registrar",
          image: driver.images.nodeDriverRegistrar,
          args: [
            "--v=2",
            "--csi-address=/csi/csi.sock",
            `--kubelet-registration-path=${socket}`,
            `--http-endpoint=localhost:${registrar}`,
          ],
          livenessProbe: {
            httpGet: { host: "localhost", path: "/healthz", port: registrar },
            failureThreshold: 2,
            initialDelaySeconds: 20,
            timeoutSeconds: 10,
            periodSeconds: 20,
          },
          volumeMounts: [socketMount, { name: "registration-dir", mountPath: "/registration" }],
          ...resources("100Mi"),
          ...unprivileged,
        },
        {
          name: driver.short,
          image: driver.images.driver,
          args: [
            "--v=2",
            "--endpoint=unix:///csi/csi.sock",
            "--nodeid=$(KUBE_NODE_NAME)",
            `--metrics-address=0.0.0.0:${metrics}`,
            ...driver.nodeArgs.linux,
          ],
          env: [nodeName],
          ...metricsPort(metrics),
          ...healthz(health, 30),
          ...whenStopped(driver, "/azurediskplugin"),
          // It mounts volumes for other pods.
          securityContext: { privileged: true },
          volumeMounts: [
            socketMount,
            { name: "kubelet-dir", mountPath: `${kubelet}/`, mountPropagation: "Bidirectional" },
            azureJsonMount,
            ...devices.map(({ name, path }) => ({ name, mountPath: path })),
          ],
          ...resources(driver.memory.linux),
        },
      ],
      volumes: [
        hostDirectory("socket-dir", `${kubelet}/plugins/${driver.name}`),
        hostDirectory("kubelet-dir", `${kubelet}/`),
        hostDirectory("registration-dir", `${kubelet}/plugins_registry/`),
        azureJsonVolume,
        ...devices.map(({ name, path }) => hostDirectory(name, path, "Directory")),
      ],
    },
  );
}

export function csiNodesWindows(driver: CsiDriver): KubernetesObject {
  const folder = `C:\\var\\lib\\kubelet\\plugins\\${driver.name}\\`;
  // Doubled, as in the published manifests: Windows reads two as one, and they were tested in this form.
  const socket = `${folder}csi.sock`.replaceAll("\\", "\\\\");
  const endpoint = { name: "CSI_ENDPOINT", value: `unix://${socket}` };
  const { metrics } = driver.nodePorts;
  return nodePods(`csi-${driver.short}-node-win`, windowsRollout, {
    ...hostProcess,
    serviceAccountName: nodeAccount(driver),
    initContainers: [
      {
        name: "init",
        image: driver.images.driverWindows,
        command: ["powershell.exe", "-c", `New-Item -ItemType Directory -Path ${folder} -Force`],
      },
    ],
    containers: [
      {
        name: "node-driver-registrar",
        image: driver.images.nodeDriverRegistrar,
        command: ["csi-node-driver-registrar.exe"],
        args: [
          "--v=2",
          "--csi-address=$(CSI_ENDPOINT)",
          `--kubelet-registration-path=${socket}`,
          "--plugin-registration-path=C:\\\\var\\\\lib\\\\kubelet\\\\plugins_registry\\\\",
        ],
        env: [endpoint],
        ...resources("150Mi", "40Mi", "30m"),
      },
      {
        name: driver.short,
        image: driver.images.driverWindows,
        command: [`${driver.short}plugin.exe`],
        args: [
          "--v=2",
          "--endpoint=$(CSI_ENDPOINT)",
          "--nodeid=$(KUBE_NODE_NAME)",
          // The driver works on the host itself; otherwise it would look for csi-proxy's pipes.
          "--enable-windows-host-process=true",
          `--metrics-address=0.0.0.0:${metrics}`,
          ...driver.nodeArgs.windows,
        ],
        env: [endpoint, nodeName],
        ...metricsPort(metrics),
        ...whenStopped(driver, "/azurediskplugin.exe"),
        ...resources(driver.memory.windows, "40Mi"),
      },
    ],
  });
}
