import { z } from "zod";
import { autoscalerDefaults, autoscalerExpanders, autoscalerVersion } from "../../addons/clusterAutoscaler";
import { count, filledMapping, flag, keyWithDefault, optionalFlag, optionalKey } from "./scalars";

/** Options of the cluster autoscaler. */
export const clusterAutoscaler = filledMapping(
  "Cluster autoscaler, which sets the number of nodes of pools with `autoscale`. It runs on the management cluster, in the namespace of the cluster's objects",
  {
    enabled: optionalFlag("Install it. Default: true from Kubernetes 1.26 on where a pool has autoscale"),
    version: optionalKey(z.string().regex(/^v1\.[0-9]{1,3}\.[0-9]{1,3}$/), {
      description: `Release. Default: the newest of the cluster's minor version, ${autoscalerVersion(35)} for 1.35`,
      allowed: "v1.MINOR.PATCH",
      examples: [autoscalerVersion(35)],
    }),
    image: optionalKey(z.string().min(1), {
      description:
        "Whole image reference, for a management cluster that does not reach registry.k8s.io. Default: registry.k8s.io/autoscaling/cluster-autoscaler with the version",
      examples: [`registry.example.com/cluster-autoscaler:${autoscalerVersion(35)}`],
    }),
    expander: keyWithDefault(z.enum(autoscalerExpanders), autoscalerDefaults.expander, {
      description:
        "How it chooses between pools that all have a place for a pod; priority reads the ConfigMap cluster-autoscaler-priority-expander in kube-system of the workload cluster, and draws lots without it",
      examples: [autoscalerDefaults.expander],
    }),
    maxNodeProvisionMinutes: count(
      "Minutes after which it gives up on a machine that is no node, and tries another pool; a Windows node needs about 15",
      5,
      120,
      autoscalerDefaults.maxNodeProvisionMinutes,
    ),
    scaleDownUnneededMinutes: count(
      "Minutes that a node must be unneeded before it goes",
      1,
      1440,
      autoscalerDefaults.scaleDownUnneededMinutes,
    ),
    scaleDownDelayAfterAddMinutes: count(
      "Minutes after a new node in which no node goes",
      0,
      1440,
      autoscalerDefaults.scaleDownDelayAfterAddMinutes,
    ),
    scaleDownUtilizationPercent: count(
      "Share of a node's CPUs and memory, by requests of its pods, below which it is unneeded",
      0,
      100,
      autoscalerDefaults.scaleDownUtilizationPercent,
    ),
    skipNodesWithLocalStorage: flag(
      "Keep nodes with pods that have emptyDir or hostPath volumes",
      autoscalerDefaults.skipNodesWithLocalStorage,
    ),
    skipNodesWithSystemPods: flag(
      "Keep nodes with pods of kube-system that are neither of a DaemonSet nor under a PodDisruptionBudget; from version 1.33 on until such a pod is an hour old",
      autoscalerDefaults.skipNodesWithSystemPods,
    ),
    balanceSimilarPools: flag(
      "Let pools of the same size, labels and taints grow evenly, for instance one pool in each zone",
      autoscalerDefaults.balanceSimilarPools,
    ),
  },
  { enabled: true },
);
