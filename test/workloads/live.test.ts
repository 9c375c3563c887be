import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiServerStandIn } from "capz-windows-test-kit/apiServerStandIn";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";
import { inCi } from "capz-windows-test-kit/sample";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { deployment, kinds, nodes } from "../../packages/windows-workloads/test/cluster";
import { projectDir } from "../support/projectDir";

const dir = temporaryFolder();
const servers: ApiServerStandIn[] = [];

afterAll(() => {
  servers.forEach((server) => {
    server.close();
  });
});

describe("the command with a kubeconfig", () => {
  const command = async (server: string): Promise<{ code: number; stdout: string; stderr: string }> => {
    const file = join(dir, `kubeconfig-${servers.length}`);
    writeFileSync(file, kubeconfigOf(server));
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(projectDir, "scripts/workloads.js"), "--kubeconfig", file, "--offline"],
        (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
        },
      );
    });
  };

  inCi("reads the cluster", async () => {
    const server = new ApiServerStandIn(kinds, [...nodes, deployment("fine", {})]);
    servers.push(server);
    const { code, stdout, stderr } = await command(await server.listen());
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toContain(
      "1 workload: all of them run wherever their pods may be scheduled, if the API server takes them, their images can be pulled and their programs start\n",
    );
  });

  inCi("says that the API server does not answer", async () => {
    const { code, stderr } = await command("http://127.0.0.1:1");
    expect(stderr)
      .toBe(`The workload API server cannot be reached from here: this address is not in access.allowedCidrs, its name does not resolve, or the server has a private address only; then run this in the VNET, in a peered one, or behind its gateway.
  proof: connect ECONNREFUSED 127.0.0.1:1
  do:    capz-windows:access: {allowedCidrs: [YOUR-ADDRESS/32]}   # your address: curl -4 https://ifconfig.me
         capz-windows:network: {apiServer: {private: true, linkedVnetIds: [VNET-ID]}}   # a private server: the VNET of the DNS servers that are asked here
         npm run doctor -- STACK --workload-kubeconfig FILE   # with a kubeconfig that works from here
`);
    expect(code).toBe(1);
  });
});
