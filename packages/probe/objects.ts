import { join } from "node:path";
import type { KubernetesObject } from "capz-types";
import { hostProcessBaseImage } from "capz-windows-platform/workloads/hostProcess";
import type { StackFacts } from "capz-windows-contract";
import { iisImage } from "capz-windows-platform/machines/windowsReleases";
import { readBundledFile } from "capz-windows-kit/readBundledFile";
import type { ProbePlace, ProbeNode } from "./model";

/** Content of a script that a pod of a run starts. */
export const probeScript = (name: string): string => readBundledFile(join(__dirname, "scripts"), name);

/** The objects of a run. All but changes of a Node are in one namespace, and are deleted with it. */

export const namespace = "capz-windows-probe";

/** What the pods on Windows answer to a request. */
export const serverText = "capz-windows-probe";

/** Port of the pods that answer. */
export const httpPort = 8080;

/** A run that lives writes a new value here every few seconds. */
export const aliveAnnotation = "capz-windows.probe/alive";

/** On a node that a run has cordoned, and on the namespace of the run with the name of the node. */
export const cordonAnnotation = "capz-windows.probe/cordoned";

/** No pod lives longer, whatever becomes of the run. */
export const longestRunSeconds = 4 * 60 * 60;

const scripts = { linux: "probe.sh", windows: "probe.ps1" } as const;

export const namespaceObject: KubernetesObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: namespace,
    // HostProcess pods, the network of the host and folders of the host are privileged.
    labels: {
      "pod-security.kubernetes.io/enforce": "privileged",
      "pod-security.kubernetes.io/warn": "privileged",
    },
    annotations: { [aliveAnnotation]: "0" },
  },
};

export const baseObjects = (): KubernetesObject[] => [
  // A pod may be created before the controller has made the account "default".
  {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "probe", namespace },
    automountServiceAccountToken: false,
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "scripts", namespace },
    data: Object.fromEntries(Object.values(scripts).map((name) => [name, probeScript(name)])),
  },
];

/** Whether this machine may reach a public load balancer of the stack. */
export const isPublic = ({ network }: StackFacts): boolean => network.allowedCidrs.length > 0;

/**
 * The Service in front of the pods on Windows. Its load balancer is public only for the networks of access.allowedCidrs;
 * without any it has an address of the VNET (cloud-provider-azure, load balancer annotations).
 */
export const serviceObject = (facts: StackFacts): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: "probe",
    namespace,
    annotations: isPublic(facts) ? {} : { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" },
  },
  spec: {
    type: "LoadBalancer",
    selector: { "capz-windows.probe/server": "windows" },
    ports: [{ port: 80, targetPort: httpPort, protocol: "TCP" }],
    ...(isPublic(facts) ? { loadBalancerSourceRanges: [...facts.network.allowedCidrs] } : {}),
  },
});

export const claimObject = (name: string, storageClassName: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace },
  spec: {
    accessModes: ["ReadWriteOnce"],
    storageClassName,
    resources: { requests: { storage: "1Gi" } },
  },
});

export interface PodArgs {
  readonly name: string;
  readonly node: ProbeNode;
  readonly place: ProbePlace;
  readonly image: string;
  readonly steps: string;
  readonly deadlineSeconds: number;
  /** Whether others send packets to it; it then runs until it is deleted. */
  readonly serves?: boolean;
  /** A claim that is mounted as /data. */
  readonly claim?: string;
}

/**
 * Folders of the node in a pod on Linux: the pod runs the node's bash, ping, ip and curl, because no image of the add-ons
 * has them. /etc stays that of the pod, with its own resolv.conf.
 */
const nodeFolders = ["usr", "bin", "sbin", "lib", "lib64"];

const windowsBuild = "node.kubernetes.io/windows-build";

/**
 * A pod on a given node, which tolerates everything so that it also runs there while the node is cordoned. It is
 * scheduled and not bound by nodeName, because a disk waits for the decision of the scheduler.
 */
export function podObject(args: PodArgs): KubernetesObject {
  const { name, node, place, image, steps, deadlineSeconds, serves = false, claim } = args;
  const windows = node.os === "windows";
  const host = place === "host";
  const build = node.object.metadata.labels?.[windowsBuild];
  // containerd mounts volumes of a HostProcess container below this folder (containerd 1.6), or also at their paths (1.7).
  const script = `${windows && host ? "$env:CONTAINER_SANDBOX_MOUNT_POINT" : ""}/probe/${scripts[node.os]}`;
  const folders = windows ? [] : nodeFolders;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: serves ? { "capz-windows.probe/server": node.os } : {},
    },
    spec: {
      ...{ restartPolicy: "Never", terminationGracePeriodSeconds: 1 },
      // Kubernetes ends it even if nothing is left that waits for it.
      activeDeadlineSeconds: serves ? longestRunSeconds : deadlineSeconds,
      ...{ serviceAccountName: "probe", automountServiceAccountToken: false, enableServiceLinks: false },
      os: { name: node.os },
      nodeSelector: {
        "kubernetes.io/os": node.os,
        ...(windows && build !== undefined ? { [windowsBuild]: build } : {}),
      },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchFields: [{ key: "metadata.name", operator: "In", values: [node.name] }] },
            ],
          },
        },
      },
      tolerations: [{ operator: "Exists" }],
      ...(host ? { hostNetwork: true } : {}),
      ...(host &&
        windows && {
          securityContext: {
            windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\SYSTEM" },
          },
        }),
      containers: [
        {
          name: "probe",
          image,
          command: windows
            ? ["powershell.exe", "-NoProfile", "-ExecutionPolicy", "Bypass", "-Command", `& ${script}`]
            : ["/usr/bin/bash", script],
          env: [{ name: "STEPS", value: steps }],
          // Not the limits of a namespace, and nothing that displaces a pod: a probe takes what is there.
          resources: { requests: { cpu: "10m", memory: "50Mi" } },
          ...(serves && windows && { readinessProbe: { tcpSocket: { port: httpPort }, periodSeconds: 3 } }),
          volumeMounts: [
            { name: "scripts", mountPath: "/probe", readOnly: true },
            ...folders.map((folder) => ({ name: folder, mountPath: `/${folder}`, readOnly: true })),
            ...(claim === undefined ? [] : [{ name: "data", mountPath: "/data" }]),
          ],
        },
      ],
      volumes: [
        { name: "scripts", configMap: { name: "scripts" } },
        ...folders.map((folder) => ({ name: folder, hostPath: { path: `/${folder}` } })),
        ...(claim === undefined ? [] : [{ name: "data", persistentVolumeClaim: { claimName: claim } }]),
      ],
    },
  };
}

/**
 * Images that the stack pins and uses anyway. On Linux that of kube-proxy, which every node has; on Windows that of the
 * HostProcess add-ons, and the sample workload's, which is Server Core with Windows PowerShell and curl.
 */
export function imageOf(facts: StackFacts, { os, pool }: ProbeNode, place: ProbePlace): string {
  if (os === "linux") {
    return `registry.k8s.io/kube-proxy:${facts.kubernetesVersion}`;
  }
  const release = facts.pools.find(({ name }) => name === pool)?.windowsServer ?? "2022";
  return place === "host" ? hostProcessBaseImage : iisImage(release);
}
