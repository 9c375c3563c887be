import type { Plan } from "../../plan/model/plan";
import type { Life, World, WorldOptions } from "./harness";
import { World as Harness } from "./harness";
import { tools } from "./support/rig";

/**
 * A group of lives in one world. Without the tools there is one skipped test that says what is missing.
 * @param define - defines the tests; the world is there when they run
 */
export function livesIn(title: string, options: WorldOptions, define: (world: () => World) => void): void {
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
      world = await Harness.start(found, options);
    }, 180_000);

    afterAll(async () => {
      await world?.stop();
    }, 60_000);

    define(there);

    it("nothing was asked of Azure that the simulator does not know, and nothing went elsewhere", () => {
      expect(there().surprises()).toEqual([]);
    });
  });
}

/** Runs a part of a life, prints its timeline, also when it fails, and holds it against the invariants. */
export async function live(life: Life, title: string, run: () => Promise<void>): Promise<void> {
  const from = life.timeline.now();
  try {
    await run();
  } finally {
    process.stdout.write(`${life.timeline.text(title, from)}\n`);
  }
  expect(life.capacity.violations()).toEqual([]);
}

/** Names of the pools of a plan. */
export const poolsOf = ({ objects }: Plan): string[] =>
  objects.management
    .filter(({ object }) => object.kind === "MachinePool" || object.kind === "MachineDeployment")
    .map(({ object }) => object.metadata.name);
