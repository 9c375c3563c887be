import { textAt } from "../../domain/untyped";
import { containersOf, minutesBetween } from "../model/objects";
import { hasCondition, olderThan, warned } from "./finders";
import { nodesOf, taintsOf } from "./scope";
import { nodeEvents } from "./nodeEvents";
import { nodeNetworkRules } from "./nodeNetwork";
import { nodeStopRules } from "./nodeStops";
import { lostNodeRules } from "./lostNodes";
import { versionRules } from "./versions";
import type { Family, Match } from "./rule";
import type { KubeObject } from "../model/objects";
import type { World } from "../model/snapshot";

/** Nodes that have joined. */

const nodeIs = (type: string, status: string, text: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({ kinds: ["Node"], side: "workload", type, status: [status], message: text, minutes });

const pressure = (type: string) => nodeIs(type, "True", /./);

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

const hasProvider = ({ spec }: KubeObject): boolean => textAt(spec, "providerID") !== "";

const withoutProvider = (world: World): Match[] =>
  aboutNodes(world, 10, (node) =>
    hasProvider(node)
      ? undefined
      : ["spec.providerID", `empty; taints: ${taintsOf(node).join(", ") || "none"}`],
  );

const staleTaint = (world: World): Match[] =>
  aboutNodes(world, 15, (node) =>
    hasProvider(node) && taintsOf(node).some((taint) => uninitializedTaints.includes(taint))
      ? ["spec.taints", taintsOf(node).join(", ")]
      : undefined,
  );

const uninitializedTaints = [
  "node.cloudprovider.kubernetes.io/uninitialized",
  "node.cluster.x-k8s.io/uninitialized",
];

/** Nodes that have not been Ready for a long time, for a reason that no other rule matches. */
const notReady = hasCondition({
  kinds: ["Node"],
  side: "workload",
  type: "Ready",
  status: ["False", "Unknown"],
  minutes: 15,
  where: (node, world) => olderThan(node, 20, world),
});

/** With the minutes for which it is so, because the threshold of the rule says nothing about this node. */
const notReadyFor = (world: World): Match[] =>
  notReady(world).map((match) => ({
    ...match,
    vars: { ...match.vars, minutes: String(Math.round(minutesBetween(match.proof.since ?? "", world.now))) },
  }));

const runtime =
  /container runtime is down|PLEG is not healthy|rpc error: code = Unavailable.*containerd|container runtime status check/;

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
        .filter(({ object }) => object?.metadata.labels?.["kubernetes.io/os"] === "windows")
        .filter(({ object }) => !runs(object?.metadata.name ?? ""))
        .map((match) => ({
          ...match,
          proof: { ...match.proof, text: `${match.proof.text}; no cloud-node-manager-windows runs on it` },
        }));
};

