import { type Calm, iis } from "./calmState";
import { creating, realEvent, realNode, realPod } from "./objects";

/** Restarts and growth that go on as they should. */

export const restarts: readonly Calm[] = [
  {
    name: "the managers have restarted once, one 40 minutes ago, when AKS was upgraded",
    make: (p) => {
      for (const [namespace, name, ago] of [
        ["capz-system", "capz-controller-manager", 40],
        ["capi-system", "capi-controller-manager", 4320],
      ] as const) {
        const state = { restarts: 1, ended: ["Error", ""] } as const;
        const pod = p.pod("management", namespace, `${name}-7d9f8c6b5-abcde`, state, 9000);
        Object.assign((pod.status.containerStatuses as object[])[0]!, { ready: true });
        Object.assign(pod.status, { phase: "Running" });
        p.condition(pod, "Ready", { status: "True", ago });
        p.event(pod, "Unhealthy", "Readiness probe failed: connection refused", { ago, count: 2 });
      }
    },
  },
  {
    name: "somebody has restarted a Windows node, and its Pods come back slowly",
    make: (p) => {
      const node = realNode(p, "win");
      realEvent(p, node, "Rebooted", `Node ${node.metadata.name} has been rebooted, boot id: 12`, {
        ago: 12,
      });
      const pod = realPod(p, {
        ...{ namespace: "shop", name: "web-6f7d9c-x2x7q", node: "win", age: 400, image: iis },
        state: creating,
        phase: "Pending",
      });
      realEvent(
        p,
        pod,
        "FailedCreatePodSandBox",
        "Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded",
        { count: 2, ago: 4 },
      );
      const running = realPod(p, { namespace: "shop", name: "api-5d4c7-9k2lm", node: "win", age: 400 });
      realEvent(
        p,
        running,
        "Unhealthy",
        'Readiness probe failed: command timed out: "powershell -File C:\\probe.ps1" timed out after 5s',
        { count: 3, ago: 6 },
      );
    },
  },
  {
    name: "the name of a registry was not resolved once, and a busy virus scanner let go of a file",
    make: (p) => {
      const pod = realPod(p, {
        namespace: "shop",
        name: "web-6f7d9c-x2x7q",
        node: "win",
        age: 12,
        image: iis,
      });
      realEvent(
        p,
        pod,
        "Failed",
        `Failed to pull image "${iis}": failed to do request: Head "https://mcr.microsoft.com/v2/": dial tcp: lookup mcr.microsoft.com on 10.0.0.4:53: i/o timeout`,
        { ago: 10 },
      );
      realEvent(
        p,
        pod,
        "Failed",
        `Failed to pull image "${iis}": failed to extract layer sha256:bc06: hcsshim::ProcessBaseLayer \\\\?\\C:\\ProgramData\\containerd\\root\\1: Access is denied.`,
        { ago: 8 },
      );
    },
  },
  {
    name: "a second machine of the control plane joins etcd, and a scale set grows",
    make: (p) => {
      const text = "Waiting for learner etcd member to be promoted";
      const machine = p.get("Machine", "sick-control-plane");
      p.condition(machine, "EtcdMemberHealthy", { reason: "NotHealthy", message: text, ago: 3 }).condition(
        p.get("KubeadmControlPlane"),
        "EtcdClusterHealthy",
        { reason: "NotHealthy", message: `* Machine ${machine.metadata.name}:\n  * ${text}`, ago: 3 },
      );
      Object.assign(p.get("MachinePool", "win1").status, { phase: "ScalingUp" });
      p.condition(p.get("AzureMachinePool", "win1"), "ScaleSetDesiredReplicas", {
        ...{ reason: "ScaleSetScalingUp", severity: "Info", ago: 12 },
      });
      const instance = structuredClone(p.get("AzureMachinePoolMachine", "win1"));
      p.add("management", {
        ...instance,
        metadata: { ...instance.metadata, name: "win1-1", uid: "win1-1", creationTimestamp: p.ago(12) },
        status: { provisioningState: "Creating", ready: false },
      });
    },
  },
  {
    name: "a Pod of a Windows node takes its time to end",
    make: (p) => {
      const pod = realPod(p, { namespace: "shop", name: "web-6f7d9c-x2x7q", node: "win", age: 400 });
      (pod.metadata as Record<string, unknown>).deletionTimestamp = p.ago(6);
      realEvent(p, pod, "FailedKillPod", "error killing pod: context deadline exceeded", {
        count: 5,
        ago: 1,
      });
    },
  },
];
