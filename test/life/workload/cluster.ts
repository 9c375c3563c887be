import type { Server } from "node:https";
import type { KubernetesObject } from "../../../domain/capi/types";
import { at, textAt } from "../../../plan/model/untyped";
import type { Arm } from "../azure/arm";
import type { Clock } from "../azure/clock";
import type { Resource } from "../azure/resource";
import { keyOf } from "../azure/resource";
import { imageText } from "../azure/scaleSets";
import type { Kube, LiveObject } from "../kube";
import type { Timeline } from "../timeline";
import { cloudProviderDelivered, networkDelivered, operatorCrds, rendersNetwork } from "./addons";
import { WorkloadApiServer } from "./apiServer";
import { Etcd, type Member } from "./etcd";
import type { MachineFacts } from "./nodes";
import {
  controlPlaneLabel,
  initialized,
  kubeadmUploads,
  mirrorPods,
  nodeObject,
  nodeStatus,
  podReady,
} from "./nodes";
import type { BootPlan, Taint } from "./userData";
import { bootPlan, uninitializedTaint } from "./userData";

export interface ClusterOptions {
  readonly name: string;
  /** Of the API server. */
  readonly host: string;
  /** Id prefix of everything that belongs to it in Azure. */
  readonly resourceGroupId: string;
  readonly rig: string;
  readonly kube: Kube;
  /** What ClusterResourceSets deliver. */
  readonly delivered: readonly KubernetesObject[];
  /** Kubelet version where an image says none. */
  readonly version: string;
  readonly bootMs: number;
  /** From the API server's start to the CRDs of the Calico operator. */
  readonly operatorMs: number;
  /** From the delivery of the network to nodes that are Ready; may be changed while it runs. */
  networkMs: number;
}

/** One machine with its kubelet. */
export interface Machine {
  readonly facts: MachineFacts;
  readonly plan: BootPlan;
  node: "none" | "registered" | "ready" | "gone";
  readySince: string;
}

const windowsBuilds: readonly (readonly [RegExp, string])[] = [
  [/2019/, "10.0.17763"],
  [/2022/, "10.0.20348"],
  [/2025/, "10.0.26100"],
];

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");

/**
 * A workload cluster: machines in Azure boot, read their bootstrap data and join; what runs in a real cluster besides
 * (cloud controller manager, Calico operator, node lifecycle) is stood in for once its manifest was delivered.
 */
export class WorkloadCluster {
  readonly machines = new Map<string, Machine>();
  private api: WorkloadApiServer | undefined;
  private etcd: Etcd | undefined;
  private members: Member[] = [];
  private leader = 0;
  private apiSince = 0;
  private crdsApplied = false;
  private networkSince: number | undefined;
  private readonly booting = new Set<string>();
  private nextMember = 1;

  constructor(
    readonly options: ClusterOptions,
    private readonly arm: Arm,
    private readonly clock: Clock,
    private readonly timeline: Timeline,
  ) {}

  start(): void {
    this.clock.loop(
      250,
      () => this.turn(),
      (error) => {
        this.timeline.add("sim", this.options.name, `stand-in failed: ${String(error)}`);
      },
    );
  }

  close(): void {
    this.api?.close();
    this.etcd?.close();
    this.options.kube.close();
  }

  /** undefined while no API server answers: none started, or etcd has lost its majority. */
  server(): Server | undefined {
    const alive = this.members.filter(({ name }) => this.machineOf(name) !== undefined).length;
    return alive * 2 > this.members.length ? this.api?.server : undefined;
  }

  /** Machines with a kubelet that runs, gone ones left out. */
  running(): Machine[] {
    return [...this.machines.values()].filter(({ node }) => node !== "gone");
  }

  private machineOf(nodeName: string): Machine | undefined {
    return this.running().find(({ plan }) => plan.nodeName === nodeName);
  }

