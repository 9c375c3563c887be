/** Which nodes go when the number of a scale set falls. */

/** A machine of a scale set, from its AzureMachinePoolMachine and its Machine. */
export interface ScaleSetMachine {
  /** Name of its Machine; undefined until Cluster API has made one. */
  readonly machine: string | undefined;
  /** Name of its AzureMachinePoolMachine. */
  readonly infrastructure: string;
  /** When it was created: the API server's text, in whole seconds. */
  readonly created: string;
  /** Its node is Ready. */
  readonly ready: boolean;
  /** Azure reports an error for it. */
  readonly failed: boolean;
  /** It has the newest image. */
  readonly latest: boolean;
  /** It is being deleted already. */
  readonly leaving: boolean;
  /** Value of the annotation `cluster.x-k8s.io/delete-machine`; undefined for a Machine without a mark. */
  readonly mark: string | undefined;
}

export interface Choice {
  /** Machines that go. */
  readonly go: readonly ScaleSetMachine[];
  /** Machines whose mark is removed, because they stay. */
  readonly unmark: readonly ScaleSetMachine[];
}

/** Value of the marks that `pulumi up` sets, so that it can take them back. */
export const ownMark = "capz-windows-scale-down";

/** Value of the marks of Machines that go in a rollout. */
export const rolloutMark = "capz-windows-rollout";

const isReplacement = ({ ready, failed, latest }: ScaleSetMachine): boolean => !ready && !failed && latest;

/** Machines that boot to replace ready ones of an older model: a rollout's surge (CAPZ's protectedUnreadyCount). */
function bootingReplacements(staying: readonly ScaleSetMachine[]): number {
  const readyOld = staying.filter(({ ready, latest }) => ready && !latest).length;
  return Math.min(readyOld, staying.filter(isReplacement).length);
}

/** The lowest go first. */
function rank(machine: ScaleSetMachine, isRolling: boolean): number {
  const { mark, failed, ready, latest } = machine;
  if (mark !== undefined) {
    // What somebody has chosen goes before what an interrupted `up` has chosen.
    return mark === ownMark ? 1 : 0;
  }
  if (failed) {
    return 2;
  }
  if (isReplacement(machine)) {
    return isRolling ? 7 : 4;
  }
  if (!ready) {
    return 3;
  }
  return latest ? 6 : 5;
}

/** Names of a scale set differ in their number: a shorter one is smaller. */
function byName(a: string, b: string): number {
  if (a.length !== b.length) {
    return a.length - b.length;
  }
  return a < b ? -1 : Number(a > b);
}

const byAge = (a: ScaleSetMachine, b: ScaleSetMachine): number =>
  a.created === b.created
    ? byName(a.infrastructure, b.infrastructure)
    : Date.parse(a.created) - Date.parse(b.created);

/**
 * Chooses as many machines as the pool has too many. Those that leave already are counted as gone. First those that
 * somebody has marked, then failed and unready ones, those with an old model, and the others by the pool's deletePolicy;
 * machines of equal age by name, so that every call gives the same answer.
 * @param wanted - number of nodes that stay
 * @param deletePolicy - CAPZ's, of the AzureMachinePool: Newest, otherwise the oldest go first
 */
export function chooseMachines(
  machines: readonly ScaleSetMachine[],
  wanted: number,
  deletePolicy: string,
): Choice {
  const staying = machines.filter(({ leaving }) => !leaving);
  const surplus = Math.max(0, staying.length - bootingReplacements(staying) - wanted);
  const isRolling = staying.some(({ latest }) => !latest);
  const direction = deletePolicy === "Newest" ? -1 : 1;
  const go = staying
    .filter(({ machine }) => machine !== undefined)
    .sort((a, b) => rank(a, isRolling) - rank(b, isRolling) || direction * byAge(a, b))
    .slice(0, surplus);
  const unmark = staying.filter(
    (machine) =>
      machine.mark !== undefined && !go.includes(machine) && (surplus > 0 || machine.mark === ownMark),
  );
  return { go, unmark };
}
