import { cloudProviderIdle } from "./cloudProviderIdle";
import { olderThan } from "./finders";
import { crashLoops, imageMissing } from "./podFinders";
import { platformAtZero } from "./scaledToZero";
import { cloudTaint, hasCloudTaint, nodesOf } from "../../cluster/scope";
import { serviceAccountFiles } from "./serviceAccountFiles";
import type { Detectors, Match } from "./rule";
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

export const cloudProviderRules: Detectors = {
  ...platformAtZero,
  "cloud-provider-image": imageMissing({
    side: "workload",
    where: ({ metadata }) => cloudPods.test(metadata.name),
  }),
  ...serviceAccountFiles,
  "cloud-provider-crashes": crashLoops({
    side: "workload",
    where: ({ metadata }) => metadata.name.startsWith("cloud-controller-manager"),
  }),
  "node-manager-crashes": crashLoops({
    side: "workload",
    where: ({ metadata }) => metadata.name.startsWith("cloud-node-manager"),
  }),
  "cloud-provider-missing": nobodyInitializes,
  ...cloudProviderIdle,
};
