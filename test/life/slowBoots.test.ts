import { tokenLifeArgument, tokenLifeOf } from "capz-windows-platform/machines/bootstrapTokens";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Plan } from "../../plan/model/plan";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life, World } from "./harness";
import { allRun, live, livesIn, syncPeriod } from "./lives";
import { impactOf, impactsBetween, planned, sideBySide, stackOf } from "./stacks";

/**
 * Windows nodes boot for as long as the plan says, 12 minutes, and the bootstrap provider does what the plan tells it; only all
 * of that is 7.5 times faster. Without a longer life of its tokens (15 minutes) the surge of a rollout gets one that has less
 * than half of that left, never joins, and the rollout never ends.
 */
const faster = 7.5;
const inSeconds = (minutes: number): string => `${Math.round((minutes * 60) / faster)}s`;

const stack = (version: string) =>
  stackOf("slow", {
    wait: "nodes",
    linuxPools: { linux: { replicas: 2 } },
    windowsPools: {
      win: { replicas: 2, image: { computeGallery: { gallery: "mine", name: "capi-windows", version } } },
    },
  });

/** What the plan tells the bootstrap provider, or its default of 15 minutes. */
function tokenMinutesIn({ objects }: Plan): number {
  const provider = objects.management.find(({ object }) => object.kind === "BootstrapProvider")?.object;
  const args = list(at(provider?.spec, "deployment", "containers")).map(
    (container) => `${tokenLifeArgument}=${textAt(container, "args", tokenLifeArgument)}`,
  );
  return tokenLifeOf(args) ?? 15;
}

/** Seconds that the newest bootstrap token of the workload cluster has left. */
async function secondsLeft({ cluster }: Life): Promise<number> {
  const secrets = await cluster.options.kube.list({ apiVersion: "v1", kind: "Secret" });
  const ends = (secrets as readonly unknown[])
    .filter((secret) => textAt(secret, "metadata", "name").startsWith("bootstrap-token-"))
    .map((secret) => Buffer.from(textAt(secret, "data", "expiration"), "base64").toString("utf8"));
  return (Math.max(...ends.map((end) => Date.parse(end))) - Date.now()) / 1000;
}

/** Flags of the bootstrap provider, whose tokens live so many minutes of the faster time. */
const flags = (minutes: number) => [
  `${tokenLifeArgument}=${inSeconds(minutes)}`,
  `--sync-period=${inSeconds(10)}`,
];

/** Cluster API's default (15 minutes), with which a token that is not new has too little left for the boot of a surge. */
const defaultLife = (15 * 60) / faster;

/** Brings the cluster up, and begins to replace its Windows nodes at the worst moment for a token of 15 minutes. */
async function replaced(world: World, birth: Plan, after: Plan): Promise<{ life: Life; up: Promise<void> }> {
  const life = await world.begins(birth, { patience: 600 });
  await life.deployment.up(birth);
  await allRun(world, life, birth);
  await until("a token that is not new", 240, async () => {
    const left = await secondsLeft(life);
    return (left > 0 && left < 0.75 * defaultLife) || left > defaultLife;
  });
  life.cluster.options.bootMs = (estimatedMinutes.boot.windows * 60_000) / faster;
  life.capacity.measure("win");
  return { life, up: life.deployment.up(after) };
}

const joinErrors = (life: Life): string[] =>
  life.timeline.entries.map(({ what }) => what).filter((what) => what.startsWith("kubeadm join: "));

const versionsOf = (life: Life): (string | undefined)[] =>
  life.cluster
    .running()
    .filter(({ plan }) => plan.nodeName.startsWith("win"))
    .map(({ facts }) => facts.version);

livesIn(
  "nodes that boot slowly",
  async () => {
    const plan = await planned(stack("1.35.6"));
    return { capzSyncPeriod: syncPeriod(plan), bootstrapFlags: flags(tokenMinutesIn(plan)) };
  },
  (world) => {
    it("another image reaches every node, and `up` waits for it", async () => {
      const [birth, after] = [await planned(stack("1.35.6")), await planned(stack("1.35.7"))];
      const { life, up } = await replaced(world(), birth, after);
      await live(life, "another image, with 12 minutes for each boot", () => up);
      expect(joinErrors(life)).toEqual([]);
      const { fewestReady, most } = life.capacity.extremesOf("win");
      sideBySide(
        impactOf(impactsBetween(birth, after), "pool-rolls"),
        `${versionsOf(life).join(", ")}; most ${most}, fewest Ready ${fewestReady} of 2`,
      );
      expect(versionsOf(life)).toEqual(["v1.35.7", "v1.35.7"]);
      expect(fewestReady).toBe(2);
    }, 1_800_000);
  },
);

if (process.env.CAPZ_WINDOWS_LIVES !== "all") {
  it.skip("the same roll with tokens of 15 minutes: CAPZ_WINDOWS_LIVES=all", () => undefined);
} else {
  livesIn(
    "nodes that boot slowly, with tokens of 15 minutes",
    async () => ({ capzSyncPeriod: syncPeriod(await planned(stack("1.35.6"))), bootstrapFlags: flags(15) }),
    (world) => {
      it("the same roll does not end: the surge comes too late for its token", async () => {
        const [birth, after] = [await planned(stack("1.35.6")), await planned(stack("1.35.7"))];
        const { life, up } = await replaced(world(), birth, after);
        up.catch(() => undefined);
        await live(life, "another image, with tokens that are too short", async () => {
          await until("a node is refused", 400, () => Promise.resolve(joinErrors(life).length > 0));
          await sleep(2 * life.cluster.options.bootMs);
        });
        expect(versionsOf(life)).toEqual(["v1.35.6", "v1.35.6"]);
      }, 1_800_000);
    },
  );
}
