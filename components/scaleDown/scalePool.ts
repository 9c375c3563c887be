import { setTimeout as sleep } from "node:timers/promises";
import {
  chooseMachines,
  ownMark,
  type ScaleSetMachine,
} from "capz-windows-platform/machines/scaleDownChoice";
import type { PoolClient, PoolName } from "./poolClient";
import type { PoolState } from "./poolState";
import { RequestError } from "./requests";

/**
 * Makes a scale set smaller so that exactly as many nodes go as the number falls. CAPZ deletes marked Machines at once and
 * others at random, so it has to see the marks and the lower number at the same moment: the pool is paused meanwhile.
 * CAPZ deletes no other Machine as long as a marked one is there (v1.27.0
 * azure/scope/strategies/machinepool_deployments, SelectMachinesToDelete), so nothing has to run until they are drained.
 *
 * It may be interrupted after any request and called again: it goes on from what it finds.
 */

/** The `pulumi up` that changes pools. */
export interface PoolRun {
  /** Prints a line for the user. */
  readonly say: (text: string) => void;
  /** Waits a number of seconds. */
  readonly wait?: (seconds: number) => Promise<unknown>;
  /** Rejects if the `pulumi up` that this belongs to has been killed. */
  readonly alive?: () => Promise<void>;
}

export interface Scaling extends PoolRun {
  /** Number of nodes that stay. */
  readonly nodes: number;
  /** This `up` changes the model of the scale set: CAPZ sends it with the lower number, and Azure deletes without a drain. */
  readonly changesModel?: boolean;
}

/** Limits in seconds. */
const limits = {
  /** A reconciliation that has begun before the pause may take as long as Azure takes to answer. */
  pause: 600,
  /** CAPZ looks at an object every 10 s at most (--debouncing-timer). */
  marks: 90,
  /** Until the Machines of new instances are known. */
  growth: 60,
} as const;

/** How often the whole is begun again because somebody else has changed the number. */
const attempts = 5;

const names = (machines: readonly ScaleSetMachine[]): string =>
  machines.map(({ machine }) => machine ?? "").join(", ");

/** @throws Error if CAPZ does not confirm the pause; nothing is changed then */
export async function scalePool(client: PoolClient, pool: PoolName, scaling: Scaling): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await new ScaleDown(client, pool, scaling).run();
      return;
    } catch (error) {
      // The number was changed by somebody else meanwhile.
      if (!(error instanceof RequestError && error.status === 422) || attempt === attempts) {
        throw error;
      }
    }
  }
}

