import { isNotReady, olderThan, warned, anyOf } from "./finders";
import { exitCodes } from "./exitCodes";
import { tells } from "./podAnswers";
import { probeFails, probeRules } from "./probes";
import type { Family } from "./rule";
import { windowsAnswers } from "./windowsAnswers";
import { calicoAgain, cordonAndReplace, recreatePod } from "./commands";

/** Errors of Windows about a container: its layers, its memory, its processes. Codes are those of NTSTATUS and Win32. */

/** Pods for which kubelet's requests to containerd time out repeatedly. */
const hangs = warned({
  kinds: ["Pod"],
  side: "workload",
  where: (pod, world) => isNotReady(pod) && olderThan(pod, 10, world),
  text: /^(?:FailedCreatePodSandBox|Failed): [^]*(?:failed to reserve sandbox name|desc = (?:[^"]*: )?context deadline exceeded\s*$)/,
  times: 3,
});

export const windowsContainers: Family = {
  name: "windows-containers",
  title: "Containers on Windows nodes",
  intro: "The Pod is scheduled to a node, and Windows does not start its containers, or ends them.",
  rules: [
    ...windowsAnswers,
    {
      id: "image-no-room",
      stage: "nodes",
      symptom: "hcsshim::ImportLayer: There is not enough space on the disk (0x70)",
      cause:
        "The disk of {node} has not enough space for the image {image}. Windows images take 5 to 10 GB each, and twice that while they are unpacked.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {osDiskGB: 256}}",
        "npm run access -- --stack {stack} --node {node}   # log in; then: ctr -n k8s.io images list; ctr -n k8s.io images rm IMAGE   # one that no container needs",
        "capz-windows:windowsPools: {{pool}: {kubelet: {imageGC: {highPercent: 70, lowPercent: 50}}}}",
      ],
      source: "Azure/AKS #1765; Win32 ERROR_DISK_FULL",
      follows: ["node-disk"],
      find: tells(/not enough space on the disk|no space left on device|\(0x70\)/i),
    },
    {
      id: "memory-promised",
      stage: "nodes",
      symptom: "The paging file is too small for this operation to complete (0x5af)",
      cause:
        "The memory of {node} is fully committed: Windows sets aside what each process reserves, and the paging file is at its limit. Pods without limits take memory from all others.",
      remedy: [
        "resources: {limits: {memory: 2Gi}}   # for every Pod on the node: one without a limit can take all of it",
        "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-WITH-MORE-MEMORY}}",
        "kubectl --kubeconfig workload.kubeconfig top pods -A --sort-by=memory",
      ],
      source:
        "Azure/AKS #1941; https://kubernetes.io/docs/concepts/configuration/windows-resource-management/",
      find: tells(
        /paging file is too small|insufficient (?:system )?resources exist|not enough (?:memory resources|quota)|\(0x(?:5af|5aa|718)\)/i,
      ),
    },
    {
      id: "desktop-heap",
      stage: "nodes",
      symptom: "exit status 0xc0000142",
      cause:
        "No more processes can start on {node}: the desktop heap of its services is used up (STATUS_DLL_INIT_FAILED), which happens with many containers or many processes in HostProcess Pods.",
      remedy: [
        cordonAndReplace,
        "az vmss restart --resource-group {group} --name {pool} --instance-ids INSTANCE",
        "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 30}}}   # fewer Pods on each node",
      ],
      source: "azuredisk-csi-driver #2082; NTSTATUS 0xC0000142",
      find: anyOf(
        tells(/0xc0000142/i),
        exitCodes([0xc0000142], "a DLL could not be initialized: the desktop heap is used up"),
      ),
    },
    {
      id: "dll-missing",
      stage: "pods",
      symptom: "exit code 3221225781 (0xC0000135)",
      cause:
        "A DLL that the program of the container {container} needs is not in its image: Nano Server has no .NET Framework and few of the libraries of Server Core, and neither of the two has the Visual C++ runtime.",
      remedy: [
        "Use Server Core instead of Nano Server, or an image with the runtime of the program: mcr.microsoft.com/dotnet/framework/runtime, mcr.microsoft.com/dotnet/aspnet",
        "Install the Visual C++ redistributable (vc_redist.x64.exe) in the image.",
      ],
      source:
        "NTSTATUS 0xC0000135, 0xC0000139; https://learn.microsoft.com/virtualization/windowscontainers/",
      find: exitCodes([0xc0000135, 0xc0000139], "a DLL, or a function in one, was not found"),
    },
    {
      id: "hyperv-unavailable",
      stage: "pods",
      symptom: "The virtual machine could not be started because a required feature is not installed",
      cause:
        "{name} asks for Hyper-V isolation, which {node} does not support: its VM size has no nested virtualization, or its image lacks the role Hyper-V.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {vmSize: Standard_D4s_v5}}   # a size with nested virtualization",
        "capz-windows:workloads: {hyperV: false}   # and the RuntimeClass windows-2022 for the Pod: process isolation",
      ],
      source: "Windows, HCS_E_HYPERV_NOT_INSTALLED (0x80370102); hcsshim",
      find: tells(
        /virtual machine could not be started because a required feature|0x80370102|0x80370114|Hyper-V is not installed/i,
      ),
    },
    {
      id: "container-network-namespace",
      stage: "network",
      symptom: "hcs::CreateComputeSystem: The requested operation for attach namespace failed",
      cause:
        "The network namespace of {name} is gone from {node}: the host network service (HNS) lost it, mostly when it or the node was restarted.",
      remedy: [recreatePod, calicoAgain, cordonAndReplace],
      source: "Azure/AKS #3627; azure-container-networking #774",
      find: tells(/attach namespace failed|hcnOpenNamespace failed/i),
    },
    {
      id: "container-layers",
      stage: "nodes",
      symptom: "hcsshim::PrepareLayer, ActivateLayer or CreateScratchLayer failed; failed to extract layer",
      cause:
        "{node} cannot prepare the layers of a container: its storage is overloaded by many containers that start at once, or a virus scanner locks the files.",
      remedy: [
        recreatePod,
        "npm run access -- --stack {stack} --node {node}   # log in; then: Restart-Service containerd, kubelet",
        "Get-MpPreference | Select-Object ExclusionPath, ExclusionProcess   # on the node: is C:\\ProgramData\\containerd excluded from Defender?",
        "capz-windows:windowsPools: {{pool}: {osDiskType: Premium_LRS, vmSize: A-SIZE-WITH-FASTER-DISKS}}",
      ],
      source: "hcsshim #919; microsoft/Windows-Containers #109",
      find: tells(/hcsshim::\w*Layer|failed to (?:extract|register) layer/),
    },
    {
      id: "host-compute",
      stage: "nodes",
      symptom: "hcs::System::CreateProcess: The RPC server is unavailable",
      cause:
        "The host compute service (HCS) of {node} cannot start a process in {name}: its container no longer responds, although the kubelet reports it as running.",
      remedy: [recreatePod, cordonAndReplace],
      source: "kubernetes #117086; Azure/AKS #3262; hcsshim #1472",
      find: probeFails(
        /^(?!FailedCreatePodSandBox)[^]*(?:hcs|hcsshim)::System::CreateProcess[^]*(?:RPC server is unavailable|remote procedure call failed|not valid in the current state)|^Unhealthy: [^]*\(0x6b[ae]\)/i,
      ),
    },
    {
      id: "sandbox-hangs",
      stage: "nodes",
      symptom: "FailedCreatePodSandBox: context deadline exceeded, failed to reserve sandbox name",
      cause:
        "containerd on {node} does not come to an end with the sandbox of {name}: the host compute service (HCS), the network plug-in or the disk does not answer within the four minutes that kubelet waits, and each further attempt finds the name taken by the one before.",
      remedy: [
        "npm run access -- --stack {stack} --node {node}   # log in; Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
        cordonAndReplace,
        "capz-windows:windowsPools: {{pool}: {osDiskType: Premium_LRS, kubelet: {maxPods: 30}}}   # when many containers start at once",
      ],
      source: "kubernetes #107561; microsoft/Windows-Containers #430; Azure/AKS #2490",
      find: hangs,
    },
    ...probeRules,
  ],
};