  private async turn(): Promise<void> {
    for (const resource of this.inAzure()) {
      const key = keyOf(resource.id);
      if (resource.properties.provisioningState === "Succeeded" && !this.booting.has(key)) {
        this.booting.add(key);
        this.clock.after(this.options.bootMs, () => {
          this.boot(resource).catch((error: unknown) => {
            this.timeline.add("sim", resource.name, `boot failed: ${String(error)}`);
          });
        });
      }
    }
    await this.removeGone();
    if (this.server()) {
      await this.addons();
      await this.reconcileNodes();
    }
  }

  /** Machines that Azure has and does not delete. */
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
    const facts = this.factsOf(resource);
    const plan = bootPlan(secret.customData, facts.hostname);
    const machine: Machine = { facts, plan, node: "none", readySince: now() };
    if (plan.role === "init") {
      await this.init(plan);
    }
    this.machines.set(keyOf(resource.id), machine);
    if (plan.role !== "join") {
      this.members.push({ id: (this.nextMember += 1), name: plan.nodeName });
      this.leader ||= this.members[0]!.id;
    }
  }

  private factsOf(resource: Resource): MachineFacts {
    const image = imageText(resource);
    const storage = resource.properties.storageProfile;
    const os = textAt(storage, "osDisk", "osType") === "Windows" ? "windows" : "linux";
    const version = /\/(\d+\.\d+\.\d+)$/.exec(image)?.[1];
    const build = windowsBuilds.find(([name]) => name.test(image))?.[1];
    const zone = resource.zones?.[0];
    return {
      id: resource.id,
      hostname: textAt(resource.properties, "osProfile", "computerName").toLowerCase(),
      os,
      version: version !== undefined && version.startsWith("1.") ? `v${version}` : this.options.version,
      vmSize: textAt(resource.properties, "hardwareProfile", "vmSize"),
      ...(zone === undefined ? {} : { zone }),
      ...(os === "windows" ? { windowsBuild: build ?? "10.0.20348" } : {}),
    };
  }

  /** `kubeadm init`: from now on there is an API server. */
  private async init({
    authority,
    etcdAuthority,
    clusterConfiguration = "{}",
    nodeName,
  }: BootPlan): Promise<void> {
    if (!authority || !etcdAuthority) {
      throw new Error(`the bootstrap data of ${nodeName} has no certificate authorities`);
    }
    this.etcd = new Etcd(etcdAuthority, {
      members: () => this.members,
      leader: () => this.leader,
      moveLeader: (id) => {
        this.leader = id;
        this.timeline.add("etcd", this.nameOf(id), "is leader now");
      },
      remove: (id) => {
        this.timeline.add("etcd", this.nameOf(id), "member removed");
        this.members = this.members.filter((member) => member.id !== id);
        this.leader = this.leader === id ? (this.members[0]?.id ?? 0) : this.leader;
      },
    });
    await this.etcd.listen();
    const { host, rig, kube } = this.options;
    this.api = new WorkloadApiServer(host, authority, rig, (pod) =>
      pod.startsWith("etcd-") && this.machineOf(pod.slice("etcd-".length)) ? this.etcd?.port : undefined,
    );
    for (const object of kubeadmUploads(clusterConfiguration)) {
      await kube.create(object);
    }
    this.apiSince = this.clock.now();
    this.timeline.add("node", nodeName, "kubeadm init: the API server answers");
  }

  private nameOf(id: number): string {
    return this.members.find((member) => member.id === id)?.name ?? String(id);
  }

  private async addons(): Promise<void> {
    const { kube, operatorMs, delivered } = this.options;
    if (!this.crdsApplied && (this.clock.now() - this.apiSince) * 1000 >= operatorMs) {
      this.crdsApplied = true;
      for (const crd of operatorCrds(delivered)) {
        await kube.applyAs("operator", crd, true);
      }
    }
    if (this.networkSince === undefined) {
      const by = await networkDelivered(kube);
      const nodes = by === "operator" ? await kube.list({ apiVersion: "v1", kind: "Node" }) : [];
      if (by === "manifest" || (by === "operator" && rendersNetwork(nodes))) {
        this.networkSince = this.clock.now();
        this.timeline.add(
          "node",
          "network",
          `delivered (${by}); nodes are Ready in ${this.options.networkMs / 1000} s`,
        );
      }
    }
  }

  private networkRuns(): boolean {
    return (
      this.networkSince !== undefined &&
      (this.clock.now() - this.networkSince) * 1000 >= this.options.networkMs
    );
  }

  private async reconcileNodes(): Promise<void> {
    const { kube } = this.options;
    const live = new Map(
      (await kube.list({ apiVersion: "v1", kind: "Node" })).map((node) => [node.metadata.name, node]),
    );
    const cloud = await cloudProviderDelivered(kube);
    for (const machine of this.running()) {
      const node = live.get(machine.plan.nodeName);
      await (node ? this.reconcileNode(machine, node, cloud) : this.register(machine));
    }
  }

  private async register(machine: Machine): Promise<void> {
    const { kube } = this.options;
    const name = machine.plan.nodeName;
    if (machine.node !== "none") {
      // Somebody deleted it: a kubelet that runs does not register again by itself.
      return;
    }
    await kube.create(nodeObject(machine.facts, machine.plan));
    machine.node = "registered";
    await kube.patch(
      nodeStatus(name, machine.facts, { status: "False", since: machine.readySince, message: "no network" }),
      "/status",
    );
    if (machine.plan.role !== "join") {
      for (const pod of mirrorPods(name)) {
        await kube.create(pod);
        await kube.patch(podReady(pod), "/status");
      }
    }
    this.timeline.add("node", name, `registered, kubelet ${machine.facts.version}`);
  }

  private async reconcileNode(machine: Machine, node: LiveObject, cloud: boolean): Promise<void> {
    const { kube } = this.options;
    const taints = (at(node.spec, "taints") ?? []) as Taint[];
    if (cloud && taints.some(({ key }) => key === uninitializedTaint.key)) {
      await kube.patch(initialized(node.metadata.name, machine.facts, taints));
    }
    if (machine.node === "registered" && this.networkRuns()) {
      machine.node = "ready";
      machine.readySince = now();
      await kube.patch(
        nodeStatus(node.metadata.name, machine.facts, { status: "True", since: now(), message: "ready" }),
        "/status",
      );
      this.timeline.add("node", node.metadata.name, "Ready");
    }
  }

  /** Machines that are deleted stop at once; the cloud controller manager then deletes their Nodes. */
  private async removeGone(): Promise<void> {
    const present = new Set(this.inAzure().map(({ id }) => keyOf(id)));
    for (const [key, machine] of this.machines) {
      if (!present.has(key) && machine.node !== "gone") {
        const name = machine.plan.nodeName;
        machine.node = "gone";
        this.timeline.add("node", name, "stopped");
      }
      if (machine.node === "gone" && !this.arm.store.get(machine.facts.id)) {
        const name = machine.plan.nodeName;
        this.machines.delete(key);
        if (this.server()) {
          await this.options.kube.delete({ apiVersion: "v1", kind: "Node", metadata: { name } });
          await this.deletePods(name);
        }
      }
    }
  }

  private async deletePods(node: string): Promise<void> {
    for (const pod of mirrorPods(node)) {
      await this.options.kube.delete(pod, "gracePeriodSeconds=0");
    }
  }

  /** Nodes of the control plane by their versions, of which the oldest is what the API server may still be. */
  apiVersions(): string[] {
    return this.running()
      .filter(({ plan }) => plan.role !== "join")
      .map(({ facts }) => facts.version);
  }
}

export const isControlPlane = (node: LiveObject): boolean =>
  controlPlaneLabel in (node.metadata.labels ?? {});
