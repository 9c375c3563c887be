import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { KubernetesObject } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import { redact } from "pulumi-plan-engine";
import { reconcileAso } from "./aso";
import { Arm } from "./azure/arm";
import { Clock, sleep } from "./azure/clock";
import { keyOf } from "./azure/resource";
import { Proxy } from "./azure/server";
import { Deployment } from "./deploy";
import { Capacity } from "./capacity";
import { Kube } from "./kube";
import { certificateAuthority } from "./support/certificates";
import { tokenLifeArgument, tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import { Rigs, type Tools } from "./support/rig";
import { Timeline } from "./timeline";
import { ManagementWatch } from "./watch";
import { WorkloadCluster } from "./workload/cluster";

export interface WorldOptions {
  /** Milliseconds that Azure takes for a machine or a scale set. */
  readonly operationMs?: number;
  /** CAPZ's --sync-period. Default: 15 s, while CAPZ's own default is 10 min. */
  readonly capzSyncPeriod?: string;
  /** Default: short timers of CAPZ. "users": those that its manager has without flags. */
  readonly capzTimers?: "short" | "users";
  /** Flags of the kubeadm bootstrap provider. Default: tokens live as long as this program has them live. */
  readonly bootstrapFlags?: readonly string[];
}

export interface LifeOptions {
  /** Milliseconds from the start of a machine to the begin of its bootstrap. Default: 1 s. */
  readonly bootMs?: number;
  readonly networkMs?: number;
  readonly networkNotBeforeMs?: number;
  readonly operatorMs?: number;
  /** Timeout of each wait of the deployment in seconds. */
  readonly patience?: number;
  /** Whether the network leads from the management cluster to the API server. Default: always. */
  readonly leads?: () => boolean;
  readonly transform?: (object: KubernetesObject) => KubernetesObject;
}

/** One stack with its workload cluster, from creation to deletion. */
export interface Life {
  readonly name: string;
  readonly namespace: string;
  readonly deployment: Deployment;
  readonly timeline: Timeline;
  readonly cluster: WorkloadCluster;
  readonly capacity: Capacity;
}

/** Flags that shorten timers of CAPZ's manager, whose defaults are 10 s and 15 s (CAPZ v1.27.0 main.go). */
const shortTimers = ["--debouncing-timer=500ms", "--reconciler-requeue=2s"];

/** A management cluster with the real managers, the simulated Azure and the simulated workload clusters. */
export class World {
  readonly clock = new Clock();
  readonly arm: Arm;
  readonly lives: Life[] = [];
  private readonly rigs: Rigs;
  private readonly proxy: Proxy;
  private readonly authority = certificateAuthority("simulated Azure");
  private management: Kube | undefined;
  private managerFlags: string[] = [];
  /** Path of the management cluster's kubeconfig, for programs that tests start. */
  managementKubeconfig = "";
  /** Errors of the simulation itself. A test expects none. */
  readonly troubles = new Set<string>();
  /** Nobody can ask the management cluster, so those who look at it now and then do not count that as trouble. */
  private isAway = false;

  private constructor(
    tools: Tools,
    private readonly options: WorldOptions,
  ) {
    this.rigs = new Rigs(tools);
    this.arm = new Arm(this.clock, options.operationMs ?? 1500);
    this.proxy = new Proxy(this.arm, this.authority);
    this.arm.store.onEvent(({ verb, resource, detail }) => {
      const life = this.lives.find(({ cluster }) =>
        `${keyOf(resource.id)}/`.startsWith(`${keyOf(cluster.options.resourceGroupId)}/`),
      );
      const type = resource.type.split("/").slice(1).join("/");
      life?.timeline.add(
        "azure",
        `${type} ${shortName(resource.id)}`,
        detail === undefined ? verb : `${verb} (${detail})`,
      );
    });
  }

  static async start(tools: Tools, options: WorldOptions = {}): Promise<World> {
    const world = new World(tools, options);
    try {
      await world.begin();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  get kube(): Kube {
    if (!this.management) {
      throw new Error("the management cluster has not started");
    }
    return this.management;
  }

  private async begin(): Promise<void> {
    this.managementKubeconfig = await this.rigs.start("management");
    this.management = new Kube(this.managementKubeconfig);
    const pki = this.rigs.dir("pki");
    mkdirSync(pki);
    writeFileSync(join(pki, "ca.crt"), this.authority.cert);
    writeFileSync(join(pki, "token"), "simulated");
    this.managerFlags = [
      ...["--bin", this.rigs.tools.controllers, "--proxy", await this.proxy.listen()],
      ...["--manager-env", `SSL_CERT_FILE=${join(pki, "ca.crt")}`],
      ...["--manager-env", `AZURE_FEDERATED_TOKEN_FILE=${join(pki, "token")}`],
      ...[
        ...(this.options.capzTimers === "users" ? [] : shortTimers),
        `--sync-period=${this.options.capzSyncPeriod ?? "15s"}`,
      ].flatMap((flag) => ["--manager-arg", `capz=${flag}`]),
      ...(this.options.bootstrapFlags ?? [`${tokenLifeArgument}=${tokenMinutes}m`]).flatMap((flag) => [
        "--manager-arg",
        `capi-kubeadm-bootstrap=${flag}`,
      ]),
    ];
    await this.startManagers();
    this.looksAtManagement("ASO", () => reconcileAso(this.kube, this.arm));
  }

  async startManagers(only?: string): Promise<void> {
    const names = only === undefined ? [] : ["--only", only];
    await this.rigs.startControllers("management", ...this.managerFlags, ...names);
  }

  async stopManagers(only: string): Promise<void> {
    this.arm.faults.met.set(`the manager ${only} was stopped`, 1);
    await this.rigs.rig("controllers", "stop", this.rigs.dir("management"), "--only", only);
  }

  /** The management cluster is away for some time, with its API server and all managers, and comes back as it was. */
  async managementAway(seconds: number): Promise<void> {
    this.arm.faults.met.set(`the management cluster was away for ${seconds} s`, 1);
    this.isAway = true;
    await this.rigs.rig("stop", this.rigs.dir("management"));
    // Nobody else may get its port meanwhile. Connections are reset.
    const port = Number(new URL(this.kube.server).port);
    const held = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
    await sleep(seconds * 1000);
    await new Promise((resolve) => held.close(resolve));
    await this.rigs.start("management");
    await this.startManagers();
    this.isAway = false;
  }

  /** Ends a manager as the kernel does when memory is short, and starts it again. */
  async killManager(name: string): Promise<void> {
    this.arm.faults.met.set(`the manager ${name} was killed`, 1);
    const pid = Number(readFileSync(join(this.rigs.dir("management"), "controllers", `${name}.pid`), "utf8"));
    process.kill(pid, "SIGKILL");
    await this.startManagers(name);
  }

  /** Runs kubectl with the management cluster, and returns its output. */
  kubectl(...args: readonly string[]): Promise<string> {
    return this.rigs.rig("kubectl", "--kubeconfig", this.managementKubeconfig, ...args);
  }

  /** All namespaced kinds of the management cluster except events, as an argument of `kubectl get`. */
  async kinds(): Promise<string> {
    const names = await this.kubectl("api-resources", "--verbs=list", "--namespaced", "-o", "name");
    return names
      .trim()
      .split("\n")
      .filter((name) => !/^events\b/.test(name))
      .join(",");
  }

  /** Starts a workload cluster, which waits for the machines of a plan. */
  async begins(plan: Plan, options: LifeOptions = {}): Promise<Life> {
    const { clusterName: name, namespace, azure, kubernetesVersion } = plan.settings;
    const kubeconfig = await this.rigs.start(`workload-${name}`);
    const timeline = new Timeline(this.clock, name);
    const host = redact(plan.update.outputs.apiServerHost ?? "") as string;
    const cluster = new WorkloadCluster(
      {
        name,
        host,
        resourceGroupId: `/subscriptions/${azure.subscriptionId}/resourceGroups/${azure.resourceGroup}`,
        rig: this.rigs.dir(`workload-${name}`),
        kube: new Kube(kubeconfig),
        delivered: plan.objects.workload.flatMap(({ objects }) => objects),
        version: kubernetesVersion,
        bootMs: options.bootMs ?? 1000,
        operatorMs: options.operatorMs ?? 2000,
        networkMs: options.networkMs ?? 1000,
        networkNotBeforeMs: options.networkNotBeforeMs ?? 0,
      },
      this.arm,
      this.clock,
      timeline,
    );
    const deployment = this.deployment(timeline, options);
    const capacity = new Capacity(this.arm.store, cluster, timeline);
    const watch = new ManagementWatch(this.kube, namespace, timeline);
    this.lives.push({ name, namespace, deployment, timeline, cluster, capacity });
    const { leads = () => true } = options;
    this.proxy.announce(host, () => (leads() ? cluster.server() : undefined));
    cluster.start((error) => this.troubles.add(`${name}: ${String(error)}`));
    this.looksAtManagement("watch", () => watch.turn());
    return this.lives.at(-1)!;
  }

  /** Repeats a turn of something that asks the management cluster, unless that is away. */
  private looksAtManagement(who: string, turn: () => Promise<void>): void {
    this.clock.loop(
      400,
      () => (this.isAway ? Promise.resolve() : turn()),
      (error) => {
        if (!this.isAway) {
          this.troubles.add(`${who}: ${String(error)}`);
        }
      },
    );
  }

  /** What deploys a stack; one without a workload cluster needs nothing else. */
  deployment(timeline: Timeline, { patience = 240, transform }: LifeOptions = {}): Deployment {
    const { kube, arm } = this;
    return new Deployment({
      kube,
      arm,
      timeline,
      patience,
      ...(transform === undefined ? {} : { transform }),
    });
  }

  /** Faults and their number: errors of Azure, stopped managers, killed runs. */
  faultsMet(): Record<string, number> {
    const killed = this.lives
      .flatMap(({ timeline }) => timeline.entries)
      .filter(({ where, what }) => where === "pulumi" && what === "killed").length;
    return {
      ...Object.fromEntries(this.arm.faults.met),
      ...(killed === 0 ? {} : { "`pulumi up` was killed": killed }),
    };
  }

  /**
   * Undocumented requests, bodies that Azure's types do not take, connections to other hosts, errors of the simulation, and what controllers did without a reason in
   * the table of rights (packages/platform/azure/rights.ts). Empty in every test.
   */
  surprises(): string[] {
    const groups = this.lives.map(({ cluster }) => cluster.options.resourceGroupId);
    const { unknown, refusals, acts } = this.arm;
    return [
      ...new Set([
        ...unknown,
        ...refusals,
        ...this.proxy.strangers,
        ...this.troubles,
        ...acts.withoutReason(groups),
      ]),
    ];
  }

  async stop(): Promise<void> {
    this.clock.stop();
    this.management?.close();
    this.proxy.close();
    this.lives.forEach(({ cluster }) => {
      cluster.close();
    });
    await this.rigs.stopAll();
  }
}

/** "win1/2" for an instance of a scale set, otherwise the last part of the ID. */
function shortName(id: string): string {
  const [, set, instance] = /virtualMachineScaleSets\/([^/]+)\/virtualMachines\/([^/]+)$/i.exec(id) ?? [];
  return set === undefined ? (id.split("/").at(-1) ?? "") : `${set}/${instance ?? ""}`;
}
