import { podAnswer } from "./podAnswers";
import { cordonAndReplace, describePod, recreatePod } from "./commands";
import type { Rule } from "./rule";

/** What the host compute service (HCS) and containerd answer when a container of Windows is made or started. */

const ofNode = podAnswer("nodes", "hcsshim, internal/hcs/errors.go; error codes of the Windows SDK");
const ofPod = podAnswer("pods", "hcsshim, internal/hcs/errors.go; error codes of the Windows SDK");
const ofKubelet = podAnswer("pods", "https://kubernetes.io/docs/concepts/containers/images/");

const onNode = "npm run access -- --stack {stack} --node {node}   # log in; then:";
const excluded =
  "Get-MpPreference | Select-Object ExclusionPath, ExclusionProcess   # on the node: C:\\ProgramData\\containerd and containerd.exe belong there";

export const windowsAnswers: readonly Rule[] = [
  ofNode({
    id: "hcs-stale",
    symptom:
      "A virtual machine or container with the specified identifier already exists, or does not exist (0xC037010E, 0xC037010F)",
    cause:
      "containerd and the host compute service of {node} disagree about an earlier container of {name}: one of the two no longer has it.",
    remedy: [
      recreatePod,
      onNode,
      "Restart-Service containerd, kubelet   # on the node, when it stays",
      cordonAndReplace,
    ],
    text: /container with the specified identifier (?:already exists|does not exist)|0xc037010[ef]/i,
  }),
  ofNode({
    id: "hcs-exited",
    symptom: "The virtual machine or container exited unexpectedly (0xC0370106)",
    cause:
      "The container of {name} exited while it started, before its program ran: its image is damaged or not of the node's Windows release and patch level, or the node has no memory left.",
    remedy: [
      onNode,
      "Get-WinEvent -LogName Microsoft-Windows-Hyper-V-Compute-Admin -MaxEvents 20   # on the node: what the host compute service says",
      "npm run images -- --stack {stack}   # how old the node's patches are; the image's tag must be of its release",
      recreatePod,
    ],
    text: /container exited unexpectedly|container terminated unexpectedly|0xc037010[26]/i,
  }),
  ofNode({
    id: "hcs-timeout",
    symptom:
      "The operation timed out because a response was not received from the virtual machine or container (0xC0370109)",
    cause:
      "The host compute service of {node} did not start the container of {name} in time: too many start at once, or its disk is slow.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 30}}}   # fewer Pods on each node",
      "capz-windows:windowsPools: {{pool}: {osDiskType: Premium_LRS, vmSize: A-SIZE-WITH-FASTER-DISKS}}",
      excluded,
      recreatePod,
    ],
    text: /response was not received from the virtual machine or container|hcsshim: timeout waiting for notification|0xc0370109/i,
  }),
  ofNode({
    id: "hcs-service",
    symptom:
      "hcs::CreateComputeSystem: The RPC server is unavailable; lost communication with compute service",
    cause:
      "The host compute service (HCS, vmcompute) of {node} does not answer, so no container starts there.",
    remedy: [
      onNode,
      "Restart-Service vmcompute -Force; Restart-Service containerd, kubelet   # on the node: its containers are started again",
      cordonAndReplace,
    ],
    text: /(?:hcs|hcsshim)::(?:CreateComputeSystem|System::Start|OpenComputeSystem)[^]*(?:RPC server is unavailable|remote procedure call failed|0x6b[ae])|lost communication with compute service/i,
  }),
  ofPod({
    id: "hcs-document",
    symptom:
      "The virtual machine or container JSON document is invalid (0xC037010D), or The parameter is incorrect (0x57)",
    cause:
      "Windows does not accept the description of the container of {name}: a mount (a file in the place of a folder, or a path in another one), a device, a limit or an environment variable is not possible there.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o jsonpath='{.spec.containers[*].volumeMounts}'   # folders only, each once, with a drive letter or relative to C:",
      describePod,
      onNode,
      "Get-WinEvent -LogName Microsoft-Windows-Hyper-V-Compute-Admin -MaxEvents 20",
    ],
    source: "hcsshim, ErrVmcomputeInvalidJSON; https://kubernetes.io/docs/concepts/windows/intro/",
    text: /JSON document is invalid|0xc037010[bd]|hcs::(?:CreateComputeSystem|System::CreateProcess)[^]*parameter is incorrect/i,
  }),
  ofPod({
    id: "process-access",
    symptom: "hcs::System::CreateProcess: Access is denied (0x5)",
    cause:
      "The user of the container of {name} may not run its program: ContainerUser has no rights on files that ContainerAdministrator made in the image.",
    remedy: [
      "securityContext: {windowsOptions: {runAsUserName: ContainerAdministrator}}   # of the container, to see whether it is that",
      'RUN icacls C:\\app /grant "ContainerUser:(OI)(CI)RX" /T   # in the Dockerfile, as administrator',
    ],
    source:
      "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-security",
    text: /CreateProcess[^]*(?:Access is denied|\(0x5\))/i,
  }),
  ofNode({
    id: "hcs-access",
    symptom: "hcs::CreateComputeSystem: Access is denied (0x5)",
    cause:
      "Windows on {node} may not open a layer, a mount or a pipe of the container of {name}: permissions of a hostPath, or a virus scanner.",
    remedy: [
      excluded,
      describePod,
      onNode,
      "icacls PATH-OF-THE-MOUNT   # on the node: SYSTEM needs full control",
      cordonAndReplace,
    ],
    text: /(?:hcs|hcsshim)::[^]*(?:Access is denied|\(0x5\))/i,
  }),
  ofPod({
    id: "work-folder",
    symptom: "hcs::System::CreateProcess: The directory name is invalid (0x10b)",
    cause:
      "The working folder (workingDir of the container, or WORKDIR of its image) of {name} does not exist, or is a file.",
    remedy: ["workingDir: C:\\app   # of the container: a folder that the image or a mount has", describePod],
    text: /directory name is invalid|\(0x10b\)/i,
  }),
  ofPod({
    id: "not-a-program",
    symptom:
      "%1 is not a valid Win32 application (0xC1), or is not compatible with the version of Windows (0xD8)",
    cause:
      "What the container of {name} starts is not a Windows program for this processor: a Linux binary, a script without its interpreter, or one for Arm64.",
    remedy: [
      "nodeSelector: {kubernetes.io/os: linux}   # when the image is for Linux",
      'command: ["cmd", "/S", "/C", "C:\\app\\run.cmd"]   # scripts need their interpreter; programs of the image must be for amd64',
      describePod,
    ],
    text: /not a valid (?:Win32 )?application|not compatible with the version of Windows|\(0x(?:c1|d8)\)|exec format error/i,
  }),
  ofPod({
    id: "logon-type",
    symptom: "hcs::System::CreateProcess: the user has not been granted the requested logon type (0x569)",
    cause:
      "The user that runAsUserName of {name} names may not log on as a service: HostProcess containers run as SYSTEM, LocalService, NetworkService or a local group.",
    remedy: [
      "securityContext: {windowsOptions: {hostProcess: true, runAsUserName: 'NT AUTHORITY\\\\LocalService'}}   # or SYSTEM; others: ContainerUser",
    ],
    source: "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/",
    text: /requested logon type|\(0x569\)/i,
  }),
  ofNode({
    id: "file-locked",
    symptom: "The process cannot access the file because it is being used by another process (0x20)",
    cause:
      "Another process on {node} holds a file of the layers of {name}, mostly a virus scanner or a container that has not ended yet.",
    remedy: [excluded, recreatePod, cordonAndReplace],
    source: "hcsshim #919; microsoft/Windows-Containers #109",
    text: /being used by another process|\(0x20\)/i,
  }),
  ofNode({
    id: "image-damaged",
    symptom: "failed to extract layer: invalid tar header; unexpected commit digest; layer does not exist",
    cause:
      "The copy of the image {image} on {node} is damaged or incomplete: its download was cut short, or a proxy changed it.",
    remedy: [
      onNode,
      "ctr -n k8s.io images rm {image}   # on the node; the next attempt downloads it again",
      "capz-windows:registryMirror: {url: https://MIRROR}   # when a proxy changes downloads",
      cordonAndReplace,
    ],
    source: "containerd, core/images and core/content",
    text: /invalid tar header|unexpected commit digest|unexpected EOF|layer does not exist|content digest \S+: not found/i,
  }),
  ofKubelet({
    id: "image-never-pull",
    symptom: "ErrImageNeverPull",
    cause: "{name} has imagePullPolicy Never, and its node {node} does not have the image {image}.",
    remedy: [
      "imagePullPolicy: IfNotPresent   # or bring the image onto every node: prefetchImages, or in the image of the machines",
      describePod,
    ],
    text: /ErrImageNeverPull|pull policy of Never/,
  }),
  ofKubelet({
    id: "image-name",
    symptom: "InvalidImageName: couldn't parse image name",
    cause: "The name of an image of {name} is not a valid name: {why}.",
    remedy: [
      "image: registry.example/folder/name:tag   # lowercase, without https:// and blanks",
      describePod,
    ],
    text: /InvalidImageName|couldn't parse image name|invalid reference format/,
  }),
  ofKubelet({
    id: "lifecycle-hook",
    symptom: "FailedPostStartHook, FailedPreStopHook or PostStartHookError",
    cause:
      "A lifecycle hook (postStart or preStop) of {name} fails, and the kubelet ends its container for postStart: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o jsonpath='{.spec.containers[*].lifecycle}'   # Windows: cmd or powershell in the place of /bin/sh",
      describePod,
    ],
    source: "https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/",
    text: /PostStartHook|PreStopHook|lifecycle hook/,
  }),
  ofNode({
    id: "sandbox-image",
    symptom: "FailedCreatePodSandBox: failed to get sandbox image ... not found",
    cause: "containerd on {node} does not get the pause image that it is configured with: {why}.",
    remedy: [
      onNode,
      "Get-Content 'C:\\Program Files\\containerd\\config.toml' | Select-String sandbox   # Linux: /etc/containerd/config.toml; the image must exist in the registry or its mirror",
      "npm run images -- --stack {stack}   # an image of the machines with the pause image in it",
    ],
    source: "containerd, internal/cri/server/podsandbox/sandbox_run.go",
    text: /failed to get sandbox image(?![^]*(?:i\/o timeout|no such host|refused|40[13]|unauthorized|toomany|x509|TLS))/i,
  }),
  ofNode({
    id: "pod-kill",
    symptom: "FailedKillPod: KillPodSandboxError, KillContainerError",
    cause: "containerd on {node} cannot stop the containers of {name}: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace} --grace-period=0 --force   # only when its program runs nowhere any more",
      "npm run access -- --stack {stack} --node {node}   # log in; Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
    ],
    source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
    text: /^FailedKillPod|KillPodSandboxError|KillContainerError/,
  }),
  ofNode({
    id: "node-cgroup",
    symptom: "FailedCreatePodContainer: unable to ensure pod container exists",
    cause: "The kubelet of {node} cannot make the cgroup (kubepods) of {name}: {why}.",
    remedy: [
      "npm run access -- --stack {stack} --node {node}   # log in; then: sudo systemctl restart kubelet; df -i /sys/fs/cgroup",
      cordonAndReplace,
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/kubelet.go",
    text: /^FailedCreatePodContainer/,
  }),
  ofNode({
    id: "node-no-cni",
    symptom: "NetworkNotReady: network is not ready: cni plugin not initialized",
    cause:
      "The node {node} of {name} has no CNI plug-in yet, or none any more: the network of its Pods is not ready.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide --field-selector spec.nodeName={node}",
      "kubectl --kubeconfig workload.kubeconfig get tigerastatus",
    ],
    source: "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/",
    follows: ["network", "add-ons", "node-network", "node-own-network", "pod-network"],
    text: /^NetworkNotReady/,
    // Calico and its images need some minutes on a new node.
    nodeMinutes: 15,
  }),
  ofNode({
    id: "runtime-slow",
    symptom: "FailedSync: error determining status: context deadline exceeded",
    cause: "containerd on {node} answers the kubelet too slowly or not at all: {why}.",
    remedy: [
      "npm run access -- --stack {stack} --node {node}   # log in; Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
      cordonAndReplace,
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/events: FailedSync",
    follows: ["node-runtime", "node-disk", "node-memory"],
    text: /^FailedSync: [^]*(?:deadline exceeded|Unavailable|error determining status)/,
  }),
];
