import { textAt } from "../../../tools/untyped";
import type { World } from "../../cluster/snapshot";
import { workloadKubectl } from "./commands";
import { isNotReady, olderThan, warned } from "./finders";
import { systemOf } from "../../cluster/scope";
import type { Family, Match } from "./rule";

/** Why the CNI plug-in cannot set up the network of a Pod although Calico runs on its node. */

/** Minutes after a node has joined in which such errors are normal, because Calico and kube-proxy are starting. */
const settledMinutes = 10;

const cniFails = (text: RegExp) =>
  warned({
    kinds: ["Pod"],
    side: "workload",
    where: (pod, world) => isNotReady(pod) && olderThan(pod, settledMinutes, world),
    text,
  });

const calicoOnNode =
  "kubectl --kubeconfig workload.kubeconfig delete pod {calicoPod} -n calico-system   # restarts calico-node there";

const isOnWindows = ({ object }: Match, world: World): boolean =>
  systemOf(world.find("Node", textAt(object?.spec, "nodeName"))) === "windows";

export const podNetwork: Family = {
  name: "pod-network",
  title: "The network of a Pod",
  intro: "Calico runs, the node is Ready, and a Pod there stays in ContainerCreating.",
  rules: [
    {
      id: "cni-proxy",
      stage: "network",
      symptom: "error getting ClusterInformation: Service Unavailable",
      cause:
        "The CNI plug-in on {node} asks an HTTP proxy for the API server: containerd has a proxy, and the network of Services is not among what it leaves out.",
      remedy: [
        "A proxy of your own files or image needs the networks of Services and Pods in NO_PROXY: 10.96.0.0/12,192.168.0.0/16,.svc,.cluster.local. The key `proxy` of the stack file adds them by itself.",
        "kubectl delete machine {machine} -n {namespace}   # nodes take it when they are made",
      ],
      source: "calico #9905",
      find: cniFails(
        /error getting ClusterInformation:[^]*(?:Service Unavailable|Bad Gateway|Gateway Timeout|proxyconnect|Proxy Authentication Required)/i,
      ),
    },
    {
      id: "cni-token",
      stage: "network",
      symptom: "error getting ClusterInformation: connection is unauthorized: Unauthorized",
      cause:
        "The token in the kubeconfig of the CNI plug-in on {node} is not valid any more: the Pod of Calico that renews it did not run for a day, or the cluster has another certificate authority by now.",
      remedy: [
        calicoOnNode,
        "npm run access -- --stack {stack} --node {node}   # Windows: C:\\etc\\cni\\net.d\\calico-kubeconfig, Linux: /etc/cni/net.d/calico-kubeconfig",
      ],
      source: "calico #5712",
      follows: ["calico-crashes", "calico-image"],
      find: cniFails(
        /error getting ClusterInformation:[^]*(?:Unauthorized|certificate signed by unknown authority)/i,
      ),
    },
    {
      id: "cni-api-server",
      stage: "network",
      symptom: "error getting ClusterInformation: i/o timeout, connection refused",
      cause:
        "The CNI plug-in on {node} does not reach the API server at the address of its Service: kube-proxy does not run there, or has not programmed it.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods -n kube-system -o wide --field-selector spec.nodeName={node}",
        calicoOnNode,
      ],
      source: "https://docs.tigera.io/calico/latest/operations/troubleshoot/; sig-windows-tools #249",
      follows: ["kube-proxy-crashes", "kube-proxy-image", "network"],
      find: cniFails(
        /error getting ClusterInformation:[^]*(?:i\/o timeout|connection refused|connectex|no route to host|EOF)/i,
      ),
    },
    {
      id: "ipam-blocks-windows",
      stage: "network",
      symptom: "Windows: cannot allocate new block due to per host block limit",
      cause:
        "{node} has no address left for {name}. With Calico, a Windows node has one block of addresses and never a second one, and four of them are reserved: of a block of 64 addresses, 60 are for Pods.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {replicas: MORE}}",
        "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 60}}}   # so that the scheduler sends no more Pods than have an address; new machines have it",
        `${workloadKubectl} get ippools.crd.projectcalico.org -o custom-columns=NAME:.metadata.name,BLOCK:.spec.blockSize   # 26 is 64 addresses; it cannot change in a cluster that runs`,
      ],
      source:
        "calico v3.32.1 libcalico-go/lib/ipam, windows reserved addresses; tigera/operator v1.42.3 pkg/render/windows.go, windows_use_single_network",
      find: (world) => cniFails(/per host block limit/i)(world).filter((match) => isOnWindows(match, world)),
    },
    {
      id: "ipam-blocks",
      stage: "network",
      symptom: "cannot allocate new block due to per host block limit",
      cause:
        "{node} has as many blocks of addresses as Calico gives to one node, to a Windows node one, and they are full: kubelet takes more Pods than that, or addresses of Pods that are long gone were not given back.",
      remedy: [
        "calicoctl ipam check --show-problem-ips   # then: calicoctl ipam release --ip=ADDRESS, for those that leak",
        "kubelet: {maxPods: 60}   # of a Windows pool whose blocks have 64 addresses (addons.calicoBlockSize: 26); it rolls the pool",
        "kubectl --kubeconfig workload.kubeconfig get ipamconfigs default -o jsonpath='{.spec.maxBlocksPerHost}'",
        "kubectl delete machine {machine} -n {namespace}   # a new node begins with an empty block",
      ],
      source: "calico #4861, #9462",
      find: cniFails(/per host block limit/i),
    },
  ],
};
