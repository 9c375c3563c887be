import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diagnosis } from "../../doctor/model/diagnosis";
import type { Plan } from "../../plan/model/plan";
import { projectDir } from "../support/stacks";
import { sleep } from "./azure/clock";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn } from "./lives";
import { planned, stackOf } from "./stacks";

/**
 * The doctor looks again and again while nothing is wrong but everything changes: a control plane of three and pools of
 * scale sets and of single machines go to the next minor, then a Windows pool gets another image. CAPZ_WINDOWS_RECORD names
 * a folder for what it read: test/doctor/recorded.
 */

const image = (version: string) => ({
  image: { computeGallery: { gallery: "mine", name: "capi-windows", version } },
});

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

const keep = process.env.CAPZ_WINDOWS_RECORD ?? mkdtempSync(join(tmpdir(), "capz-windows-doctor-"));

livesIn("the doctor in the middle of an upgrade", {}, (world) => {
  let life: Life;
  let birth: Plan;

  const doctor = (name: string): Promise<Diagnosis> =>
    new Promise((resolve, reject) => {
      mkdirSync(keep, { recursive: true });
      const { rig } = life.cluster.options;
      execFile(
        process.execPath,
        [
          ...[join(projectDir, "scripts/doctor.js"), "--json", "--save", join(keep, `${name}.json`)],
          ...["--kubeconfig", world().managementKubeconfig, "--workload-kubeconfig", join(rig, "kubeconfig")],
          ...["--cluster", life.name, "--namespace", life.namespace],
        ],
        { maxBuffer: 1 << 26 },
        (error, stdout, stderr) => {
          try {
            resolve(JSON.parse(stdout) as Diagnosis);
          } catch {
            reject(new Error(stderr, { cause: error }));
          }
        },
      );
    });

  /** What the doctor finds while something goes on; and how many times it looked. */
  async function alarmsDuring(
    name: string,
    run: () => Promise<unknown>,
  ): Promise<{ looks: number; alarms: string[] }> {
    const alarms: string[] = [];
    const state = { over: false, looks: 0 };
    const running = run();
    void running.finally(() => (state.over = true)).catch(() => undefined);
    while (!state.over) {
      const { findings } = await doctor(`${name}-${(state.looks += 1)}`);
      alarms.push(...findings.map(({ id, proofs }) => `${id} ${JSON.stringify(proofs[0])}`));
      await sleep(4000);
    }
    await running;
    return { looks: state.looks, alarms };
  }

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

  it("no alarm while the control plane and the pools go to the next minor", async () => {
    const done = await planned(at("v1.36.2"));
    let seen = { looks: 0, alarms: [] as string[] };
    await live(life, "upgrade to v1.36.2", async () => {
      seen = await alarmsDuring("upgrade", async () => {
        // On a slow machine the wait for the control plane ends before it; people run `up` again.
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
      seen = await alarmsDuring("roll", async () => {
        await life.deployment.up(rolled);
        await allRun(world(), life, rolled);
      });
    });
    expect(seen.alarms).toEqual([]);
    expect(seen.looks).toBeGreaterThan(0);
  }, 300_000);
});
