import { textAt } from "../../../tools/untyped";
import { conditionAnswer, withAnswer, withMinutes } from "./answers";
import { anyOf, hasCondition, says, warned } from "./finders";
import { capiSource, capzSource } from "./kinds";
import { stays } from "../../cluster/objects";
import { describeObject } from "./commands";
import type { Rule } from "./rule";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";

/** Further rules of `controlPlane`: what Cluster API reports about it, and objects that the API server refuses. */

const makers = ["KubeadmControlPlane", "MachineSet", "MachineDeployment", "MachinePool"];

export const controlPlaneStates: readonly Rule[] = [
  {
    id: "object-refused",
    stage: "control-plane",
    symptom: "admission webhook ... denied the request, or ... is forbidden, when machines are made",
    cause: "The management cluster refuses an object that {kind} {name} is to create: {why}.",
    remedy: [
      `${describeObject}   # the message names the field; its key is in docs/config.md`,
      "kubectl describe resourcequota -n {namespace}   # when it speaks of a quota",
      "npm run plan -- --stack {stack}   # overrides of your own are in the template that the object is made of",
    ],
    source: `${capiSource} and ${capzSource}, webhooks`,
    find: withAnswer(
      anyOf(
        says({
          kinds: makers,
          text: /admission webhook "[^"]+" denied the request|is forbidden: exceeded quota|Invalid value:/,
        }),
        warned({ kinds: ["KubeadmControlPlane"], text: /denied the request|is forbidden: exceeded quota/ }),
      ),
    ),
  },
  {
    id: "etcd-corrupt",
    stage: "control-plane",
    symptom: "Etcd reports alarms: CORRUPT",
    cause: "The data of a member of etcd differ from those of the others, so etcd accepts no writes.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to a control plane machine; save a snapshot first (docs/operations.md), then:",
      "sudo crictl exec $(sudo crictl ps -q --name etcd) etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key endpoint hashkv --cluster   # which member differs",
      "kubectl delete machine MACHINE -n {namespace}   # the machine of that member, when there are three or more",
    ],
    source: "https://etcd.io/docs/v3.6/op-guide/data_corruption/",
    find: conditionAnswer({
      kinds: ["KubeadmControlPlane", "Machine"],
      type: /^Etcd(?:Cluster|Member)Healthy$/,
      message: /alarms?:[^]*CORRUPT/,
    }),
  },
  {
    id: "etcd-unreachable",
    stage: "control-plane",
    symptom: "EtcdMemberHealthy is Unknown: Failed to connect to etcd",
    cause:
      "Cluster API has not reached the member of etcd of {name} for {minutes} minutes, so it changes nothing of the control plane: {why}.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to the machine; then: sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
      "kubectl logs deploy/capi-kubeadm-control-plane-controller-manager -n capi-kubeadm-control-plane-system --tail=30",
    ],
    source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
    follows: [
      "workload-unreachable-from-management",
      "etcd-quorum",
      "node-stopped",
      "machine-gone",
      "network",
    ],
    find: withMinutes(
      conditionAnswer({
        kinds: ["KubeadmControlPlane", "Machine"],
        type: /^Etcd(?:Cluster|Member)Healthy$/,
        status: ["Unknown", "False"],
        message: /Failed to (?:connect to etcd|get (?:etcd|the Node|Nodes))/,
        minutes: 15,
      }),
    ),
  },
  {
    id: "control-plane-node-left",
    stage: "control-plane",
    symptom: "Control plane Node ... does not have a corresponding Machine",
    cause:
      "The cluster has the control plane node {node}, and no Machine belongs to it: it is left over, or was added by hand.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig delete node {node}   # when its machine is gone; then look for its member of etcd, too",
      "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide",
    ],
    source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
    find: conditionAnswer({
      kinds: ["KubeadmControlPlane"],
      type: "ControlPlaneComponentsHealthy",
      message: /Control plane Node (?<node>\S+) does not have a corresponding Machine/,
      minutes: 10,
    }),
  },
  {
    id: "control-plane-blocked",
    stage: "control-plane",
    symptom:
      "Scaling up ... is blocked because; ControlPlaneUnhealthy: Waiting for control plane to pass preflight checks",
    cause: "Cluster API creates and deletes no machine of the control plane before it is healthy: {why}.",
    remedy: [
      "kubectl describe kubeadmcontrolplane {name} -n {namespace}",
      "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide",
    ],
    source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go, preflightChecks`,
    generic: true,
    follows: ["*"],
    find: withAnswer(
      anyOf(
        hasCondition({
          kinds: ["KubeadmControlPlane"],
          type: /^Scaling(?:Up|Down)$/,
          status: ["True"],
          message: /blocked because:/,
          minutes: 30,
          where: stays,
        }),
        warned({
          kinds: ["KubeadmControlPlane"],
          text: /^ControlPlaneUnhealthy: /,
          times: 10,
          where: (object, world) => stays(object) && !isChanging(object, world),
        }),
      ),
    ),
  },
];

/** A machine of the control plane is made or deleted: meanwhile its parts are not healthy. */
const isChanging = (_: KubeObject, world: World): boolean =>
  world
    .all("Machine")
    .some(
      ({ metadata, status }) =>
        metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined &&
        (metadata.deletionTimestamp !== undefined || textAt(status, "phase") !== "Running"),
    );
