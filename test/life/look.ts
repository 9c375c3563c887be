import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diagnosis } from "../../doctor/model/diagnosis";
import { projectDir } from "../support/stacks";
import { sleep } from "./azure/clock";
import type { Life, World } from "./harness";

/** The doctor, started as users start it, by the kubeconfigs of both clusters. */

/** Where what it read is kept as NAME.json; CAPZ_WINDOWS_RECORD names the folder: test/doctor/recorded. */
export const recordings =
  process.env.CAPZ_WINDOWS_RECORD ?? mkdtempSync(join(tmpdir(), "capz-windows-doctor-"));

/** What the command says of a life, and what it read as NAME.json. */
export const look = (world: World, { cluster, name, namespace }: Life, shot: string): Promise<Diagnosis> =>
  new Promise((resolve, reject) => {
    mkdirSync(recordings, { recursive: true });
    execFile(
      process.execPath,
      [
        ...[join(projectDir, "scripts/doctor.js"), "--json", "--save", join(recordings, `${shot}.json`)],
        ...["--kubeconfig", world.managementKubeconfig],
        ...["--workload-kubeconfig", join(cluster.options.rig, "kubeconfig")],
        ...["--cluster", name, "--namespace", namespace],
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

/** What the doctor finds while something goes on, and how many times it looked. */
export async function alarmsDuring(
  doctor: (shot: string) => Promise<Diagnosis>,
  name: string,
  run: () => Promise<unknown>,
  pauseMs = 4000,
): Promise<{ looks: number; alarms: string[] }> {
  const alarms: string[] = [];
  const state = { over: false, looks: 0 };
  const running = run();
  void running.finally(() => (state.over = true)).catch(() => undefined);
  while (!state.over) {
    const { findings } = await doctor(`${name}-${(state.looks += 1)}`);
    alarms.push(...findings.map(({ id, proofs }) => `${id} ${JSON.stringify(proofs[0])}`));
    await sleep(pauseMs);
  }
  await running;
  return { looks: state.looks, alarms };
}
