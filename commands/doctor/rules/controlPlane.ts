import { numberAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays } from "../../cluster/objects";
import { withAnswer } from "./answers";
import { controlPlaneStates } from "./controlPlaneStates";
import { etcdRules } from "./etcd";
import { anyOf, hasCondition, says, warned } from "./finders";
import { capiSource } from "./kinds";
import { remediationRules } from "./remediation";
import type { Family } from "./rule";

/** KubeadmControlPlane: its machines, etcd and certificates. */

const notInitialized = /not yet initialized/;

export const controlPlane: Family = {
  name: "control-plane",
  title: "The control plane",
  intro: "The machines of the control plane, etcd, and how Cluster API manages them.",
  rules: [
    ...controlPlaneStates,
    ...etcdRules,
    {
      id: "control-plane-pod",
      stage: "control-plane",
      symptom: "APIServerPodHealthy, ControllerManagerPodHealthy or SchedulerPodHealthy is False",
      cause: "A static Pod of the control plane does not run: {condition} of {name} is False, {says}.",
      remedy: [
        "npm run access -- --stack {stack}   # log in; then: sudo crictl ps -a; sudo crictl logs ID   # its last lines name an argument or a file",
        "npm run plan -- --stack {stack} --against HEAD   # what has changed of its arguments (extraArgs)",
        "kubectl --kubeconfig workload.kubeconfig get pods -n kube-system -o wide",
      ],
      source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
      follows: ["etcd-full", "etcd-corrupt", "etcd-quorum", "etcd-unhealthy"],
      find: hasCondition({
        kinds: ["Machine"],
        type: /^(APIServer|ControllerManager|Scheduler|Etcd)PodHealthy$/,
        reason: /^(Failed|PodFailed|NotHealthy|DoesNotExist|PodMissing)$/,
        minutes: 5,
        where: stays,
      }),
    },
    {
      id: "control-plane-unhealthy",
      stage: "control-plane",
      symptom:
        "Available, EtcdClusterHealthy or ControlPlaneComponentsHealthy is False for an unknown reason",
      cause: "Cluster API reports that the control plane is not healthy, {condition}: {says}",
      remedy: [
        "kubectl describe kubeadmcontrolplane,machines -n {namespace}",
        "npm run access -- --stack {stack}   # log in to a machine of the control plane; then: sudo crictl ps -a",
      ],
      source: `${capiSource} controlplane/kubeadm/pkg/workload_cluster_conditions.go`,
      generic: true,
      find: hasCondition({
        kinds: ["KubeadmControlPlane"],
        type: /^(Available|EtcdClusterHealthy|ControlPlaneComponentsHealthy)$/,
        minutes: 20,
        message: new RegExp(`^(?![^]*${notInitialized.source})`),
        where: stays,
      }),
    },
    {
      id: "certificates",
      stage: "control-plane",
      symptom: "CertificatesAvailable is False",
      cause: "A certificate authority of the cluster is missing or damaged.",
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
      remedy: [
        "capz-windows:windowsPools: {{pool}: {kubernetesVersion: THE-VERSION-OF-THE-CONTROL-PLANE}}",
        "https://kubernetes.io/releases/version-skew-policy/",
      ],
      source: `${capiSource} machineset preflight checks`,
      find: anyOf(
        says({
          kinds: ["MachineSet", "MachineDeployment"],
          text: /(?<why>[^:*]*do not conform to kubeadm version skew policy[^("]*|[^:*]*violates? the skew policy[^"]*)|Kube(?:adm|rnetes)VersionSkew/,
        }),
        warned({ kinds: ["KubeadmControlPlane"], text: /AdoptionFailed: [^]*(?<why>its version[^]*)/ }),
      ),
    },
    ...remediationRules,
    {
      id: "health-check-stopped",
      stage: "control-plane",
      severity: "warning",
      symptom: "MachineHealthCheck: TooManyUnhealthy",
      cause:
        "More machines are unhealthy than the health check may replace at once, so it replaces none: {why}.",
      remedy: [
        "kubectl get machines -n {namespace} -o wide",
        "First fix what they have in common: see the findings above.",
      ],
      source: `${capiSource} core/reconcilers/machinehealthcheck`,
      follows: ["*"],
      find: withAnswer(
        hasCondition({
          kinds: ["MachineHealthCheck"],
          type: "RemediationAllowed",
          reason: /TooManyUnhealthy/,
        }),
      ),
    },
    {
      id: "control-plane-refused",
      stage: "control-plane",
      symptom: "KubeadmControlPlane: FailedInitialization, FailedScaleUp or FailedScaleDown",
      cause: "The control plane provider cannot create or remove a machine: {why}",
      remedy: [
        "npm run plan -- --stack {stack} --against HEAD   # if a webhook refuses a value: what has changed of it in the stack file",
        "kubectl describe kubeadmcontrolplane -n {namespace}",
        "kubectl logs deploy/capi-kubeadm-control-plane-controller-manager -n capi-kubeadm-control-plane-system --tail=30",
      ],
      source: `${capiSource} controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go`,
      follows: ["webhook-down", "template-missing"],
      find: anyOf(
        warned({
          kinds: ["KubeadmControlPlane"],
          text: /Failed(?:Initialization|ScaleUp|ScaleDown): (?<why>[^]*)/,
        }),
        hasCondition({
          kinds: ["KubeadmControlPlane"],
          type: "MachinesCreated",
          message: /^(?!.*(?:not found|does not exist))(?<why>[^]+)/,
          minutes: 5,
        }),
      ),
    },
    {
      id: "control-plane-late",
      stage: "control-plane",
      symptom: "the first machine runs in Azure, but the API server does not answer",
      cause:
        "The control plane is not initialized although its infrastructure has existed for more than 20 minutes: cloud-init or kubeadm failed on the first machine.",
      remedy: [
        "npm run access -- --stack {stack}   # log in to the first machine; then: sudo tail -50 /var/log/cloud-init-output.log; sudo journalctl -u kubelet -n 50",
        "az vm boot-diagnostics get-boot-log --resource-group {group} --name MACHINE",
      ],
      source: `${capiSource}; docs/operations.md`,
      generic: true,
      find: anyOf(
        hasCondition({ kinds: ["KubeadmControlPlane"], type: "Initialized", minutes: 20 }),
        hasCondition({
          ...{ kinds: ["KubeadmControlPlane"], type: "Available", minutes: 20 },
          message: notInitialized,
        }),
      ),
    },
    {
      id: "control-plane-rollout-late",
      stage: "control-plane",
      severity: "warning",
      symptom: "a rollout of the control plane takes more than 45 minutes",
      cause: "A rollout of the control plane does not complete: {why}",
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