export const nodes: Family = {
  name: "nodes",
  title: "Nodes",
  intro: "Nodes that have joined the cluster and do not work.",
  rules: [
    ...lostNodeRules,
    ...nodeStopRules,
    {
      id: "node-disk",
      stage: "nodes",
      symptom: "DiskPressure",
      cause:
        "The disk of {name} is full: kubelet evicts Pods and removes images. Windows images take 5 to 10 GB each.",
      proof: "Node, condition DiskPressure",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {osDiskGB: 256}}",
        "npm run access -- --stack {stack} --node {name}   # log in; then: crictl images; crictl rmi --prune",
      ],
      source:
        "AKS #2491, #1765; https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
      find: pressure("DiskPressure"),
    },
    {
      id: "node-memory",
      stage: "nodes",
      symptom: "MemoryPressure",
      cause: "The node {name} has hardly any memory left. Windows has no OOM killer; it slows down instead.",
      proof: "Node, condition MemoryPressure",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig top pods -A --sort-by=memory",
        "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D8s_v5}}",
      ],
      source: "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/",
      find: pressure("MemoryPressure"),
    },
    {
      id: "node-pids",
      stage: "nodes",
      symptom: "PIDPressure",
      cause: "The node {name} has hardly any process IDs left.",
      proof: "Node, condition PIDPressure",
      remedy: ["npm run access -- --stack {stack} --node {name}   # log in; then: ps -eLf | wc -l"],
      source: "https://kubernetes.io/docs/concepts/policy/pid-limiting/",
      find: pressure("PIDPressure"),
    },
    {
      id: "node-clock",
      stage: "nodes",
      symptom: "x509: certificate has expired or is not yet valid",
      cause:
        "The clock of {name} is wrong, or the certificate of its kubelet has expired because it was off for long.",
      proof: "Node, conditions and events",
      remedy: [
        "npm run access -- --stack {stack} --node {name}   # Windows: w32tm /resync; Linux: chronyc makestep",
        "kubectl delete machine MACHINE -n {namespace}   # replaces the node",
      ],
      source: "https://kubernetes.io/docs/tasks/tls/certificate-rotation/",
      find: (world) => [
        ...nodeIs("Ready", "False", /not yet valid|certificate has expired/)(world),
        ...warned({
          kinds: ["Node", "Pod"],
          side: "workload",
          // The certificate of a webhook is not that of a node.
          text: /^(?![^]*webhook)[^]*x509: certificate has expired or is not yet valid/,
        })(world),
      ],
    },
    {
      id: "node-runtime",
      stage: "nodes",
      symptom: "container runtime is down, PLEG is not healthy",
      cause: "containerd on {name} does not answer.",
      proof: "Node, condition Ready",
      remedy: [
        "npm run access -- --stack {stack} --node {name}   # Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
      find: nodeIs("Ready", "False", runtime, 3),
    },
    ...nodeNetworkRules,
    ...nodeEvents,
    {
      id: "node-manager-windows",
      stage: "nodes",
      symptom: "a Windows node has no provider ID",
      cause:
        "No cloud-node-manager runs on the Windows node {name}, so it keeps its taint and gets no provider ID.",
      proof: "Node, spec.providerID; Pods cloud-node-manager-windows",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get daemonset cloud-node-manager-windows -n kube-system",
        "kubectl --kubeconfig workload.kubeconfig describe pods -n kube-system -l k8s-app=cloud-node-manager-windows",
      ],
      source: "CAPZ #6293; cloud-provider-azure v1.35",
      follows: ["add-ons", "refused-add-on", "image-pull", "image-registry", "registries", "os-mismatch"],
      find: windowsManagerMissing,
    },
    {
      id: "node-provider-id",
      stage: "nodes",
      symptom: "Node: spec.providerID is empty",
      cause:
        "The cloud provider has not initialized {name}: it cannot find the machine in Azure, or kubelet registered without the taint and was passed over.",
      proof: "Node, spec.providerID and spec.taints",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l component=cloud-controller-manager --tail=30",
        "kubectl --kubeconfig workload.kubeconfig delete node {name}   # then restart kubelet on it: it registers again, with the taint",
      ],
      source: "CAPZ #6293; docs/operations.md",
      follows: [
        ...["add-ons", "refused-add-on", "registries"],
        ...["node-manager-windows", "node-network", "node-own-network"],
      ],
      find: withoutProvider,
    },
    {
      id: "node-taint",
      stage: "nodes",
      symptom: "a taint `uninitialized` stays although the node has a provider ID",
      cause:
        "{name} keeps a taint that the cloud provider or Cluster API should have taken, so no Pod is scheduled there.",
      proof: "Node, spec.taints",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l component=cloud-controller-manager --tail=30",
        "kubectl logs deploy/capi-controller-manager -n capi-system --tail=30   # node.cluster.x-k8s.io/uninitialized",
      ],
      source: "Cluster API v1.14.2, node label sync; cloud-provider-azure v1.35",
      follows: [
        ...["control-plane-certificates", "workload-unreachable-from-management"],
        ...["provider-unavailable", "add-ons", "refused-add-on", "registries"],
      ],
      find: staleTaint,
    },
    ...versionRules,
    {
      id: "node-not-ready",
      stage: "nodes",
      symptom: "Node NotReady",
      cause: "{name} is not Ready for {minutes} minutes.",
      proof: "Node, condition Ready",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe node {name}",
        "npm run access -- --stack {stack} --node {name}",
      ],
      source: "https://kubernetes.io/docs/concepts/architecture/nodes/",
      generic: true,
      find: notReadyFor,
    },
  ],
};
