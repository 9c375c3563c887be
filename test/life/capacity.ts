import { compare, minor } from "semver";
import type { Resource } from "./azure/resource";
import { keyOf } from "./azure/resource";
import type { Store } from "./azure/store";
import type { Timeline } from "./timeline";
import type { WorkloadCluster } from "./workload/cluster";

/** Of one pool, or of the control plane, over a time. */
export interface Extremes {
  /** Machines that Azure had at once, those that it was deleting left out. */
  most: number;
  /** Ready nodes at the worst moment. */
  fewestReady: number;
  /** Names of the machines that were there. */
  readonly seen: Set<string>;
}

export interface Count {
  readonly machines: readonly string[];
  readonly ready: number;
}

/** Limits that must hold at every moment. */
export interface Limits {
  readonly most?: number;
  readonly fewestReady?: number;
}

const scaleSetType = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines";
const vmType = "Microsoft.Compute/virtualMachines";

/**
 * Counts machines and ready nodes at every event, so that no moment is missed, and holds them against limits.
 */
export class Capacity {
  private readonly limits = new Map<string, Limits>();
  private readonly extremes = new Map<string, Extremes>();
  private readonly found = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly cluster: WorkloadCluster,
    private readonly timeline: Timeline,
  ) {
    timeline.onEntry(() => {
      this.check();
    });
    // What nobody would call an event: a machine that begins to be deleted, a capacity that falls.
    store.onEvent(() => {
      this.check();
    });
  }

  /** What was broken, each thing once; empty when all held. */
  violations(): string[] {
    return [...this.found];
  }

  /** From now on; undefined limits are not watched. */
  limit(group: string, limits: Limits): void {
    this.limits.set(group, limits);
    this.check();
  }

  unlimit(): void {
    this.limits.clear();
  }

  /** Begins to watch a group anew; `extremesOf` tells about the time since. */
  measure(group: string): void {
    const { machines, ready } = this.count(group);
    this.extremes.set(group, { most: machines.length, fewestReady: ready, seen: new Set(machines) });
  }

  extremesOf(group: string): Extremes {
    const known = this.extremes.get(group);
    if (!known) {
      throw new Error(`nobody measures ${group}`);
    }
    return known;
  }

  /** "control-plane", or the name of a pool: of a scale set, or of machines that are called after it. */
  count(group: string): Count {
    const machines = this.machinesOf(group);
    const ids = new Set(machines.map(({ id }) => keyOf(id)));
    const ready = this.cluster
      .running()
      .filter(({ node, facts }) => node === "ready" && ids.has(keyOf(facts.id)));
    return { machines: machines.map(({ id }) => id.split("/").slice(-3).join("/")), ready: ready.length };
  }

  private machinesOf(group: string): Resource[] {
    const prefix = `${keyOf(this.cluster.options.resourceGroupId)}/`;
    const own = (type: string) =>
      this.store
        .ofType(type)
        .filter(
          ({ id, properties }) => keyOf(id).startsWith(prefix) && properties.provisioningState !== "Deleting",
        );
    if (group === "control-plane") {
      return own(vmType).filter(({ name }) => name.startsWith(`${this.cluster.options.name}-control-plane-`));
    }
    return [
      ...own(scaleSetType).filter(({ id }) =>
        keyOf(id).includes(`/virtualmachinescalesets/${group.toLowerCase()}/`),
      ),
      ...own(vmType).filter(({ name }) => name.startsWith(`${group}-`)),
    ];
  }

  private check(): void {
    for (const [group, extreme] of this.extremes) {
      const { machines, ready } = this.count(group);
      extreme.most = Math.max(extreme.most, machines.length);
      extreme.fewestReady = Math.min(extreme.fewestReady, ready);
      machines.forEach((name) => extreme.seen.add(name));
    }
    for (const [group, { most, fewestReady }] of this.limits) {
      const { machines, ready } = this.count(group);
      if (most !== undefined && machines.length > most) {
        this.broken(`${group} has ${machines.length} machines, at most ${most} may be`);
      }
      if (fewestReady !== undefined && ready < fewestReady) {
        this.broken(`${group} has ${ready} ready nodes, at least ${fewestReady} must be`);
      }
    }
    this.checkSkew();
  }

  /** https://kubernetes.io/releases/version-skew-policy/#kubelet */
  private checkSkew(): void {
    const [oldest] = this.cluster.apiVersions().sort(compare);
    for (const { plan, facts } of this.cluster.running()) {
      if (oldest !== undefined && minor(facts.version) > minor(oldest) && plan.role === "join") {
        this.broken(`kubelet ${facts.version} of ${plan.nodeName} is newer than an API server of ${oldest}`);
      }
    }
  }

  private broken(what: string): void {
    if (!this.found.has(what)) {
      this.found.add(what);
      this.timeline.add("BROKEN", this.cluster.options.name, what);
    }
  }
}
