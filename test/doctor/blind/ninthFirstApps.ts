import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { app, appWith, serverCore, unprovisioned, unschedulable } from "./pods";

/** Faults of the first applications on Windows nodes. */

/** A Pod on the Windows node that runs and is not ready. */
function unready(p: Patient): Loose {
  const pod = app(p, "", "");
  const [container] = pod.status.containerStatuses as Record<string, unknown>[];
  Object.assign(container!, { state: { running: { startedAt: p.ago(30) } }, ready: false, started: true });
  pod.status.phase = "Running";
  return pod;
}

/** A ReplicaSet whose Pods the API server refuses. */
function refusedPods(p: Patient, kind: string, message: string): void {
  const set = p.add("workload", {
    ...{ kind, apiVersion: "apps/v1", metadata: { name: "web-6f7d9c", namespace: "shop" } },
    ...{ spec: { replicas: 2 }, status: { replicas: 0, desiredNumberScheduled: 1, numberReady: 0 } },
  });
  const deployment = p.add("workload", {
    ...{ kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web", namespace: "shop" } },
    ...{ spec: { replicas: 2 }, status: { unavailableReplicas: 2 } },
  });
  p.event(set, "FailedCreate", `Error creating: ${message}`, { side: "workload", count: 15 });
  p.condition(set, "ReplicaFailure", { status: "True", reason: "FailedCreate", message, ago: 20 });
  p.condition(deployment, "ReplicaFailure", { status: "True", reason: "FailedCreate", message, ago: 20 });
  p.condition(deployment, "Available", {
    ...{ reason: "MinimumReplicasUnavailable", ago: 20 },
    message: "Deployment does not have minimum availability.",
  });
}

export const ninthFirstApps: readonly BlindFault[] = [
  {
    name: "an image for Linux is on a Windows node",
    source: "containerd, platforms; kubernetes.io, Windows containers: nodeSelector",
    make: (p) => {
      const pod = app(p, "ImagePullBackOff", 'Back-off pulling image "nginx:1.27"', "nginx:1.27");
      p.event(
        pod,
        "Failed",
        'Failed to pull image "nginx:1.27": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.27": no match for platform in manifest: not found',
        { side: "workload", count: 8 },
      );
    },
    cause: /Windows|Linux|platform/,
    remedy: /nodeSelector|kubernetes\.io\/os/,
  },
  {
    name: "the nodes may not pull from a private registry",
    source: "containerd, docker authorizer; learn.microsoft.com, troubleshoot pulls from ACR",
    make: (p) => {
      const image = "mycompany.azurecr.io/shop/web:1.4";
      const pod = app(p, "ImagePullBackOff", `Back-off pulling image "${image}"`, image);
      p.event(
        pod,
        "Failed",
        `Failed to pull image "${image}": failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://mycompany.azurecr.io/oauth2/token?scope=repository%3Ashop%2Fweb%3Apull&service=mycompany.azurecr.io: 401 Unauthorized`,
        { side: "workload", count: 8 },
      );
    },
    cause: /mycompany\.azurecr\.io|registry/,
    remedy: /azureContainerRegistries|imagePullSecrets?|docker-registry/,
  },
  {
    name: "runAsNonRoot meets an image of ContainerAdministrator",
    source: "kubernetes, kubelet: security_context_windows.go",
    make: (p) => {
      const told =
        'container\'s runAsUserName (ContainerAdministrator) which will be regarded as root identity and will break non-root policy (pod: "web-6f7d9c-x2x7q_shop(6f0e)", container: web)';
      const pod = app(p, "CreateContainerConfigError", told);
      p.event(pod, "Failed", `Error: ${told}`, { side: "workload", count: 12 });
    },
    cause: /runAsNonRoot|non-?root|ContainerAdministrator|administrator/i,
    remedy: /ContainerUser|runAsUserName|runAsNonRoot/,
  },
  {
    name: "a probe runs a shell of Linux in a Windows container",
    source: "kubelet, prober; microsoft/hcsshim, CreateProcess; Azure/AKS#1836",
    make: (p) => {
      const pod = unready(p);
      const readinessProbe = { exec: { command: ["/bin/sh", "-c", "test -f /tmp/ready"] } };
      pod.spec.containers = [{ name: "web", image: serverCore, readinessProbe }];
      p.event(
        pod,
        "Unhealthy",
        'Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "90a2bc2ec70f8722": hcs::System::CreateProcess web: The system cannot find the file specified.: unknown',
        { side: "workload", count: 150 },
      );
    },
    cause: /probe/i,
    remedy: /cmd|powershell|httpGet|tcpSocket|probe/i,
  },
  {
    name: "an Ingress has no controller",
    source: "kubernetes.io, Ingress: you must have an ingress controller; only a state",
    make: (p) =>
      p.add("workload", {
        ...{ kind: "Ingress", apiVersion: "networking.k8s.io/v1" },
        metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(45) },
        spec: { ingressClassName: "nginx", rules: [{ host: "shop.example.com" }] },
        status: { loadBalancer: {} },
      }),
    cause: /ingress/i,
    remedy: /ingress ?class|controller/i,
  },
  {
    name: "a Windows node does not reach the share of Azure Files",
    source: "kubernetes-sigs/azurefile-csi-driver; csi-driver-smb#294, Windows System Error 53",
    make: (p) =>
      appWith(
        ...([p, "FailedMount"] as const),
        'MountVolume.MountDevice failed for volume "pvc-34f4bd50" : rpc error: code = Internal desc = volume(sick#fuse1#pvc-34f4bd50###shop) mount \\\\fuse1.file.core.windows.net\\pvc-34f4bd50 on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\f5\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The network path was not found. \\r\\nAt line:1 char:190\\r\\n    + FullyQualifiedErrorId : Windows System Error 53,New-SmbGlobalMapping\\r\\n", err: exit status 1\nPlease refer to http://aka.ms/filemounterror for possible causes and solutions for mount errors.',
      ),
    cause: /445|does not reach|cannot reach|network path|unreachable/i,
    remedy: /445|Test-NetConnection|private-endpoint|firewall|storage account/i,
  },
  {
    name: "a claim names a storage class of the old cluster",
    source: "kubernetes, pv_controller.go",
    make: (p) => {
      const claim = unprovisioned(p, 'storageclass.storage.k8s.io "managed-premium" not found');
      claim.spec = { storageClassName: "managed-premium" };
    },
    cause: /storage ?class/i,
    remedy: /storage-?class/i,
  },
  {
    name: "a service account may not use a gMSA",
    source: "kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
    make: (p) => {
      refusedPods(
        ...([p, "ReplicaSet"] as const),
        'admission webhook "admission-webhook.windows-gmsa.sigs.k8s.io" denied the request: service account "default" is not authorized to `use` GMSA cred spec "webapp1"',
      );
    },
    cause: /gMSA|credential ?spec|service account/i,
    remedy: /rolebinding|clusterrole|auth can-i|verb/i,
  },
  {
    name: "Pod security forbids a HostProcess Pod",
    source: "kubernetes, pod-security-admission: check_windowsHostProcess.go",
    make: (p) => {
      refusedPods(
        ...([p, "DaemonSet"] as const),
        'pods "web-6f7d9c-7x2qk" is forbidden: violates PodSecurity "baseline:latest": hostProcess (container "agent" must not set securityContext.windowsOptions.hostProcess=true), host namespaces (hostNetwork=true)',
      );
    },
    cause: /pod ?security|hostProcess/i,
    remedy: /pod-security\.kubernetes\.io/,
  },
  {
    name: "the node selector names a label that AKS has and this cluster has not",
    source: "kubernetes, NodeAffinity plugin of the scheduler",
    make: (p) => {
      const pod = p.add("workload", {
        kind: "Pod",
        metadata: { name: "web-6f7d9c-x2x7q", namespace: "shop" },
      });
      pod.spec.nodeSelector = { "kubernetes.io/os": "windows", "kubernetes.azure.com/agentpool": "win1" };
      unschedulable(
        ...([p, pod] as const),
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
      );
    },
    cause: /agentpool|label|selector/i,
    remedy: /nodeSelector|label/i,
  },
  {
    name: "the program of a container ends at once, without an error",
    source: "kubelet, CrashLoopBackOff with exit code 0; only a state",
    make: (p) => {
      const pod = app(
        p,
        "CrashLoopBackOff",
        "back-off 5m0s restarting failed container=web",
        "mcr.microsoft.com/windows/nanoserver:ltsc2022",
      );
      const [container] = pod.status.containerStatuses as Record<string, unknown>[];
      Object.assign(container!, {
        restartCount: 9,
        lastState: {
          terminated: { reason: "Completed", exitCode: 0, startedAt: p.ago(4), finishedAt: p.ago(4) },
        },
      });
    },
    cause: /\b(code )?0\b|without an error|success|nothing to do|complete/i,
    remedy: /command|entrypoint|args|ServiceMonitor|Job/i,
  },
];
