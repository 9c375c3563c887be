import { at, list, textAt } from "../../../tools/untyped";
import { type Taint, tolerates } from "../../../platform/workloads/tolerations";
import { conditionNamed, containersOf, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { cloudControllerLogs, cloudNodeManagerLogs, workloadKubectl } from "./commands";
import { olderThan } from "./finders";
import { cloudTaint, hasCloudTaint, nodesOf, systemOf, taintsOf, taintsOn } from "../../cluster/scope";
import type { Match, Rule } from "./rule";

/** Nodes that the cloud provider has not initialized: without provider ID, or with a taint that it should have removed. */

/** Nodes about which a function returns a field and a text; those for which it returns `undefined` do not match. */
const aboutNodes = (
  world: World,
  minutes: number,
  says: (node: KubeObject) => readonly [field: string, text: string] | undefined,
): Match[] =>
  nodesOf(world).flatMap((object) => {
    const [field, text] = (olderThan(object, minutes, world) ? says(object) : undefined) ?? [];
    return field === undefined || text === undefined
      ? []
      : [{ object, proof: { where: `Node ${object.metadata.name}, ${field}`, text } }];
  });

const uninitializedTaints = [cloudTaint, "node.cluster.x-k8s.io/uninitialized"];

export const hasProvider = ({ spec }: KubeObject): boolean => textAt(spec, "providerID") !== "";

const withoutProvider = (world: World, is: (node: KubeObject) => boolean = () => true): Match[] =>
  aboutNodes(world, 10, (node) =>
    hasProvider(node) || !is(node)
      ? undefined
      : ["spec.providerID", `empty; taints: ${taintsOf(node).join(", ") || "none"}`],
  );

const staleTaint = (world: World): Match[] =>
  aboutNodes(world, 15, (node) =>
    hasProvider(node) && taintsOf(node).some((taint) => uninitializedTaints.includes(taint))
      ? ["spec.taints", taintsOf(node).join(", ")]
      : undefined,
  );

/** Windows nodes without a running cloud-node-manager, which sets their provider ID. */
const windowsManagerMissing = (world: World): Match[] => {
  const pods = world
    .all("Pod", "workload")
    .filter(({ metadata }) => metadata.name.startsWith("cloud-node-manager-windows"));
  const runs = (node: string): boolean =>
    pods.some(
      (pod) => textAt(pod.spec, "nodeName") === node && containersOf(pod).every(({ ready }) => ready),
    );
  return world.all("Pod", "workload").length === 0
    ? []
    : withoutProvider(world)
        .filter(({ object }) => systemOf(object) === "windows")
        .filter(({ object }) => !runs(object?.metadata.name ?? ""))
        .map((match) => ({
          ...match,
          proof: { ...match.proof, text: `${match.proof.text}; no cloud-node-manager-windows runs on it` },
        }));
};

/** The taint of a node for which a DaemonSet makes no Pod there, or its Pod is not scheduled. */
function repelling(node: KubeObject, daemon: string, world: World): Taint | undefined {
  const owner = world
    .all("DaemonSet", "workload")
    .find(({ metadata }) => metadata.namespace === "kube-system" && metadata.name === daemon);
  const tolerations = at(owner?.spec, "template", "spec", "tolerations");
  const refused = world
    .all("Pod", "workload")
    .filter(({ metadata }) => metadata.name.startsWith(`${daemon}-`))
    .map((pod) => conditionNamed(pod, "PodScheduled"))
    .map((condition) => (condition?.status === "False" ? condition.message : ""))
    .join();
  return taintsOn(node)
    .filter(({ effect }) => /^No(?:Schedule|Execute)$/.test(effect))
    .find(
      (taint) =>
        refused.includes(`untolerated taint {${taint.key}:`) ||
        (tolerations !== undefined && !list(tolerations).some((each) => tolerates(each, taint))),
    );
}

/** Windows nodes of which a taint keeps cloud-node-manager away. */
const windowsManagerRepelled = (world: World): Match[] =>
  windowsManagerMissing(world).flatMap((match) => {
    const taint = match.object && repelling(match.object, "cloud-node-manager-windows", world);
    return taint === undefined ? [] : [{ ...match, vars: { taint: taint.key, effect: taint.effect } }];
  });

const follows = [
  ...["add-ons", "refused-add-on", "registries"],
  ...["node-manager-windows", "node-manager-repelled", "node-network", "node-own-network"],
];

export const nodeProviderRules: readonly Rule[] = [
  {
    id: "node-manager-repelled",
    stage: "nodes",
    symptom: "a taint of a Windows node keeps cloud-node-manager away",
    cause:
      "The Windows node {name} has the taint {taint}, which cloud-node-manager-windows does not tolerate. So it does not run there, and the node gets no provider ID.",
    remedy: [
      `${workloadKubectl} taint node {name} {taint}:{effect}-   # until the node has its provider ID`,
      `${workloadKubectl} patch daemonset cloud-node-manager-windows -n kube-system --type json -p '[{"op":"add","path":"/spec/template/spec/tolerations","value":[{"operator":"Exists"}]}]'   # tolerates every taint again, as this program applies it`,
    ],
    source: "cloud-provider-azure v1.35, DaemonSet cloud-node-manager-windows",
    find: windowsManagerRepelled,
  },
  {
    id: "node-manager-windows",
    stage: "nodes",
    symptom: "a Windows node has no provider ID",
    cause:
      "No cloud-node-manager runs on the Windows node {name}, so it keeps its taint and gets no provider ID.",
    remedy: [
      `${workloadKubectl} get daemonset cloud-node-manager-windows -n kube-system`,
      `${workloadKubectl} describe pods -n kube-system -l k8s-app=cloud-node-manager-windows`,
    ],
    source: "CAPZ #6293; cloud-provider-azure v1.35",
    follows: [
      "add-ons",
      "node-manager-repelled",
      "refused-add-on",
      "image-pull",
      "registries",
      "os-mismatch",
    ],
    find: windowsManagerMissing,
  },
  {
    id: "node-provider-id",
    stage: "nodes",
    symptom: `Node: spec.providerID is empty, and it has no taint ${cloudTaint}`,
    cause:
      "{name} has joined without the taint by which the cloud node manager knows new nodes, so it was passed over and has no spec.providerID; its machine waits for a node with that ID.",
    remedy: [
      `${cloudNodeManagerLogs}   # says: Node has no cloud taint, skipping initialization`,
      `${workloadKubectl} taint node {name} ${cloudTaint}=true:NoSchedule   # the cloud node manager then initializes the node and takes the taint away`,
      "npm run access -- --stack {stack} --node {name}   # log in; Windows: Select-String -Context 0,4 registerWithTaints C:\\var\\lib\\kubelet\\config.yaml. Pools of this program register with the taint through C:\\k\\patches; without it the machine has older or other bootstrap data: replace it",
      `kubeletExtraArgs: [{name: register-with-taints, value: "${cloudTaint}=true:NoExecute"}]   # in bootstrap data of your own. Not NoSchedule: kubelet may add that one itself, and no node may have two of one effect`,
    ],
    source:
      "CAPZ #6293; sig-windows windows-testing #530; cloud-provider-azure v1.35, pkg/nodemanager/nodemanager.go",
    follows,
    find: (world) => withoutProvider(world, (node) => !hasCloudTaint(node)),
  },
  {
    id: "node-uninitialized",
    stage: "nodes",
    symptom: `Node: spec.providerID is empty, and the taint ${cloudTaint} stays`,
    cause:
      "The cloud provider has not initialized {name}: it does not find the machine in Azure, or does not reach Azure or the API server. Its spec.providerID is empty, and no Pod is scheduled there.",
    remedy: [
      cloudNodeManagerLogs,
      cloudControllerLogs,
      `${workloadKubectl} delete pod {nodeManagerPod} -n kube-system   # its DaemonSet makes another one, which tries again`,
    ],
    source: "CAPZ #6293; docs/operations.md",
    follows,
    find: (world) => withoutProvider(world, hasCloudTaint),
  },
  {
    id: "node-taint",
    stage: "nodes",
    symptom: "a taint `uninitialized` stays although the node has a provider ID",
    cause:
      "{name} keeps a taint that the cloud provider or Cluster API should have taken, so no Pod is scheduled there.",
    remedy: [
      cloudControllerLogs,
      "kubectl logs deploy/capi-controller-manager -n capi-system --tail=30   # node.cluster.x-k8s.io/uninitialized",
    ],
    source: "Cluster API v1.14.2, node label sync; cloud-provider-azure v1.35",
    follows: [
      ...["control-plane-certificates", "workload-unreachable-from-management"],
      ...["provider-unavailable", "provider-scaled-to-zero", "add-ons", "refused-add-on", "registries"],
    ],
    find: staleTaint,
  },
];
