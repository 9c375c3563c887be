import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { app, serverCore, unschedulable } from "./pods";

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
