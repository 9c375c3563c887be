import { cloudProviderWords } from "./addonWords";
import { cloudProviderIdle } from "./cloudProviderIdle";
import { olderThan } from "./finders";
import { crashLoops, imageMissing } from "./podFinders";
import { platformAtZero } from "./scaledToZero";
import { cloudTaint, hasCloudTaint, nodesOf } from "../../cluster/scope";
import { serviceAccountFiles } from "./serviceAccountFiles";
import type { Match, Rule } from "./rule";
import type { World } from "../../cluster/snapshot";

/** The cloud controller manager and the cloud node managers, which initialize nodes. */

const cloudPods = /^cloud-(controller-manager|node-manager)/;

/** Nodes that keep the taint because there is no Pod of the cloud provider that would remove it. */
const nobodyInitializes = (world: World): Match[] => {
  const pods = world.all("Pod", "workload");
  const managers = pods.filter(({ metadata }) => cloudPods.test(metadata.name));
  return pods.length === 0 || managers.length > 0
    ? []
    : nodesOf(world)
        .filter((node) => hasCloudTaint(node) && olderThan(node, 10, world))
        .slice(0, 1)
        .map((node) => ({
          object: node,
          proof: {
            where: `Node ${node.metadata.name}, spec.taints; Pods of kube-system`,
            text: `${cloudTaint} is set, and there is no cloud-controller-manager and no cloud-node-manager`,
          },
        }));
};

export const cloudProviderRules: readonly Rule[] = [
  platformAtZero,
  {
    id: "cloud-provider-image",
    stage: "add-ons",
    symptom: "cloud-controller-manager or cloud-node-manager in ImagePullBackOff",
    cause: "The image {image} cannot be pulled, so no node gets its provider ID and its taint stays.",
    remedy: [
      "capz-windows:addons: {cloudProviderAzureTag: A-TAG-THAT-EXISTS}",
      "kubectl --kubeconfig workload.kubeconfig describe pod {name} -n kube-system",
    ],
    source: "cloud-provider-azure v1.35, releases",
    find: imageMissing({
      side: "workload",
      where: ({ metadata }) => cloudPods.test(metadata.name),
    }),
  },
  serviceAccountFiles,
  ...cloudProviderWords,
  {
    id: "cloud-provider-crashes",
    stage: "add-ons",
    symptom: "cloud-controller-manager in CrashLoopBackOff",
    cause:
      "The cloud provider {name} exits with an error: azure.json is wrong, or the machines' identity lacks a role.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system {name} --previous --tail=30",
      "az role assignment list --all --assignee IDENTITY -o table   # the identity of the control plane machines",
    ],
    source: "cloud-provider-azure v1.35",
    find: crashLoops({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("cloud-controller-manager"),
    }),
  },
  {
    id: "node-manager-crashes",
    stage: "add-ons",
    symptom: "cloud-node-manager in CrashLoopBackOff",
    cause:
      "{name}, which gives its node the provider ID, exits with an error: it does not reach the API server, or Azure's metadata service at 169.254.169.254, from which it takes what it knows of the machine.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system {name} --previous --tail=30",
      "npm run access -- --stack {stack} --node {node}   # log in; Linux: curl -sH Metadata:true 'http://169.254.169.254/metadata/instance?api-version=2021-02-01'; Windows: Invoke-RestMethod -Headers @{Metadata='true'} 'http://169.254.169.254/metadata/instance?api-version=2021-02-01'",
    ],
    source: "cloud-provider-azure v1.35, cmd/cloud-node-manager, --use-instance-metadata",
    find: crashLoops({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("cloud-node-manager"),
    }),
  },
  {
    id: "cloud-provider-missing",
    stage: "add-ons",
    symptom: `nodes keep the taint ${cloudTaint}`,
    cause:
      "There is no cloud provider in the cluster: its ClusterResourceSet was not applied, or the Cluster lacks the label that the set selects.",
    remedy: [
      "kubectl get clusterresourcesets,clusterresourcesetbindings -n {namespace} -o wide",
      "kubectl get cluster {cluster} -n {namespace} --show-labels",
    ],
    source: "cloud-provider-azure v1.35; addons/cloudProviderAzure.ts",
    follows: [
      "add-on-missing",
      "add-on-not-selected",
      "add-on-secret-type",
      "add-on-too-large",
      "add-on-refused",
      "workload-unreachable-from-management",
    ],
    find: nobodyInitializes,
  },
  cloudProviderIdle,
];
