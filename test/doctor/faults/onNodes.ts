import { isTrue } from "../../../commands/cluster/objects";
import type { Patient } from "../patient";
import type { Fault } from "./fault";
import { upgradedPool } from "./onDayTwo";

/** Calico and nodes. */

export const cniMissing =
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

export const unready = (p: Patient, name: string, message: string, ago = 30): Patient => {
  const node = p.node(name).metadata.name;
  if (message === cniMissing) {
    p.remove(
      "workload",
      // A Pod that a fault has broken before says why there is no network.
      (pod) =>
        pod.metadata.name.startsWith("calico-node") && pod.spec.nodeName === node && isTrue(pod, "Ready"),
    );
  }
  return p.nodeCondition(name, "Ready", { reason: "KubeletNotReady", message, ago });
};

const sandbox =
  (text: string) =>
  (p: Patient): void => {
    const pod = p.pod("workload", "default", "iis-0", { waiting: ["ContainerCreating", ""] });
    p.event(
      pod,
      "FailedCreatePodSandBox",
      `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1a2b": plugin type="calico" failed (add): ${text}`,
      { side: "workload" },
    );
  };

const degraded =
  (name: string, message: string) =>
  (p: Patient): Patient =>
    p
      .condition(p.get("TigeraStatus", name), "Degraded", {
        status: "True",
        reason: "ResourceNotReady",
        message,
        ago: 25,
      })
      .condition(p.get("TigeraStatus", name), "Available", { reason: "Unknown", message, ago: 25 });

export const onNodes: readonly Fault[] = [
  {
    name: "Typha finds too few Linux nodes",
    rule: "typha",
    make: (p) => {
      degraded("calico", "not enough linux nodes to schedule typha pods on, require 3 and have 2")(p);
      degraded("calico-windows", "Failed to get FelixConfiguration: VXLANVNI is not set")(p);
      unready(p, "win1", cniMissing);
    },
  },
  {
    name: "the DNS deadlock of the operator",
    rule: "operator-dns",
    make: (p) => {
      p.pod("workload", "tigera-operator", "tigera-operator-6c9d7-abcde", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s"],
        ended: [
          "Error",
          'Get "https://sick-1a2b.westeurope.cloudapp.azure.com:6443/api": dial tcp: lookup sick-1a2b.westeurope.cloudapp.azure.com on 10.96.0.10:53: read udp: i/o timeout',
        ],
        restarts: 8,
      });
      p.all("Node", "workload").forEach(({ metadata }) => unready(p, metadata.name, cniMissing));
    },
  },

  {
    name: "Calico reports something else",
    rule: "calico-degraded",
    make: degraded("calico", "Could not resolve CalicoNetwork IPPool and kubeadm configuration"),
  },

  {
    name: "HNS lost its network",
    rule: "hns-network",
    make: sandbox("hcnCreateEndpoint failed in Win32: The network was not found. (0x803b0006)"),
  },
  {
    name: "no addresses for Pods",
    rule: "pod-addresses",
    make: sandbox(
      "failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled",
    ),
  },
  {
    name: "strict affinity was turned off",
    rule: "strict-affinity",
    make: sandbox("error: global strict affinity should not be false for Windows node"),
  },

  {
    name: "no network on a node, and nobody says why",
    rule: "node-network",
    make: (p) => unready(p, "win1", cniMissing),
  },
  {
    name: "no network on a node of a stack without a CNI",
    rule: "node-own-network",
    make: (p) => {
      p.remove("management", ({ metadata }) => metadata.name === "sick-calico");
      unready(p, "win1", cniMissing, 9);
    },
  },

  {
    name: "a kubelet that is newer than the API server",
    rule: "kubelet-too-new",
    make: (p) => {
      // The pool was upgraded before the control plane.
      upgradedPool(p, "win1", "v1.36.1", "1.36.1");
    },
  },
];
