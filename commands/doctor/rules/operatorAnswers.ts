import { withAnswer } from "./answers";
import { anyOf, hasCondition } from "./finders";
import { podWith } from "./podFinders";
import type { PodAnswer } from "./podAnswers";
import type { Rule } from "./rule";

/** Why Calico's operator calls a part of Calico Degraded, by its own words. */

const source = "tigera/operator v1.42.3, pkg/controller/installation";

/** Components of Calico for which the operator has reported an error for so many minutes. */
export const degraded = (text: RegExp, minutes: number) =>
  hasCondition({
    kinds: ["TigeraStatus"],
    side: "workload",
    type: "Degraded",
    status: ["True"],
    message: text,
    minutes,
  });

const operator = ({ text, minutes = 3, ...rule }: PodAnswer & { readonly minutes?: number }): Rule => ({
  stage: "network",
  source,
  ...rule,
  find: withAnswer(degraded(text, minutes)),
});

const status = "kubectl --kubeconfig workload.kubeconfig get tigerastatus {name} -o yaml";
const logs =
  "kubectl --kubeconfig workload.kubeconfig logs -n tigera-operator deploy/tigera-operator --tail=30";
const refresh = "npx pulumi up --stack {stack} --refresh";

export const operatorAnswers: readonly Rule[] = [
  {
    id: "calico-windows-endpoint",
    stage: "network",
    symptom: "calico-windows Degraded, or calico-node-windows: Kubernetes API endpoint",
    cause:
      "The ConfigMap kubernetes-services-endpoint, by which Calico on Windows finds the API server, is missing or empty.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get configmap kubernetes-services-endpoint -n tigera-operator -o yaml",
      refresh,
    ],
    source: "tigera/operator v1.42.3; Calico docs: Windows, operator installation",
    find: anyOf(
      degraded(/kubernetes-services-endpoint|[Ss]ervices? endpoint/, 0),
      podWith({
        side: "workload",
        where: ({ metadata }) => metadata.name.startsWith("calico-node-windows"),
        container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
        text: /KUBERNETES_SERVICE_HOST|services? endpoint/i,
      }),
    ),
  },
  operator({
    id: "calico-strict-affinity",
    symptom: "calico-windows Degraded: Invalid StrictAffinity, it must be set to 'true'",
    cause:
      "Calico's IPAM has strict affinity off, which Windows nodes need: without it a node takes addresses of other nodes' blocks.",
    remedy: [
      'kubectl --kubeconfig workload.kubeconfig patch ipamconfigurations default --type merge -p \'{"spec":{"strictAffinity":true}}\'   # older: ipamconfigs',
      refresh,
    ],
    minutes: 0,
    text: /StrictAffinity/i,
  }),
  operator({
    id: "calico-pool-cidr",
    symptom: "IP pool ... is not within the platform's configured pod network CIDR(s)",
    cause: "The range of Calico's IP pool is not in the pod network of the cluster: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get installation default -o jsonpath='{.spec.calicoNetwork.ipPools}'",
      "capz-windows:network: {podCidr: 192.168.0.0/16}   # as it was when the cluster was made",
    ],
    text: /not within the platform's configured pod network/,
  }),
  operator({
    id: "calico-certificates",
    symptom: "calico Degraded: Error with Typha/Felix secrets, Unable to create the Tigera CA",
    cause: "Calico's operator has no valid certificate for Typha and Felix: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get secrets -n tigera-operator",
      "kubectl --kubeconfig workload.kubeconfig delete secret typha-certs node-certs -n tigera-operator   # the operator makes them again",
      logs,
    ],
    text: /Typha\/Felix secrets|Tigera CA|tls key ?pair|TLS certificate|certificate \S+ is expired/i,
  }),
  operator({
    id: "calico-image-set",
    symptom: "calico Degraded: Error resolving ImageSet",
    cause: "The ImageSet that names Calico's images does not fit the operator's version: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get imagesets   # there must be one for this version, calico-vX.Y.Z, or none",
      refresh,
    ],
    text: /ImageSet/,
  }),
  operator({
    id: "calico-pull-secret",
    symptom: "calico Degraded: Error retrieving pull secrets",
    cause: "The Secret for Calico's registry does not exist in tigera-operator: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get installation default -o jsonpath='{.spec.imagePullSecrets}'",
      "kubectl --kubeconfig workload.kubeconfig create secret docker-registry NAME -n tigera-operator --docker-server={registryHost} --docker-username=USER --docker-password=PASSWORD",
    ],
    text: /retrieving pull secrets/,
  }),
  operator({
    id: "calico-migration",
    symptom: "Existing Calico installation can not be managed by Tigera Operator",
    cause:
      "The cluster has another installation of Calico, from a manifest, that the operator cannot take over: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get daemonsets,deployments -n kube-system | grep calico   # remove the one from the manifest",
      logs,
    ],
    text: /Existing Calico installation|Error converting existing installation|namespace migration/,
  }),
  operator({
    id: "calico-pools-missing",
    symptom: "calico Degraded: waiting for enabled IP pools to be created",
    cause: "Calico has no enabled IP pool, so no Pod gets an address: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get ippools -o custom-columns=NAME:.metadata.name,CIDR:.spec.cidr,DISABLED:.spec.disabled",
      refresh,
    ],
    minutes: 10,
    text: /IP ?pools?\b(?! configuration)/,
  }),
  operator({
    id: "calico-no-installation",
    symptom: "TigeraStatus Degraded: Installation not found",
    cause: "There is no object Installation, which tells Calico's operator what to install.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get installation",
      "kubectl get clusterresourcesets,clusterresourcesetbindings -n {namespace} -o wide",
      refresh,
    ],
    follows: ["add-ons"],
    minutes: 10,
    text: /^Installation not found|InstallationStatus is empty|Installation Variant to be set/,
  }),
  operator({
    id: "calico-installation",
    symptom: "calico Degraded: Invalid Installation provided, Invalid computed config",
    cause: "Calico's operator does not accept the Installation: {why}.",
    remedy: ["kubectl --kubeconfig workload.kubeconfig get installation default -o yaml", refresh],
    text: /Invalid (?:Installation|computed config)(?![^]*[Ss]erviceCIDRs)|validating IP pool configuration|spec\.cni to be filled in/,
  }),
  operator({
    id: "calico-refused",
    symptom: "calico Degraded: Error creating / updating resource: admission webhook denied, is forbidden",
    cause: "The workload API server refuses what Calico's operator makes: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get validatingwebhookconfigurations,mutatingwebhookconfigurations   # exclude calico-system, calico-apiserver and tigera-operator in policies",
      logs,
    ],
    follows: ["policy-webhook-down", "webhook-down"],
    text: /denied the request|is forbidden|violates PodSecurity/,
  }),
  operator({
    id: "calico-api",
    symptom: "calico Degraded: the server is currently unable to handle the request, connection refused",
    cause: "Calico's operator does not get an answer of the API server: {why}.",
    remedy: [logs, "kubectl --kubeconfig workload.kubeconfig get apiservices | grep -v True"],
    follows: ["api-service", "own-api-service", "workload-unreachable-from-management", "control-plane"],
    minutes: 10,
    text: /unable to handle the request|connection refused|i\/o timeout|etcdserver/,
  }),
  {
    ...operator({
      id: "calico-pods",
      symptom: "calico Degraded: has crash looping container, failed to pull container image",
      cause: "Calico's operator says that Pods of Calico do not run: {why}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide",
        "kubectl --kubeconfig workload.kubeconfig logs -n calico-system POD --all-containers --previous --tail=30   # describe pod, when its image does not come",
        status,
      ],
      minutes: 10,
      follows: ["network", "registries", "image-pull", "nodes", "windows-containers"],
      text: /crash ?looping container|failed to pull container image|has failed|terminated container|is running but not ready/,
    }),
    generic: true,
  },
];
