import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { projectDir } from "../support/stacks";
import { sleep } from "./azure/clock";
import type { Life, World } from "./harness";

/** The doctor, run as users run it, with the kubeconfigs of both clusters. */

/** Directory for the objects that the doctor reads, as NAME.json: CAPZ_WINDOWS_RECORD, or a temporary one. */
export const recordings =
  process.env.CAPZ_WINDOWS_RECORD ?? mkdtempSync(join(tmpdir(), "capz-windows-doctor-"));

/** Diagnosis of a life by the command, which also writes the objects that it reads to NAME.json. */
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

/** Findings of the doctor during an action, and the number of its checks. */
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
