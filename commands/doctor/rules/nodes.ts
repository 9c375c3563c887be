import { withMinutes } from "./answers";
import { hasCondition, olderThan, warned } from "./finders";
import { nodeProviderRules } from "./nodeProvider";
import { nodeEvents } from "./nodeEvents";
import { nodeNetworkRules } from "./nodeNetwork";
import { nodeStopRules } from "./nodeStops";
import { lostNodeRules } from "./lostNodes";
import { versionRules } from "./versions";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Nodes that have joined. */

const nodeIs = (type: string, status: string, text: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({ kinds: ["Node"], side: "workload", type, status: [status], message: text, minutes });

const pressure = (type: string) => nodeIs(type, "True", /./);

/** Nodes that have not been Ready for a long time, for a reason that no other rule matches. */
const notReady = hasCondition({
  kinds: ["Node"],
  side: "workload",
  type: "Ready",
  status: ["False", "Unknown"],
  minutes: 15,
  where: (node, world) => olderThan(node, 20, world),
});

const runtime =
  /container runtime is down|PLEG is not healthy|rpc error: code = Unavailable.*containerd|container runtime status check/;

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
      remedy: [
        "capz-windows:windowsPools: {{pool}: {osDiskGB: 256}}",
        "npm run access -- --stack {stack} --node {name}   # log in; then, on Windows: ctr -n k8s.io images list; ctr -n k8s.io images rm IMAGE; on Linux: sudo crictl images; sudo crictl rmi IMAGE",
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
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig top pods -A --sort-by=memory",
        "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D8s_v5}}",
      ],
      source: "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/",
      find: pressure("MemoryPressure"),
    },
    {
      id: "node-clock",
      stage: "nodes",
      symptom: "x509: certificate has expired or is not yet valid",
      cause:
        "The clock of {node} is wrong, or the certificate of its kubelet has expired because it was off for long.",
      remedy: [
        "npm run access -- --stack {stack} --node {node}   # Windows: w32tm /resync; Linux: chronyc makestep",
        "kubectl delete machine {machine} -n {namespace}   # replaces the node",
      ],
      source: "https://kubernetes.io/docs/tasks/tls/certificate-rotation/",
      find: (world) => [
        ...nodeIs("Ready", "False", /not yet valid|certificate has expired/)(world),
        ...warned({
          kinds: ["Node", "Pod"],
          side: "workload",
          // The certificate of a webhook or of a registry is not that of a node.
          text: /^(?![^]*webhook)(?![^]*image[^]* is after )[^]*x509: certificate has expired or is not yet valid/,
        })(world),
      ],
    },
    {
      id: "node-runtime",
      stage: "nodes",
      symptom: "container runtime is down, PLEG is not healthy",
      cause: "containerd on {name} does not answer.",
      remedy: [
        "npm run access -- --stack {stack} --node {name}   # Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
      find: nodeIs("Ready", "False", runtime, 3),
    },
    ...nodeNetworkRules,
    ...nodeEvents,
    ...nodeProviderRules,
    ...versionRules,
    {
      id: "node-not-ready",
      stage: "nodes",
      symptom: "Node NotReady",
      cause: "{name} is not Ready for {minutes} minutes.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe node {name}",
        "npm run access -- --stack {stack} --node {name}",
      ],
      source: "https://kubernetes.io/docs/concepts/architecture/nodes/",
      generic: true,
      find: withMinutes(notReady),
    },
  ],
};
