import { compare, minor } from "semver";
import type { Resource } from "./azure/resource";
import { keyOf } from "./azure/resource";
import type { Store } from "./azure/store";
import type { Timeline } from "./timeline";
import type { WorkloadCluster } from "./workload/cluster";

/** Extremes of one pool, or of the control plane, over a period. */
export interface Extremes {
  /** Highest number of machines at the same time, without those that Azure was deleting. */
  most: number;
  /** Lowest number of Ready nodes. */
  fewestReady: number;
  /** Names of all machines in the period. */
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
 * Counts machines and Ready nodes at every event, so that no moment is missed, and compares them with limits.
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
    // The timeline does not show the begin of a machine's deletion, nor a lower capacity.
    store.onEvent(() => {
      this.check();
    });
  }

  /** Violated limits, each once. Empty if all limits held. */
  violations(): string[] {
    return [...this.found];
  }

  /** Sets the limits of a group from now on. Undefined ones are not checked. */
  limit(group: string, limits: Limits): void {
    this.limits.set(group, limits);
    this.check();
  }

  unlimit(): void {
    this.limits.clear();
  }

  /** Starts a new period for a group. `extremesOf` returns its extremes. */
  measure(group: string): void {
    const { machines, ready } = this.count(group);
    this.extremes.set(group, { most: machines.length, fewestReady: ready, seen: new Set(machines) });
  }

  extremesOf(group: string): Extremes {
    const known = this.extremes.get(group);
    if (!known) {
      throw new Error(`there are no metrics of ${group}`);
    }
    return known;
  }

  /** @param group - "control-plane", or the name of a pool */
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
