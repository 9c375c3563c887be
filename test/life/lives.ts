import { apiVersions } from "../../capi/apiVersions";
import { textAt } from "capz-windows-kit/untyped";
import { readText } from "../architecture/sources";
import type { Plan } from "../../plan/model/plan";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life, WorldOptions } from "./harness";
import { World } from "./harness";
import type { LiveObject } from "./kube";
import { note, type LifeFigures } from "../support/figures";
import { machinesOf } from "./stacks";
import { tools } from "./support/rig";
import type { Entry } from "./timeline";

/**
 * A group of lives in one world. Without the tools, defines one skipped test that says what is missing.
 * @param define - defines the tests; the world exists when they run
 */
export function livesIn(
  title: string,
  options: WorldOptions | (() => Promise<WorldOptions>),
  define: (world: () => World) => void,
): void {
  const found = tools();
  if (typeof found === "string") {
    it.skip(`${title} ${found}`, () => undefined);
    return;
  }
  describe(title, () => {
    let world: World | undefined;
    const there = (): World => {
      if (!world) {
        throw new Error("the world has not begun");
      }
      return world;
    };

    beforeAll(async () => {
      world = await World.start(found, typeof options === "function" ? await options() : options);
    }, 900_000);

    afterAll(async () => {
      if (world) {
        note({ figure: "faults", met: world.faultsMet() });
        await world.stop();
      }
    }, 60_000);

    define(there);

    it("all requests were known to the simulator, and none went to other hosts", () => {
      expect(there().surprises()).toEqual([]);
    });
  });
}

const answers = "kubeadm init: the API server answers";

/** Figures of a part of a life for the report of the run. */
export function figuresOf(
  cluster: string,
  title: string,
  entries: readonly Entry[],
): Omit<LifeFigures, "done" | "seconds"> {
  const first = (wanted: string): number | undefined =>
    entries.find(({ where, what }) => where === "node" && what === wanted)?.seconds;
  const [begins, ends] = [first(answers), first("Ready")];
  return {
    ...{ figure: "life", cluster, title },
    networkSeconds: begins === undefined || ends === undefined ? undefined : ends - begins,
    machinesDeleted: deletedMachines(entries).length,
    broken: entries.filter(({ where }) => where === "BROKEN").map(({ what }) => what),
  };
}

/** Runs a part of a life and prints its timeline, also when it fails. */
export async function live(life: Life, title: string, run: () => Promise<void>): Promise<Entry[]> {
  const from = life.timeline.now();
  let done = false;
  try {
    await run();
    done = true;
  } finally {
    const seconds = life.timeline.now() - from;
    const outcome = `${done ? "done" : "failed"} after ${seconds.toFixed(0)} s`;
    process.stdout.write(`${life.timeline.text(`${title} (${outcome})`, from)}\n`);
    note({ ...figuresOf(life.name, title, life.timeline.since(from)), done, seconds });
  }
  return life.timeline.since(from);
}

/** All Machines of a life. Another one may have the same namespace. */
export async function machines(world: World, { name, namespace }: Life): Promise<LiveObject[]> {
  const all = await world.kube.list({ apiVersion: apiVersions.cluster, kind: "Machine" });
  return all.filter(
    ({ metadata }) =>
      metadata.namespace === namespace && metadata.labels?.["cluster.x-k8s.io/cluster-name"] === name,
  );
}

/** Holds a Pod, and so the drain of its node. */
const slowFinalizer = "example.com/ends-slowly";

/**
 * Creates a Pod on each node whose name begins so, which does not end.
 * @param finalizer - false: it ends as soon as it may be evicted
 * @returns a function that lets them end
 */
export async function slowPods(
  { cluster }: Life,
  prefix: string,
  { finalizer = true }: { finalizer?: boolean } = {},
): Promise<() => Promise<void>> {
  const { kube } = cluster.options;
  const pods = cluster
    .running()
    .filter(({ plan }) => plan.nodeName.startsWith(prefix))
    .map(({ plan: { nodeName } }) => ({
      ...{ apiVersion: "v1", kind: "Pod" },
      metadata: {
        ...{ name: `slow-${nodeName}`, namespace: "default", labels: { pool: prefix } },
        ...{ finalizers: finalizer ? [slowFinalizer] : [] },
      },
      ...{ spec: { nodeName, containers: [{ name: "app", image: "example.com/app:1" }] } },
    }));
  for (const pod of pods) {
    await kube.create(pod);
  }
  return async () => {
    for (const { apiVersion, kind, metadata } of pods) {
      const { name, namespace } = metadata;
      await kube.patch({ apiVersion, kind, metadata: { name, namespace, finalizers: null } } as never);
    }
    // There is no kubelet that would end a Pod after its eviction.
    for (const pod of pods) {
      const found = await kube.get(pod, pod.metadata.name, pod.metadata.namespace);
      if (found?.metadata.deletionTimestamp !== undefined) {
        await kube.delete(pod, "gracePeriodSeconds=0");
      }
    }
  };
}

