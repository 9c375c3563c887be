import { workloadKubectl } from "./commands";
import { ownPolicyRules } from "./ownPolicy";
import { creationFails } from "./podFinders";
import type { Family, Rule } from "./rule";

/** Pods that do not exist, because the API server refuses them when their controllers create them. */

/** What an API server answers to a controller. The named groups of the text are the values of the rule's texts. */
export interface Refusal extends Pick<Rule, "id" | "stage" | "symptom" | "cause" | "remedy" | "source"> {
  readonly text: RegExp;
}

const webhooks =
  "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#contacting-the-webhook";

const template = `${workloadKubectl} get {kind} {name} -n {podNamespace} -o yaml`;

export const refusals: readonly Refusal[] = [
  {
    id: "policy-webhook-certificate",
    stage: "add-ons",
    symptom: "failed calling webhook ...: x509: certificate has expired or is not trusted",
    cause:
      "The API server does not accept the certificate of the webhook {webhook} of the service {service} in the namespace {where}: {why}. It refuses every Pod that the webhook was to check.",
    remedy: [
      `${workloadKubectl} get certificates,secrets -n {where}   # of cert-manager, or of the engine itself: delete the Secret of the certificate, and it is made again`,
      `${workloadKubectl} rollout restart deployment/DEPLOYMENT -n {where}   # serves the new one, and writes its authority into the webhook`,
    ],
    source: `${webhooks}; https://cert-manager.io/docs/troubleshooting/`,
    text: /failed calling webhook "(?<webhook>[^"]+)"(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc)?[^]*?(?<why>x509: [^\n]+?)\.?(?:\n|$)/,
  },
  {
    id: "policy-webhook-down",
    stage: "add-ons",
    symptom: "failed calling webhook ...: no endpoints available for service",
    cause:
      "The webhook {webhook} of the service {service} in the namespace {where} does not answer, and the API server refuses every Pod that it was to check, those of its own Deployment included.",
    remedy: [
      `${workloadKubectl} get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,SERVICES:.webhooks[*].clientConfig.service.name,POLICY:.webhooks[*].failurePolicy`,
      `${workloadKubectl} delete validatingwebhookconfiguration NAME   # or mutatingwebhookconfiguration; the policy engine recreates it when it runs`,
      `${workloadKubectl} get pods,endpointslices -n {where}`,
      "Leave the namespace {podNamespace}, those of the system and the engine's own out of its webhooks (namespaceSelector), or it locks itself out again.",
    ],
    source: `${webhooks}; https://kyverno.io/docs/troubleshooting/`,
    text: /failed calling webhook "(?<webhook>[^"]+)"(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc)?/,
  },
  {
    id: "policy-denied",
    stage: "pods",
    symptom: 'admission webhook "..." denied the request; ValidatingAdmissionPolicy ... denied request',
    cause: "A policy of your own, {policy}, refuses the Pods of {kind} {name}: {why}",
    remedy: [
      "Exclude the namespace {podNamespace} in the policy, when it is one of the cluster itself. The DaemonSets of kube-system and calico-system need the network of the host, and HostProcess containers on Windows.",
      "az policy assignment list --scope CLUSTER-ID --disable-scope-strict-match -o table   # azurepolicy-...: of Azure Policy; its parameters excludedNamespaces and, for images, allowedContainerImagesRegex",
      `${template}   # for an application: what the message asks for goes into its template`,
    ],
    source: `${webhooks}; apiserver v0.36.3 pkg/admission/plugin/policy/validating/dispatcher.go; Azure/kubeflow-aks#39`,
    text: /(?:admission webhook "|ValidatingAdmissionPolicy ')(?<policy>[^"']+)["'][^]*? ?denied (?:the )?request: (?<why>[^]*)/,
  },
  {
    id: "pod-security",
    stage: "pods",
    symptom: 'pods "..." is forbidden: violates PodSecurity',
    cause:
      "The namespace {podNamespace} enforces the Pod Security level {level}, which the Pods of {kind} {name} break: {why}",
    remedy: [
      `${workloadKubectl} label namespace {podNamespace} pod-security.kubernetes.io/enforce=privileged --overwrite   # for kube-system, Calico and HostProcess Pods`,
      `${workloadKubectl} get namespaces -L pod-security.kubernetes.io/enforce`,
      "An application goes into a namespace of its own, or sets what the message names in its securityContext.",
    ],
    source: "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    text: /violates PodSecurity "(?<level>[^"]+)": (?<why>[^]*)/,
  },
  {
    id: "pod-limits",
    stage: "pods",
    symptom: 'pods "..." is forbidden: exceeded quota; failed quota; maximum ... usage per Container is ...',
    cause: "The quota or limits of the namespace {podNamespace} refuse the Pods of {kind} {name}: {why}",
    remedy: [
      `${workloadKubectl} describe resourcequotas,limitranges -n {podNamespace}   # raise what is used up (spec.hard), or delete Pods that are not needed`,
      `${template}   # or its template: smaller requests and limits, or those that the message misses`,
    ],
    source:
      "apiserver v0.36.3 pkg/admission/plugin/resourcequota/controller.go; kubernetes v1.36.3 plugin/pkg/admission/limitranger",
    text: /(?<why>(?:exceeded|failed) quota: [^]*|(?:minimum|maximum) \S+ usage per \w+ is [^]*|[\w./-]+ max limit to request ratio per [^]*)/,
  },
  {
    id: "pod-names-missing",
    stage: "pods",
    symptom: 'error looking up service account; no PriorityClass with name; RuntimeClass "..." not found',
    cause: "The Pods of {kind} {name} name an object that does not exist: {why}",
    remedy: [
      `${workloadKubectl} get serviceaccounts -n {podNamespace}; ${workloadKubectl} get priorityclasses,runtimeclasses`,
      `${template}   # correct the name in its template, or create the object`,
      "npx pulumi up --stack {stack} --refresh   # when it is of the stack, such as the RuntimeClasses of workloads.runtimeClasses",
    ],
    source: "kubernetes v1.36.3 plugin/pkg/admission/serviceaccount, priority and runtimeclass, admission.go",
    text: /(?<why>error looking up service account [^]*|no PriorityClass with name \S+ was found|RuntimeClass "[^"]+" not found)/,
  },
];

const refused = (text: RegExp) => creationFails(new RegExp(`FailedCreate: [^]*?${text.source}`));

export const admission: Family = {
  name: "admission",
  title: "Pods that the API server refuses",
  intro:
    "A Deployment, StatefulSet, DaemonSet or Job has fewer Pods than it should, and `kubectl get pods` shows nothing: the reason is in the events of the object that creates the Pods.",
  rules: [
    ...ownPolicyRules,
    ...refusals.map(({ text, symptom, ...rule }) => ({
      ...rule,
      symptom: `FailedCreate: ${symptom}`,
      follows: ["pods in {where}"],
      find: refused(text),
    })),
  ],
};
