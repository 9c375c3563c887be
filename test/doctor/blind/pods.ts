import type { Loose, Patient } from "../patient";

/** Pods of applications and add-ons for the blind faults. */

/** A Pod of an add-on by the prefix of its name. */
export const daemon = (p: Patient, beginning: string): Loose => p.get("Pod", beginning, "workload");

export const serverCore = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

/** A Pod on the Windows node with a waiting container. */
export function app(p: Patient, reason: string, message: string, image = serverCore): Loose {
  const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q", { waiting: [reason, message], image });
  pod.spec = { nodeName: p.node("win1").metadata.name, containers: [{ name: "web", image }] };
  return pod;
}

/** A Pod like `app`, with an event that has the details. */
export function appWith(p: Patient, reason: string, message: string, count = 12): Loose {
  const pod = app(p, "ContainerCreating", "");
  p.event(pod, reason, message, { side: "workload", count });
  return pod;
}

/** What a Pod says of a container that ends again and again, with its last words. */
export const crashLoop = (container: string, words: string, restarts = 9) => ({
  waiting: ["CrashLoopBackOff", `back-off 5m0s restarting failed container=${container}`] as const,
  ended: ["Error", words] as const,
  restarts,
});

/** A Pod whose container has ended repeatedly. */
export function ended(p: Patient, exitCode: number, message = ""): Loose {
  const pod = app(p, "CrashLoopBackOff", "back-off 5m0s restarting failed container=web");
  const [status] = pod.status.containerStatuses as Record<string, unknown>[];
  Object.assign(status!, {
    restartCount: 9,
    lastState: { terminated: { reason: "Error", exitCode, message } },
  });
  return pod;
}

/** Makes a Pod unschedulable. */
export function unschedulable(p: Patient, pod: Loose, message: string): Loose {
  pod.status = {
    phase: "Pending",
    conditions: [
      {
        ...{ type: "PodScheduled", status: "False", reason: "Unschedulable", message },
        lastTransitionTime: p.ago(15),
      },
    ],
  };
  p.event(pod, "FailedScheduling", message, { side: "workload" });
  return pod;
}

/** A Service of type LoadBalancer without an address. */
export function withoutAddress(p: Patient, message: string): Loose {
  const service = p.add("workload", {
    kind: "Service",
    metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(30) },
    spec: { type: "LoadBalancer" },
    status: { loadBalancer: {} },
  });
  p.event(
    service,
    "SyncLoadBalancerFailed",
    `Error syncing load balancer: failed to ensure load balancer: ${message}`,
    {
      side: "workload",
    },
  );
  return service;
}
