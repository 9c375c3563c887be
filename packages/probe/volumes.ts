import { text } from "capz-windows-kit/untyped";
import type { StackFacts } from "capz-windows-contract";
import { type Client, RefusedError } from "./client";
import { judged, type PodOutcome, type ProbeNode, type ProbeRow } from "./model";
import { pairOf } from "./nodes";
import { claimObject, imageOf } from "./objects";
import { removeAndWait, runPod } from "./pods";

/** A disk of Azure that is written on one node and read on another one. */

/** For the download of an image, and for a disk that is attached, formatted and mounted. */
const podSeconds = 25 * 60;

/** Azure detaches a disk in less than a minute; Kubernetes waits six before it takes it away by force. */
const detachSeconds = 8 * 60;

const written = (pool: string): string => `written-for-${pool}`;

function rowOf(where: string, pool: string, step: string, outcome: PodOutcome): ProbeRow {
  const result = outcome.results.find((each) => each.step === step);
  const measured = outcome.problem || text(result?.error) || text(result?.text) || "nothing";
  const row = { check: "volume", where, expected: written(pool), measured };
  return judged(
    row,
    measured === written(pool),
    "Run `npm run doctor -- NAME` while a pod with a disk waits: it reads the events of volumes and attachments.",
  );
}

/** @throws EndedError */
export async function volumeRows(
  client: Client,
  facts: StackFacts,
  nodes: readonly ProbeNode[],
  pool: string,
  round: number,
): Promise<ProbeRow[]> {
  const missing = (measured: string): ProbeRow[] => [
    { check: "volume", where: `pool ${pool}`, expected: "", measured, verdict: "not measured" },
  ];
  const pair = pairOf(nodes, pool);
  const disks = facts.addons.storageClasses.find(({ addon }) => addon === "azureDisk");
  if (disks === undefined) {
    return missing("addons.azureDisk is off");
  }
  if (pair === undefined) {
    return missing("the pool has no two ready nodes in one zone");
  }
  const [from, to] = pair;
  const claim = `disk-${pool}-${round}`;
  const run = (name: string, node: ProbeNode, step: string): Promise<PodOutcome> =>
    runPod(client, {
      ...{ name, node, claim, steps: `${step} ${written(pool)}`, deadlineSeconds: podSeconds },
      ...{ place: "pod", image: imageOf(facts, node, "pod") },
    });
  try {
    await client.create(claimObject(claim, disks.name));
    const first = await run(`write-${pool}-${round}`, from, "write");
    await removeAndWait(client, `write-${pool}-${round}`, detachSeconds);
    const rows = [rowOf(`pool ${pool}, first written on ${from.name}`, pool, "write", first)];
    if (rows[0]?.verdict !== "as planned") {
      return rows;
    }
    const second = await run(`read-${pool}-${round}`, to, "read_back");
    return [...rows, rowOf(`pool ${pool}, then read on ${to.name}`, pool, "read_back", second)];
  } catch (error) {
    if (error instanceof RefusedError) {
      return missing(error.message);
    }
    throw error;
  }
}
