import type { BlindFault } from "./blindFault";
import { app, appWith, ended } from "./pods";

/** Second batch: containers and networks of Windows Pods. */

const sandbox = (message: string): string =>
  `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "265b1cc1": plugin type="calico" name="Calico" failed (add): ${message}`;

export const secondPods: readonly BlindFault[] = [
  {
    name: "a layer of an image cannot be prepared",
    source: "microsoft/hcsshim#919, microsoft/Windows-Containers#109",
    make: (p) =>
      app(
        p,
        "RunContainerError",
        "failed to create containerd task: failed to mount container storage: hcsshim::PrepareLayer - failed failed in Win32: The device is not ready. (0x15): unknown",
      ),
    cause: /layer|storage|host compute/i,
    remedy: /restart|antivirus|Defender|replace|fewer|disk/i,
  },
  {
    name: "memory of a node is promised away: the paging file is too small",
    source: "Azure/AKS#1941",
    make: (p) =>
      p.event(
        app(p, "ContainerCreating", ""),
        "Unhealthy",
        "Readiness probe failed: container 3763 encountered an error during hcsshim::System::CreateProcess: failure in a Windows system call: The paging file is too small for this operation to complete. (0x5af)",
        { side: "workload", count: 40 },
      ),
    cause: /memory|paging file/i,
    remedy: /limit|vmSize|memory/i,
  },
  {
    name: "the host compute service answers no more",
    source: "kubernetes/kubernetes#117086, Azure/AKS#3262",
    make: (p) =>
      p.event(
        p.pod("workload", "shop", "web-6f7d9c-x2x7q"),
        "Unhealthy",
        'Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "d6b7": hcs::System::CreateProcess 05f: The RPC server is unavailable.: unknown',
        { side: "workload", count: 200 },
      ),
    cause: /host compute|HCS|process/i,
    remedy: /delete pod|restart|replace/i,
  },
  {
    name: "a probe whose command is one word",
    source: "Azure/AKS#1836",
    make: (p) =>
      p.event(
        ended(p, 137),
        "Unhealthy",
        'Liveness probe failed: container 1f2e encountered an error during CreateProcess: failure in a Windows system call: The system cannot find the file specified. (0x2) extra info: {"CommandLine":"\\"powershell -command Get-Date\\""}',
        { side: "workload", count: 30 },
      ),
    cause: /probe/i,
    remedy: /command|cmd|powershell/i,
  },
  {
    name: "the liveness probe ends a program that starts slowly",
    source: "kubernetes-csi/csi-driver-smb#1059, sysdiglabs/charts#2592",
    make: (p) =>
      p.event(
        ended(p, 1067),
        "Unhealthy",
        'Liveness probe failed: Get "http://192.168.103.3:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        { side: "workload", count: 44 },
      ),
    cause: /probe/i,
    remedy: /startupProbe/i,
  },
  {
    name: "a DLL is not in the image",
    source: "NTSTATUS 0xC0000135; microsoft/Windows-Containers, exit codes",
    make: (p) => ended(p, 3221225781),
    cause: /DLL|librar/i,
    remedy: /image|Server Core|servercore|redistributable|vc_redist/i,
  },
  {
    name: "a network namespace that is gone",
    source: "Azure/AKS#3627",
    make: (p) =>
      app(
        p,
        "RunContainerError",
        "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The requested operation for attach namespace failed.: unknown",
      ),
    cause: /network|namespace|HNS/i,
    remedy: /delete pod|restart|HNS|replace/i,
  },
  {
    name: "no more addresses for the Pods of a node",
    source: "projectcalico/calico#4861, #9462",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        sandbox("cannot allocate new block due to per host block limit"),
        1477,
      ),
    cause: /address|block/i,
    remedy: /ipam|block/i,
  },
  {
    name: "the CNI plug-in asks a proxy for the API server",
    source: "projectcalico/calico#9905",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        sandbox(
          'error getting ClusterInformation: Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": Service Unavailable',
        ),
      ),
    cause: /proxy/i,
    remedy: /noProxy|NO_PROXY|proxy/i,
  },
  {
    name: "the token of the CNI plug-in has expired",
    source: "projectcalico/calico#5712",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        sandbox("error getting ClusterInformation: connection is unauthorized: Unauthorized"),
      ),
    cause: /token|credential|kubeconfig/i,
    remedy: /calico-node|restart/i,
  },
  {
    name: "HostProcess is forbidden in the namespace",
    source: "kubernetes.io, Pod Security Standards",
    make: (p) => {
      const set = p.add("workload", {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "agent", namespace: "shop" },
        status: { desiredNumberScheduled: 2, currentNumberScheduled: 0, numberReady: 0 },
      });
      p.event(
        set,
        "FailedCreate",
        'Error creating: pods "agent-x7k2p" is forbidden: violates PodSecurity "baseline:latest": hostProcess (pod and container "agent" must not set securityContext.windowsOptions.hostProcess=true)',
        { side: "workload", count: 18 },
      );
    },
    cause: /Pod ?Security|HostProcess/i,
    remedy: /pod-security\.kubernetes\.io|hostProcessNamespaces/i,
  },
  {
    name: "the virtual machine of a Hyper-V isolated container does not start",
    source: "microsoft/hcsshim, HCS_E_HYPERV_NOT_INSTALLED 0x80370102",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container task: failed to create shim task: failed to create VM: hcs::CreateComputeSystem 9f20@vm: The virtual machine could not be started because a required feature is not installed.: unknown",
      ),
    cause: /Hyper-V|virtuali[sz]ation/i,
    remedy: /vmSize|size|hyperV/i,
  },
];
