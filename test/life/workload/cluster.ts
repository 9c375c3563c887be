import type { Server } from "node:https";
import { textAt } from "capz-windows-kit/untyped";
import type { Arm } from "../azure/arm";
import type { Clock } from "../azure/clock";
import type { Resource } from "../azure/resource";
import { keyOf } from "../azure/resource";
import type { Timeline } from "../timeline";
import { cloudProviderDelivered } from "./addons";
import { WorkloadApiServer } from "./apiServer";
import { Etcd } from "./etcd";
import { Kubelets } from "./kubelet";
import { factsOf, type Machine, timestamp } from "./machine";
import { Members } from "./members";
import { Network, type NetworkOptions } from "./network";
import { kubeadmUploads } from "./nodes";
import { bootPlan, type BootPlan } from "./userData";

export interface ClusterOptions extends NetworkOptions {
  readonly name: string;
  /** Host name of the API server. */
  readonly host: string;
  /** ID of the resource group, which is the prefix of the cluster's resources. */
  readonly resourceGroupId: string;
  /** Directory of the rig that is the API server. */
  readonly rig: string;
  /** Version of kubelet if an image has none. */
  readonly version: string;
  /** Milliseconds from the start of a machine to its bootstrap. May be changed at runtime. */
  bootMs: number;
}

/**
 * A simulated workload cluster: machines in Azure boot, read their bootstrap data and join. The other programs of a real
 * cluster (cloud controller manager, Calico operator, node lifecycle) are simulated after the delivery of their
 * manifests.
 */
export class WorkloadCluster {
  private readonly machines = new Map<string, Machine>();
  private readonly booting = new Set<string>();
  private readonly members: Members;
  private readonly kubelets: Kubelets;
  private readonly network: Network;
  private api: WorkloadApiServer | undefined;
  private etcd: Etcd | undefined;
  private apiSince = 0;

  constructor(
    readonly options: ClusterOptions,
    private readonly arm: Arm,
    private readonly clock: Clock,
    private readonly timeline: Timeline,
  ) {
    this.members = new Members(timeline);
    this.kubelets = new Kubelets(options.kube, timeline);
    this.network = new Network(options, clock, timeline);
  }

  start(failed: (error: unknown) => void): void {
    this.clock.loop(250, () => this.turn(failed), failed);
  }

  close(): void {
    this.api?.close();
    this.etcd?.close();
    this.options.kube.close();
  }

  /** Undefined while no API server answers, because none has started or etcd has lost its quorum. */
  server(): Server | undefined {
    const members = this.members.members();
    const alive = members.filter(({ name }) => this.machineOf(name) !== undefined).length;
    return alive * 2 > members.length ? this.api?.server : undefined;
  }

  /** Machines with a running kubelet. */
  running(): Machine[] {
    return [...this.machines.values()].filter(({ node }) => node !== "gone");
  }

  /** Versions of the control plane's machines. The oldest one may still be that of an API server. */
  apiVersions(): string[] {
    return this.running()
      .filter(({ plan }) => plan.role !== "join")
      .map(({ facts }) => facts.version);
  }

  private machineOf(nodeName: string): Machine | undefined {
    return this.running().find(({ plan }) => plan.nodeName === nodeName);
  }

  private async turn(failed: (error: unknown) => void): Promise<void> {
    for (const resource of this.inAzure()) {
      const key = keyOf(resource.id);
      if (resource.properties.provisioningState === "Succeeded" && !this.booting.has(key)) {
        this.booting.add(key);
        this.clock.after(this.options.bootMs, () => {
          this.boot(resource).catch(failed);
        });
      }
    }
    await this.removeGone();
    if (this.server()) {
      await this.network.turn(this.apiSince);
      await this.reconcileNodes();
    }
  }

