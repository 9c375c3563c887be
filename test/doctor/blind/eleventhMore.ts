import type { BlindFault } from "./blindFault";
import { subscription } from "./eleventhScenes";
import { daemon, ended, serverCore, unschedulable } from "./pods";

/** The rest of the eleventh list: nodes, add-ons, applications and deletion. */
export const eleventhMore: readonly BlindFault[] = [
  {
    name: "images and logs have filled the disk of a Windows node",
    source: "kubelet: KubeletHasDiskPressure, FreeDiskSpaceFailed, Evicted",
    make: (p) => {
      const node = p.node("win1");
      node.spec.taints = [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }];
      p.nodeCondition("win1", "DiskPressure", {
        status: "True",
        reason: "KubeletHasDiskPressure",
        message: "kubelet has disk pressure",
        ago: 20,
      }).event(
        node,
        "FreeDiskSpaceFailed",
        "Failed to garbage collect required amount of images. Attempted to free 4783028633 bytes, but only found 0 bytes eligible to free.",
        { side: "workload", count: 6 },
      );
      const gone = p.pod("workload", "shop", "web-6f7d9c-q9w2e");
      gone.spec.nodeName = node.metadata.name;
      gone.status = {
        phase: "Failed",
        reason: "Evicted",
        message:
          "The node was low on resource: ephemeral-storage. Threshold quantity: 13630738841, available: 11237Mi. ",
      };
      unschedulable(
        p,
        p.pod("workload", "shop", "web-6f7d9c-x2x7q"),
        "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s) {node-role.kubernetes.io/control-plane: }, 1 node(s) had untolerated taint(s) {node.kubernetes.io/disk-pressure: }. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
      );
    },
    cause: /win1.*(disk|space)|(disk|space).*win1/i,
    remedy: /osDiskGB|rmi/i,
  },
  {
    name: "the cloud controller manager ends at once, and no node loses its taint",
    source: "cloud-provider-azure; klog.Fatal leaves only an exit code in the Pod",
    make: (p) => {
      const pod = daemon(p, "cloud-controller-manager");
      const { name } = pod.metadata;
      p.pod("workload", "kube-system", name, {
        waiting: [
          "CrashLoopBackOff",
          `back-off 5m0s restarting failed container=cloud-controller-manager pod=${name}_kube-system(3d69eb85)`,
        ],
        ended: ["Error", ""],
        restarts: 11,
      });
      const [status] = pod.status.containerStatuses as { name: string; lastState: object }[];
      status!.name = "cloud-controller-manager";
      status!.lastState = { terminated: { reason: "Error", exitCode: 255 } };
      p.event(
        pod,
        "BackOff",
        `Back-off restarting failed container cloud-controller-manager in pod ${name}`,
        {
          side: "workload",
          count: 90,
        },
      );
      for (const node of p.all("Node", "workload")) {
        node.spec.taints = [
          { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" },
        ];
      }
      unschedulable(
        p,
        daemon(p, "coredns"),
        "0/3 nodes are available: 3 node(s) had untolerated taint(s) {node.cloudprovider.kubernetes.io/uninitialized: true}. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
      );
    },
    cause: /cloud.controller.manager.*(exit|crash|ends|error|restart)/i,
    remedy: /logs.*cloud-controller-manager|cloud-controller-manager.*logs/i,
  },

  {
    name: "the liveness probe kills an application that starts slowly",
    source: "kubelet: Unhealthy and Killing; the exit code of a stopped Windows process is 1073807364",
    make: (p) => {
      const pod = ended(p, 1073807364);
      (pod.spec as { containers: object[] }).containers = [
        {
          name: "web",
          image: serverCore,
          livenessProbe: { httpGet: { path: "/healthz", port: 80 }, periodSeconds: 10, failureThreshold: 3 },
        },
      ];
      p.event(
        pod,
        "Unhealthy",
        'Liveness probe failed: Get "http://192.168.84.70:80/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        { side: "workload", count: 27 },
      ).event(pod, "Killing", "Container web failed liveness probe, will be restarted", {
        side: "workload",
        count: 9,
      });
    },
    cause: /liveness/i,
    remedy: /startupProbe: |initialDelaySeconds/i,
  },

  {
    name: "a PodDisruptionBudget holds the drain of a machine that an upgrade deletes",
    source: "CAPI v1.14, core/reconcilers/machine/drain/drain.go",
    make: (p) => {
      const machine = p.get("Machine", "win1-0");
      (machine.metadata as Record<string, unknown>).deletionTimestamp = p.ago(55);
      machine.status.phase = "Deleting";
      machine.status.deletion = { nodeDrainStartTime: p.ago(55) };
      const text = `Drain not completed yet (started at ${p.ago(55)}):\n* Pod shop/web-6f7d9c-x2x7q: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently`;
      p.condition(machine, "Deleting", { status: "True", reason: "DrainingNode", message: text, ago: 55 });
      p.node("win1").spec.unschedulable = true;
      p.pod("workload", "shop", "web-6f7d9c-x2x7q").spec.nodeName = p.node("win1").metadata.name;
      p.add("workload", {
        kind: "PodDisruptionBudget",
        apiVersion: "policy/v1",
        metadata: { name: "web", namespace: "shop" },
        spec: { minAvailable: 1 },
        status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      });
      const pool = p.get("MachinePool", "win1");
      pool.spec.replicas = 1;
    },
    cause: /disruption ?budget.*web/i,
    remedy: /(pdb|poddisruptionbudget) web|scale|nodeDrainTimeoutSeconds/i,
  },
  {
    name: "a lock keeps the resource group of a deleted cluster",
    source: "learn.microsoft.com, ScopeLocked; the condition is that of the ResourceGroup of ASO",
    make: (p) => {
      const group = p.get("ResourceGroup");
      const text = `The scope '${subscription}/resourceGroups/sick' cannot perform delete operation because following scope(s) are locked: '${subscription}/resourceGroups/sick'. Please remove the lock and try again.`;
      for (const object of [p.get("Cluster"), p.get("AzureCluster"), group]) {
        (object.metadata as Record<string, unknown>).deletionTimestamp = p.ago(50);
      }
      for (const kind of ["Machine", "MachinePool", "AzureMachine", "AzureMachinePool", "KubeadmConfig"]) {
        p.remove("management", (object) => object.kind === kind);
      }
      p.remove("management", ({ kind }) => /^(KubeadmControlPlane|AzureMachinePoolMachine)$/.test(kind));
      p.condition(group, "Ready", { reason: "ScopeLocked", severity: "Warning", message: text, ago: 45 })
        .condition(p.get("AzureCluster"), "ResourceGroupReady", {
          reason: "Deleting",
          severity: "Info",
          message: "resource group deleting",
          ago: 50,
        })
        .condition(p.get("Cluster"), "Deleting", {
          status: "True",
          reason: "WaitingForInfrastructureDeletion",
          message: "* AzureCluster is deleting",
          ago: 50,
        })
        .problem("workload", {
          asked: "cluster",
          what: "unreachable",
          message:
            "Unable to connect to the server: dial tcp: lookup sick-2e748e36.westeurope.cloudapp.azure.com: no such host",
        });
    },
    cause: /lock.*(resourceGroups\/sick|resource group)/i,
    remedy: /az lock delete/i,
  },
];
