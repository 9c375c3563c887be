import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { leftovers, missing, PulumiCli } from "./pulumiCli";

const folder = temporaryFolder();

function program(name: string): void {
  writeFileSync(join(folder, name), "#!/bin/sh\nexit 0\n");
  chmodSync(join(folder, name), 0o755);
}

it("what is missing is said, one thing after the other", () => {
  const without = { PATH: folder };
  const env = { PATH: folder, CAPZ_WINDOWS_KUBECONFIG: "/k" };
  expect(missing(without).reason).toBe(
    "skipped: CAPZ_WINDOWS_KUBECONFIG names no kubeconfig of a test API server",
  );
  expect(missing(env).reason).toBe("skipped: no pulumi on PATH works");
  program("pulumi");
  expect(missing(env).reason).toBe(
    "skipped: pulumi-resource-kubernetes and pulumi-language-nodejs not beside the pulumi on PATH",
  );
  program("pulumi-resource-kubernetes");
  expect(missing(env).reason).toBe("skipped: pulumi-language-nodejs not beside the pulumi on PATH");
  program("pulumi-language-nodejs");
  expect(missing({ ...env, PATH: `/nowhere${delimiter}${folder}` })).toEqual({
    pulumi: join(folder, "pulumi"),
    kubeconfig: "/k",
  });
});

it("ends what a killed CLI has left behind, and nothing of another one", async () => {
  const start = (home: string) =>
    spawn("sleep", ["600"], { detached: true, env: { ...process.env, PULUMI_HOME: join(home, ".pulumi") } });
  const [own, other] = [start(folder), start(`${folder}-2`)];
  const ended = new Promise((resolve) =>
    own.once("exit", (_, signal) => {
      resolve(signal);
    }),
  );
  const place = { cwd: folder, home: folder, stack: "s", passphrase: "p", providers: "" };
  try {
    while (leftovers(folder).length === 0 || leftovers(`${folder}-2`).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(leftovers(folder)).toEqual([own.pid]);
    new PulumiCli("pulumi", place).endLeftovers();
    expect(await ended).toBe("SIGKILL");
    expect(leftovers(`${folder}-2`)).toEqual([other.pid]);
  } finally {
    other.kill("SIGKILL");
  }
});
