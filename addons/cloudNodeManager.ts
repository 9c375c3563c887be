import { contentHash } from "../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import { scriptContent } from "../bootstrap/files";
import { cloudNodeManagerAccess } from "./cloudProviderAzureAccess";
import { daemonSet, windowsRollout } from "./windowsPods";
import { hostProcess, tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

const scriptName = "cloud-node-manager.ps1";

/**
 * The node manager of Azure's cloud provider, on Linux and on Windows nodes: it writes provider id, addresses and zone
 * into a new Node and removes the uninitialized taint. It needs no credentials, only the metadata service.
 * @param image one reference for both operating systems
 */
export function cloudNodeManagerObjects(image: string): KubernetesObject[] {
  const script = scriptContent(scriptName);
  return [
    ...cloudNodeManagerAccess,
    nodeManagerLinux(image),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "cloud-node-manager-windows", namespace: "kube-system" },
      data: { [scriptName]: script },
    },
    nodeManagerWindows(image, script),
  ];
}

const nodeNameVariable = { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } };
const resources = { requests: { cpu: "50m", memory: "50Mi" }, limits: { memory: "512Mi" } };

const nodeManagerLinux = (image: string): KubernetesObject =>
  nodeManager(
    "cloud-node-manager",
    { rollingUpdate: { maxUnavailable: "10%" }, type: "RollingUpdate" },
    {
      priorityClassName: "system-node-critical",
      nodeSelector: { "kubernetes.io/os": "linux" },
      // It needs the host's name and metadata service, and there is no pod network yet.
      hostNetwork: true,
      containers: [
        {
          name: "cloud-node-manager",
          image,
          command: ["cloud-node-manager"],
          args: ["--node-name=$(NODE_NAME)", "--use-instance-metadata=true", "--v=2"],
          env: [nodeNameVariable],
          resources,
        },
      ],
    },
  );

const nodeManagerWindows = (image: string, script: string): KubernetesObject =>
  nodeManager(
    "cloud-node-manager-windows",
    windowsRollout,
    {
      ...hostProcess,
      containers: [
        {
          name: "cloud-node-manager",
          image,
          // The host's PowerShell: the image contains only cloud-node-manager.exe.
          command: ["powershell.exe"],
          args: [`$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/${scriptName}`],
          env: [nodeNameVariable],
          resources,
          volumeMounts: [
            { name: "kube-proxy", mountPath: "/var/lib/kube-proxy" },
            { name: "scripts", mountPath: "/scripts" },
            { name: "work", mountPath: "/var/lib/cloud-node-manager" },
          ],
        },
      ],
      volumes: [
        { name: "kube-proxy", configMap: { name: "kube-proxy" } },
        { name: "scripts", configMap: { name: "cloud-node-manager-windows" } },
        { name: "work", emptyDir: {} },
      ],
    },
    // Pods do not restart when a ConfigMap changes; with its hash in the template they do.
    { "capz-windows/script": contentHash(script) },
  );

function nodeManager(
  name: string,
  updateStrategy: object,
  podSpec: object,
  annotations?: Record<string, string>,
): KubernetesObject {
  return daemonSet(
    name,
    updateStrategy,
    { serviceAccountName: "cloud-node-manager", tolerations: tolerateEverything, ...podSpec },
    { ownLabels: { component: "cloud-node-manager" }, ...(annotations && { annotations }) },
  );
}
