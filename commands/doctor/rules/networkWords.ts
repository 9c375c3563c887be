import { lastWords } from "./podAnswers";
import { calicoAgain, replaceNode } from "./commands";
import type { Rule } from "./rule";

/** Last messages of Calico and kube-proxy containers on Windows that exit again and again. */

const isKubeProxy = ({ metadata }: { metadata: { name: string } }): boolean =>
  metadata.name.startsWith("kube-proxy-windows");
const isCalicoNode = ({ metadata }: { metadata: { name: string } }): boolean =>
  metadata.name.startsWith("calico-node");

const kubeProxy = lastWords(
  "network",
  "kubernetes v1.36.3, pkg/proxy/winkernel; sig-windows-tools #249",
  isKubeProxy,
);
const calicoNode = lastWords(
  "network",
  "calico v3.31, node and felix; https://docs.tigera.io/calico/latest/operations/troubleshoot/",
  isCalicoNode,
);

const calicoPods = "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide";

/** Before the rules that only say that the containers exit. */
export const networkWords: readonly Rule[] = [
  kubeProxy({
    id: "kube-proxy-source-vip",
    symptom: "kube-proxy-windows: source vip not found",
    cause:
      "kube-proxy on the Windows node has no source VIP: Calico, which reserves that address, has not run there.",
    remedy: [
      calicoPods,
      "kubectl --kubeconfig workload.kubeconfig logs -n calico-system -l k8s-app=calico-node-windows --all-containers --tail=30",
    ],
    follows: ["calico-crashes", "calico-image", "typha", "calico-vxlan-vni"],
    text: /source ?vip/i,
  }),
  kubeProxy({
    id: "kube-proxy-network",
    symptom: "kube-proxy-windows: unable to find HNS Network specified by ...",
    cause: "kube-proxy waits for the HNS network Calico, which does not exist on its node.",
    remedy: [
      calicoAgain,
      "Get-HnsNetwork | Select-Object Name, Type, Subnets   # on the node: is there a network Calico?",
    ],
    follows: ["calico-crashes", "calico-image", "typha", "calico-vxlan-vni"],
    text: /unable to find HNS ?Network|network name and CNI deployment/i,
  }),
  kubeProxy({
    id: "kube-proxy-flags",
    symptom: "kube-proxy-windows: unknown flag, or no kind KubeProxyConfiguration is registered",
    cause: "The arguments or the configuration of kube-proxy do not fit its version: {why}.",
    remedy: [
      'capz-windows:addons: {kubeProxyWindowsImage: "sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"}   # of the minor version of the cluster',
      "kubectl --kubeconfig workload.kubeconfig get daemonset kube-proxy-windows -n kube-system -o yaml",
    ],
    text: /unknown (?:short)?hand flag|unknown flag|invalid argument|unrecognized feature gate|KubeProxyConfiguration/i,
  }),
  calicoNode({
    id: "calico-windows-network",
    symptom: "calico-node-windows: unable to create HNS network",
    cause:
      "Calico cannot make its HNS network on the Windows node, because the network adapter is not found or is held by another network: {why}.",
    remedy: [
      "npm run access -- --stack {stack}   # log in; then: Get-NetAdapter; Get-HnsNetwork | Select-Object Name, Type, NetworkAdapterName",
      replaceNode,
    ],
    text: /hns ?network|adapter was not found/i,
  }),
  calicoNode({
    id: "calico-typha-certificate",
    symptom: "calico-node: failed to connect to typha: x509",
    cause: "Calico's nodes and Typha do not trust each other's certificates: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig delete secret typha-certs node-certs -n tigera-operator   # the operator makes them again",
      "kubectl --kubeconfig workload.kubeconfig get tigerastatus",
    ],
    text: /typha[^]*(?:x509|certificate)/i,
  }),
  calicoNode({
    id: "calico-typha-down",
    symptom: "calico-node: failed to dial any Typha",
    cause:
      "Calico on this node does not reach Typha on port 5473: no Pod of Typha runs, or its node cannot be reached: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -l k8s-app=calico-typha -o wide",
      "az network nsg rule list --resource-group {group} --nsg-name NSG --include-default -o table   # port 5473 between the nodes",
    ],
    follows: ["typha", "linux-pool", "nodes"],
    text: /typha/i,
  }),
  calicoNode({
    id: "calico-autodetection",
    symptom: "calico-node: Unable to auto-detect an IPv4 address",
    cause: "Calico does not find the address of its node: {why}.",
    // The operator has written its default into the object, and takes one method only (tigera/operator v1.42.3
    // pkg/controller/installation: core_controller.go, validation.go).
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get installation default -o jsonpath='{.spec.calicoNetwork.nodeAddressAutodetectionV4}'",
      `kubectl --kubeconfig workload.kubeconfig patch installation default --type merge -p '{"spec":{"calicoNetwork":{"nodeAddressAutodetectionV4":{"firstFound":null,"canReach":null,"kubernetes":"NodeInternalIP"}}}}'`,
    ],
    text: /auto-?detect an IPv4 address|no valid IPv4 addresses/i,
  }),
  calicoNode({
    id: "calico-address-twice",
    symptom: "calico-node: Calico node is already using the IPv4 address",
    cause: "An earlier node had the address of this one, and Calico still has it: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get nodes -o wide   # delete node NAME, of machines that are gone",
      "calicoctl get nodes -o wide; calicoctl delete node NAME   # what Kubernetes no longer has",
    ],
    text: /already using the IPv4 address/i,
  }),
  calicoNode({
    id: "calico-api-server",
    symptom: "calico-node: error getting ClusterInformation: i/o timeout",
    cause:
      "Calico does not reach the API server at the address of its Service: kube-proxy does not run on the node, or the API server does not answer.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -n kube-system -o wide | grep kube-proxy",
      "kubectl --kubeconfig workload.kubeconfig get endpointslices -l kubernetes.io/service-name=kubernetes",
    ],
    follows: ["kube-proxy-crashes", "kube-proxy-image"],
    text: /ClusterInformation[^]*(?:timeout|refused|connectex)|10\.96\.0\.1[^]*(?:timeout|refused)/i,
  }),
];
