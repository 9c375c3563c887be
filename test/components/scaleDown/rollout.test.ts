import { PoolClient } from "../../../components/scaleDown/poolClient";
import { leftOfRollout, waitForRollout } from "../../../components/scaleDown/rollout";
import type { SendRequest } from "../../../components/scaleDown/requests";

/** What CAPZ v1.27.0 writes in the rollout of two nodes with a surge of one, in its order. */

const pool = { namespace: "dev", name: "win" };

const part = (name: string, more: object = {}) => ({
  metadata: { name },
  status: { latestModelApplied: true, nodeRef: { name: `node-${name}` }, ...more },
});

const objects = (image: string, parts: readonly unknown[], status: object = {}) => ({
  machinePool: { spec: { replicas: 2, template: { spec: { infrastructureRef: { name: "win" } } } } },
  azurePool: {
    spec: { template: { image: { computeGallery: { version: "2", name: "w" } } } },
    status: { image: { computeGallery: { name: "w", version: image } }, ...status },
  },
  parts,
});

const [a, b, c, d] = ["win-0", "win-1", "win-2", "win-3"].map((name) => part(name));
const former = new Set(["win-0", "win-1"]);
const working = { longRunningOperationStates: [{ type: "PUT" }] };
const refused = {
  conditions: [{ type: "Ready", status: "False", reason: "Failed", message: "QuotaExceeded: DSv5" }],
};
const joining = part("win-2", { nodeRef: undefined });

/** In order; all but the last are not the end, also those in which CAPZ says ScaleSetModelUpdated. */
const steps = [
  [objects("1", [a, b]), "CAPZ has not seen the image yet"],
  [objects("2", [a, b], working), "2 of 2 nodes have the former model: win-0, win-1"],
  [objects("2", [a, b], refused), "2 of 2 nodes have the former model: win-0, win-1"],
  [objects("2", [a, b, joining]), "2 of 3 nodes have the former model: win-0, win-1"],
  [objects("2", [b, c]), "1 of 2 nodes have the former model: win-1"],
  [objects("2", [c, part("win-3", { nodeRef: undefined })]), "1 of 2 nodes, 2 instances"],
  [objects("2", [c, d], working), "Azure is still at work on the scale set"],
  [objects("2", [c, d]), undefined],
] as const;

it.each(steps)("%#: what is left of a rollout", (state, left) => {
  expect(leftOfRollout(state, former)).toBe(left);
});

it("what an interrupted `up` has left is seen by the instances, once CAPZ has looked at them", () => {
  const old = part("win-0", { latestModelApplied: false });
  expect(leftOfRollout(objects("2", [old, b]))).toBe("1 of 2 nodes have the former model: win-0");
  expect(leftOfRollout(objects("2", [a, b], refused))).toBe(
    "the scale set is not ready: QuotaExceeded: DSv5",
  );
  expect(
    leftOfRollout(objects("2", [a, { ...b, metadata: { name: "win-1", deletionTimestamp: "now" } }])),
  ).toBe("1 of 2 nodes, 2 instances");
});

/** A management cluster whose state is another one after each wait. */
function clientOf(states: readonly ReturnType<typeof objects>[]) {
  let step = 0;
  const waited: number[] = [];
  const send: SendRequest = (path) => {
    const { machinePool, azurePool, parts } = states[Math.min(step, states.length - 1)]!;
    const body = path.includes("/azuremachinepoolmachines")
      ? { items: parts }
      : path.includes("/azuremachinepools/")
        ? azurePool
        : machinePool;
    return Promise.resolve({ status: 200, body });
  };
  const wait = (seconds: number): Promise<void> => {
    waited.push(seconds);
    step += 1;
    return Promise.resolve();
  };
  return { client: new PoolClient(send, 0), wait, waited };
}

const quiet = { say: () => undefined, limitMinutes: 60 };

it("waits through all of them", async () => {
  const { client, wait, waited } = clientOf(steps.map(([state]) => state));
  await waitForRollout(client, pool, { ...quiet, former, steadySeconds: 0, wait });
  expect(waited).toHaveLength(steps.length - 1);
});

it("without knowledge of before waits until CAPZ must have looked at each instance", async () => {
  const stale = objects("2", [a, b]);
  const known = objects("2", [part("win-0", { latestModelApplied: false }), b]);
  const { client, wait, waited } = clientOf([stale, stale, known, objects("2", [c, d])]);
  await waitForRollout(client, pool, { ...quiet, steadySeconds: 20, wait });
  expect(waited).toEqual([5, 5, 5, 5, 5, 5, 5]);
});

it("ends with what is left when the time of the pool is over", async () => {
  const { client, wait } = clientOf([objects("2", [b, c])]);
  await expect(
    waitForRollout(client, pool, { ...quiet, limitMinutes: 1, former, steadySeconds: 0, wait }),
  ).rejects.toThrow(
    "win: the nodes are not replaced after 1 minutes: 1 of 2 nodes have the former model: win-1. `npm run doctor` says what holds them; then run `pulumi up` again, which goes on to wait.",
  );
});
