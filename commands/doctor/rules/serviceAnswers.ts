import { at, list } from "../../../tools/untyped";
import { withAnswer } from "./answers";
import { warned } from "./finders";
import { workloadKubectl } from "./commands";
import type { PodAnswer } from "./podAnswers";
import type { Rule } from "./rule";

/** Further rules of the family `services`: events of the cloud controller manager about a Service. */

/**
 * Events of Services. One that has its address and failed once or twice was tried again with success: the service
 * controller waits 5 s before the first retry and then twice as long each time.
 */
export const syncFails = (text: RegExp) =>
  warned({
    ...{ kinds: ["Service"], side: "workload", text },
    where: (service, world) =>
      list(at(service.status, "loadBalancer", "ingress")).length === 0 ||
      world.eventsOf(service, "workload").some(({ count }) => count > 2),
  });

const service = ({ text, ...rule }: PodAnswer): Rule => ({
  stage: "pods",
  source: "cloud-provider-azure v1.35, pkg/provider/azure_loadbalancer.go",
  follows: ["cloud-provider-image", "cloud-provider-crashes"],
  ...rule,
  find: withAnswer(syncFails(text)),
});

export const serviceAnswers: readonly Rule[] = [
  service({
    id: "load-balancer-dns",
    symptom: "DnsRecordInUse, or: an existing service consuming the DNS label",
    cause:
      "The DNS label that the Service {name} asks for is taken, by another Service or elsewhere in {location}.",
    remedy: [
      "service.beta.kubernetes.io/azure-dns-label-name: ANOTHER-LABEL   # an annotation of the Service",
      'az network public-ip list --query "[?dnsSettings].{name:name, fqdn:dnsSettings.fqdn}" -o table',
    ],
    text: /DnsRecordInUse|consuming the DNS label|is already used by another public IP/,
  }),
  service({
    id: "load-balancer-throttled",
    severity: "warning",
    symptom: "SyncLoadBalancerFailed: 429, TooManyRequests",
    cause: "Azure throttles the cloud controller manager; it tries the Service {name} again by itself.",
    remedy: [
      "Wait some minutes; do not restart the cloud controller manager, which would request everything again.",
    ],
    text: /SyncLoadBalancerFailed: [^]*(?:\b429\b|TooManyRequests|client throttled|azure cloud provider rate limited)/,
  }),
  service({
    id: "security-group-full",
    symptom: "securityGroup priorities are exhausted, or too many rules of a security group",
    cause: "The network security group has no room for the rules of the Service {name}: {why}.",
    remedy: [
      "az network nsg rule list --resource-group {group} --nsg-name NSG -o table   # each range of loadBalancerSourceRanges is a rule",
      "spec: {loadBalancerSourceRanges: []}   # fewer, larger ranges; or one ingress for several Services",
    ],
    text: /priorities are exhausted|SecurityRule\w*(?:Count|Limit)\w*/,
  }),
  service({
    id: "load-balancer-annotation",
    symptom: "SyncLoadBalancerFailed: a value that the load balancer does not have",
    cause:
      "Azure's load balancer or the cloud controller manager does not accept what the Service {name} or its annotations ask for: {why}.",
    remedy: [
      `${workloadKubectl} get service {name} -n {podNamespace} -o yaml   # annotations service.beta.kubernetes.io/azure-...`,
      "https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",
    ],
    text: /SyncLoadBalancerFailed: [^]*(?:only TCP, UDP|SCTP is only|idle timeout|failed to parse annotation|error parsing|must be a whole number|invalid (?:value|annotation)|is not supported|cannot set both|LoadBalancerSourceRanges|netip\.Parse)/,
  }),
  service({
    id: "load-balancer-port",
    symptom: "SyncLoadBalancerFailed: checkLoadBalancerResourcesConflicts",
    cause:
      "The port {port} of the address that the Service {name} asks for is taken by {taker} of the same load balancer: two Services share the address.",
    remedy: [
      `${workloadKubectl} get services -A -o wide   # which other Service has this address and port`,
      `${workloadKubectl} get service {name} -n {podNamespace} -o yaml   # another port, or without the annotations that name an address`,
    ],
    text: /checkLoadBalancerResourcesConflicts: [^]*?consume the port (?<port>\d+) [^]*?(?<taker>(?:loadBalancing rule|inbound NAT rule|inbound NAT pool) \S+)/,
  }),
  service({
    id: "load-balancer-no-nodes",
    symptom: "UnAvailableLoadBalancer: There are no available nodes for LoadBalancer",
    cause:
      "The load balancer of the Service {name} has no node behind it: none is Ready, or all are excluded by a label.",
    remedy: [`${workloadKubectl} get nodes -L node.kubernetes.io/exclude-from-external-load-balancers`],
    follows: ["nodes", "machines", "network", "control-plane"],
    text: /no available nodes for LoadBalancer/,
  }),
];
