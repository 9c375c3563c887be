import { told } from "./lines";

/**
 * Reasons and messages that kubelet, scheduler and controllers of Kubernetes v1.36.3 write into events and statuses
 * (pkg/kubelet/events, pkg/kubelet/lifecycle/predicate.go, pkg/scheduler/framework/plugins, pkg/controller, cloud-provider).
 */
export const kubernetes = told(String.raw`
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: PublicIP from annotation azure-pip-name(-IPv6)=web-pip for service shop/web doesn't exist | load-balancer-address | web-pip | public-ip list
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: checkLoadBalancerResourcesConflicts: service port http is trying to consume the port 80 which is being referenced by an existing loadBalancing rule a1b-TCP-80 with the same protocol Tcp and frontend IP config with ID /subscriptions/s | load-balancer-port | port 80.*a1b-TCP-80 | get services -A
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: selectLoadBalancer: cluster(sick) service(shop/web) isInternal(false) -  all available load balancers have exceeded maximum rule limit 250, vmSetNames ([a]) | load-balancer-limit | limit of Azure | list-usages
pod FailedMount | Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: timed out waiting for the condition | mount-waits | volume | volumeattachments
pod FailedMount | MountVolume.SetUp failed for volume "pvc-1" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name file.csi.azure.com not found in the list of registered CSI drivers | driver-missing | file.csi.azure.com | csi
pod FailedMount | MountVolume.SetUp failed for volume "creds" : secret "creds" not found | pod-object-missing | secret "creds" not found | get secrets,configmaps -n shop
pod FailedMount | MountVolume.SetUp failed for volume "creds" : references non-existent secret key: password | pod-object-missing | secret key: password | optional
pod FailedMount | MountVolume.SetUp failed for volume "settings" : configmap references non-existent config key: app.json | pod-object-missing | config key: app.json | optional
waiting CreateContainerConfigError | configmap "settings" not found | pod-object-missing | configmap "settings" | get secrets,configmaps
waiting CreateContainerConfigError | couldn't find key password in Secret shop/creds | pod-object-missing | key password | get secrets,configmaps
pod FailedAttachVolume | Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-0 | disk-attached | still attached | volumeattachments
pod FailedPostStartHook | PostStartHook failed | lifecycle-hook | postStart | lifecycle
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
unscheduled Unschedulable | 0/3 nodes are available: 3 Insufficient ephemeral-storage. | pod-resources | room | requests
unscheduled Unschedulable | 0/3 nodes are available: 1 node(s) had untolerated taint {os: windows}, 2 node(s) didn't match Pod's node affinity/selector. | pod-taint | taint os=windows | tolerations: \[\{key: os, operator: Equal, value: windows
warning ReplicaSet:web FailedCreate | Error creating: pods "web-x" is forbidden: ValidatingAdmissionPolicy 'team-policy' with binding 'team' denied request: every Pod names its owner | policy-denied | team-policy.*names its owner | Exclude
warning ReplicaSet:web FailedCreate | Error creating: pods "web-x" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=200, limited: pods=200 | pod-limits | namespace shop.*exceeded quota: pods | describe resourcequotas,limitranges -n shop
warning StatefulSet:db FailedCreate | create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: failed quota: memory: must specify limits.memory for: db | pod-limits | must specify limits.memory | template
warning ReplicaSet:web FailedCreate | Error creating: pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found | pod-names-missing | service account shop/web | get serviceaccounts -n shop
warning ReplicaSet:web FailedCreate | Error creating: pods "web-" is forbidden: pod rejected: RuntimeClass "windows-2022" not found | pod-names-missing | RuntimeClass "windows-2022" | runtimeClasses
condition Deployment:capi-controller ReplicaFailure=True FailedCreate | Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc" | provider-policy-webhook-down | validate.kyverno.svc-fail | ^kubectl get pods,endpointslices -n kyverno
condition Deployment:cert-manager ReplicaFailure=True FailedCreate | Internal error occurred: failed calling webhook "check.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid | provider-policy-webhook-certificate | check.gatekeeper.sh.*expired | ^kubectl get certificates,secrets -n gatekeeper-system
condition Deployment:capz ReplicaFailure=True FailedCreate | pods "capz-x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false | provider-pod-security | capz-system enforces.*restricted | ^kubectl label namespace capz-system
warning Node:win1 ImageGCFailed | failed to get imageFs info: unable to find data in memory cache | node-image-stats | nothing of how full | stats/summary
warning Node:linux1 KubeletSetupFailed | Failed to start ContainerManager failed to initialize top level QOS containers | kubelet-setup | kubelet | access
warning Node:win1 Rebooted | Node win1000000 has been rebooted, boot id: 17 | node-reboots | restarted | access|activity-log
condition Node:win1 NetworkUnavailable=True CalicoIsDown | Calico is shutting down on this node | node-condition | Calico is shutting down | describe node
condition Node:linux1 ReadonlyFilesystem=True FilesystemIsReadOnly | EXT4-fs error: remounting filesystem read-only | node-condition | read-only | access
warning PersistentVolumeClaim:data VolumeResizeFailed | resize volume "pvc-1" by resizer "disk.csi.azure.com" failed: rpc error: code = Internal desc = failed to resize disk: LiveResize is not supported | volume-resize | larger|grow | detach|replicas
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: ensurePublicIPExists for service(shop/web): pip(x) - there is an existing service shop/other consuming the DNS label on the public IP | load-balancer-dns | DNS label | azure-dns-label-name
warning StatefulSet:db FailedDelete | delete Pod db-1 in StatefulSet db failed error: etcdserver: leader changed | warning-unexplained | leader changed | describe
warning Widget:w NewReason | this text is new | warning-unexplained | this text is new | describe
`);
