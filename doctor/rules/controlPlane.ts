import { numberAt } from "../../domain/untyped";
import { conditionNamed, minutesBetween, type KubeObject } from "../model/objects";
import { hasCondition, says, warned } from "./finders";
import { capiSource } from "./kinds";
import type { Family } from "./rule";

/** KubeadmControlPlane: its machines, etcd and certificates. */

/** Whether a machine is not being deleted. One that is has left etcd before its Pods end. */
const stays = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

export const controlPlane: Family = {
  name: "control-plane",
  title: "The control plane",
  intro: "The machines of the control plane, etcd, and how Cluster API manages them.",
  rules: [
    {
      id: "etcd-full",
      stage: "control-plane",
      symptom: "Etcd reports alarms: NOSPACE",
      cause:
        "The database of etcd has reached its space quota (2 GiB), and the API server accepts no more writes.",
      proof: "KubeadmControlPlane or Machine: condition EtcdClusterHealthy or EtcdMemberHealthy",
      remedy: [
        "npm run access -- --stack {stack}   # log in to a control plane machine, then:",
        'E="sudo crictl exec $(sudo crictl ps -q --name etcd) etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key"; $E defrag --cluster && $E alarm disarm',
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
      proof: "KubeadmControlPlane, condition EtcdClusterHealthy",
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
      id: "etcd-unhealthy",
      stage: "control-plane",
      symptom: "EtcdClusterHealthy is False",
      cause:
        "A member of etcd does not answer or is not in the list of members: {why}. Without a quorum, the API server accepts no requests.",
      proof: "KubeadmControlPlane or Machine: condition EtcdClusterHealthy or EtcdMemberHealthy",
      remedy: [
        "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide",
        "npm run access -- --stack {stack}   # log in; then: sudo crictl logs $(sudo crictl ps -aq --name etcd | head -1)",
      ],
      source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
      follows: ["workload-unreachable-from-management", "node-stopped", "machine-gone"],
      find: hasCondition({
        kinds: ["KubeadmControlPlane", "Machine"],
        type: /^Etcd(Cluster|Member)Healthy$/,
        message:
          /(?<why>Failed to connect to etcd[^*\n]*|Failed to get etcd (?:members|alarms)[^*\n]*|Etcd reports (?:alarms|the cluster)[^*\n]*|Etcd doesn't have an etcd member[^*\n]*|list of etcd members does not match[^*\n]*)/,
        minutes: 3,
        where: stays,
      }),
    },
    {
      id: "control-plane-pod",
      stage: "control-plane",
      symptom: "APIServerPodHealthy, ControllerManagerPodHealthy or SchedulerPodHealthy is False",
      cause: "A static Pod of the control plane does not run.",
      proof: "Machine, conditions of the control plane's components",
      remedy: [
        "npm run access -- --stack {stack}   # log in; then: sudo crictl ps -a; sudo crictl logs ID",
        "kubectl --kubeconfig workload.kubeconfig get pods -n kube-system -o wide",
      ],
      source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
      follows: ["etcd-full", "etcd-unhealthy"],
      find: hasCondition({
        kinds: ["Machine"],
        type: /^(APIServer|ControllerManager|Scheduler|Etcd)PodHealthy$/,
        reason: /^(Failed|PodFailed|NotHealthy)$/,
        minutes: 2,
        where: stays,
      }),
    },
    {
      id: "certificates",
      stage: "control-plane",
      symptom: "CertificatesAvailable is False",
      cause: "A certificate authority of the cluster is missing or damaged.",
      proof: "KubeadmControlPlane, condition CertificatesAvailable",
      remedy: ["kubectl get secrets -n {namespace} | grep -E '{cluster}-(ca|etcd|proxy|sa)'"],
      source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane`,
      find: hasCondition({
        kinds: ["KubeadmControlPlane", "KubeadmConfig"],
        type: "CertificatesAvailable",
        minutes: 3,
      }),
    },
    {
      id: "version-skew",
      stage: "control-plane",
      symptom: "KubeadmVersionSkew or KubernetesVersionSkew preflight check failed",
      cause:
        "No machines of this pool are created because its Kubernetes version does not go with that of the control plane: {why}",
      proof: "MachineSet or MachineDeployment: condition MachinesCreated or ScalingUp",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {kubernetesVersion: THE-VERSION-OF-THE-CONTROL-PLANE}}",
        "https://kubernetes.io/releases/version-skew-policy/",
      ],
      source: `${capiSource} machineset preflight checks`,
      find: says({
        kinds: ["MachineSet", "MachineDeployment"],
        text: /(?<why>[^:*]*do not conform to kubeadm version skew policy[^("]*|[^:*]*violates? the skew policy[^"]*)|Kube(?:adm|rnetes)VersionSkew/,
      }),
    },
    {
      id: "remediation-blocked",
      stage: "control-plane",
      severity: "warning",
      symptom: "a broken machine is not replaced: CannotBeRemediated or RemediationDeferred",
      cause: "Cluster API does not replace the machine {name}: {why}",
      proof: "Machine, condition OwnerRemediated",
      remedy: [
        "kubectl describe machine {name} -n {namespace}",
        "capz-windows:controlPlane: {replicas: 3}   # one machine alone is never replaced",
      ],
      source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go`,
      follows: ["etcd-unhealthy", "control-plane-pod", "node-stopped", "machine-gone"],
      find: hasCondition({
        kinds: ["Machine"],
        type: "OwnerRemediated",
        reason: /^(CannotBeRemediated|RemediationDeferred|InternalError)$/,
        message: /(?<why>.*can't remediate.*|.*too many remediations.*|.*already failed.*)/,
      }),
    },
    {
      id: "health-check-stopped",
      stage: "control-plane",
      severity: "warning",
      symptom: "MachineHealthCheck: TooManyUnhealthy",
      cause: "More machines are unhealthy than the health check may replace at once, so it replaces none.",
      proof: "MachineHealthCheck, condition RemediationAllowed",
      remedy: [
        "kubectl get machines -n {namespace} -o wide",
        "First fix what they have in common: see the findings above.",
      ],
      source: `${capiSource} core/reconcilers/machinehealthcheck`,
      follows: ["*"],
      find: hasCondition({
        kinds: ["MachineHealthCheck"],
        type: "RemediationAllowed",
        reason: /TooManyUnhealthy/,
      }),
    },
    {
      id: "control-plane-refused",
      stage: "control-plane",
      symptom: "KubeadmControlPlane: FailedInitialization, FailedScaleUp or FailedScaleDown",
      cause: "The control plane provider cannot create or remove a machine: {why}",
      proof: "KubeadmControlPlane, events",
      remedy: [
        "kubectl describe kubeadmcontrolplane -n {namespace}",
        "kubectl logs deploy/capi-kubeadm-control-plane-controller-manager -n capi-kubeadm-control-plane-system --tail=30",
      ],
      source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go`,
      follows: ["webhook-down", "template-missing"],
      find: warned({
        kinds: ["KubeadmControlPlane"],
        text: /Failed(?:Initialization|ScaleUp|ScaleDown): (?<why>[^]*)/,
      }),
    },
    {
      id: "control-plane-late",
      stage: "control-plane",
      symptom: "the first machine runs in Azure, but the API server does not answer",
      cause:
        "The control plane is not initialized although its infrastructure has existed for more than 20 minutes: cloud-init or kubeadm failed on the first machine.",
      proof: "KubeadmControlPlane, condition Initialized or Available",
      remedy: [
        "npm run access -- --stack {stack}   # log in to the first machine; then: sudo tail -50 /var/log/cloud-init-output.log; sudo journalctl -u kubelet -n 50",
        "az vm boot-diagnostics get-boot-log --resource-group {group} --name MACHINE",
      ],
      source: `${capiSource}; docs/operations.md`,
      generic: true,
      find: hasCondition({ kinds: ["KubeadmControlPlane"], type: /^(Initialized|Available)$/, minutes: 20 }),
    },
    {
      id: "control-plane-rollout-late",
      stage: "control-plane",
      severity: "warning",
      symptom: "a rollout of the control plane takes more than 45 minutes",
      cause: "A rollout of the control plane does not complete: {why}",
      proof: "KubeadmControlPlane, condition RollingOut",
      remedy: [
        "kubectl describe kubeadmcontrolplane -n {namespace}",
        "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o wide",
      ],
      source: `${capiSource} controlplane/kubeadm`,
      generic: true,
      find: hasCondition({
        kinds: ["KubeadmControlPlane"],
        type: "RollingOut",
        status: ["True"],
        message: /(?<why>[^]*)/,
        minutes: 45,
        // Creating one machine and deleting another takes at most 20 minutes if nothing is wrong.
        where: (object, world) =>
          minutesBetween(conditionNamed(object, "RollingOut")?.since ?? "", world.now) >=
          20 * (numberAt(object.spec, "replicas") ?? 1),
      }),
    },
  ],
};