  /** Machines that exist in Azure and are not being deleted. */
  private inAzure(): Resource[] {
    const prefix = `${keyOf(this.options.resourceGroupId)}/`;
    return [
      ...this.arm.store.ofType("Microsoft.Compute/virtualMachines"),
      ...this.arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines"),
    ].filter(
      ({ id, properties }) => keyOf(id).startsWith(prefix) && properties.provisioningState !== "Deleting",
    );
  }

  private async boot(resource: Resource): Promise<void> {
    const secret = this.arm.bootData(resource);
    if (!secret || !this.arm.store.get(resource.id)) {
      return;
    }
    const facts = factsOf(resource, this.options.version);
    const plan = bootPlan(secret.customData, facts.hostname);
    if (plan.role === "init") {
      await this.init(plan);
    }
    const lost = plan.tokenId === undefined ? undefined : await this.lostToken(plan.tokenId);
    if (lost !== undefined) {
      // cloudbase-init and cloud-init do not run it again.
      this.timeline.add("node", plan.nodeName, `kubeadm join: ${lost}`);
      return;
    }
    this.machines.set(keyOf(resource.id), { facts, plan, node: "none", since: timestamp() });
    if (plan.role !== "join") {
      this.members.add(plan.nodeName);
    }
  }

  /** Why nobody can join with a bootstrap token. No token cleaner runs here, so none is missing. */
  private async lostToken(id: string): Promise<string | undefined> {
    const secret = { apiVersion: "v1", kind: "Secret" };
    const found: unknown = await this.options.kube.get(secret, `bootstrap-token-${id}`, "kube-system");
    const text = Buffer.from(textAt(found, "data", "expiration"), "base64").toString("utf8");
    const seconds = (Date.now() - Date.parse(text)) / 1000;
    return seconds > 0 ? `the token ${id} has expired ${Math.round(seconds)} s ago` : undefined;
  }

  /** `kubeadm init`, after which there is an API server. */
  private async init({
    authority,
    etcdAuthority,
    clusterConfiguration = "{}",
    nodeName,
  }: BootPlan): Promise<void> {
    if (!authority || !etcdAuthority) {
      throw new Error(`the bootstrap data of ${nodeName} has no certificate authorities`);
    }
    const etcd = new Etcd(etcdAuthority, this.members);
    await etcd.listen();
    this.etcd = etcd;
    const { host, rig, kube } = this.options;
    this.api = new WorkloadApiServer(host, authority, rig, (pod) =>
      pod.startsWith("etcd-") && this.machineOf(pod.slice("etcd-".length)) ? etcd.port : undefined,
    );
    for (const object of kubeadmUploads(clusterConfiguration)) {
      await kube.create(object);
    }
    this.apiSince = this.clock.now();
    this.timeline.add("node", nodeName, "kubeadm init: the API server answers");
  }

  private async reconcileNodes(): Promise<void> {
    const { kube } = this.options;
    const nodes = await kube.list({ apiVersion: "v1", kind: "Node" });
    const live = new Map(nodes.map((node) => [node.metadata.name, node]));
    const around = { cloud: await cloudProviderDelivered(kube), network: this.network.runs() };
    for (const machine of this.running()) {
      const node = live.get(machine.plan.nodeName);
      await (node ? this.kubelets.reconcile(machine, node, around) : this.kubelets.register(machine));
    }
  }

  /** Stops machines as soon as their deletion begins, and deletes their Nodes when Azure no longer has them. */
  private async removeGone(): Promise<void> {
    const present = new Set(this.inAzure().map(({ id }) => keyOf(id)));
    for (const [key, machine] of this.machines) {
      const name = machine.plan.nodeName;
      if (!present.has(key) && machine.node !== "gone") {
        machine.node = "gone";
        this.timeline.add("node", name, "stopped");
      }
      if (machine.node === "gone" && !this.arm.store.get(machine.facts.id)) {
        this.machines.delete(key);
        if (this.server()) {
          await this.kubelets.forget(name);
        }
      }
    }
  }
}
