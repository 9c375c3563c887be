import { hasCondition } from "./finders";
import { capiSource } from "./kinds";
import { stays } from "../../cluster/objects";
import type { Rule } from "./rule";

/** etcd, as Cluster API reports it. */

/** Whether a machine is not being deleted. One that is has left etcd before its Pods end. */
export const etcdRules: readonly Rule[] = [
  {
    id: "etcd-full",
    stage: "control-plane",
    symptom: "Etcd reports alarms: NOSPACE",
    cause:
      "The database of etcd has reached its space quota (quota-backend-bytes), and the API server accepts no more writes.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to a control plane machine, then:",
      'E="sudo crictl exec $(sudo crictl ps -q --name etcd) etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key"; $E defrag --cluster && $E alarm disarm',
      "kubectl --kubeconfig workload.kubeconfig get --raw /metrics | grep '^apiserver_storage_objects' | sort -k2 -n | tail -5   # what fills it",
    ],
    source: "https://etcd.io/docs/v3.6/op-guide/maintenance/#space-quota",
    find: hasCondition({
      kinds: ["KubeadmControlPlane", "Machine"],
      type: /^Etcd(Cluster|Member)Healthy$/,
      message: /alarms?:.*NOSPACE/i,
    }),
  },
  {
    id: "etcd-member-left",
    stage: "control-plane",
    symptom: "Etcd member ... does not have a corresponding Machine",
    cause:
      "etcd still has the member {member}, whose machine is gone: the member counts towards the quorum, and Cluster API creates and removes no machine until it is removed.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to a control plane machine, then:",
      'E="sudo crictl exec $(sudo crictl ps -q --name etcd) etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key"; $E member list; $E member remove ID',
    ],
    source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go; Cluster API #2651`,
    // A member joins etcd before its Machine has a node.
    find: hasCondition({
      kinds: ["KubeadmControlPlane"],
      type: "EtcdClusterHealthy",
      message:
        /Etcd member (?<member>\S+)(?: \(Name not yet assigned\))? does not have a corresponding Machine/,
      minutes: 10,
    }),
  },
  {
    id: "etcd-learner",
    stage: "control-plane",
    symptom: "Waiting for learner etcd member to be promoted",
    cause:
      "A member of etcd stays a learner: it has joined, and does not catch up with the others or is not promoted, so its machine does not complete the control plane. Its disk or the network between the machines is too slow, or kubeadm ended before it promoted the member.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to the new machine; then: sudo tail -50 /var/log/cloud-init-output.log; sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
      'E="sudo crictl exec $(sudo crictl ps -q --name etcd) etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key"; $E member list; $E member promote ID   # on a machine whose member is healthy',
      "kubectl delete machine MACHINE -n {namespace}   # the new one: Cluster API makes another",
    ],
    source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go; https://etcd.io/docs/v3.6/learning/design-learner/`,
    find: hasCondition({
      kinds: ["KubeadmControlPlane", "Machine"],
      type: /^Etcd(Cluster|Member)Healthy$/,
      message: /learner etcd member/,
      minutes: 15,
      where: stays,
    }),
  },
  {
    id: "etcd-quorum",
    stage: "control-plane",
    symptom: "... of ... etcd members are healthy, at least ... required for etcd quorum",
    cause:
      "etcd has lost its quorum: {why}. The API server accepts no changes, and Cluster API replaces no machine of the control plane.",
    remedy: [
      "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide   # do not delete any: with each, a member that may come back is lost",
      'az vm list -d --resource-group {group} --query "[].{name:name, state:powerState}" -o table   # start those that are off: az vm start --resource-group {group} --name MACHINE',
      "npm run access -- --stack {stack}   # log in to those that run; then: sudo crictl ps -a --name etcd; sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
      "docs/operations.md   # when no majority comes back: restore etcd from a snapshot",
    ],
    source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/status.go; cluster-api #8465`,
    // A member with an alarm counts as unhealthy, although it runs.
    follows: ["control-plane-certificates", "etcd-full", "etcd-corrupt"],
    find: hasCondition({
      kinds: ["KubeadmControlPlane"],
      type: "Available",
      message:
        /(?<why>(?:\d+ of \d+ etcd members? (?:is|are) healthy|There are no healthy etcd members?)[^*\n]*quorum)/,
      minutes: 5,
    }),
  },
  {
    id: "etcd-unhealthy",
    stage: "control-plane",
    symptom: "EtcdClusterHealthy is False",
    cause:
      "A member of etcd does not answer or is not in the list of members: {why}. Without a quorum, the API server accepts no requests.",
    remedy: [
      "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide",
      "npm run access -- --stack {stack}   # log in; then: sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
    ],
    source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
    follows: ["workload-unreachable-from-management", "etcd-quorum", "node-stopped", "machine-gone"],
    find: hasCondition({
      kinds: ["KubeadmControlPlane", "Machine"],
      type: /^Etcd(Cluster|Member)Healthy$/,
      message:
        /(?<why>Failed to connect to etcd[^*\n]*|Failed to get etcd (?:members|alarms)[^*\n]*|Etcd reports (?:alarms|the cluster)[^*\n]*|Etcd doesn't have an etcd member[^*\n]*|list of etcd members does not match[^*\n]*)/,
      minutes: 3,
      where: stays,
    }),
  },
];
