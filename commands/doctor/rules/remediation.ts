import { numberAt } from "../../../tools/untyped";
import { workloadKubectl } from "./commands";
import { anyOf, hasCondition } from "./finders";
import { capiSource } from "./kinds";
import type { World } from "../../cluster/snapshot";
import type { Match, Rule } from "./rule";

/** Broken machines that Cluster API does not replace. */

const notRemediated = (message: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({
    kinds: ["Machine"],
    type: "OwnerRemediated",
    reason: /^(?:CannotBeRemediated|RemediationDeferred|InternalError)$/,
    message,
    minutes,
  });

const follows = ["etcd-quorum", "etcd-unhealthy", "control-plane-pod", "node-stopped", "machine-gone"];

const isAlone = (world: World): boolean =>
  world.all("KubeadmControlPlane").every(({ spec }) => (numberAt(spec, "replicas") ?? 1) <= 1);

const common = {
  stage: "control-plane",
  severity: "warning",
  cause: "Cluster API does not replace the machine {name}: {why}",
  source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go`,
} as const;

const describe = "kubectl describe machine {name} -n {namespace}";
const others = "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide";

export const remediationRules: readonly Rule[] = [
  {
    ...common,
    id: "remediation-alone",
    symptom: "CannotBeRemediated: the only control plane Machine",
    remedy: [
      `${describe}   # what is wrong with it`,
      "az vm restart --resource-group {group} --name {vm}   # nothing replaces it: it must come back by itself",
      "capz-windows:controlPlane: {replicas: 3}   # once it is healthy: one machine alone is never replaced",
    ],
    follows,
    find: (world) =>
      isAlone(world)
        ? notRemediated(
            /(?<why>.*can't remediate.*(?:the only control plane|replicas are less or equal to 1).*)/,
          )(world)
        : [],
  },
  {
    ...common,
    id: "remediation-quorum",
    symptom: "CannotBeRemediated: this could result in etcd losing quorum",
    remedy: [
      `${others}   # another machine is not healthy either: bring its etcd back first, this one is then replaced by itself`,
      "npm run access -- --stack {stack}   # log in to the other machine; then: sudo crictl ps -a --name etcd; sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
      `${workloadKubectl} get pods -n kube-system -l component=etcd -o wide`,
      "docs/operations.md   # when no machine of the majority comes back: restore etcd from a snapshot",
    ],
    follows: [...follows, "etcd-unreachable", "etcd-member-left", "etcd-learner", "etcd-full"],
    find: notRemediated(/(?<why>.*(?:loo?sing quorum|quorum loss|loo?sing Kubernetes control plane).*)/),
  },
  {
    ...common,
    id: "remediation-retries",
    symptom: "CannotBeRemediated: the operation already failed (MaxRetry, RetryPeriod)",
    remedy: [
      `${describe}   # why do new machines fail, too? Remove that cause first`,
      "kubectl delete machine {name} -n {namespace}   # then, by hand: the control plane makes another one. Only with three machines, of which the others are healthy",
      "capz-windows:controlPlane: {overrides: {KubeadmControlPlane: {spec: {remediation: {maxRetry: 10}}}}}   # or more attempts",
    ],
    follows,
    find: notRemediated(/(?<why>.*already failed.*)/),
  },
  {
    ...common,
    id: "remediation-blocked",
    symptom: "a broken machine is not replaced: CannotBeRemediated or RemediationDeferred",
    remedy: [
      describe,
      "kubectl get machines -n {namespace} -o wide   # another machine that is being made, replaced or deleted: it goes on when that one is done",
    ],
    follows: [...follows, "remediation-alone", "remediation-quorum", "remediation-retries"],
    find: anyOf(
      notRemediated(/(?<why>.*can't remediate.*|.*too many remediations.*)/),
      notRemediated(/(?<why>[^]+)/, 20),
    ),
  },
];
