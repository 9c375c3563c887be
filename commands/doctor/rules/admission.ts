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
  ],
};
