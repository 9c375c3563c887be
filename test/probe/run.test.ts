import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";
import { inCi } from "capz-windows-test-kit/sample";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { FakeCluster, nodes } from "../../packages/probe/test/fakeCluster";
import { exampleFile, projectDir } from "../support/stacks";

const dir = temporaryFolder();

describe("the command", () => {
  const command = (kubeconfig: string, ...args: string[]) => {
    const file = join(dir, "kubeconfig");
    writeFileSync(file, kubeconfig);
    return spawn(process.execPath, [
      ...[join(projectDir, "scripts/probe.js"), "--config-file", join(projectDir, exampleFile("dev"))],
      ...["--stack", "dev", "--workload-kubeconfig", file, ...args],
    ]);
  };

  inCi("ends by Ctrl-C with exit code 130, writes its report and leaves nothing", async () => {
    const cluster = new FakeCluster(nodes, { hangs: nodes.map(({ name }) => name) });
    const report = join(dir, "report.json");
    const child = command(kubeconfigOf(await cluster.listen()), "--report", report);
    const errors: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
    const ended = new Promise((resolve) => child.once("close", resolve));
    while (cluster.pods.length === 0) {
      expect([child.exitCode, errors.join("")]).toEqual([null, expect.any(String)]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      version: 1,
      ended: "interrupted by SIGINT.",
    });
    expect(cluster.left()).toEqual([]);
    cluster.close();
  });
});
