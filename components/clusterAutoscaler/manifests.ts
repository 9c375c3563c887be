import { autoscalerDefaults, hasStartupTime } from "../../addons/clusterAutoscaler";
import { apiGroup, apiVersions } from "../../capi/apiVersions";
import type { ObjectMeta } from "capz-types";
import { kubeconfigSecret } from "capz-windows-platform/cluster/naming";
import { withoutUndefined } from "capz-windows-kit/without";

/** How the autoscaler decides; omitted fields have the defaults of autoscalerDefaults. */
export interface AutoscalerBehavior {
  /** How it chooses between pools: least-waste, most-pods, random or priority. Default: least-waste. */
  expander?: string | undefined;
  /** Minutes after which it gives up on a machine that has not become a node, and tries another pool. Default: 30. */
  maxNodeProvisionMinutes?: number | undefined;
  /** Minutes for which a node must be unneeded before it is removed. Default: 10. */
  scaleDownUnneededMinutes?: number | undefined;
  /** Minutes after a new node during which no node is removed. Default: 10. */
  scaleDownDelayAfterAddMinutes?: number | undefined;
  /** Share of a node's CPUs and memory below which it is unneeded. Default: 50. */
  scaleDownUtilizationPercent?: number | undefined;
  /** Keep nodes with pods that have emptyDir or hostPath volumes. Default: false. */
  skipNodesWithLocalStorage?: boolean | undefined;
  /**
   * Keep nodes with pods of kube-system that neither belong to a DaemonSet nor have a disruption budget. Default: true.
   */
  skipNodesWithSystemPods?: boolean | undefined;
  /** Let pools of the same size, labels and taints grow evenly. Default: false. */
  balanceSimilarPools?: boolean | undefined;
}

export interface AutoscalerObjectArgs extends AutoscalerBehavior {
  readonly clusterName: string;
  /** Namespace of the cluster's objects. */
  readonly namespace: string;
  readonly image: string;
  /** Release of the image, with leading v. */
  readonly version: string;
  /** Whether `pulumi up` waits until it runs. */
  readonly wait: boolean;
}

const kubeconfigFolder = "/etc/workload-cluster";

/** The user of the image, which is based on distroless (cluster-autoscaler/Dockerfile). */
const user = 65_532;

/** The fields of the defaults, with every value that they may have. */
type Settings = { [K in keyof typeof autoscalerDefaults]: NonNullable<AutoscalerBehavior[K]> };

const flags = (args: AutoscalerObjectArgs): string[] => {
  const set = { ...autoscalerDefaults, ...(withoutUndefined(args) as Partial<Settings>) };
  return [
    "--cloud-provider=clusterapi",
    `--node-group-auto-discovery=clusterapi:namespace=${args.namespace},clusterName=${args.clusterName}`,
    // Pods and nodes are in the workload cluster, machines in the cluster in which it runs: without the second flag it
    // would look for machines in the first.
    `--kubeconfig=${kubeconfigFolder}/kubeconfig`,
    "--clusterapi-cloud-config-authoritative",
    // A pool below its minimum, because the minimum was raised, grows without a pending pod.
    "--enforce-node-group-min-size=true",
    // The default since 1.35; before, pods could still be scheduled to a node that is being removed.
    "--cordon-node-before-terminating=true",
    `--expander=${set.expander}`,
    `--max-node-provision-time=${set.maxNodeProvisionMinutes}m`,
    // A node that is registered and not Ready for longer counts as unready.
    ...(hasStartupTime(args.image, args.version)
      ? [`--max-node-startup-time=${set.maxNodeProvisionMinutes}m`]
      : []),
    `--scale-down-unneeded-time=${set.scaleDownUnneededMinutes}m`,
    `--scale-down-delay-after-add=${set.scaleDownDelayAfterAddMinutes}m`,
    `--scale-down-utilization-threshold=${set.scaleDownUtilizationPercent / 100}`,
    `--skip-nodes-with-local-storage=${set.skipNodesWithLocalStorage}`,
    `--skip-nodes-with-system-pods=${set.skipNodesWithSystemPods}`,
    ...(set.balanceSimilarPools
      ? // The Azure Disk CSI driver writes this label, by which pools of different zones would never be similar.
        ["--balance-similar-node-groups=true", "--balancing-ignore-label=topology.disk.csi.azure.com/zone"]
      : []),
    // Logs why it adds and removes nodes, and little else.
    "--v=1",
  ];
};

