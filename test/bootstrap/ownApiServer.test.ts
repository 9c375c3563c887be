import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownApiServer } from "../../bootstrap/ownApiServer";
import { updateInline } from "../support/inlinePlans";
import { objectsOf } from "../support/plans";
import { privateStack } from "../support/networks";
import { minimal } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** The API server's name on the machines behind the internal load balancer. */

const host = "apiserver.blue.example.com";
const folder = temporaryFolder();

beforeEach(() => {
  writeFileSync(join(folder, "hosts"), "127.0.0.1 localhost\n");
});

/** The lines of /etc/hosts after the commands, on a machine with one of kubeadm's files. */
function hostsAfter(commands: readonly string[], file: string): string[] {
  writeFileSync(join(folder, file), "");
  for (const command of commands) {
    const here = command
      .replaceAll("/run/kubeadm/", `${folder}/`)
      .replaceAll("/etc/hosts", `${folder}/hosts`);
    expect(spawnSync("sh", ["-c", here]).status).toBe(0);
  }
  rmSync(join(folder, file));
  return readFileSync(join(folder, "hosts"), "utf8").trim().split("\n").slice(1);
}

const own = `127.0.0.1 ${host}`;

it.each([
  ["before init, the first machine", "preKubeadmCommands", "kubeadm.yaml", [own]],
  ["before join, no other machine", "preKubeadmCommands", "kubeadm-join-config.yaml", []],
  ["after init, the first machine not again", "postKubeadmCommands", "kubeadm.yaml", []],
  ["after join, every other machine", "postKubeadmCommands", "kubeadm-join-config.yaml", [own]],
] as const)("%s finds itself", (_, key, file, lines) => {
  expect(hostsAfter(ownApiServer(host)[key], file)).toEqual(lines);
});

it("is in the bootstrap data of the control plane, before all later commands, and nowhere else", async () => {
  const plan = await updateInline({
    ...minimal(),
    ...privateStack({ dns: { zoneName: "blue.example.com" } }),
  });
  const [controlPlane] = objectsOf(plan, "KubeadmControlPlane");
  const { preKubeadmCommands, postKubeadmCommands } = (
    controlPlane?.spec as { kubeadmConfigSpec: Record<string, readonly string[]> }
  ).kubeadmConfigSpec;
  expect(preKubeadmCommands?.slice(-1)).toEqual(ownApiServer(host).preKubeadmCommands);
  expect(postKubeadmCommands?.slice(0, 1)).toEqual(ownApiServer(host).postKubeadmCommands);
  expect(JSON.stringify(objectsOf(plan, "KubeadmConfig"))).not.toContain("/etc/hosts");
});
