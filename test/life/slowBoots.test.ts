import { tokenLifeArgument, tokenLifeOf } from "../../platform/machines/bootstrapTokens";
import { estimatedMinutes } from "../../platform/machines/rollMinutes";
import { at, list, textAt } from "../../tools/untyped";
import type { Plan } from "../../commands/plan/model/plan";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn, syncPeriod } from "./lives";
import { impactOf, impactsBetween, planned, stackOf } from "./stacks";

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

livesIn(
  "nodes that boot slowly",
  async () => {
    const plan = await planned(stack("1.35.6"));
    const tokens = inSeconds(tokenMinutesIn(plan));
    return {
      capzSyncPeriod: syncPeriod(plan),
      bootstrapFlags: [`${tokenLifeArgument}=${tokens}`, `--sync-period=${inSeconds(10)}`],
    };
  },
  (world) => {
    it("another image reaches every node, and `up` waits for it", async () => {
      const [birth, after] = [await planned(stack("1.35.6")), await planned(stack("1.35.7"))];
      const life = await world().begins(birth, { patience: 600 });
      await life.deployment.up(birth);
      await allRun(world(), life, birth);
      const life15 = (15 * 60) / faster;
      // The worst moment of tokens of 15 minutes: less left than a boot takes, and not yet replaced.
      await until("a token that is not new", 120, async () => {
        const left = await secondsLeft(life);
        return left < 0.75 * life15 || left > life15;
      });
      life.cluster.options.bootMs = (estimatedMinutes.boot.windows * 60_000) / faster;
      life.capacity.measure("win");
      const entries = await live(life, "another image, with 12 minutes for each boot", async () => {
        await life.deployment.up(after);
      });
      const said = entries.map(({ what }) => what);
      expect(said.filter((what) => what.startsWith("kubeadm join: "))).toEqual([]);
      const versions = life.cluster
        .running()
        .filter(({ plan }) => plan.nodeName.startsWith("win"))
        .map(({ facts }) => facts.version);
      const { fewestReady: fewest, most } = life.capacity.extremesOf("win");
      process.stdout.write(
        `plan: ${impactOf(impactsBetween(birth, after), "pool-rolls").what}\nlife: ${versions.join(", ")}; most ${most}, fewest Ready ${fewest} of 2\n`,
      );
      expect(versions).toEqual(["v1.35.7", "v1.35.7"]);
      expect(fewest).toBe(2);
    }, 1_800_000);
  },
);
