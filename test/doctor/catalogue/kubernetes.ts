import { told } from "./lines";

/**
 * Reasons and messages that kubelet, scheduler and controllers of Kubernetes v1.36.3 write into events and statuses
 * (pkg/kubelet/events, pkg/kubelet/lifecycle/predicate.go, pkg/scheduler/framework/plugins, pkg/controller, cloud-provider).
 */
export const kubernetes = told(String.raw`
warning PersistentVolumeClaim:data ExternalProvisioning | Waiting for a volume to be created either by the external provisioner 'file.csi.azure.com' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered. | volume | driver | .
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: PUT failed with PublicIPAddressInUse: The public IP address is already in use by another resource. | load-balancer-in-use | in use | .
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: PublicIP from annotation azure-pip-name(-IPv6)=web-pip for service shop/web doesn't exist | load-balancer-address | web-pip | public-ip list
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: checkLoadBalancerResourcesConflicts: service port http is trying to consume the port 80 which is being referenced by an existing loadBalancing rule a1b-TCP-80 with the same protocol Tcp and frontend IP config with ID /subscriptions/s | load-balancer-port | port 80.*a1b-TCP-80 | get services -A
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: cannot set both spec.LoadBalancerSourceRanges and service annotation service.beta.kubernetes.io/azure-allowed-ip-ranges | load-balancer-annotation | cannot set both | get service web
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: invalid service.Spec.LoadBalancerSourceRanges [[10.0.0.0]]: netip.ParsePrefix("10.0.0.0"): no '/' | load-balancer-annotation | LoadBalancerSourceRanges | get service web
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: selectLoadBalancer: cluster(sick) service(shop/web) isInternal(false) -  all available load balancers have exceeded maximum rule limit 250, vmSetNames ([a]) | load-balancer-limit | limit of Azure | list-usages
pod FailedCreatePodSandBox | Failed to create pod sandbox: plugin type="calico" failed (add): error getting ClusterInformation: Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": dial tcp 10.96.0.1:443: i/o timeout | cni-api-server | API server | .
pod FailedMount | Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: timed out waiting for the condition | mount-waits | volume | volumeattachments
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = DeadlineExceeded desc = context deadline exceeded | mount-slow | in time | csi
pod FailedMount | MountVolume.SetUp failed for volume "pvc-1" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name file.csi.azure.com not found in the list of registered CSI drivers | driver-missing | file.csi.azure.com | csi
pod FailedMount | MountVolume.SetUp failed for volume "kube-api-access-x" : failed to fetch token: serviceaccounts "web" not found | account-gone | service account | serviceaccount
pod FailedMount | MountVolume.SetUp failed for volume "creds" : secret "creds" not found | pod-object-missing | secret "creds" not found | get secrets,configmaps -n shop
pod FailedMount | MountVolume.SetUp failed for volume "creds" : references non-existent secret key: password | pod-object-missing | secret key: password | optional
pod FailedMount | MountVolume.SetUp failed for volume "settings" : configmap references non-existent config key: app.json | pod-object-missing | config key: app.json | optional
waiting CreateContainerConfigError | configmap "settings" not found | pod-object-missing | configmap "settings" | get secrets,configmaps
waiting CreateContainerConfigError | couldn't find key password in Secret shop/creds | pod-object-missing | key password | get secrets,configmaps
pod FailedCreatePodSandBox | Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.k8s.io/pause:3.10": failed to pull image "registry.k8s.io/pause:3.10": failed to do request: Head "https://registry.k8s.io/v2/pause/manifests/3.10": tls: failed to verify certificate: x509: certificate signed by unknown authority | registry-certificate | registry.k8s.io | trustedCertificates
pod FailedMapVolume | MapVolume.MapPodDevice failed for volume "pvc-1" : blkUtil.AttachFileDevice: not supported on windows | block-volume | block | volumeMode
pod FailedAttachVolume | Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-0 | disk-attached | still attached | volumeattachments
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = NotFound desc = Volume not found, failed with error: GetDisk ResourceNotFound | disk-gone | no longer|deleted | az disk
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : timed out waiting for external-attacher of disk.csi.azure.com CSI driver to attach volume | attacher | external-attacher|controller | csi-azuredisk-controller
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : CSINode win1000000 does not contain driver disk.csi.azure.com | driver-missing | disk.csi.azure.com | csi
pod FailedCreatePodContainer | unable to ensure pod container exists: failed to create container for [kubepods burstable]: no space left on device | node-cgroup | cgroup|kubepods | access
pod NetworkNotReady | network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized | node-no-cni | CNI|network | calico-system|get pods
pod FailedSync | error determining status: rpc error: code = Unknown desc = Error response: context deadline exceeded | runtime-slow | containerd | containerd
pod FailedPostStartHook | PostStartHook failed | lifecycle-hook | postStart | lifecycle
pod FailedPreStopHook | PreStopHook failed | lifecycle-hook | preStop | lifecycle
pod InspectFailed | Failed to apply default image tag "X": couldn't parse image name: invalid reference format | image-name | not a valid name | image
pod FailedValidation | Error validating pod web from api, ignoring: spec.volumes: Invalid value | warning-unexplained | spec.volumes | describe
pod FailedBinding | persistentvolumeclaim "data" not found | warning-unexplained | persistentvolumeclaim | describe
status UnexpectedAdmissionError | Allocate failed due to device plugin GetPreferredAllocation rpc failed: EOF, which is unexpected | pod-refused | UnexpectedAdmissionError | describe
status OutOfcpu | Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 3500, capacity: 4000 | pod-refused | cpu | describe
status OutOfpods | Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 30, capacity: 30 | pod-refused | pods, requested | describe|maxPods
status NodeAffinity | Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector | pod-refused | node affinity | describe
status PodOSNotSupported | Pod was rejected: Pod's .spec.os.name field doesn't match node's OS | pod-other-os | operating system | nodeSelector
status PodOSSelectorNodeLabelDoesNotMatch | Pod was rejected: Pod's kubernetes.io/os node selector doesn't match | pod-other-os | operating system | nodeSelector
status PodFeatureUnsupported | Pod was rejected: Windows nodes do not support SELinux | pod-refused | SELinux | describe
status NodeLost | Node win1000000 which was running pod web is unresponsive | pod-refused | unresponsive | describe
unscheduled Unschedulable | 0/3 nodes are available: 3 Insufficient cpu. | pod-resources | room | requests
unscheduled Unschedulable | 0/3 nodes are available: 3 Too many pods. | pod-count | as many Pods|maxPods | maxPods
unscheduled Unschedulable | 0/3 nodes are available: 3 Insufficient ephemeral-storage. | pod-resources | room | requests
unscheduled Unschedulable | 0/3 nodes are available: 1 node(s) had untolerated taint {os: windows}, 2 node(s) didn't match Pod's node affinity/selector. | pod-taint | taint os=windows | tolerations: \[\{key: os, operator: Equal, value: windows
unscheduled Unschedulable | 0/3 nodes are available: 3 node(s) exceed max volume count. | pod-volume-count | disks|volumes | csinode|vmSize
unscheduled Unschedulable | 0/3 nodes are available: 3 node(s) had volume node affinity conflict. | disk-zone | zone | zones
unscheduled Unschedulable | no nodes available to schedule pods | pod-no-nodes | no node | get nodes
unscheduled Unschedulable | 0/3 nodes are available: 3 the moon is in the wrong phase. | pod-unschedulable | moon is in the wrong phase | describe pod
warning ReplicaSet:web FailedCreate | Error creating: pods "web-x" is forbidden: ValidatingAdmissionPolicy 'team-policy' with binding 'team' denied request: every Pod names its owner | policy-denied | team-policy.*names its owner | Exclude
warning ReplicaSet:web FailedCreate | Error creating: pods "web-x" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=200, limited: pods=200 | pod-limits | namespace shop.*exceeded quota: pods | describe resourcequotas,limitranges -n shop
warning StatefulSet:db FailedCreate | create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: failed quota: memory: must specify limits.memory for: db | pod-limits | must specify limits.memory | template
warning ReplicaSet:web FailedCreate | Error creating: pods "web-x" is forbidden: maximum memory usage per Container is 2Gi, but limit is 4Gi | pod-limits | maximum memory | describe resourcequotas,limitranges
warning ReplicaSet:web FailedCreate | Error creating: pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found | pod-names-missing | service account shop/web | get serviceaccounts -n shop
warning ReplicaSet:web FailedCreate | Error creating: pods "web-" is forbidden: no PriorityClass with name high was found | pod-names-missing | PriorityClass with name high | priorityclasses
warning ReplicaSet:web FailedCreate | Error creating: pods "web-" is forbidden: pod rejected: RuntimeClass "windows-2022" not found | pod-names-missing | RuntimeClass "windows-2022" | runtimeClasses
condition Deployment:capz ReplicaFailure=True FailedCreate | admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-k8sazurev2containerallowedimag-5ee1] Container image registry.k8s.io/cluster-api-azure/cluster-api-azure-controller:v1.27.0 for container manager has not been allowed. | provider-policy-denied | capz-controller-manager.*has not been allowed | ^az policy assignment list
condition Deployment:capi-controller ReplicaFailure=True FailedCreate | Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc" | provider-policy-webhook-down | validate.kyverno.svc-fail | ^kubectl get pods,endpointslices -n kyverno
condition Deployment:cert-manager ReplicaFailure=True FailedCreate | Internal error occurred: failed calling webhook "check.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid | provider-policy-webhook-certificate | check.gatekeeper.sh.*expired | ^kubectl get certificates,secrets -n gatekeeper-system
condition Deployment:capz ReplicaFailure=True FailedCreate | pods "capz-x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false | provider-pod-security | capz-system enforces.*restricted | ^kubectl label namespace capz-system
condition Deployment:capz ReplicaFailure=True FailedCreate | pods "capz-x" is forbidden: exceeded quota: team, requested: limits.memory=512Mi, used: limits.memory=8Gi, limited: limits.memory=8Gi | provider-pod-limits | capz-system.*exceeded quota | ^kubectl describe resourcequotas,limitranges -n capz-system
condition Deployment:capz ReplicaFailure=True FailedCreate | pods "capz-" is forbidden: error looking up service account capz-system/capz-manager: serviceaccount "capz-manager" not found | provider-pod-names-missing | capz-manager | pulumi up
condition Deployment:capz ReplicaFailure=True FailedCreate | etcdserver: mvcc: database space exceeded | provider-refused | database space exceeded | describe deployment
warning Node:win1 SystemOOM | System OOM encountered, victim process: w3wp, pid: 4711 | node-oom | memory | limits
warning Node:win1 EvictionThresholdMet | Attempting to reclaim ephemeral-storage | node-reclaims | ephemeral-storage | osDiskGB|access
warning Node:win1 FreeDiskSpaceFailed | Failed to garbage collect required amount of images. Attempted to free 5 GB, but only found 0 bytes eligible to free. | node-image-gc | disk | osDiskGB
warning Node:win1 FreeDiskSpaceFailed | Insufficient free disk space on the node's image filesystem (93% of 127.4 GiB used). Failed to free sufficient space by deleting unused images (freed 0 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data. | node-image-gc | disk | osDiskGB
warning Node:win1 ImageGCFailed | failed to get imageFs info: unable to find data in memory cache | node-image-gc | images | access|containerd
warning Node:win1 ContainerGCFailed | rpc error: code = Unavailable desc = connection error: dial npipe containerd | node-runtime-events | containerd | containerd
warning Node:linux1 KubeletSetupFailed | Failed to start ContainerManager failed to initialize top level QOS containers | kubelet-setup | kubelet | access
warning Node:win1 Rebooted | Node win1000000 has been rebooted, boot id: 17 | node-reboots | restarted | access|activity-log
warning Node:linux1 FailedNodeAllocatableEnforcement | Failed to update Node Allocatable Limits ["kubepods"] | kubelet-setup | kubelet | access
warning Node:win1 CIDRNotAvailable | Node win1000000 status is now: CIDRNotAvailable | node-no-cidr | range | podCidr
warning Node:win1 FailedToCreateRoute | Could not create route 192.168.1.0/24 for node win1000000 after 1s: AuthorizationFailed | node-route | route | configure-cloud-routes|role
condition Node:win1 NetworkUnavailable=True CalicoIsDown | Calico is shutting down on this node | node-condition | Calico is shutting down | describe node
condition Node:linux1 ReadonlyFilesystem=True FilesystemIsReadOnly | EXT4-fs error: remounting filesystem read-only | node-condition | read-only | access
warning PersistentVolumeClaim:data ProvisioningFailed | storageclass.storage.k8s.io "fast" not found | storage-class-missing | StorageClass fast | get storageclass
warning PersistentVolumeClaim:data FailedBinding | no persistent volumes available for this claim and no storage class is set | volume-no-class | no storage class|default | storageclass
warning PersistentVolumeClaim:data ProvisioningFailed | failed to provision volume with StorageClass "managed-csi": rpc error: code = Internal desc = Operation could not be completed as it results in exceeding approved PremiumStorageDisks quota | disk-quota | quota | quota
warning PersistentVolumeClaim:data ProvisioningFailed | failed to provision volume with StorageClass "managed-csi": rpc error: code = InvalidArgument desc = Failed parsing disk parameters: invalid parameter skuname in storage class | storage-class-wrong | skuname | storageclass
warning PersistentVolumeClaim:data ProvisioningFailed | failed to provision volume with StorageClass "managed-csi": rpc error: code = Internal desc = RESPONSE 403 RequestDisallowedByPolicy: Resource 'pvc-1' was disallowed by policy. | disk-policy | policy | policy
warning PersistentVolumeClaim:data VolumeResizeFailed | resize volume "pvc-1" by resizer "disk.csi.azure.com" failed: rpc error: code = Internal desc = failed to resize disk: LiveResize is not supported | volume-resize | larger|grow | detach|replicas
warning PersistentVolumeClaim:data ExternalExpanding | waiting for an external controller to expand this PVC: allowVolumeExpansion false | volume-resize | larger|grow | allowVolumeExpansion|resizer
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: Retriable: true, RetryAfter: 300s, HTTPStatusCode: 429, RawError: TooManyRequests | load-balancer-throttled | throttle | [Ww]ait
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: securityGroup priorities are exhausted | security-group-full | security group | nsg
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: only TCP, UDP and SCTP are supported for Azure LoadBalancers | load-balancer-annotation | not (?:accept|support) | annotat|Service
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: idle timeout value must be a whole number representing minutes between 4 and 100, actual value: 2 | load-balancer-annotation | idle timeout | annotat|Service
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: ensurePublicIPExists for service(shop/web): pip(x) - there is an existing service shop/other consuming the DNS label on the public IP | load-balancer-dns | DNS label | azure-dns-label-name
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: RESPONSE 400 ERROR CODE: DnsRecordInUse DNS record web.westeurope.cloudapp.azure.com is already used by another public IP. | load-balancer-dns | DNS label | azure-dns-label-name
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: something that nobody knows | load-balancer | something that nobody knows | cloud-controller-manager
warning Service:web UnAvailableLoadBalancer | There are no available nodes for LoadBalancer | load-balancer-no-nodes | no node | get nodes
warning HorizontalPodAutoscaler:web FailedGetResourceMetric | failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API | metrics-missing | metrics | metricsServer
warning StatefulSet:db FailedDelete | delete Pod db-1 in StatefulSet db failed error: etcdserver: leader changed | warning-unexplained | leader changed | describe
warning Widget:w NewReason | nobody has heard of this | warning-unexplained | nobody has heard of this | describe
`);
