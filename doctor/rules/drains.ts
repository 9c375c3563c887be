import { workloadKubectl } from "./commands";
import { deletingSays } from "./deletionFinders";
import { capiSource } from "./kinds";
import type { Rule } from "./rule";

/** Machines whose deletion waits for their Pods, by what the API server answers to an eviction. */

const source = `${capiSource} core/reconcilers/machine/drain/drain.go`;
const proof = "Machine, condition Deleting";

const withoutDrain =
  "kubectl annotate machine {name} -n {namespace} machine.cluster.x-k8s.io/exclude-node-draining=true   # without drain";

export const drainRules: readonly Rule[] = [
  {
    id: "drain",
    stage: "deletion",
    symptom: "Drain not completed yet: cannot evict pod as it would violate the pod's disruption budget",
    cause: "A PodDisruptionBudget allows no eviction from the node of {name}: {why}",
    proof,
    remedy: [
      `${workloadKubectl} get pdb -A`,
      `${workloadKubectl} delete pdb {budget} -n {budgetNamespace}   # or more replicas of what it protects`,
      withoutDrain,
    ],
    source,
    find: deletingSays(
      ["Machine"],
      // "Pod NAMESPACE/NAME: cannot evict pod as it would violate the pod's disruption budget. The disruption budget NAME needs ..."
      /(?:Pods? (?<budgetNamespace>[\w.-]+)\/[^\n]*?)?(?<why>[Cc]annot evict pod[^\n]*?disruption budget(?:[^\n]*?disruption budget (?<budget>[\w.-]+) (?:needs|does)[^.;\n]*|[^.;\n]*))/,
      2,
    ),
  },
  {
    id: "drain-webhook",
    stage: "deletion",
    symptom: "Drain not completed yet: failed to evict Pod, failed calling webhook",
    cause:
      "The API server of the cluster refuses to evict the Pods of the machine {name}, because the webhook {webhook} of the service {service} in the namespace {where}, which is to allow each eviction, cannot be called: {why}.",
    proof,
    remedy: [
      `${workloadKubectl} get pods,endpointslices -n {where}   # bring the Pods behind the Service back`,
      `${workloadKubectl} get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,SERVICES:.webhooks[*].clientConfig.service.name,POLICY:.webhooks[*].failurePolicy`,
      `${workloadKubectl} delete validatingwebhookconfiguration NAME   # or mutatingwebhookconfiguration; its controller recreates it when it runs`,
      withoutDrain,
    ],
    source: `${source}; https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/`,
    // The webhook may only be starting again, so not before two minutes.
    find: deletingSays(
      ["Machine"],
      /failed calling webhook "(?<webhook>[^"]+)"(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc\b[^\s"]*"?)?:?\s*(?<why>[^\n]+?)\.?(?:\n|$)/,
      2,
    ),
  },
  {
    id: "drain-refused",
    stage: "deletion",
    symptom: "Drain not completed yet: failed to evict Pod, or admission webhook ... denied the request",
    cause: "The API server of the cluster refuses to evict Pods of the machine {name}: {why}.",
    proof,
    remedy: [
      `${workloadKubectl} get pods -A -o wide --field-selector spec.nodeName=NODE   # Pods that the message names: scale down what makes them, or delete them`,
      `${workloadKubectl} get validatingwebhookconfigurations,validatingadmissionpolicies   # when a policy denies the eviction: exclude pods/eviction`,
      withoutDrain,
    ],
    source,
    find: deletingSays(
      ["Machine"],
      // Left out: evictions that timed out, which Cluster API repeats, and Pods of namespaces that are being deleted.
      /(?:failed to evict Pod, (?!eviction timeout|Cannot evict pod from terminating namespace)|(?=admission webhook "[^"]+" denied the request)|(?=This pod has more than one PodDisruptionBudget))(?<why>[^\n]+?)\.?(?:\n|$)/,
      5,
    ),
  },
  {
    id: "drain-slow",
    stage: "deletion",
    severity: "warning",
    symptom: "Drain not completed yet",
    cause: "Pods on the node of {name} take long to terminate: {why}",
    proof,
    remedy: [`${workloadKubectl} get pods -A -o wide --field-selector spec.nodeName=NODE`],
    source,
    find: deletingSays(["Machine"], /Drain not completed yet(?<why>[^]*)/, 20),
  },
];
