import { told } from "./lines";

/**
 * What containerd, hcsshim and HNS answer on Windows nodes, and kube-proxy there. From hcsshim (internal/hcs/errors.go, hcn),
 * the error codes of Win32, NTSTATUS, HCS (0x8037..., 0xC037...) and HNS (0x803B...) of the Windows SDK, and threads of
 * microsoft/Windows-Containers, Azure/AKS, projectcalico/calico and kubernetes-sigs/sig-windows-tools.
 */
export const windows = told(String.raw`
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: Logon failure: the user has not been granted the requested logon type at this computer. | process-logon | - | -
waiting CreateContainerError | failed to create containerd container: failed to prepare layer: hcsshim::PrepareLayer failed in Win32: The process cannot access the file because it is being used by another process. | hcs-access | - | -
waiting RunContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The container image contains a layer with an unrecognized format.: unknown | container-layers | - | -
waiting ErrImagePull | failed to resolve reference "registry.corp.example/shop/web:1.4": failed to do request: Head "https://registry.corp.example/v2/shop/web/manifests/1.4": http: server gave HTTP response to HTTPS client | image-pull | - | -
waiting CreateContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The container operating system does not match the host operating system.: unknown | os-mismatch | another release of Windows | ltsc2022
waiting RunContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The virtual machine or container JSON document is invalid.: unknown | hcs-document | mount|device | describe pod|get pod
waiting RunContainerError | failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: Access is denied.: unknown | hcs-access | may not | ExclusionPath|icacls
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: Not enough memory resources are available to process this command.: unknown | node-resources | memory | Committed
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The RPC server is unavailable. (0x6ba) | hcs-service | host compute service | Restart-Service vmcompute|delete machine
waiting RunContainerError | failed to create shim task: hcs::CreateComputeSystem web: The requested operation is not supported. (0x80370114) | hyperv-unavailable | Hyper-V | vmSize
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The system cannot find the file specified. (extra info: {"CommandLine":"/bin/sh"}): unknown | program-missing | program | command
waiting CreateContainerError | failed to generate container "a16091b52dcb" spec: failed to generate spec: failed to stat "C:\\ProgramData\\containerd\\root\\io.containerd.grpc.v1.cri\\containers\\a16091b52dcb\\volumes\\4c60": CreateFile C:\ProgramData\containerd\root\io.containerd.grpc.v1.cri\containers\a16091b52dcb\volumes\4c60: The system cannot find the path specified. | image-volume | VOLUME | Dockerfile
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The system cannot find the path specified. (0x3) | program-missing | program | command
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The user name or password is incorrect. (0x52e) | run-as-user | no user | runAsUserName
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The user name could not be found. (0x8ad) | run-as-user | no user | runAsUserName
waiting RunContainerError | failed to create shim task: hcs::System::CreateProcess web: The parameter is incorrect. (0x57) | hcs-document | mount|device | describe pod|get pod
waiting ErrImagePull | failed to pull and unpack image "x": failed to extract layer sha256:1: hcsshim::ImportLayer - failed failed in Win32: The system cannot find the path specified. (0x3): unknown | container-layers | layers | ExclusionPath|delete pod
waiting ErrImagePull | failed to pull and unpack image "x": failed to extract layer sha256:1: archive/tar: invalid tar header: unknown | image-damaged | damaged | ctr -n k8s.io images rm
waiting ErrImagePull | failed to pull and unpack image "x": failed commit on ref "layer-sha256:1": unexpected commit digest sha256:2, expected sha256:1: failed precondition | image-damaged | damaged | ctr -n k8s.io images rm
waiting ErrImagePull | failed to pull and unpack image "x": no match for platform in manifest: not found | os-mismatch | release of Windows|Linux | tag|nodeSelector
waiting SomethingNew | hcs::Whatever web: The moon is in the wrong phase. (0x1234) | pod-not-started | moon is in the wrong phase | access|describe
exits 3221226505 | - | windows-exit-code | fail fast | logs
exits -532462766 | - | windows-exit-code | exception of .NET | resources.limits.memory
exits -532462766 | Unhandled exception. System.OutOfMemoryException: Array dimensions exceeded | windows-exit-code | exception of .NET | resources.limits.memory
exits -1073741801 | - | windows-exit-code | no memory is left | resources.limits.memory
exits 3221225477 | - | windows-exit-code | memory that is not its own | crash dumps
exits -1073741510 | - | windows-exit-code | Ctrl\+C | logs
exits 3221225781 | - | windows-exit-code | DLL.* is not in its image | logs
exits -1073741502 | - | windows-exit-code | desktop heap | maxPods
ended ContainerCannotRun | hcs::System::CreateProcess: The moon is in the wrong phase | pod-crashes | ends again and again | logs
pod FailedCreatePodSandBox | failed to reserve sandbox name "web_shop_1": name "web_shop_1" is reserved for "2" | sandbox-hangs | containerd | containerd
addon calico-node-windows Error | Error: KUBERNETES_SERVICE_HOST is not set: services endpoint missing | calico-windows-endpoint | ConfigMap kubernetes-services-endpoint | configmap
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to resolve reference "registry.corp.example/shop/web:1.4": unexpected status from HEAD request to https://registry.corp.example/v2/shop/web/manifests/1.4: 502 Bad Gateway | image-pull | - | -
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to resolve reference "registry.corp.example/shop/web:1.4": failed to do request: Head "https://registry.corp.example/v2/shop/web/manifests/1.4": http: server gave HTTP response to HTTPS client | image-pull | - | -
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to resolve reference "registry.corp.example/shop/web:1.4": failed to do request: Head "https://registry.corp.example/v2/shop/web/manifests/1.4": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.5 because it doesn't contain any IP SANs | registry-certificate | - | -
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to resolve reference "registry.corp.example/shop/web:1.4": failed to do request: Head "https://registry.corp.example/v2/shop/web/manifests/1.4": tls: failed to verify certificate: x509: certificate is valid for *.corp.example, not registry.corp.example | registry-certificate | - | -
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to resolve reference "registry.corp.example/shop/web:1.4": failed to do request: Head "https://registry.corp.example/v2/shop/web/manifests/1.4": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-22T04:00:00Z is after 2026-11-20T04:00:00Z | registry-certificate | - | -
waiting ImagePullBackOff | Back-off pulling image "registry.corp.example/shop/web:1.4": ErrImagePull: failed to pull and unpack image "registry.corp.example/shop/web:1.4": failed to unpack image on snapshotter windows: unexpected media type text/html | image-pull | media type | .
`);
