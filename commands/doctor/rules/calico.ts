import { hasCondition } from "./finders";
import { hnsRules } from "./hns";
import { hnsFailures } from "./hnsAnswers";
import { crashLoops, imageMissing, podWith, sandboxFails } from "./podFinders";
import { kubeProxyRules } from "./kubeProxy";
import { networkWords } from "./networkWords";
import { degraded, operatorAnswers } from "./operatorAnswers";
import { isWindowsPool, poolsOf } from "../../cluster/scope";
import type { Family } from "./rule";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";

/** The pod network: Calico, HNS and kube-proxy. */

const isOperator = ({ metadata }: KubeObject): boolean => metadata.name.startsWith("tigera-operator");
const isCalico = ({ metadata }: KubeObject): boolean => metadata.name.startsWith("calico-");

/** Bad for longer than a rollout to a new node takes. */
const notAvailable = (type: string, status: string) =>
  hasCondition({
    kinds: ["TigeraStatus"],
    side: "workload",
    type,
    status: [status],
    message: /^(?<why>[^]+)/,
    minutes: 20,
  });

/** Pools on whose nodes Typha can run. */
export const linuxPoolNames = (world: World): string[] =>
  poolsOf(world)
    .map(({ metadata }) => metadata.name)
    .filter((name) => !isWindowsPool(world, name));

