import { told } from "./lines";

/**
 * What containerd, hcsshim and HNS answer on Windows nodes, and kube-proxy there. From hcsshim (internal/hcs/errors.go, hcn),
 * the error codes of Win32, NTSTATUS, HCS (0x8037..., 0xC037...) and HNS (0x803B...) of the Windows SDK, and threads of
 * microsoft/Windows-Containers, Azure/AKS, projectcalico/calico and kubernetes-sigs/sig-windows-tools.
 */
export const windows = told(String.raw`
waiting CreateContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The container operating system does not match the host operating system.: unknown | os-mismatch | another release of Windows | ltsc2022
waiting RunContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The virtual machine or container JSON document is invalid.: unknown | hcs-document | mount|device | describe pod|get pod
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: (0xc037010d) | hcs-document | mount|device | describe pod|get pod
waiting RunContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: Access is denied.: unknown | hcs-access | may not | ExclusionPath|icacls
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: Access is denied.: unknown | process-access | user of the container | runAsUserName
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The paging file is too small for this operation to complete.: unknown | memory-promised | memory | limits
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: Not enough memory resources are available to process this command.: unknown | memory-promised | memory | limits
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: Not enough quota is available to process this command. (0x718) | memory-promised | memory | limits
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: Insufficient system resources exist to complete the requested service. (0x5aa) | memory-promised | memory | limits
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: A virtual machine or container with the specified identifier already exists. (0xc037010f) | hcs-stale | earlier container | Restart-Service
waiting RunContainerError | failed to start containerd task: hcs::System::Start web: A virtual machine or container with the specified identifier does not exist. (0xc037010e) | hcs-stale | earlier container|no longer | delete pod
waiting RunContainerError | failed to create shim task: hcs::System::Start web: The virtual machine or container exited unexpectedly. (0xc0370106) | hcs-exited | exited while it started | Get-WinEvent|image
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The process hosting the virtual machine or container terminated unexpectedly. (0xc0370102) | hcs-exited | exited while it started | Get-WinEvent|image
waiting RunContainerError | failed to create shim task: hcs::System::Start web: The operation timed out because a response was not received from the virtual machine or container. (0xc0370109) | hcs-timeout | in time | vmSize|maxPods
waiting RunContainerError | failed to create shim task: hcsshim: timeout waiting for notification: unknown | hcs-timeout | in time | vmSize|maxPods
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The RPC server is unavailable. (0x6ba) | hcs-service | host compute service | Restart-Service vmcompute|delete machine
waiting RunContainerError | failed to create shim task: lost communication with compute service: unknown | hcs-service | host compute service | Restart-Service vmcompute|delete machine
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The requested operation is not supported. (0x80370114) | hyperv-unavailable | Hyper-V | vmSize
waiting CreateContainerError | The virtual machine could not be started because a required feature is not installed. (0x80370102) | hyperv-unavailable | Hyper-V | vmSize
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The directory name is invalid. (0x10b) | work-folder | working folder|workingDir | workingDir
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: %1 is not a valid Win32 application. (0xc1) | not-a-program | not a Windows program | nodeSelector|image
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: This version of %1 is not compatible with the version of Windows you're running. (0xd8) | not-a-program | not a Windows program | nodeSelector|image
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The system cannot find the file specified. (extra info: {"CommandLine":"/bin/sh"}): unknown | program-missing | program | command
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The system cannot find the path specified. (0x3) | program-missing | program | command
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The user name or password is incorrect. (0x52e) | run-as-user | no user | runAsUserName
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The user name could not be found. (0x8ad) | run-as-user | no user | runAsUserName
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: Logon failure: the user has not been granted the requested logon type at this computer. (0x569) | logon-type | log on|logon | runAsUserName|LocalService
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The parameter is incorrect. (0x57) | hcs-document | mount|device | describe pod|get pod
waiting CreateContainerError | failed to create containerd container: failed to prepare layer: hcsshim::PrepareLayer failed in Win32: The process cannot access the file because it is being used by another process. (0x20) | file-locked | another process|scanner | ExclusionPath
waiting CreateContainerError | hcsshim::ActivateLayer failed in Win32: The device is not ready. (0x15) | container-layers | layers | ExclusionPath|delete pod
waiting ErrImagePull | failed to pull and unpack image "x": failed to extract layer sha256:1: hcsshim::ImportLayer - failed failed in Win32: The system cannot find the path specified. (0x3): unknown | container-layers | layers | ExclusionPath|delete pod
waiting ErrImagePull | failed to pull and unpack image "x": failed to extract layer sha256:1: archive/tar: invalid tar header: unknown | image-damaged | damaged | ctr -n k8s.io images rm
waiting ErrImagePull | failed to pull and unpack image "x": failed commit on ref "layer-sha256:1": unexpected commit digest sha256:2, expected sha256:1: failed precondition | image-damaged | damaged | ctr -n k8s.io images rm
waiting ErrImagePull | failed to pull and unpack image "x": failed to extract layer: hcsshim::ImportLayer failed in Win32: There is not enough space on the disk. (0x70) | image-no-room | space | osDiskGB
waiting ErrImagePull | failed to pull and unpack image "x": no match for platform in manifest: not found | os-mismatch | release of Windows|Linux | tag|nodeSelector
waiting ErrImageNeverPull | Container image "x" is not present with pull policy of Never | image-never-pull | imagePullPolicy | imagePullPolicy
waiting InvalidImageName | Failed to apply default image tag "X:1": couldn't parse image name "X:1": invalid reference format: repository name must be lowercase | image-name | not a valid name | image
waiting ImageInspectError | Failed to inspect image "x": rpc error: code = Unknown desc = layer does not exist | image-damaged | damaged | ctr -n k8s.io images rm
waiting PostStartHookError | Exec lifecycle hook ([/bin/sh -c x]) for Container "web" failed - error: command '/bin/sh -c x' exited with 1 | lifecycle-hook | postStart | lifecycle
waiting SomethingNew | hcs::Whatever web: The moon is in the wrong phase. (0x1234) | pod-waits | moon is in the wrong phase | access|describe
ended ContainerCannotRun | hcs::System::CreateProcess: The moon is in the wrong phase | pod-crashes | ends each time | logs
pod FailedCreatePodSandBox | Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1": plugin type="calico" failed (add): error creating endpoint hcnCreateEndpoint failed in Win32: The network was not found. (0x803b0001) | hns-network | network .* not there|has no HNS network | calico-node-windows
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": plugin type="calico" failed (add): hcnCreateEndpoint failed in Win32: IP address is either invalid or not part of any configured subnet(s). (0x803b001e) {"Success":false} | hns-subnet | block | calico-node-windows
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": plugin type="calico" failed (add): hcnCreateEndpoint failed in Win32: The specified port already exists. (0x803b0013) | hns-endpoint-left | left over | Get-HnsEndpoint
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": HNS failed with error : The object already exists. | hns-endpoint-left | left over | Get-HnsEndpoint
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": hcnOpenEndpoint failed in Win32: The endpoint was not found. (0x803b0002) | hns-endpoint-gone | endpoint | delete pod
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": HNS failed with error : An adapter was not found. (0x803b0006) | hns-adapter | adapter | Get-NetAdapter
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": hnsCall failed in Win32: There are no more endpoints available from the endpoint mapper. (0x6d9) | hns-stopped | does not answer|not run | Start-Service hns
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": hnsCall failed in Win32: The remote procedure call failed. (0x6be) | hns-stopped | does not answer|not run | Start-Service hns
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": HNS failed with error : Element not found. | hns | host network service | calico-node-windows
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": hcnCreateEndpoint failed in Win32: HNS failed with error : The parameter is incorrect. | hns | host network service | calico-node-windows
pod FailedCreatePodSandBox | failed to setup network for sandbox "1": hcnCreateEndpoint failed in Win32: Not enough storage is available to process this command. (0x8) | hns-resources | resources | maxPods
pod FailedCreatePodSandBox | failed to create containerd task: failed to create shim task: failed to mount container storage: failed to mount layers: hcsshim::PrepareLayer: (0x6d9) | container-layers | layers | ExclusionPath|delete pod
pod FailedCreatePodSandBox | failed to get sandbox image "mcr.microsoft.com/oss/kubernetes/pause:3.9": failed to pull image: not found | sandbox-image | pause | access|image
pod FailedCreatePodSandBox | failed to reserve sandbox name "web_shop_1": name "web_shop_1" is reserved for "2" | sandbox-hangs | containerd | containerd
pod FailedKillPod | error killing pod: failed to "KillPodSandbox" with KillPodSandboxError: "rpc error: code = DeadlineExceeded desc = context deadline exceeded" | pod-kill | end|stop | access|force
addon kube-proxy-windows Error | Error running ProxyServer: source vip not found | kube-proxy-source-vip | source VIP | calico
addon kube-proxy-windows Error | E1122 proxier.go: unable to find HNS Network specified by Calico. Please check network name and CNI deployment | kube-proxy-network | HNS network | calico
addon kube-proxy-windows Error | Error: unknown flag: --nodeport-addresses2 | kube-proxy-flags | flag|version | kubeProxyWindowsImage
addon calico-node-windows Error | Unable to create hnsnetwork: HNS failed with error : An adapter was not found. | calico-windows-network | network adapter | Get-NetAdapter
addon calico-node-windows Error | Failed to connect to Typha: dial tcp 10.0.0.4:5473: connectex: No connection could be made | calico-typha-down | Typha | calico-typha
addon calico-node-windows Error | Error: KUBERNETES_SERVICE_HOST is not set: services endpoint missing | calico-windows-endpoint | ConfigMap kubernetes-services-endpoint | configmap
addon cloud-node-manager-windows Error | Failed to retrieve instance metadata: Get "http://169.254.169.254/metadata/instance": dial tcp 169.254.169.254:80: connectex: A connection attempt failed | instance-metadata | 169\.254\.169\.254 | 169\.254\.169\.254
`);
