import { ownPolicyRules } from "./ownPolicy";
import { creationFails } from "./podFinders";
import type { Family } from "./rule";

/** Pods that do not exist, because the API server refuses them when their controllers create them. */

const refused = (text: RegExp) => creationFails(new RegExp(`FailedCreate: [^]*?${text.source}`));

export const admission: Family = {
  name: "admission",
  title: "Pods that the API server refuses",
  intro:
    "A Deployment, StatefulSet, DaemonSet or Job has fewer Pods than it should, and `kubectl get pods` shows nothing: the reason is in the events of the object that creates the Pods.",
  rules: [
    ...ownPolicyRules,
    {
      id: "policy-webhook-certificate",
      stage: "add-ons",
      symptom: "FailedCreate: failed calling webhook ...: x509: certificate has expired or is not trusted",
      cause:
        "The API server does not accept the certificate of the webhook {webhook} of the service {service} in the namespace {where}: {why}. It refuses every Pod that the webhook was to check.",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get certificates,secrets -n {where}   # of cert-manager, or of the engine itself: delete the Secret of the certificate, and it is made again",
        "kubectl --kubeconfig workload.kubeconfig rollout restart deployment/DEPLOYMENT -n {where}   # serves the new one, and writes its authority into the webhook",
      ],
      source:
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#contacting-the-webhook; https://cert-manager.io/docs/troubleshooting/",
      find: refused(
        /failed calling webhook "(?<webhook>[^"]+)"(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc)?[^]*?(?<why>x509: [^\n]+?)\.?(?:\n|$)/,
      ),
    },
    {
      id: "policy-webhook-down",
      stage: "add-ons",
      symptom: "FailedCreate: failed calling webhook ...: no endpoints available for service",
      cause:
        "The webhook {webhook} of the service {service} in the namespace {where} does not answer, and the API server refuses every Pod that it was to check, those of its own Deployment included.",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,SERVICES:.webhooks[*].clientConfig.service.name,POLICY:.webhooks[*].failurePolicy",
        "kubectl --kubeconfig workload.kubeconfig delete validatingwebhookconfiguration NAME   # or mutatingwebhookconfiguration; the policy engine recreates it when it runs",
        "kubectl --kubeconfig workload.kubeconfig get pods,endpointslices -n {where}",
        "Leave kube-system, calico-system, tigera-operator and the engine's own namespace out of its webhooks (namespaceSelector), or it locks itself out again.",
      ],
      source:
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/; https://kyverno.io/docs/troubleshooting/",
      find: refused(
        /failed calling webhook "(?<webhook>[^"]+)"(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc)?/,
      ),
    },
    {
      id: "policy-denied",
      stage: "pods",
      symptom: 'FailedCreate: admission webhook "..." denied the request',
      cause: "A policy of your own, the webhook {webhook}, refuses the Pods of {kind} {name}: {why}",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "Exclude kube-system, calico-system and tigera-operator in the policy: their DaemonSets need the network of the host, and HostProcess containers on Windows.",
        "kubectl --kubeconfig workload.kubeconfig get {kind} {name} -n {podNamespace} -o yaml   # for an application: what the message asks for goes into its template",
      ],
      source: "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
      find: refused(/admission webhook "(?<webhook>[^"]+)" denied the request: (?<why>[^]*)/),
    },
    {
      id: "pod-security",
      stage: "pods",
      symptom: 'FailedCreate: pods "..." is forbidden: violates PodSecurity',
      cause:
        "The namespace {podNamespace} enforces the Pod Security level {level}, which the Pods of {kind} {name} break: {why}",
      proof: "DaemonSet, ReplicaSet, StatefulSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig label namespace {podNamespace} pod-security.kubernetes.io/enforce=privileged --overwrite   # for kube-system, Calico and HostProcess Pods",
        "kubectl --kubeconfig workload.kubeconfig get namespaces -L pod-security.kubernetes.io/enforce",
        "An application goes into a namespace of its own, or sets what the message names in its securityContext.",
      ],
      source: "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
      find: refused(/violates PodSecurity "(?<level>[^"]+)": (?<why>[^]*)/),
    },
    {
      id: "priority-class",
      stage: "pods",
      symptom: "FailedCreate: no PriorityClass with name ... was found",
      cause: "There is no PriorityClass {class}, which the Pods of {kind} {name} name.",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get priorityclasses",
        "kubectl --kubeconfig workload.kubeconfig create priorityclass {class} --value=1000   # or take priorityClassName out of the template",
      ],
      source: "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
      find: refused(/no PriorityClass with name (?<class>\S+) was found/),
    },
    {
      id: "resource-quota",
      stage: "pods",
      symptom: "FailedCreate: exceeded quota, failed quota",
      cause:
        "The ResourceQuota {quota} of the namespace {podNamespace} allows no further Pod of {name}: {why}",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe resourcequota {quota} -n {podNamespace}",
        'kubectl --kubeconfig workload.kubeconfig patch resourcequota {quota} -n {podNamespace} --type merge -p \'{"spec":{"hard":{"RESOURCE":"MORE"}}}\'',
        "resources: {requests: {cpu: 250m, memory: 512Mi}, limits: {memory: 512Mi}}   # of the template, when it asks for more than it uses, or for nothing",
      ],
      source: "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
      find: refused(/(?:exceeded|failed) quota: (?<quota>[^,:\s]+)[,:] (?<why>[^]*)/),
    },
    {
      id: "limit-range",
      stage: "pods",
      symptom: "FailedCreate: maximum memory usage per Container is ..., but limit is ...",
      cause: "A LimitRange of the namespace {podNamespace} refuses the Pods of {name}: {why}",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig describe limitrange -n {podNamespace}",
        "resources: {requests: {cpu: 250m, memory: 512Mi}, limits: {cpu: 500m, memory: 512Mi}}   # of the template, within its limits",
      ],
      source: "https://kubernetes.io/docs/concepts/policy/limit-range/",
      find: refused(
        /(?<why>(?:maximum|minimum) \S+ usage per (?:Container|Pod)[^]*|\S+ max limit to request ratio per (?:Container|Pod)[^]*)/,
      ),
    },
    {
      id: "service-account-missing",
      stage: "pods",
      symptom: "FailedCreate: error looking up service account: not found",
      cause:
        "There is no ServiceAccount {account} in the namespace {podNamespace}, as which the Pods of {name} are to run.",
      proof: "ReplicaSet, StatefulSet, DaemonSet or Job, event FailedCreate",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get serviceaccounts -n {podNamespace}",
        "kubectl --kubeconfig workload.kubeconfig create serviceaccount {account} -n {podNamespace}",
      ],
      source: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",
      find: refused(/error looking up service account \S+?\/(?<account>[^\s:]+): /),
    },
  ],
};