class ScaleDown {
  private readonly wait: (seconds: number) => Promise<unknown>;
  /** What this run has paused the pool by; undefined if it has not. */
  private pausedBy: string | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly pool: PoolName,
    private readonly scaling: Scaling,
  ) {
    this.wait = scaling.wait ?? ((seconds) => sleep(seconds * 1000));
  }

  async run(): Promise<void> {
    const found = await this.grown();
    if (found === undefined) {
      return;
    }
    if (found.owned) {
      await this.client.disown(this.pool);
    }
    if (this.scaling.nodes >= found.replicas && found.pause === undefined) {
      return;
    }
    const isOthers = found.paused && found.pause === undefined;
    const untilGone =
      !isOthers &&
      (found.pause === "until-gone" ||
        (found.replicas > 0 && (this.scaling.changesModel === true || found.modelPending)));
    if (!isOthers) {
      const pause = untilGone ? "until-gone" : "until-lowered";
      this.pausedBy = await this.client.pause(this.pool, found.infrastructure, pause);
      await this.confirmed(found);
    }
    const state = await this.client.read(this.pool);
    if (state === undefined) {
      return;
    }
    await this.requireOwn(state);
    const go = await this.marked(state);
    await this.requireOwn(await this.client.read(this.pool));
    if (untilGone && this.scaling.nodes < state.replicas) {
      await this.gone(go);
    }
    await this.lowered(state.replicas);
    if (isOthers) {
      this.scaling.say(
        `${this.pool.name}: somebody has paused the pool, so CAPZ deletes ${names(go) || "no Machine"} when it is resumed`,
      );
      return;
    }
    await this.client.resume(this.pool, state.infrastructure);
    if (go.length > 0) {
      this.scaling.say(
        `${this.pool.name}: from ${state.replicas} to ${this.scaling.nodes} nodes; ${names(go)} ${untilGone ? "are gone" : "are drained and deleted"}, no others`,
      );
    }
  }

  /**
   * The program of an `up` that was killed may live on for a while: it must not go on beside the next `up`.
   * @throws Error if another run has paused or resumed the pool since, or this one has been killed
   */
  private async requireOwn(state: PoolState | undefined): Promise<void> {
    await this.scaling.alive?.();
    if (state !== undefined && this.pausedBy !== undefined && state.pausedBy !== this.pausedBy) {
      throw new Error(`another \`pulumi up\` has taken over the pool ${this.pool.name}`);
    }
  }

  /** The pool, after Machines of instances that were just made are known. */
  private async grown(): Promise<PoolState | undefined> {
    let state = await this.client.read(this.pool);
    if (state === undefined || this.scaling.nodes >= state.replicas || state.paused) {
      return state;
    }
    for (let waited = 0; state?.growing === true && waited < limits.growth; waited += 2) {
      await this.wait(2);
      state = await this.client.read(this.pool);
    }
    return state;
  }

  /** Waits until CAPZ is done with what it began before the pause. */
  private async confirmed({ infrastructure, pause }: PoolState): Promise<void> {
    for (let waited = 0; ; waited += 1) {
      await this.wait(1);
      const state = await this.client.read(this.pool);
      await this.requireOwn(state);
      if (state?.reconciled !== true) {
        return;
      }
      if (waited >= limits.pause) {
        // Of an interrupted `up`, Machines may be marked: the pool stays paused for the next one.
        if (pause === undefined) {
          await this.client.resume(this.pool, infrastructure);
        }
        throw new Error(
          `CAPZ has not confirmed within ${limits.pause / 60} minutes that it leaves the pool ${this.pool.name} alone, so its number of nodes was not lowered. \`npm run doctor\` says what is wrong with CAPZ; then run \`pulumi up\` again.`,
        );
      }
    }
  }

  /** Marks the Machines that go and no others, and waits until CAPZ knows. */
  private async marked({ machines, deletePolicy }: PoolState): Promise<readonly ScaleSetMachine[]> {
    const { go, unmark } = chooseMachines(machines, this.scaling.nodes, deletePolicy);
    await this.unmarked(unmark);
    for (const { machine, mark } of go) {
      if (mark === undefined) {
        await this.client.mark(this.pool, machine ?? "", ownMark);
      }
    }
    for (let waited = 0; go.length > 0 && waited < limits.marks; waited += 1) {
      const known = await this.client.markedParts(this.pool);
      if (go.every(({ infrastructure }) => known.includes(infrastructure))) {
        break;
      }
      await this.wait(1);
    }
    return go;
  }

  /** Takes marks back, twice: CAPZ may still be copying one. */
  private async unmarked(machines: readonly ScaleSetMachine[]): Promise<void> {
    if (machines.length === 0) {
      return;
    }
    this.scaling.say(`${this.pool.name}: ${names(machines)} no longer marked, because they stay`);
    for (let clean = 0; clean < 2; clean += 1) {
      for (const machine of machines) {
        await this.client.unmark(this.pool, machine);
      }
      await this.wait(3);
      const known = await this.client.markedParts(this.pool);
      if (machines.some(({ infrastructure }) => known.includes(infrastructure))) {
        clean = -1;
      }
    }
  }

  /** Deletes Machines while the pool is paused, and waits until they are drained and gone. */
  private async gone(go: readonly ScaleSetMachine[]): Promise<void> {
    for (const { machine } of go) {
      await this.client.deleteMachine(this.pool, machine ?? "");
    }
    for (let waited = 0; ; waited += 2) {
      const state = await this.client.read(this.pool);
      await this.requireOwn(state);
      const left = (state?.machines ?? []).filter(({ leaving }) => leaving);
      if (left.length === 0) {
        return;
      }
      if (waited % 60 === 0) {
        this.scaling.say(
          `${this.pool.name}: ${names(left)} are drained before the scale set gets its new model; \`npm run doctor\` says what holds a drain`,
        );
      }
      await this.wait(2);
    }
  }

  private async lowered(from: number): Promise<void> {
    const { nodes } = this.scaling;
    if (from !== nodes) {
      await this.client.setReplicas(this.pool, from, nodes);
    }
    await this.client.disown(this.pool);
  }
}