/**
 * The cluster autoscaler of one workload cluster, for the management cluster. Its account reads the machines of the
 * namespace, changes the size of pools and marks the machines that go; it reads no Secret. It reaches the workload
 * cluster with the kubeconfig that Cluster API creates, as Cluster API itself does.
 *
 * The verbs are those that the releases use: get and update of `scale` up to 1.32, get and patch from 1.33 on; update
 * of a Machine to mark it; watches for everything else. It would wait forever for an infrastructure object that it may
 * not list (cluster-autoscaler 1.30 to 1.36, cloudprovider/clusterapi).
 */
export function autoscalerObjects(args: AutoscalerObjectArgs) {
  const { clusterName, namespace, image, wait } = args;
  const name = `${clusterName}-autoscaler`;
  const labels = {
    "app.kubernetes.io/name": "cluster-autoscaler",
    "app.kubernetes.io/instance": clusterName,
  };
  const metadata: ObjectMeta = { name, namespace, labels };
  const read = ["get", "list", "watch"];
  return {
    serviceAccount: { apiVersion: "v1" as const, kind: "ServiceAccount" as const, metadata },
    role: {
      apiVersion: "rbac.authorization.k8s.io/v1" as const,
      kind: "Role" as const,
      metadata,
      rules: [
        {
          apiGroups: [apiGroup(apiVersions.cluster)],
          resources: ["machinedeployments", "machinesets", "machinepools"],
          verbs: read,
        },
        {
          apiGroups: [apiGroup(apiVersions.cluster)],
          resources: ["machines"],
          verbs: [...read, "update"],
        },
        {
          apiGroups: [apiGroup(apiVersions.cluster)],
          resources: ["machinedeployments/scale", "machinepools/scale"],
          verbs: ["get", "update", "patch"],
        },
        {
          apiGroups: [apiGroup(apiVersions.azure)],
          resources: ["azuremachinepools", "azuremachinetemplates"],
          verbs: read,
        },
      ],
    },
    roleBinding: {
      apiVersion: "rbac.authorization.k8s.io/v1" as const,
      kind: "RoleBinding" as const,
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
    deployment: {
      apiVersion: "apps/v1" as const,
      kind: "Deployment" as const,
      metadata: {
        ...metadata,
        // Without a wait for the API server there is no kubeconfig yet, and no pod can start.
        ...(wait ? {} : ({ annotations: { "pulumi.com/skipAwait": "true" } } satisfies Partial<ObjectMeta>)),
      },
      spec: {
        // A second one would only wait for the first to lose its lease.
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            nodeSelector: { "kubernetes.io/os": "linux" },
            securityContext: {
              runAsNonRoot: true,
              runAsUser: user,
              runAsGroup: user,
              fsGroup: user,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "cluster-autoscaler",
                image,
                command: ["/cluster-autoscaler"],
                args: flags(args),
                ports: [{ name: "metrics", containerPort: 8085, protocol: "TCP" }],
                livenessProbe: {
                  httpGet: { path: "/health-check", port: "metrics" },
                  periodSeconds: 30,
                  timeoutSeconds: 5,
                },
                resources: { requests: { cpu: "50m", memory: "200Mi" } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
                volumeMounts: [{ name: "kubeconfig", mountPath: kubeconfigFolder, readOnly: true }],
              },
            ],
            // Cluster API renews it half a year before its certificate ends (CAPI v1.14.2 util/certs/consts.go), and kubelet
            // updates the file, but the autoscaler reads it at its start only. When the old certificate ends, it cannot
            // renew its lease in the workload cluster, ends itself (cluster-autoscaler main.go, OnStoppedLeading), and
            // starts with the new one.
            volumes: [
              {
                name: "kubeconfig",
                secret: {
                  secretName: kubeconfigSecret(clusterName),
                  items: [{ key: "value", path: "kubeconfig" }],
                  defaultMode: 0o440,
                },
              },
            ],
          },
        },
      },
    },
  };
}
