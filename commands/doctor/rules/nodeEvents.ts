import { withAnswer } from "./answers";
import { warned } from "./finders";
import type { Rule, Severity } from "./rule";

/** Events of kubelet and the node controllers about a node. */

interface NodeEvent {
  readonly id: string;
  readonly symptom: string;
  readonly cause: string;
  readonly remedy: readonly string[];
  readonly text: RegExp;
  /** How often the event must have occurred. Fewer occurrences are temporary. */
  readonly times: number;
  readonly severity?: Severity;
  readonly follows?: readonly string[];
}

const of = ({ text, times, ...rule }: NodeEvent): Rule => ({
  stage: "nodes",
  source: "kubernetes v1.36.3, pkg/kubelet/events and pkg/controller",
  severity: "warning",
  ...rule,
  find: withAnswer(warned({ kinds: ["Node"], side: "workload", text, times })),
});

const logIn = "npm run access -- --stack {stack} --node {name}   # log in, or collect its logs";
const larger = "capz-windows:windowsPools: {{pool}: {osDiskGB: 256}}";

export const nodeEvents: readonly Rule[] = [
  of({
    id: "node-oom",
    symptom: "SystemOOM",
    cause: "The node {name} ran out of memory, and its kernel ended a process: {why}.",
    remedy: [
      "resources: {limits: {memory: 1Gi}}   # for every Pod on the node: one without a limit can take all of it",
      "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-WITH-MORE-MEMORY}}",
      "kubectl --kubeconfig workload.kubeconfig top pods -A --sort-by=memory",
    ],
    text: /^SystemOOM/,
    times: 1,
    follows: ["node-memory"],
  }),
  of({
    id: "node-reclaims",
    symptom: "EvictionThresholdMet: Attempting to reclaim",
    cause: "The node {name} runs low on a resource and evicts Pods again and again: {why}.",
    remedy: [larger, logIn, "kubectl --kubeconfig workload.kubeconfig describe node {name}"],
    text: /^EvictionThresholdMet/,
    times: 3,
    follows: ["node-disk", "node-memory"],
  }),
  of({
    id: "node-image-gc",
    symptom: "ImageGCFailed or FreeDiskSpaceFailed",
    cause:
      "The kubelet of {name} cannot free the disk of images: those that are there are in use, or containerd does not answer: {why}.",
    remedy: [
      larger,
      "npm run access -- --stack {stack} --node {name}   # log in; then, on Windows: ctr -n k8s.io images list; ctr -n k8s.io images rm IMAGE; on Linux: sudo crictl images; sudo crictl rmi IMAGE; restart containerd when it does not answer",
    ],
    text: /^(?:ImageGCFailed|FreeDiskSpaceFailed)/,
    times: 3,
    follows: ["node-disk", "node-runtime"],
  }),
  of({
    id: "node-runtime-events",
    symptom: "ContainerGCFailed",
    cause: "containerd on {name} does not answer the kubelet: {why}.",
    remedy: [
      "npm run access -- --stack {stack} --node {name}   # log in; Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
    ],
    text: /^ContainerGCFailed/,
    times: 3,
    follows: ["node-runtime"],
  }),
  of({
    id: "kubelet-setup",
    symptom: "KubeletSetupFailed or FailedNodeAllocatableEnforcement",
    cause: "The kubelet of {name} cannot set itself up: {why}.",
    remedy: [
      "npm run access -- --stack {stack} --node {name}   # log in; then: sudo journalctl -u kubelet -n 50; Windows: C:\\var\\log\\kubelet",
    ],
    text: /^(?:KubeletSetupFailed|FailedNodeAllocatableEnforcement)/,
    times: 3,
    severity: "error",
  }),
  of({
    id: "node-no-cidr",
    symptom: "CIDRNotAvailable",
    cause:
      "No range of Pod addresses is left for the node {name}: the pod network has fewer ranges than the cluster has nodes.",
    remedy: [
      "capz-windows:network: {podCidr: A-LARGER-RANGE}   # of a new cluster",
      "kubectl --kubeconfig workload.kubeconfig get nodes -o custom-columns=NAME:.metadata.name,RANGE:.spec.podCIDR",
    ],
    text: /^CIDRNotAvailable/,
    times: 3,
    severity: "error",
  }),
  of({
    id: "node-route",
    symptom: "FailedToCreateRoute",
    cause: "The cloud controller manager cannot make the route of the node {name}: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l component=cloud-controller-manager --tail=30   # with Calico's VXLAN: --configure-cloud-routes=false",
      "az role assignment list --all --assignee IDENTITY -o table   # otherwise the identity needs Network Contributor",
    ],
    text: /^FailedToCreateRoute/,
    times: 3,
    severity: "error",
  }),
];
