import fc from "fast-check";
import { beforeUpdate, resumePools } from "../../../components/scaleDown/resumePools";
import { PoolClient } from "../../../components/scaleDown/poolClient";
import { scalePool } from "../../../components/scaleDown/scalePool";
import { pausedAnnotation } from "capz-windows-platform/machines/scaleDown";
import { Killed, SimulatedPool } from "./simulatedPool";

const clientOf = ({ send }: SimulatedPool): PoolClient => new PoolClient(send, 0);

/** Deterministic numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const quiet = { say: () => undefined };

/** `pulumi up` with a number of nodes: what is left of an earlier one first, then the update. */
async function up(sim: SimulatedPool, nodes: number): Promise<void> {
  const client = clientOf(sim);
  const run = { ...quiet, wait: sim.wait };
  await resumePools(client, "dev", { win: nodes }, run);
  if (nodes < sim.replicas) {
    const change = {
      oldInputs: { spec: { replicas: sim.replicas } },
      newInputs: { spec: { replicas: nodes } },
    };
    await beforeUpdate(client, { ...change, changesModel: sim.model !== sim.sentModel }, sim.pool, run);
  }
  // What Pulumi's provider does afterwards.
  sim.replicas = nodes;
}

/** The same, killed after a number of requests. */
async function killedUp(sim: SimulatedPool, nodes: number, after: number): Promise<boolean> {
  sim.killAfter = sim.requests.length + after;
  try {
    await up(sim, nodes);
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) {
      throw error;
    }
    return true;
  } finally {
    sim.killAfter = Infinity;
  }
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe("the number of a scale set falls", () => {
  it("CAPZ alone deletes others, too, or this simulation proves nothing", () => {
    const lost = Array.from({ length: 20 }, (_, seed) => {
      const sim = new SimulatedPool({ nodes: 6, random: randomOf(seed + 1) });
      sim.replicas = 2;
      sim.settle();
      return sim.gone.length;
    });
    expect(Math.max(...lost)).toBeGreaterThan(4);
  });

  it("the program of a killed `up` that lives on lowers nothing, and an `up` with the former number leaves no trace", async () => {
    let interrupted = 0;
    for (let answers = 0; ; answers += 1) {
      const sim = new SimulatedPool({ nodes: 6, random: randomOf(answers + 1) });
      let left = answers;
      const alive = () => ((left -= 1) >= 0 ? Promise.resolve() : Promise.reject(new Error("gone")));
      const run = scalePool(clientOf(sim), sim.pool, { ...quiet, wait: sim.wait, nodes: 2, alive });
      const ended = await run.then(
        () => "done",
        (error: unknown) => (error as Error).message,
      );
      if (ended === "done") {
        break;
      }
      interrupted += 1;
      expect({ ended, replicas: sim.replicas }).toEqual({ ended: "gone", replicas: 6 });
      await up(sim, 6);
      sim.settle();
      expect({ paused: sim.paused, gone: sim.gone, stay: sim.machines.length }).toEqual({
        ...{ paused: false, gone: [], stay: 6 },
      });
    }
    expect(interrupted).toBeGreaterThan(2);
  });

  it("exactly as many nodes go, marked ones first, after up to three interruptions at any request", async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(8),
        fc.array(fc.nat(40), { maxLength: 3 }),
        async (seed, from, fewer, kills) => {
          const to = Math.max(0, from - fewer);
          const sim = new SimulatedPool({
            nodes: from,
            random: randomOf(seed),
            drains: seed % 2 === 0 ? 0.5 : 0.02,
          });
          for (const after of kills) {
            await killedUp(sim, to, after);
          }
          await up(sim, to);
          sim.settle();
          expect({ gone: sim.gone.length, born: sim.born, left: sim.machines.length }).toEqual({
            gone: from - to,
            born: [],
            left: to,
          });
          expect(sim.paused).toBe(false);
          expect(sim.managers.map(({ manager }) => manager)).toEqual(["pulumi-kubernetes"]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("with another model in the same `up`, too, and none without a drain", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.array(fc.nat(60), { maxLength: 2 }), async (seed, kills) => {
        const sim = new SimulatedPool({ nodes: 6, random: randomOf(seed) });
        // Pulumi has updated the AzureMachinePool, and CAPZ has not seen it.
        sim.model = "b";
        for (const after of kills) {
          await killedUp(sim, 2, after);
        }
        await up(sim, 2);
        sim.settle();
        expect({ gone: sim.gone.length, undrained: sim.undrained, born: sim.born }).toEqual({
          gone: 4,
          undrained: 0,
          born: [],
        });
      }),
      { numRuns: 100 },
    );
  });

  it("after an interruption the number of before may come back: no node goes, and the pool is not paused", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.nat(40), async (seed, after) => {
        const sim = new SimulatedPool({ nodes: 6, random: randomOf(seed), drains: 0 });
        const killed = await killedUp(sim, 2, after);
        const wasLeft = killed && sim.paused;
        await up(sim, 6);
        sim.settle(50);
        expect({ paused: sim.paused, replicas: sim.replicas }).toEqual({ paused: false, replicas: 6 });
        if (wasLeft) {
          expect(sim.machines.filter(({ deleted }) => deleted)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("those that somebody has marked while it paused the pool go first, and nobody resumes it for him", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: randomOf(7) });
    sim.annotations[pausedAnnotation] = "true";
    for (const machine of ["win-5", "win-2", "win-4"]) {
      sim.mark(machine);
    }
    const said: string[] = [];
    const run = { say: (text: string) => said.push(text), wait: sim.wait };
    await scalePool(clientOf(sim), sim.pool, { nodes: 2, ...run });
    expect({ paused: sim.paused, replicas: sim.replicas, gone: sim.gone }).toEqual({
      paused: true,
      replicas: 2,
      gone: [],
    });
    expect(said).toEqual([
      "win: somebody has paused the pool, so CAPZ deletes win-2, win-4, win-5, win-0 when it is resumed",
    ]);
    Reflect.deleteProperty(sim.annotations, pausedAnnotation);
    sim.settle();
    expect(sim.gone.sort()).toEqual(["win-0", "win-2", "win-4", "win-5"]);
  });

  it("a mark too many is taken back", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: randomOf(9) });
    sim.annotations[pausedAnnotation] = "true";
    for (const machine of ["win-5", "win-2", "win-4"]) {
      sim.mark(machine);
    }
    await scalePool(clientOf(sim), sim.pool, { nodes: 4, ...quiet, wait: sim.wait });
    Reflect.deleteProperty(sim.annotations, pausedAnnotation);
    sim.settle();
    expect({ gone: sim.gone.sort(), born: sim.born }).toEqual({ gone: ["win-2", "win-4"], born: [] });
  });

  it("asks again after a lost connection, and after answers that pass", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: randomOf(3) });
    let count = 0;
    const client = new PoolClient((path, request) => {
      count += 1;
      if (count % 3 === 0) {
        // The request may have arrived.
        void sim.send(path, request);
        return Promise.reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
      }
      return count % 4 === 0
        ? Promise.resolve({ status: 503, body: { message: "try again" } })
        : sim.send(path, request);
    }, 0);
    await scalePool(client, sim.pool, { nodes: 2, ...quiet, wait: sim.wait });
    sim.settle();
    expect({ gone: sim.gone.length, born: sim.born }).toEqual({ gone: 4, born: [] });
  });

  it("a run that was thought dead stops where another one has taken over", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: randomOf(5) });
    const waits: (() => void)[] = [];
    const dead = scalePool(clientOf(sim), sim.pool, {
      ...{ nodes: 2, ...quiet },
      wait: () => new Promise<void>((resolve) => waits.push(resolve)),
    });
    while (waits.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await up(sim, 6);
    expect({ paused: sim.paused, replicas: sim.replicas }).toEqual({ paused: false, replicas: 6 });
    waits[0]!();
    await expect(dead).rejects.toThrow(new Error("another `pulumi up` has taken over the pool win"));
    sim.settle();
    expect({ gone: sim.gone, replicas: sim.replicas }).toEqual({ gone: [], replicas: 6 });
  });

  it("changes nothing where CAPZ does not confirm the pause", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: () => 1 });
    await expect(scalePool(clientOf(sim), sim.pool, { nodes: 2, ...quiet, wait: sim.wait })).rejects.toThrow(
      new Error(
        "CAPZ has not confirmed within 10 minutes that it leaves the pool win alone, so its number of nodes was not lowered. `npm run doctor` says what is wrong with CAPZ; then run `pulumi up` again.",
      ),
    );
    expect({ replicas: sim.replicas, paused: sim.paused }).toEqual({ replicas: 6, paused: false });
  });

  it("passes an error of the API server on", async () => {
    const sim = new SimulatedPool({ nodes: 6, random: randomOf(1) });
    const forbidden = {
      status: 403,
      body: { message: 'User "ci" cannot patch resource "azuremachinepools"' },
    };
    const client = new PoolClient(
      (path, request) => (request.method === "PATCH" ? Promise.resolve(forbidden) : sim.send(path, request)),
      0,
    );
    await expect(scalePool(client, sim.pool, { nodes: 2, ...quiet, wait: sim.wait })).rejects.toThrow(
      new Error(
        'PATCH /apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/dev/azuremachinepools/win: User "ci" cannot patch resource "azuremachinepools"',
      ),
    );
  });
});
