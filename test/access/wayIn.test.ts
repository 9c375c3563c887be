import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { run } from "capz-windows-doctor/access/cli/main";
import type { Get } from "capz-windows-doctor/cluster/answers";
import { patient } from "../../packages/doctor/test/patient";
import { StandIn } from "../../packages/doctor/test/standIn";
import { said } from "capz-windows-test-kit/said";
import { minimal, publicKey } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** The way in that a stack file names: commands of `npm run access` take it without being asked. */

const projectDir = temporaryFolder();
const bastionId =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion";
const own = "az network bastion ssh --name sick-bastion --resource-group sick --subscription ";

/** What it prints for a stack with this way in, and what it asks of other commands. */
async function printed(bastion: object, ...argv: readonly string[]): Promise<string> {
  const p = patient();
  p.node("win1").status.addresses = [{ type: "InternalIP", address: "10.10.128.5" }];
  const { management, workload } = p.snapshot();
  const server = new StandIn([...management.objects, ...workload.objects]);
  const url = await server.listen();
  const get: Get = async (path) => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, body: await answer.json() };
  };
  const asked: string[] = [];
  try {
    const config = {
      ...minimal(),
      clusterName: "sick",
      access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
      windowsPools: { win1: {} },
      network: { bastion },
    };
    writeFileSync(join(projectDir, "Pulumi.yaml"), "name: capz-windows\nruntime: nodejs\n");
    writeFileSync(
      join(projectDir, "Pulumi.sick.yaml"),
      stringify({
        config: Object.fromEntries(
          Object.entries(config).map(([key, value]) => [`capz-windows:${key}`, value]),
        ),
      }),
    );
    const clusters = ["--kubeconfig", "default", "--workload-kubeconfig", "default"];
    const { code, out } = await said(() =>
      run(["--stack", "sick", ...clusters, ...argv], {
        ...{ projectDir, connect: () => Promise.resolve(get) },
        run: (command, args) => {
          asked.push(`asked: ${[command, ...args].join(" ")}`);
          return Promise.resolve({ ok: true, output: "[]", error: "" });
        },
      }),
    );
    expect(code).toBe(0);
    return [out, ...asked].join("\n");
  } finally {
    server.close();
  }
}

it("through the Bastion of the stack, by private address, for ssh, RDP and logs", async () => {
  const text = await printed({ kind: "stack", range: "10.10.1.0/26" }, "--pool", "win1");
  expect(text).toMatch(
    new RegExp(`shell +${own}[\\w-]+ --target-ip-address 10\\.10\\.128\\.5 --auth-type ssh-key `),
  );
  expect(text).toMatch(
    /RDP +az network bastion tunnel --name sick-bastion .* --target-ip-address 10\.10\.128\.5 --resource-port 3389 --port 5555 /,
  );
  expect(text).toMatch(
    /logs +\(az network bastion tunnel --name sick-bastion .* --target-ip-address 10\.10\.128\.5 --resource-port 22 --port 50022 & /,
  );
  expect(text).toContain(
    "# Azure Bastion sick-bastion needs the SKU Standard with native client support (enableTunneling), and connections by address (enableIpConnect); `az extension add` the extensions bastion and ssh.",
  );
  // No port of the API server's load balancer is needed.
  expect(text).not.toMatch(/asked:|inbound-nat-rule|-J /);
});

it("a machine without a known address is named by its ARM ID", async () => {
  const text = await printed({ kind: "stack", range: "10.10.1.0/26" }, "--pool", "linux1");
  expect(text).toMatch(
    /shell +az network bastion ssh .* --target-resource-id \/subscriptions\/\S+\/linux1\//i,
  );
});

it("through the Bastion of others, and through a jump host", async () => {
  expect(await printed({ kind: "existing", bastionId }, "--pool", "win1")).toContain(
    "az network bastion ssh --name hub-bastion --resource-group hub --subscription 22222222-2222-4333-8444-555555555555 --target-ip-address 10.10.128.5 ",
  );
  const jump = await printed({ kind: "jumpHost", jumpHost: "ops@10.50.0.10:2222" }, "--pool", "win1");
  expect(jump).toContain("ssh -J ops@10.50.0.10:2222 capi@10.10.128.5");
  expect(jump).not.toContain("asked:");
});

it("options of the command line come before it", async () => {
  const bastion = { kind: "stack", range: "10.10.1.0/26" };
  expect(await printed(bastion, "--pool", "win1", "--jump", "10.0.0.4")).toContain(
    "ssh -J capi@10.0.0.4 capi@10.10.128.5",
  );
  const other = await printed(bastion, "--pool", "win1", "--bastion", "hub/mine");
  expect(other).toContain("az network bastion ssh --name mine --resource-group hub --target-resource-id ");
  expect(other).not.toContain("sick-bastion");
});

it("without a way in, the control plane is the way, and az is asked for its ports", async () => {
  expect(await printed({ kind: "none" }, "--pool", "win1")).toContain(
    "asked: az network lb inbound-nat-rule list",
  );
});
