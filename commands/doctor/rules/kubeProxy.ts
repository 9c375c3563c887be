import { hnsFailures } from "./hnsAnswers";
import { crashLoops, imageMissing } from "./podFinders";
import type { Rule } from "./rule";

/** kube-proxy on Windows and Linux nodes. */

export const kubeProxyRules: readonly Rule[] = [
  {
    id: "kube-proxy-image",
    stage: "network",
    symptom: "kube-proxy-windows in ImagePullBackOff",
    cause:
      "There is no image {image}: sig-windows-tools publishes one for each Kubernetes patch, and this one is missing.",
    remedy: [
      'capz-windows:addons: {kubeProxyWindowsImage: "sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"}   # the newest tag that exists for the minor version',
      "https://hub.docker.com/r/sigwindowstools/kube-proxy/tags",
    ],
    source: "CAPZ #2344; sig-windows-tools #267, #353",
    find: imageMissing({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("kube-proxy-windows"),
    }),
  },
  {
    id: "kube-proxy-crashes",
    stage: "network",
    symptom: "kube-proxy-windows in CrashLoopBackOff",
    cause:
      "kube-proxy on Windows waits for Calico's HNS network or its source VIP, or its arguments do not match its version.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system {name} --previous --tail=30",
      "Get-HnsNetwork | Select-Object Name, Type, Subnets   # on the node: is there a network Calico?",
    ],
    source: "calico #8219, #6830; sig-windows-tools #249",
    follows: ["calico-crashes", "calico-image", "typha", "calico-vxlan-vni", "hns-network", ...hnsFailures],
    find: crashLoops({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("kube-proxy-windows"),
    }),
  },
  {
    id: "kube-proxy-linux",
    stage: "network",
    symptom: "kube-proxy on a Linux node in CrashLoopBackOff",
    cause:
      "kube-proxy ends each time it starts on {node}, so Services do not answer there: its ConfigMap has a wrong value, or it does not reach the API server.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system {name} --previous --tail=30",
      "kubectl --kubeconfig workload.kubeconfig get configmap kube-proxy -n kube-system -o yaml   # mode, clusterCIDR and the server of its kubeconfig",
      "kubectl --kubeconfig workload.kubeconfig rollout restart daemonset/kube-proxy -n kube-system",
    ],
    source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    find: crashLoops({
      side: "workload",
      where: ({ metadata: { name, namespace } }) =>
        namespace === "kube-system" && /^kube-proxy-(?!windows)/.test(name),
    }),
  },
];
