import type { BlindFault } from "./blindFault";
import { app } from "./pods";

/** The applications and what stops them, of the tenth list. */

export const tenthApplications: readonly BlindFault[] = [
  {
    name: "a disk is still attached to a machine whose node is gone",
    source: "kubernetes-sigs/azuredisk-csi-driver; kubernetes/kubernetes#90986",
    make: (p) => {
      const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers";
      const disk = `${group}/Microsoft.Compute/disks/pvc-dcdeeaa3-41c6-4a3b-9f0b-7e3c5d2b1a90`;
      const pod = app(p, "ContainerCreating", "");
      p.event(
        pod,
        "FailedAttachVolume",
        `AttachVolume.Attach failed for volume "pvc-dcdeeaa3-41c6-4a3b-9f0b-7e3c5d2b1a90" : rpc error: code = Internal desc = Attach volume ${disk} to instance win1000000 failed with disk(${disk}) already attached to node(${group}/Microsoft.Compute/virtualMachineScaleSets/win1/virtualMachines/win1_3), could not be attached to node(win1000000)`,
        { side: "workload", count: 22 },
      );
      p.event(
        pod,
        "FailedMount",
        "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded",
        { side: "workload", count: 9 },
      );
      p.add("workload", {
        kind: "VolumeAttachment",
        apiVersion: "storage.k8s.io/v1",
        metadata: { name: "csi-4f1c", deletionTimestamp: p.ago(45) },
        spec: {
          attacher: "disk.csi.azure.com",
          nodeName: "win1000003",
          source: { persistentVolumeName: "pvc-dcdeeaa3-41c6-4a3b-9f0b-7e3c5d2b1a90" },
        },
        status: { attached: true },
      });
    },
    cause:
      /attached.*(win1_3|win1000003|gone|no longer|not exist)|(win1_3|win1000003|gone|no longer|not exist).*attached/i,
    remedy: /az (disk|vmss|vm) |(delete|patch) volumeattachment/i,
  },

  {
    name: "a PodDisruptionBudget holds up the rollout of a pool",
    source: "Cluster API v1.14, drain.go, ConditionMessage; machine_controller_status.go",
    make: (p) => {
      const machine = p.get("Machine", "win1-0");
      (machine.metadata as Record<string, unknown>).deletionTimestamp = p.ago(55);
      machine.status.phase = "Deleting";
      machine.status.deletion = { nodeDrainStartTime: p.ago(55) };
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "DrainingNode",
        message: `Drain not completed yet (started at ${p.ago(55)}):\n* Pod shop/web-6f7d9c-x2x7q: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently`,
        ago: 55,
      }).condition(machine, "Ready", {
        reason: "NotReady",
        message:
          "* Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode, delay likely due to PodDisruptionBudgets",
        ago: 55,
      });
      const node = p.node("win1");
      node.spec.unschedulable = true;
      node.spec.taints = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }];
      p.pod("workload", "shop", "web-6f7d9c-x2x7q").spec.nodeName = node.metadata.name;
      p.add("workload", {
        ...{ kind: "PodDisruptionBudget", apiVersion: "policy/v1" },
        metadata: { name: "web", namespace: "shop" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
        status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      });
    },
    cause: /disruption ?budget/i,
    remedy: /(delete|patch|edit) (pdb|poddisruptionbudget)|kubectl.* scale |exclude-node-draining/i,
  },
  {
    name: "the certificates of the control plane have expired",
    source: "crypto/x509, CertificateInvalidError; Cluster API v1.14, RemoteConnectionProbe",
    make: (p) => {
      const message = `Remote connection probe failed, probe last succeeded at ${p.ago(40)}`;
      p.get("Machine", "sick-control-plane").status.certificatesExpiryDate = p.ago(42);
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", { reason: "ProbeFailed", message, ago: 35 })
        .condition(p.get("Cluster"), "Available", {
          reason: "NotAvailable",
          message: `* RemoteConnectionProbe: ${message}`,
          ago: 35,
        })
        .problem("workload", {
          what: "unreachable",
          asked: "cluster",
          message: `tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time ${p.ago(0)} is after ${p.ago(42)}`,
        });
      for (const name of ["sick-control-plane", "linux1-0", "win1-0"]) {
        for (const type of ["NodeReady", "NodeHealthy"]) {
          p.condition(p.get("Machine", name), type, {
            status: "Unknown",
            reason: "ConnectionDown",
            message: `Last successful probe at ${p.ago(40)}`,
            ago: 35,
          });
        }
      }
    },
    cause: /certificate.*expired|expired.*certificate/i,
    remedy: /certs renew|rollout|replace|npm run access/i,
  },
];
