import { at, list, textAt } from "../../../tools/untyped";
import { conditionNamed, type KubeObject, minutesBetween, stays, title } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { workloadKubectl } from "./commands";
import { deleting, deletingSays, drainsInTime } from "./deletionFinders";
import { isNotReady, olderThan } from "./finders";
import { capiSource } from "./kinds";
import type { Match, Rule } from "./rule";

/** Machines whose deletion waits for their Pods, by what the API server answers to an eviction. */

const source = `${capiSource} core/reconcilers/machine/drain/drain.go`;

const withoutDrain =
  "kubectl annotate machine {name} -n {namespace} machine.cluster.x-k8s.io/exclude-node-draining=true   # without drain";

const unschedulable = "node.kubernetes.io/unschedulable";

/** Whether a Pod goes to a node that is cordoned. */
const toleratesCordon = ({ spec }: KubeObject): boolean =>
  list(at(spec, "tolerations")).some((toleration) => {
    const [key, effect] = [textAt(toleration, "key"), textAt(toleration, "effect")];
    return (
      (effect === "" || effect === "NoSchedule") &&
      (key === unschedulable || (key === "" && textAt(toleration, "operator") === "Exists"))
    );
  });

/** Pods that have come to a node since its drain began. A drain passes over those of DaemonSets. */
const returned = (world: World): Match[] =>
  deleting(world)
    .filter(({ kind }) => kind === "Machine")
    .flatMap((object) => {
      const node = textAt(object.status, "nodeRef", "name");
      const began =
        textAt(object.status, "deletion", "nodeDrainStartTime") || (object.metadata.deletionTimestamp ?? "");
      const isDraining = conditionNamed(object, "Deleting")?.reason === "DrainingNode";
      const pod = world
        .all("Pod", "workload")
        .find(
          (each) =>
            textAt(each.spec, "nodeName") === node &&
            minutesBetween(began, each.metadata.creationTimestamp ?? "") > 0 &&
            !/^(?:DaemonSet|Node)$/.test(each.metadata.ownerReferences?.[0]?.kind ?? "") &&
            toleratesCordon(each),
        );
      return node === "" || !isDraining || pod === undefined
        ? []
        : [
            {
              object,
              proof: {
                where: `${title(pod)}, metadata.creationTimestamp and spec.tolerations`,
                text: `created at ${pod.metadata.creationTimestamp ?? ""} on ${node}, whose drain began at ${began}`,
              },
              vars: {
                node,
                pod: `${pod.metadata.namespace ?? ""}/${pod.metadata.name}`,
                owner: pod.metadata.ownerReferences?.[0]?.name.replace(/-[a-z0-9]{8,10}$/, "") ?? "OWNER",
                ownerNamespace: pod.metadata.namespace ?? "",
              },
            },
          ];
    });

/** "Pod NAMESPACE/NAME: cannot evict pod as it would violate the pod's disruption budget. The disruption budget NAME needs ..." */
const overBudget = deletingSays(
  ["Machine"],
  /(?:Pods? (?<budgetNamespace>[\w.-]+)\/[^\n]*?)?(?<why>[Cc]annot evict pod[^\n]*?disruption budget(?:[^\n]*?disruption budget (?<budget>[\w.-]+) (?:needs|does)[^.;\n]*|[^.;\n]*))/,
  5,
);

const nodeOf = ({ object }: Match, world: World): KubeObject | undefined =>
  world.find("Node", textAt(object?.status, "nodeRef", "name"));

const isLost = (match: Match, world: World): boolean => {
  const node = nodeOf(match, world);
  return node !== undefined && conditionNamed(node, "Ready")?.status === "Unknown";
};

/** Minutes that a Pod of Windows may take to be ready on another node, most of them for its image. */
const startMinutes = 25;

