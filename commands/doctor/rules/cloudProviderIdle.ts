import type { World } from "../../cluster/snapshot";
import { cloudControllerLogs, cloudNodeManagerLogs, workloadKubectl } from "./commands";
import { olderThan } from "./finders";
import type { Match, Rule } from "./rule";
import { cloudTaint, hasCloudTaint, nodesOf } from "../../cluster/scope";

/** The cloud provider runs and initializes no node at all: then the nodes are not at fault. */

/** A node is initialized within a minute after the cloud provider has started on it. */
const minutes = 10;

function noneInitialized(world: World): Match[] {
  const nodes = nodesOf(world);
  const waiting = nodes.filter((node) => hasCloudTaint(node) && olderThan(node, minutes, world));
  // One node alone may have a fault of its own.
  return nodes.length < 2 || waiting.length < nodes.length
    ? []
    : [
        {
          proof: {
            where: `all ${nodes.length} nodes, spec.taints`,
            text: `${cloudTaint} on ${nodes.map(({ metadata }) => metadata.name).join(", ")}`,
          },
        },
      ];
}

export const cloudProviderIdle: Rule = {
  id: "cloud-provider-idle",
  stage: "add-ons",
  symptom: `all nodes keep the taint ${cloudTaint}`,
  cause:
    "The cloud provider has initialized no node of the cluster, so its cloud-controller-manager or cloud-node-manager does not do its work: it cannot log in to Azure, azure.json is missing or wrong, or it does not reach Azure or the API server. No Pod is scheduled before.",
  remedy: [
    `${workloadKubectl} get pods -n kube-system -o wide | grep cloud-   # do they run?`,
    `${cloudControllerLogs}   # a login that fails names the identity`,
    cloudNodeManagerLogs,
    "npm run access -- --stack {stack}   # log in to a control plane machine; then: sudo cat /etc/kubernetes/azure.json",
  ],
  source:
    "cloud-provider-azure v1.35, pkg/nodemanager; https://kubernetes.io/docs/concepts/architecture/cloud-controller/",
  follows: ["add-ons", "refused-add-on", "registries", "control-plane"],
  find: noneInitialized,
};