export const calico: Family = {
  name: "network",
  title: "Calico, HNS and kube-proxy",
  intro: "Nodes become Ready when Calico runs on them, Windows nodes after the Linux ones.",
  rules: [
    {
      id: "typha",
      stage: "network",
      symptom: "not enough linux nodes to schedule typha pods on",
      cause:
        "Calico's operator needs {required} Typha Pods for the number of nodes, Windows nodes included, and there are {have} Linux nodes to run them. Until there are enough, it installs nothing.",
      remedy: [
        "capz-windows:linuxPools: {linux1: {replicas: 2}}   # Linux nodes, the control plane included: 2 for 3-4 nodes, 3 for 5-399",
        "kubectl --kubeconfig workload.kubeconfig get nodes -L kubernetes.io/os",
      ],
      source: "tigera/operator v1.42.3 pkg/common/autoscale.go, typha_autoscaler.go",
      // If a Linux pool has no nodes, the cause is there.
      follows: ["linux-pool"],
      find: degraded(
        /not enough linux nodes to schedule typha pods on, require (?<required>\d+) and have (?<have>\d+)/,
        5,
      ),
    },
    {
      id: "operator-dns",
      stage: "network",
      symptom: "tigera-operator: lookup ... on 10.96.0.10:53",
      cause:
        "Calico's operator asks CoreDNS for the name of the API server, and CoreDNS waits for Calico: the operator lacks `dnsPolicy: Default`, or its endpoint is a name.",
      remedy: [
        'kubectl --kubeconfig workload.kubeconfig patch deployment tigera-operator -n tigera-operator -p \'{"spec":{"template":{"spec":{"dnsPolicy":"Default"}}}}\'',
        "kubectl --kubeconfig workload.kubeconfig get configmap kubernetes-services-endpoint -n tigera-operator -o yaml",
      ],
      source: "tigera/operator #3615, #5246; calico #9536, #10683",
      find: podWith({
        side: "workload",
        where: isOperator,
        container: ({ ready, endMessage, message }) =>
          ready ? undefined : `${message} ${endMessage}`.trim(),
        text: /lookup \S+(?: on \S+:53)?: |dial tcp: lookup/,
      }),
    },
    {
      id: "operator-crashes",
      stage: "network",
      symptom: "tigera-operator in CrashLoopBackOff",
      cause: "Calico's operator exits with an error, so no part of Calico is installed.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs -n tigera-operator deploy/tigera-operator --previous --tail=30",
      ],
      source: "tigera/operator v1.42.3",
      find: crashLoops({
        side: "workload",
        where: isOperator,
      }),
    },
    {
      id: "calico-service-cidr",
      stage: "network",
      symptom: "calico-windows Degraded: serviceCIDRs",
      cause: "Calico's Installation lacks the service network, which Windows nodes need.",
      remedy: [
        'kubectl --kubeconfig workload.kubeconfig patch installation default --type merge -p \'{"spec":{"serviceCIDRs":["10.96.0.0/12"]}}\'',
        "npx pulumi up --stack {stack} --refresh",
      ],
      source: "tigera/operator v1.42.3 pkg/controller/installation/validation.go",
      find: degraded(/[Ss]erviceCIDRs/, 0),
    },
    ...operatorAnswers,
    {
      id: "calico-vxlan-vni",
      stage: "network",
      symptom: "calico-windows Degraded: VXLANVNI",
      cause:
        "FelixConfiguration has no VXLANVNI yet: the Linux part of Calico is not completely installed, and the Windows part waits for it.",
      remedy: [
        'kubectl --kubeconfig workload.kubeconfig patch felixconfiguration default --type merge -p \'{"spec":{"vxlanVNI":4096}}\'',
      ],
      source: "tigera/operator v1.42.3 pkg/controller/installation/windows_controller.go",
      follows: ["typha"],
      find: degraded(/VXLANVNI/i, 5),
    },
    {
      id: "calico-degraded",
      stage: "network",
      symptom: "TigeraStatus: Degraded",
      cause: "Calico's operator reports an error for {name}: {why}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get tigerastatus {name} -o yaml",
        "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide",
      ],
      source: "https://docs.tigera.io/calico/latest/operations/troubleshoot/",
      follows: ["registries", "refused-add-on"],
      generic: true,
      find: degraded(/^(?<why>[^]+)/, 10),
    },
    {
      id: "calico-not-available",
      stage: "network",
      symptom: "TigeraStatus: Available is False, or Progressing is True, for more than 20 minutes",
      cause: "Calico's operator waits for {name} for more than 20 minutes: {why}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide",
        "kubectl --kubeconfig workload.kubeconfig get csr   # when it waits for a request of a certificate",
        "kubectl --kubeconfig workload.kubeconfig get tigerastatus {name} -o yaml",
      ],
      source: "tigera/operator v1.42.3 pkg/controller/status/status.go",
      generic: true,
      follows: ["*"],
      find: (world) => [
        ...notAvailable("Available", "False")(world),
        ...notAvailable("Progressing", "True")(world),
      ],
    },
    {
      id: "calico-image",
      stage: "network",
      symptom: "a Pod of Calico in ImagePullBackOff",
      cause: "The image {image} cannot be pulled.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe pod {name} -n {podNamespace}",
        "capz-windows:addons: {calicoVersion: A-VERSION-THAT-EXISTS}",
      ],
      source: "https://docs.tigera.io/calico/latest/operations/image-options/",
      find: imageMissing({
        side: "workload",
        where: (pod) => isCalico(pod) || isOperator(pod),
      }),
    },
    ...networkWords,
    {
      id: "calico-crashes",
      stage: "network",
      symptom: "calico-node or calico-node-windows in CrashLoopBackOff",
      cause: "Calico exits with an error on a node, whose Pods therefore get no network.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs -n {podNamespace} {name} -c {container} --previous --tail=30",
        "npm run access -- --stack {stack}   # the command that collects the node's logs: HNS networks, Calico's log",
      ],
      source: "calico #8465, #6996; rke2 #7440",
      follows: [...hnsFailures, "strict-affinity", "pod-addresses"],
      find: crashLoops({
        side: "workload",
        where: isCalico,
        minutes: 5,
      }),
    },
    ...kubeProxyRules,
    {
      id: "strict-affinity",
      stage: "network",
      symptom: "global strict affinity should not be false for Windows node",
      cause:
        "Strict affinity of Calico's IPAM is off, so Linux nodes may take addresses out of the blocks of Windows nodes, and Calico gives Windows Pods none.",
      remedy: [
        'kubectl --kubeconfig workload.kubeconfig patch ipamconfigs default --type merge -p \'{"spec":{"strictAffinity":true}}\'',
        "npx pulumi up --stack {stack} --refresh",
      ],
      source: "calico #4404; https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/",
      find: sandboxFails(/strict ?affinity (?:should not be|must not be|is) (?:false|disabled|off)/i),
    },
    {
      id: "pod-addresses",
      stage: "network",
      symptom: "No more free affine blocks and strict affinity enabled, or no IP addresses available",
      cause:
        "Calico has no address for a Pod on {node}: its pool has no free block of addresses left to give to the node. Each node takes whole blocks of addresses (addons.calicoBlockSize), and Windows nodes share theirs with no other.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get ippools,ipamblocks -o custom-columns=NAME:.metadata.name,CIDR:.spec.cidr,NODE:.spec.affinity   # blocks of nodes that are gone?",
        "calicoctl ipam check --show-problem-ips   # then: calicoctl ipam release --ip=ADDRESS, for those that leak",
        "capz-windows:network: {podCidr: A-LARGER-RANGE}   # of a new cluster; until then fewer nodes",
      ],
      source: "https://docs.tigera.io/calico/latest/networking/ipam/; calico, libcalico-go/lib/ipam/ipam.go",
      find: sandboxFails(
        /no (?:more )?(?:free )?(?:IP|ip) ?(?:v4 )?addresses|no IPs? (?:are )?available|free affine blocks|failed to request IPv4 addresses|No IPs available/i,
      ),
    },
    ...hnsRules,
  ],
};