const ownerKey = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.ownerReferences?.[0]?.name ?? metadata.name}`;

/** Whether a Pod that was evicted is starting elsewhere: when it is ready, the budget allows the next one. */
const isMoving = ({ proof }: Match, world: World): boolean => {
  const pods = world.all("Pod", "workload");
  const owners = pods
    .filter(({ metadata }) => proof.text.includes(`${metadata.namespace ?? ""}/${metadata.name}`))
    .map(ownerKey);
  return pods.some(
    (pod) =>
      owners.includes(ownerKey(pod)) && stays(pod) && isNotReady(pod) && !olderThan(pod, startMinutes, world),
  );
};

const rules: readonly Rule[] = [
  {
    id: "drain-returns",
    stage: "deletion",
    symptom: "Drain not completed yet, again and again about a new Pod of the same owner",
    cause:
      "The drain of {node} never ends: the Pod {pod} tolerates a cordoned node, so that it comes back to the node from which it was evicted.",
    remedy: [
      `${workloadKubectl} get deployment {owner} -n {ownerNamespace} -o jsonpath='{.spec.template.spec.tolerations}'   # name the taints that it needs, instead of all: {operator: Exists, effect: NoExecute}, {key: node-role.kubernetes.io/control-plane, operator: Exists}`,
      "npx pulumi up --stack {stack}   # when it is tigera-operator: the program delivers it with tolerations that leave drained nodes out",
      withoutDrain,
    ],
    source: `${source}; CAPZ #5703; calico #13997`,
    find: returned,
  },
  {
    id: "drain-node-lost",
    stage: "deletion",
    symptom: "Drain not completed yet: cannot evict pod ... disruption budget, and the node does not answer",
    cause:
      "The drain of {name} does not end by itself: its node {node} does not answer, so the Pods on it count as missing, and a PodDisruptionBudget then allows no eviction: {why}",
    remedy: [
      "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' --query \"[].statuses[].displayStatus\"   # does its machine run? When it comes back, the drain goes on",
      'az vm get-instance-view --resource-group {group} --name {vm} --query "instanceView.statuses[].displayStatus"',
      `${withoutDrain}: when the machine is off for good, nothing is lost that runs`,
      "unhealthyPodEvictionPolicy: AlwaysAllow   # in the spec of the PodDisruptionBudget: Pods that are not ready may be evicted",
    ],
    source: `${source}; Cluster API #13508; https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy`,
    find: (world) =>
      overBudget(world)
        .filter((match) => isLost(match, world))
        .map((match) => ({
          ...match,
          vars: { ...match.vars, node: nodeOf(match, world)?.metadata.name ?? "" },
        })),
  },
  {
    id: "drain",
    stage: "deletion",
    symptom: "Drain not completed yet: cannot evict pod as it would violate the pod's disruption budget",
    cause: "A PodDisruptionBudget allows no eviction from the node of {name}: {why}",
    remedy: [
      `${workloadKubectl} get pdb,pods -n {budgetNamespace} -o wide   # does a Pod that {budget} protects not run? Repair it, and the drain goes on`,
      `${workloadKubectl} scale deployment NAME -n {budgetNamespace} --replicas=MORE   # or statefulset: with one more than the budget asks for, one may go`,
      `${withoutDrain}: the Pods end with the machine`,
    ],
    source,
    find: (world) => overBudget(world).filter((match) => !isLost(match, world) && !isMoving(match, world)),
  },
  {
    id: "drain-webhook",
    stage: "deletion",
    symptom: "Drain not completed yet: failed to evict Pod, failed calling webhook",
    cause:
      "The API server of the cluster refuses to evict the Pods of the machine {name}, because the webhook {webhook} of the service {service} in the namespace {where}, which is to allow each eviction, cannot be called: {why}.",
    remedy: [
      `${workloadKubectl} get pods,endpointslices -n {where}   # bring the Pods behind the Service back`,
      `${workloadKubectl} get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,SERVICES:.webhooks[*].clientConfig.service.name,POLICY:.webhooks[*].failurePolicy`,
      `${workloadKubectl} delete validatingwebhookconfiguration NAME   # or mutatingwebhookconfiguration; its controller recreates it when it runs`,
      withoutDrain,
    ],
    source: `${source}; https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/`,
    follows: ["pods in {where}"],
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
    remedy: [`${workloadKubectl} get pods -A -o wide --field-selector spec.nodeName=NODE`],
    source,
    find: deletingSays(["Machine"], /Drain not completed yet(?<why>[^]*)/, 20),
  },
];

export const drainRules: readonly Rule[] = rules.map((rule) => ({
  ...rule,
  find: (world) =>
    rule.find(world).filter(({ object }) => object === undefined || !drainsInTime(object, world)),
}));