/** Refuses the eviction of every Pod of a pool: there is no controller that would allow one. */
export const budgetOf = (pool: string) => ({
  ...{ apiVersion: "policy/v1", kind: "PodDisruptionBudget" },
  metadata: { name: pool, namespace: "default" },
  ...{ spec: { minAvailable: 6, selector: { matchLabels: { pool } } } },
});

/** CAPZ's --sync-period: from the plan's provider, otherwise CAPZ's own default. */
export function syncPeriod({ objects }: Plan): string {
  const provider = objects.management.find(({ object }) => object.kind === "InfrastructureProvider")?.object;
  return textAt(provider, "spec", "manager", "syncPeriod") || "10m";
}

interface Shrinks {
  readonly pool: string;
  /** Names of the Machines that may go. */
  readonly marked: readonly string[];
  /** `pulumi up` with the lower number. */
  readonly up: () => Promise<void>;
  /** Before each command that changes something, except the first. */
  readonly pauseMs?: number;
}

/** The commands that docs/operations.md has for a cluster without a stack. */
function documentedCommands(namespace: string, pool: string): string[] {
  const pattern = /### Make a scale set smaller by hand\n[^`]+```sh\n([^`]+)\n```/;
  const block = pattern.exec(readText("docs/operations.md"))![1]!;
  return block.replaceAll("NAMESPACE", namespace).replaceAll("POOL", pool).split("\n");
}

/** Makes a scale set smaller by hand. */
export async function shrink(
  world: World,
  { namespace, timeline }: Life,
  { pool, marked, up, pauseMs = 0 }: Shrinks,
): Promise<void> {
  let upgoing = Promise.resolve();
  for (const [index, command] of documentedCommands(namespace, pool).entries()) {
    const [program, ...args] = command.replace(/ +#.*$/, "").split(" ");
    // Reading changes nothing, so no time has to pass before it.
    await sleep(index === 0 || args.includes("get") ? 0 : pauseMs);
    timeline.add("user", pool, args.join(" "));
    if (program === "kubectl") {
      const given = args.slice(args.indexOf("-n")).flatMap((arg) => (arg === "MACHINE" ? marked : arg));
      const printed = await world.kubectl(...given);
      const missing = marked.filter((name) => !printed.includes(name));
      if (given.includes("get") && missing.length > 0) {
        throw new Error(`${command} does not list ${missing.join(", ")}`);
      }
    } else {
      upgoing = up();
      upgoing.catch(() => undefined);
    }
  }
  await upgoing;
}

/** Waits until all Machines of a plan are Running, and all nodes Ready. */
export async function allRun(world: World, life: Life, plan: Plan, seconds = 150): Promise<void> {
  const wanted = machinesOf(plan);
  await until(`${wanted} Machines of ${life.name} run`, seconds, async () => {
    const found = await machines(world, life);
    return (
      found.length === wanted &&
      found.every(({ status }) => status?.phase === "Running") &&
      life.cluster.running().filter(({ node }) => node === "ready").length === wanted
    );
  });
}

const machineTypes = /^virtualMachine(s|ScaleSets\/virtualMachines) /;

/** Names of machines that were deleted in Azure. */
export const deletedMachines = (entries: readonly Entry[]): string[] =>
  entries
    .filter(({ where, object, what }) => where === "azure" && machineTypes.test(object) && what === "deleted")
    .map(({ object }) => object.replace(machineTypes, ""));

/**
 * Whether the last entry of each sort comes before the first one of the next sort.
 * @throws Error if a sort has no entry, because that would prove nothing
 */
export function inOrder(
  entries: readonly Entry[],
  ...sorts: readonly ((entry: Entry) => boolean)[]
): boolean {
  const places = sorts.map((is, sort) => {
    const found = entries.flatMap((entry, index) => (is(entry) ? [index] : []));
    if (found.length === 0) {
      throw new Error(`nothing of sort ${sort} happened`);
    }
    return found;
  });
  return places.every((place, sort) => sort === 0 || Math.max(...places[sort - 1]!) < Math.min(...place));
}

/** Matches the deletion of an Azure resource. */
export const deletionOf =
  (object: RegExp) =>
  (entry: Entry): boolean =>
    entry.where === "azure" && entry.what === "deleted" && object.test(entry.object);
