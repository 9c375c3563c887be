import type { BlindFault } from "./blindFault";
import { app, appWith, unschedulable } from "./pods";

/** Faults from threads of users, with the text that they quoted: add-ons, Pods, volumes and Services. */

const globalMapping = (words: string, id: string): string =>
  `MountVolume.MountDevice failed for volume "pvc-files" : rpc error: code = Internal desc = volume(sick#f2a9c#files###shop) mount \\\\f2a9c.file.core.windows.net\\files on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\bbab9a9f\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : ${words} \\r\\nAt line:1 char:190\\r\\n    + FullyQualifiedErrorId : Windows System Error ${id},New-SmbGlobalMapping\\r\\n \\r\\n", err: exit status 1\nPlease refer to http://aka.ms/filemounterror for possible causes and solutions for mount errors.`;

export const ninthReportsMore: readonly BlindFault[] = [
  {
    name: "the key of the storage account has changed",
    source: "kubernetes-sigs/azurefile-csi-driver#1610",
    make: (p) => appWith(p, "FailedMount", globalMapping("The user name or password is incorrect.", "1326")),
    cause: /key|password|credential/i,
    remedy: /secret|storage account keys|key/i,
  },

  {
    name: "a container gets no namespace of the network",
    source: "Azure/AKS#3627",
    make: (p) => {
      const pod = app(
        p,
        "CrashLoopBackOff",
        "back-off 5m0s restarting failed container=web pod=web-6f7d9c-x2x7q_shop",
      );
      const [status] = pod.status.containerStatuses as Record<string, unknown>[];
      Object.assign(status!, {
        restartCount: 14,
        lastState: {
          terminated: {
            reason: "StartError",
            exitCode: 128,
            message:
              "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The requested operation for attach namespace failed.: unknown",
          },
        },
      });
    },
    cause: /network|namespace|HNS|endpoint/i,
    remedy: /delete pod|restart|HNS|replace|delete machine|drain/i,
  },

  {
    name: "the autoscaler has reached its maximum",
    source: "kubernetes/autoscaler#5692",
    make: (p) => {
      const pod = p.add("workload", {
        kind: "Pod",
        metadata: { name: "web-6f7d9c-q9q2z", namespace: "shop" },
      });
      unschedulable(
        p,
        pod,
        "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      );
      p.event(
        pod,
        "NotTriggerScaleUp",
        "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector, 1 max node group size reached",
        { side: "workload", count: 30 },
      );
      Object.assign(p.all("Event", "workload").at(-1)!, { type: "Normal" });
    },
    cause: /max/i,
    remedy: /autoscale|max/i,
  },
];
