import { proxyVariables } from "../bootstrap/egress";
import type { KubernetesObject } from "capz-types";
import type { AddonCluster } from "./addon";
import { cloudControllerManagerAccess } from "./cloudProviderAzureAccess";
import { cloudNodeManagerObjects } from "./cloudNodeManager";
import { hostPortRollout, tolerateControlPlane } from "./linuxPods";
import { kubernetesRows } from "capz-windows-platform/compatibility";

/** Image tags by Kubernetes minor. */
const tagsByMinor = new Map(
  Object.entries(kubernetesRows).flatMap(([minor, { cloudProviderAzure: tag }]) =>
    tag === undefined ? [] : [[Number(minor), tag] as const],
  ),
);

/** Whether a release of cloud-provider-azure is known for a Kubernetes minor. */
export const isCloudProviderKnown = (minor: number): boolean => tagsByMinor.has(minor);

/**
 * Images of cloud-provider-azure for a Kubernetes version.
 * @throws Error if no tag is known for the minor and imageTag is not set
 */
export function cloudProviderAzureImages(kubernetesVersion: string, imageTag?: string) {
  const text = /^v?1\.([0-9]+)\./.exec(kubernetesVersion)?.[1];
  if (text === undefined) {
    throw new Error(`${kubernetesVersion} is not a Kubernetes version; use v1.MINOR.PATCH.`);
  }
  const minor = Number(text);
  const tag = imageTag ?? tagsByMinor.get(minor);
  if (tag === undefined) {
    const minors = [...tagsByMinor.keys()];
    throw new Error(
      `No cloud-provider-azure image is known for Kubernetes 1.${minor} (known: 1.${Math.min(...minors)} to ` +
        `1.${Math.max(...minors)}). Set imageTag (in a stack, addons.cloudProviderAzureTag) to a tag such as ` +
        `v1.${minor}.0.`,
    );
  }
  // According to the same chart, images from 1.32 on are in a newer path of Microsoft's registry.
  const repository = `mcr.microsoft.com/oss/${minor >= 32 ? "v2/" : ""}kubernetes`;
  return {
    cloudControllerManager: `${repository}/azure-cloud-controller-manager:${tag}`,
    cloudNodeManager: `${repository}/azure-cloud-node-manager:${tag}`,
  };
}

export interface CloudProviderAzureArgs extends Pick<
  AddonCluster,
  "kubernetesVersion" | "podCidr" | "proxy"
> {
  /** As in `--cluster-name` of kube-controller-manager: load balancers are tagged with it. */
  readonly clusterName: string;
  /** Replicas of the cloud controller manager: 1 with a single control plane machine, otherwise 2. Default: 2. */
  readonly replicas?: number | undefined;
  /** Tag of both images. Default: the one for the minor of the version. */
  readonly imageTag?: string | undefined;
}

/**
 * Azure's cloud provider: the controller manager (load balancers) on control plane nodes and a node manager on
 * every node. Until the node manager has initialized a node, that node keeps its uninitialized taint.
 */
export function cloudProviderAzureObjects(args: CloudProviderAzureArgs): KubernetesObject[] {
  const images = cloudProviderAzureImages(args.kubernetesVersion, args.imageTag);
  return [
    ...cloudControllerManagerAccess,
    controllerManager(args, images.cloudControllerManager),
    ...cloudNodeManagerObjects(images.cloudNodeManager),
  ];
}

const hostPath = (path: string, name: string) => ({ name, hostPath: { path } });

function controllerManager(args: CloudProviderAzureArgs, image: string): KubernetesObject {
  const labels = { component: "cloud-controller-manager", tier: "control-plane" };
  const port = 10_268;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "cloud-controller-manager", namespace: "kube-system", labels },
    spec: {
      replicas: args.replicas ?? 2,
      selector: { matchLabels: labels },
      strategy: hostPortRollout,
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: "system-node-critical",
          hostNetwork: true,
          serviceAccountName: "cloud-controller-manager",
          nodeSelector: { [tolerateControlPlane.key]: "" },
          // Not the uninitialized taint: the node manager removes it, and needs no controller for that.
          tolerations: [
            tolerateControlPlane,
            { key: "node-role.kubernetes.io/etcd", operator: "Exists", effect: "NoExecute" },
          ],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "DoNotSchedule",
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              name: "cloud-controller-manager",
              image,
              command: ["cloud-controller-manager"],
              ...(args.proxy ? { env: proxyVariables(args.proxy) } : {}),
              args: [
                // Calico assigns pod addresses and routes them over VXLAN: no node CIDRs, no Azure routes.
                "--allocate-node-cidrs=false",
                "--cloud-config=/etc/kubernetes/azure.json",
                "--cloud-provider=azure",
                `--cluster-cidr=${args.podCidr}`,
                `--cluster-name=${args.clusterName}`,
                "--configure-cloud-routes=false",
                "--controllers=*,-cloud-node",
                "--leader-elect=true",
                "--route-reconciliation-period=10s",
                `--secure-port=${port}`,
                "--v=2",
              ],
              resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "2Gi" } },
              livenessProbe: {
                httpGet: { path: "/healthz", port, scheme: "HTTPS" },
                initialDelaySeconds: 20,
                periodSeconds: 10,
                timeoutSeconds: 5,
              },
              volumeMounts: [
                { name: "etc-kubernetes", mountPath: "/etc/kubernetes", readOnly: true },
                { name: "etc-ssl", mountPath: "/etc/ssl", readOnly: true },
                { name: "msi", mountPath: "/var/lib/waagent/ManagedIdentity-Settings", readOnly: true },
                { name: "azure-identity-token", mountPath: "/var/run/secrets/azure/tokens", readOnly: true },
              ],
            },
          ],
          volumes: [
            hostPath("/etc/kubernetes", "etc-kubernetes"),
            hostPath("/etc/ssl", "etc-ssl"),
            hostPath("/var/lib/waagent/ManagedIdentity-Settings", "msi"),
            {
              name: "azure-identity-token",
              projected: {
                sources: [
                  {
                    serviceAccountToken: {
                      audience: "api://AzureADTokenExchange",
                      expirationSeconds: 3600,
                      path: "azure-identity-token",
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    },
  };
}
