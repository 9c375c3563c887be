import { withAnswer } from "./answers";
import { sandboxFails } from "./podFinders";
import { calicoAgain, replaceNode } from "./commands";
import type { PodAnswer } from "./podAnswers";
import type { Rule } from "./rule";

/** What the host network service (HNS) answers, by its codes. */

const source = "hcsshim, hcn; HNS error codes (0x803B....) of the Windows SDK; calico #5164";

const sandbox = ({ text, ...rule }: PodAnswer): Rule => ({
  stage: "network",
  source,
  ...rule,
  find: withAnswer(sandboxFails(text)),
});

const onNode = "npm run access -- --stack {stack} --node {node}   # log in; then:";

/** Rules after which Calico and kube-proxy end again and again on Windows. */
export const hnsFailures = ["hns-again", "hns-stopped", "hns-adapter", "hns-resources"] as const;

export const hnsAnswers: readonly Rule[] = [
  sandbox({
    id: "hns-network",
    symptom: "hcnCreateEndpoint failed: The network was not found (0x803B0001)",
    cause:
      "{node} has no HNS network for Pods: Calico has not made it, or it was lost when HNS or the machine was restarted.",
    remedy: [
      calicoAgain,
      onNode,
      "Get-HnsNetwork | Select-Object Name, Type, Subnets   # a network Calico of type Overlay belongs there",
      replaceNode,
    ],
    follows: ["hns-again", "calico-crashes", "calico-image"],
    text: /0x803b0001|network was not found/i,
  }),
  sandbox({
    id: "hns-subnet",
    symptom: "IP address is either invalid or not part of any configured subnet(s) (0x803B001E)",
    cause:
      "Calico gives {name} an address that is not in the HNS network of {node}: its block of addresses (IPAM) has changed since the network was made.",
    remedy: [
      calicoAgain,
      "kubectl --kubeconfig workload.kubeconfig get blockaffinities | grep {node}",
      replaceNode,
    ],
    text: /0x803b001e|not part of any configured subnet/i,
  }),
  sandbox({
    id: "hns-endpoint-left",
    symptom: "The specified port already exists (0x803B0013), or The object already exists",
    cause:
      "An HNS endpoint of an earlier Pod is left over on {node} and has the address or the port of {name}.",
    remedy: [
      onNode,
      "Get-HnsEndpoint | Where-Object IPAddress -eq ADDRESS | Remove-HnsEndpoint   # of the message",
      "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # gets another address",
      replaceNode,
    ],
    text: /0x803b0013|specified port already exists|object already exists|0x1392/i,
  }),
  sandbox({
    id: "hns-endpoint-gone",
    symptom: "The endpoint was not found (0x803B0002)",
    cause: "The HNS endpoint of {name} on {node} is gone, mostly since HNS was restarted.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # a new Pod gets a new endpoint",
      calicoAgain,
    ],
    text: /0x803b0002|endpoint was not found/i,
  }),
  sandbox({
    id: "hns-adapter",
    symptom: "An adapter was not found (0x803B0006)",
    cause:
      "HNS on {node} does not find the network adapter that the network of Pods needs: its name or address has changed, or it is held by another network.",
    remedy: [
      onNode,
      "Get-NetAdapter; Get-HnsNetwork | Select-Object Name, Type, NetworkAdapterName",
      calicoAgain,
      replaceNode,
    ],
    text: /0x803b0006|adapter was not found/i,
  }),
  sandbox({
    id: "hns-stopped",
    symptom:
      "There are no more endpoints available from the endpoint mapper (0x6D9); The remote procedure call failed (0x6BE)",
    cause: "The host network service (HNS) of {node} does not run or does not answer.",
    remedy: [
      onNode,
      "Start-Service hns; Get-Service hns, vfpext   # on the node; then Calico and kube-proxy start again:",
      calicoAgain,
      "capz-windows:addons: {hnsRemediation: {enabled: true}}   # does so after each crash",
      replaceNode,
    ],
    follows: ["hns-again"],
    text: /hn?[cs]\w*[^]*(?:endpoint mapper|0x6d9|remote procedure call failed|0x6b[ae]|RPC server is unavailable)/i,
  }),
  sandbox({
    id: "hns-resources",
    symptom: "hcnCreateEndpoint failed: Not enough storage is available to process this command (0x8)",
    cause:
      "HNS on {node} has no resources left for another endpoint: too many Pods, Services or load balancer policies on one node.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 30}}}   # fewer Pods on each node",
      "capz-windows:windowsPools: {{pool}: {replicas: MORE}}",
      replaceNode,
    ],
    text: /(?:hcn|hns)[^]*(?:Not enough (?:storage|memory)|\(0x8\)|\(0xe\))/i,
  }),
];
