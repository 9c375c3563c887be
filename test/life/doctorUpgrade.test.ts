import type { Plan } from "../../plan/model/plan";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn } from "./lives";
import { alarmsDuring, look } from "./look";
import { image, planned, stackOf } from "./stacks";

/**
 * The doctor checks a healthy cluster repeatedly during changes: a control plane of three machines and pools of
 * scale sets and MachineDeployments are upgraded to the next minor, then a Windows pool gets another image.
 * CAPZ_WINDOWS_RECORD names a directory for the objects that it reads, for instance packages/doctor/test/recorded.
 */

const at = (version: string, windowsImage = version.slice(1)) =>
  stackOf("calm", {
    controlPlane: { replicas: 3 },
    kubernetesVersion: version,
    linuxPools: { linux1: { replicas: 2, ...image(version.slice(1)) } },
    windowsPools: {
      win1: { replicas: 2, ...image(windowsImage) },
      apps: { replicas: 1, kind: "MachineDeployment", ...image(version.slice(1)) },
    },
  });

livesIn("the doctor in the middle of an upgrade", {}, (world) => {
  let life: Life;
  let birth: Plan;

  const during = (name: string, run: () => Promise<unknown>) =>
    alarmsDuring((shot) => look(world(), life, shot), name, run);

  const allAre = (version: string): Promise<void> =>
    until(`every kubelet is ${version}`, 150, () =>
      Promise.resolve(
        life.cluster.running().length === 8 &&
          life.cluster.running().every(({ facts, node }) => facts.version === version && node === "ready"),
      ),
    );

  beforeAll(async () => {
    birth = await planned(at("v1.35.6"));
    life = await world().begins(birth);
    await live(life, "bring-up", async () => {
      await life.deployment.up(birth);
      await allRun(world(), life, birth, 200);
    });
  }, 400_000);

  it("no alarm while the control plane and the pools are upgraded to the next minor", async () => {
    const done = await planned(at("v1.36.2"));
    let seen = { looks: 0, alarms: [] as string[] };
    await live(life, "upgrade to v1.36.2", async () => {
      seen = await during("upgrade", async () => {
        // On a slow computer the wait for the control plane times out. Like a user, the test then runs `up` again.
        await life.deployment.up(done).catch(() => life.deployment.up(done));
        await allAre("v1.36.2");
      });
    });
    expect(seen.alarms).toEqual([]);
    expect(seen.looks).toBeGreaterThan(5);
  }, 900_000);

  it("no alarm while a Windows pool gets another image", async () => {
    const rolled = await planned(at("v1.36.2", "1.36.2-2"));
    let seen = { looks: 0, alarms: [] as string[] };
    await live(life, "another image", async () => {
      seen = await during("roll", async () => {
        await life.deployment.up(rolled);
        await allRun(world(), life, rolled);
      });
    });
    expect(seen.alarms).toEqual([]);
    expect(seen.looks).toBeGreaterThan(0);
  }, 300_000);
});
