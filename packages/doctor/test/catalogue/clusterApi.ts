import { told } from "./lines";

/**
 * What Cluster API, its kubeadm providers and CAPZ write into conditions and events. From Cluster API v1.14.2, the files of
 * condition constants and core/reconcilers, controlplane/kubeadm, bootstrap/kubeadm; CAPZ v1.27, api/v1beta1 and controllers;
 * the Azure Service Operator, pkg/genruntime/conditions.
 */
export const clusterApi = told(String.raw`
condition KubeadmConfig:win1 DataSecretAvailable=False InternalError | Failed to read password from secrets for spec.users | bootstrap-secret-missing | Secret | get secrets
condition KubeadmConfig:win1 DataSecretAvailable=False InternalError | Failed to prepare spec.files: failed to resolve file source: secret not found: sick/licence | bootstrap-secret-missing | Secret | get secrets
condition KubeadmConfig:win1 DataSecretAvailable=False InternalError | Failed to prepare spec.files: failed to resolve file source: secret not found: sick/win1-azure-json | azure-json-missing | win1-azure-json | azure-json
condition KubeadmConfig:sick-control-plane CertificatesAvailable=False InternalError | Please check controller logs for errors | certificates | certificate authority | get secrets
former KubeadmControlPlane CertificatesAvailable=False CertificatesGenerationFailed | failed to generate certificate authority etcd | certificates | certificate authority | get secrets
former KubeadmConfig:sick-control-plane CertificatesAvailable=False CertificatesCorrupted | unable to parse certificate sick-ca | certificates | certificate authority | get secrets
condition KubeadmControlPlane EtcdClusterHealthy=False NotHealthy | * Etcd member old-1 does not have a corresponding Machine | etcd-member-left | old-1 | member remove
condition Machine:sick-control-plane APIServerPodHealthy=False NotHealthy | All the containers have been terminated | control-plane-pod | APIServer | crictl
condition Machine:sick-control-plane SchedulerPodHealthy=False DoesNotExist | Pod does not exist | control-plane-pod | Scheduler | crictl
condition Machine:sick-control-plane ControllerManagerPodHealthy=False Failed | CrashLoopBackOff | control-plane-pod | ControllerManager | crictl
former Machine:sick-control-plane ControllerManagerPodHealthy=False PodMissing | Pod kube-controller-manager-x is missing | control-plane-pod | ControllerManager | crictl
condition KubeadmControlPlane ControlPlaneComponentsHealthy=False NotHealthy | * Control plane Node n1 does not have a corresponding Machine | control-plane-unhealthy | Control plane Node n1 | describe
condition KubeadmControlPlane ScalingUp=True ScalingUp | Scaling up from 1 to 3 replicas is blocked because:\n* Control plane components: EtcdMemberHealthy is not reported\n* Control plane certificates are not available | control-plane-blocked | certificates are not available | describe kubeadmcontrolplane
condition KubeadmControlPlane ScalingUp=True ScalingUp | Scaling up from 1 to 3 replicas is blocked because AzureMachineTemplate does not exist | template-missing | template | pulumi up
former KubeadmControlPlane MachinesCreated=False InfrastructureTemplateCloningFailed | failed to retrieve AzureMachineTemplate external object "sick"/"x": azuremachinetemplates "x" not found | template-missing | template | pulumi up
former KubeadmControlPlane MachinesCreated=False BootstrapTemplateCloningFailed | admission webhook "validation.kubeadmconfig" denied the request: spec.files: Invalid value | object-refused | spec.files | describe
former KubeadmControlPlane MachinesCreated=False MachineGenerationFailed | Internal error occurred: failed to create Machine | control-plane-refused | failed to create Machine | logs deploy/capi-kubeadm-control-plane
event KubeadmControlPlane FailedScaleUp | Failed to create additional control plane Machine for cluster sick/sick: failed to create InfraMachine: admission webhook "validation.azuremachine.infrastructure.cluster.x-k8s.io" denied the request: spec.osDisk.diskSizeGB: Invalid value: 5 | object-refused | diskSizeGB | describe
event KubeadmControlPlane FailedInitialization | Failed to create initial control plane Machine for cluster sick/sick control plane: etcdserver: request timed out | control-plane-refused | request timed out | logs deploy/capi-kubeadm-control-plane
event KubeadmControlPlane ControlPlaneUnhealthy | Waiting for control plane to pass preflight checks to continue reconciliation: Machine m does not have APIServerPodHealthy condition | control-plane-blocked | APIServerPodHealthy | describe kubeadmcontrolplane
event KubeadmControlPlane AdoptionFailed | Could not adopt Machine sick/m: its version ("v1.33.0") is outside supported +/- one minor version skew from KCP's ("v1.35.0") | version-skew | version | version
condition Machine:sick-control-plane OwnerRemediated=False CannotBeRemediated | KubeadmControlPlane can't remediate this Machine because it's the only control plane Machine | remediation-blocked | - | -
condition Machine:sick-control-plane OwnerRemediated=False RemediationDeferred | KubeadmControlPlane waiting for control plane Machine deletion to complete before triggering remediation | remediation-blocked | waiting for control plane Machine deletion | describe machine
condition Machine:win1 OwnerRemediated=False RemediationDeferred | Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is 1) | remediation-blocked | too many remediations | describe machine
condition MachineHealthCheck RemediationAllowed=False TooManyUnhealthy | Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 4, unhealthy: 3, maxUnhealthy: 40%) | health-check-stopped | total: 4, unhealthy: 3 | get machines
condition Machine:win1 HealthCheckSucceeded=False NodeStartupTimeout | Health check failed:\n * Node failed to report startup in 30m0s | health-check-failed | Node failed to report startup | describe machine
condition Machine:win1 HealthCheckSucceeded=False UnhealthyNode | Health check failed:\n * Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 5m0s | health-check-failed | NodeStatusUnknown | describe machine
condition Machine:linux1 NodeHealthy=False NodeDeleted | Node linux1000000 has been deleted while the Machine still exists | node-object-deleted | linux1000000 | delete machine
condition Machine:linux1 InfrastructureReady=False Deleted | AzureMachinePoolMachine has been deleted while the Machine still exists | infrastructure-deleted | AzureMachinePoolMachine has been deleted | delete machine
condition Machine:sick-control-plane InfrastructureReady=False DoesNotExist | AzureMachine does not exist | infrastructure-deleted | AzureMachine does not exist | do not delete
condition Machine:sick-control-plane BootstrapConfigReady=False DoesNotExist | KubeadmConfig does not exist | infrastructure-deleted | KubeadmConfig does not exist | do not delete
condition Machine:win1 NodeKubeadmLabelsAndTaintsSet=False SomethingNew | the label cannot be set | condition-unexplained | the label cannot be set | describe machine win1
condition Cluster InfrastructureReady=False Deleted | AzureCluster has been deleted while the cluster still exists | infrastructure-deleted | AzureCluster has been deleted | pulumi up
condition Cluster ControlPlaneAvailable=False DoesNotExist | KubeadmControlPlane does not exist | infrastructure-deleted | KubeadmControlPlane does not exist | pulumi up
condition Cluster RemoteConnectionProbe=False ProbeFailed | Remote connection probe failed, probe last succeeded at 2026-11-22T04:00:00Z | workload-unreachable-from-management | reach the workload API server | egressCidrs
former MachineSet MachinesCreated=False MachineCreationFailed | machines.cluster.x-k8s.io "win2-x" is forbidden: exceeded quota: machines | object-refused | exceeded quota | describe
condition MachineSet ScalingUp=True ScalingUp | Scaling up from 0 to 2 replicas is blocked because:\n* MachineDeployment version v1.36.0 and control plane version v1.35.0 do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane ("KubeadmVersionSkew" preflight check failed) | version-skew | version | kubernetesVersion
condition MachineDeployment:win2 ScalingUp=True ScalingUp | Scaling up from 0 to 2 replicas is blocked because AzureMachineTemplate does not exist | template-missing | template | pulumi up
event MachineDeployment:win2 FailedCreate | Failed to create MachineSet sick/win2-x: Internal error occurred: failed calling webhook "default.machineset.cluster.x-k8s.io": no endpoints available for service "capi-webhook-service" | webhook-down | webhook | pods
event MachineSet:win2-x FailedCreate | Failed to create machine: admission webhook "validation.machine.cluster.x-k8s.io" denied the request: spec.version: Invalid value: "1.36" | object-refused | spec.version | describe
former ClusterResourceSet:sick-calico ResourcesApplied=False ApplyFailed | failed to create object operator.tigera.io/v1, Kind=Installation /default: no matches for kind "Installation" in version "operator.tigera.io/v1" | add-on-refused | - | -
former ClusterResourceSet:sick-calico ResourcesApplied=False ApplyFailed | failed to create object v1, Kind=ConfigMap: namespaces "nowhere" not found | add-on-refused | namespaces .nowhere. not found | describe clusterresourceset
former ClusterResourceSet:sick-calico ResourcesApplied=False RetrievingResourceFailed | configmaps "sick-calico" not found | add-on-missing | ConfigMap or Secret | pulumi up
former ClusterResourceSet:sick-calico ResourcesApplied=False RemoteClusterClientFailed | failed to get client: connection refused | add-on-unreachable | reach | logs deploy/capi-controller-manager
former ClusterResourceSet:sick-calico ResourcesApplied=False ClusterMatchFailed | unable to convert selector: "x/y/z" is not a valid label selector operator | add-on-selector | selector | get clusterresourceset
condition MachinePool:win1 InfrastructureReady=False DoesNotExist | AzureMachinePool does not exist | infrastructure-deleted | AzureMachinePool does not exist | pulumi up
event MachinePool:win1 ReconcileError | MachinePool infrastructure resource AzureMachinePool win1 has been deleted after being ready | infrastructure-deleted | win1 has been deleted | pulumi up
condition AzureMachinePoolMachine:win1 BootstrapSucceeded=False BootstrapFailed | extension state failed. This likely means the Kubernetes node bootstrapping process failed or timed out. Check VM boot diagnostics logs to learn more | bootstrap-failed | bootstrap commands failed | access
condition AzureMachinePool:win1 ScaleSetRunning=False ScaleSetProvisionFailed | - | scale-set-failed | state Failed | az vmss
condition AzureMachine AzureResourceAvailable=False UserInitiatedStop | This virtual machine is stopped and deallocated as requested by an authorized user or process. | resource-health | stopped and deallocated | az vm
condition AzureMachine AzureResourceAvailable=False Unavailable | We're sorry, your virtual machine is unavailable because of a hardware failure | resource-health | hardware failure | az vm
event AzureMachinePoolMachine:win1 FailedVMState | Azure scale set VM is in failed state | instance-failed | instance | az vmss
event AzureCluster CreateClusterScopeFailed | failed to retrieve AzureClusterIdentity external object "sick"/"x": azureclusteridentities "x" not found | identity-missing | AzureClusterIdentity | pulumi up
condition AzureMachinePool:win1 BootstrapSucceeded=False Failed | failed to retrieve bootstrap data secret for AzureMachinePool sick/win1: secrets "win1-5423e2eb" not found | azure-other | failed to retrieve bootstrap data secret | describe
condition ResourceGroup Ready=False ReferenceNotFound | Owner "x, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Owner is required to be in the same namespace | aso-reference | cannot be found | pulumi up
condition VirtualNetwork Ready=False WaitingForOwner | Owner "sick, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Owner "sick" must exist and be ready | aso-reference | must exist and be ready | describe
condition ResourceGroup Ready=False SecretNotFound | credential secret "sick/aso-credentials" not found | network-not-ready | credential secret | describe
condition VirtualNetwork Ready=False ReconciliationBlocked | reconciliation is blocked by policy detach-on-delete | network-not-ready | reconciliation is blocked | describe
condition Machine:win1 SomeNewCondition=False NobodyKnowsIt | the wheel does not turn | condition-unexplained | the wheel does not turn | describe machine win1
condition AzureMachinePool:win1 SomeNewCondition=False NobodyKnowsIt | the wheel does not turn | condition-unexplained | the wheel does not turn | describe
event MachinePool:win1 NewEvent | the spring is broken | event-unexplained | the spring is broken | describe
condition AzureMachine VMRunning=False WaitingForBootstrapData | waiting for bootstrap data | bootstrap-data-late | bootstrap data | .
condition InfrastructureProvider:azure ProviderInstalled=False ComponentsUpgradeError | cannot upgrade from v1.20.0 to v1.27.0 | provider-not-installed | cannot upgrade | get events
`);
