import { at } from "capz-windows-kit/untyped";
import type { Kube, LiveObject } from "../kube";
import type { Timeline } from "../timeline";
import { type Machine, timestamp } from "./machine";
import { initialized, mirrorPods, nodeObject, nodeStatus, podReady } from "./nodes";
import { type Taint, uninitializedTaint } from "./userData";

/** The API server adds it to every new Node, and the node lifecycle controller removes it. */
const notReadyTaint = "node.kubernetes.io/not-ready";

/** Simulates the kubelets, and the controllers that write to Nodes. */
export class Kubelets {
  constructor(
    private readonly kube: Kube,
    private readonly timeline: Timeline,
  ) {}

  /**
   * Registers the Node of a machine once. Like a running kubelet, does not register again after the Node was deleted.
   */
  async register(machine: Machine): Promise<void> {
    if (machine.node !== "none") {
      return;
    }
    const name = machine.plan.nodeName;
    await this.kube.create(nodeObject(machine.facts, machine.plan));
    machine.node = "registered";
    machine.since = timestamp();
    await this.report(machine, "False", "no network");
    if (machine.plan.role !== "join") {
      for (const pod of mirrorPods(name)) {
        await this.kube.create(pod);
        await this.kube.patch(podReady(pod), "/status");
      }
    }
    this.timeline.add("node", name, `registered, kubelet ${machine.facts.version}`);
  }

  /**
   * @param cloud - whether a cloud controller manager runs
   * @param network - whether nodes have a network
   */
  async reconcile(
    machine: Machine,
    node: LiveObject,
    { cloud, network }: { cloud: boolean; network: boolean },
  ) {
    const taints = (at(node.spec, "taints") ?? []) as Taint[];
    if (cloud && taints.some(({ key }) => key === uninitializedTaint.key)) {
      await this.kube.patch(initialized(node.metadata.name, machine.facts, taints));
    }
    if (machine.node === "registered" && network) {
      machine.node = "ready";
      machine.since = timestamp();
      await this.report(machine, "True", "ready");
      const left = taints.filter(({ key }) => key !== uninitializedTaint.key && key !== notReadyTaint);
      await this.kube.patch({
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: node.metadata.name },
        spec: { taints: cloud ? left : taints.filter(({ key }) => key !== notReadyTaint) },
      });
      this.timeline.add("node", node.metadata.name, "Ready");
    }
  }

  /** Deletes the Node of a machine that Azure no longer has, like the cloud controller manager. */
  async forget(name: string): Promise<void> {
    await this.kube.delete({ apiVersion: "v1", kind: "Node", metadata: { name } });
    for (const pod of mirrorPods(name)) {
      await this.kube.delete(pod, "gracePeriodSeconds=0");
    }
  }

  private report(machine: Machine, status: "True" | "False", message: string): Promise<void> {
    const state = { status, since: machine.since, message };
    return this.kube.patch(nodeStatus(machine.plan.nodeName, machine.facts, state), "/status");
  }
}
