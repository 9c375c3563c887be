import { told } from "./lines";

/**
 * Reasons and messages that kubelet, scheduler and controllers of Kubernetes v1.36.3 write into events and statuses
 * (pkg/kubelet/events, pkg/kubelet/lifecycle/predicate.go, pkg/scheduler/framework/plugins, pkg/controller, cloud-provider).
 */
export const kubernetes = told(String.raw`
warning Service:web SyncLoadBalancerFailed | Error syncing load balancer: failed to ensure load balancer: Retriable: true, RetryAfter: 300s, HTTPStatusCode: 429, RawError: TooManyRequests | load-balancer-busy | - | -
pod FailedMount | MountVolume.SetUp failed for volume "share" : rpc error: code = Internal desc = mount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The user name or password is incorrect. Windows System Error 1326" | share-denied | - | -
pod FailedMount | MountVolume.SetUp failed for volume "pvc-1" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name file.csi.azure.com not found in the list of registered CSI drivers | driver-missing | file.csi.azure.com | csi
pod FailedAttachVolume | Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-0 | disk-attached | still attached | volumeattachments
pod FailedValidation | Error validating pod web from api, ignoring: spec.volumes: Invalid value | warning-unexplained | spec.volumes | describe
pod FailedBinding | persistentvolumeclaim "data" not found | warning-unexplained | persistentvolumeclaim | describe
status PodOSNotSupported | Pod was rejected: Pod's .spec.os.name field doesn't match node's OS | pod-other-os | operating system | nodeSelector
status PodOSSelectorNodeLabelDoesNotMatch | Pod was rejected: Pod's kubernetes.io/os node selector doesn't match | pod-other-os | operating system | nodeSelector
unscheduled Unschedulable | 0/3 nodes are available: 3 Insufficient cpu. | pod-resources | room | requests
unscheduled Unschedulable | 0/3 nodes are available: 3 Insufficient ephemeral-storage. | pod-resources | room | requests
condition Deployment:capi-controller ReplicaFailure=True FailedCreate | Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc" | provider-refused | - | -
warning Node:win1 Rebooted | Node win1000000 has been rebooted, boot id: 17 | node-reboots | restarted | access|activity-log
condition Node:win1 NetworkUnavailable=True CalicoIsDown | Calico is shutting down on this node | node-condition | Calico is shutting down | describe node
condition Node:linux1 ReadonlyFilesystem=True FilesystemIsReadOnly | EXT4-fs error: remounting filesystem read-only | node-condition | read-only | access
warning StatefulSet:db FailedDelete | delete Pod db-1 in StatefulSet db failed error: etcdserver: leader changed | warning-unexplained | leader changed | describe
warning Widget:w NewReason | this text is new | warning-unexplained | this text is new | describe
`);
