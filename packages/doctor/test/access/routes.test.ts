import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "capz-windows-doctor/access/cli/arguments";
import { formatSections, sectionsOf, type Targets } from "capz-windows-doctor/access/commands";
import { natRulesOf, reachableOf } from "capz-windows-doctor/access/model";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { patient } from "../patient";
import { sceneNamed } from "../scenes";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** Routes to machines other than through the control plane. */

const machine = "sick-control-plane-942cq";
const reachable = reachableOf(patient().snapshot(), natRulesOf([{ name: machine, frontendPort: 22 }]));

const commandsOf = (targets: Targets, title: string, of = reachable): Record<string, string> =>
  Object.fromEntries(
    (sectionsOf(of, targets).find((section) => section.title.startsWith(title))?.commands ?? []).map(
      ({ what, command }) => [what, command],
    ),
  );

it("a jump host of the user's replaces the control plane in all commands", () => {
  const found = commandsOf({ pool: "win1", jump: "ops@jump.example.org:2222" }, "win1");
  expect(found.shell).toMatch(/^ssh -J ops@jump\.example\.org:2222 capi@\S+ {2}# a password/);
  expect(found.RDP).toMatch(/^ssh -N -L 5555:\S+:3389 -p 2222 ops@jump\.example\.org /);
  expect(found.logs).toContain("scp -J ops@jump.example.org:2222 bootstrap/scripts/collect-windows.ps1 ");
  const control = commandsOf({ jump: "10.0.0.4" }, machine);
  expect(control.shell).toMatch(/^ssh -J capi@10\.0\.0\.4 capi@[\w.-]+$/);
});

it("with Azure Bastion, all commands name the machine by its ID, and none by an address", () => {
  const targets = { pool: "win1", bastion: "hub/hub-bastion" };
  const found = commandsOf(targets, "win1");
  const instance =
    /--target-resource-id \/subscriptions\/[\w-]+\/resourceGroups\/sick\/providers\/Microsoft\.Compute\/virtualMachineScaleSets\/win1\/virtualMachines\/0 /i;
  for (const what of ["shell", "RDP", "logs"]) {
    expect(found[what]).toMatch(instance);
    expect(found[what]).toContain("--name hub-bastion --resource-group hub ");
  }
  expect(found.shell).toMatch(/ --auth-type ssh-key --username capi --ssh-key PRIVATE-KEY {2}# a password/);
  expect(commandsOf({ bastion: targets.bastion }, machine).shell).toMatch(
    /^az network bastion ssh .*virtualMachines\/sick-control-plane-942cq --auth-type/i,
  );
  const text = formatSections(sectionsOf(reachable, targets), reachable);
  expect(text).toContain("# Azure Bastion hub-bastion needs the SKU Standard");
  expect(text).not.toMatch(/-J |ssh -p \d+ capi@sick-/);
});

it("the Bastion of the AzureCluster is used without being asked for", () => {
  const p = patient();
  p.get("AzureCluster").spec.bastionSpec = { azureBastion: { sku: "Standard", enableTunneling: true } };
  const own = reachableOf(p.snapshot(), new Map());
  expect(commandsOf({ pool: "linux1" }, "linux1", own).shell).toContain(
    "az network bastion ssh --name sick-azure-bastion --resource-group sick ",
  );
  expect(commandsOf({ pool: "linux1", jump: "10.0.0.4" }, "linux1", own).shell).toMatch(/^ssh -J/);
});

it("a single machine is reached as instances of scale sets are", () => {
  const p = patient();
  const labels = { "cluster.x-k8s.io/cluster-name": "sick", "cluster.x-k8s.io/deployment-name": "apps" };
  const meta = { namespace: "sick", labels };
  p.add("management", { kind: "MachineDeployment", metadata: { name: "apps", ...meta }, spec: {} });
  p.add("management", {
    kind: "AzureMachine",
    metadata: { name: "apps-x7k2p", ...meta },
    spec: {
      osDisk: { osType: "Windows" },
      providerID:
        "azure:///subscriptions/s/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/apps-x7k2p",
    },
  });
  p.add("management", {
    kind: "Machine",
    metadata: { name: "apps-x7k2p", ...meta, ownerReferences: [{ kind: "MachineSet", name: "apps-1" }] },
    spec: { infrastructureRef: { kind: "AzureMachine", name: "apps-x7k2p" } },
    status: { nodeRef: { name: "apps-x7k2p" } },
  });
  const found = reachableOf(p.snapshot(), new Map());
  expect(commandsOf({ pool: "apps", jump: "10.0.0.4" }, "apps-x7k2p", found).shell).toMatch(
    /^ssh -J capi@10\.0\.0\.4 capi@apps-x7k2p /,
  );
  expect(commandsOf({ pool: "apps", bastion: "b" }, "apps-x7k2p", found).RDP).toContain(
    "--target-resource-id /subscriptions/s/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/apps-x7k2p ",
  );
});

it("a single Windows machine that is not a node yet has the computer name that CAPZ shortens", () => {
  const p = patient();
  sceneNamed(
    "a single Windows machine whose name CAPZ shortens has joined without the taint of the cloud provider",
  ).make(p);
  Object.assign(p.get("Machine", "apps-win").metadata, {
    ownerReferences: [{ kind: "MachineSet", name: "apps-win-7cbb8" }],
  });
  const found = reachableOf(p.snapshot(), new Map());
  expect(found.nodes.find(({ pool }) => pool === "apps-win")).toMatchObject({
    name: "apps-win-x2x41",
    address: "apps-win-x2x41",
    joined: false,
  });
});

it("a private load balancer without a way in has a note, and no command that cannot work", () => {
  const p = patient();
  const { spec } = p.get("AzureCluster");
  spec.networkSpec = { ...(spec.networkSpec as object), apiServerLB: { type: "Internal" } };
  const shut = reachableOf(p.snapshot(), new Map());
  const [withoutLogin, ...sections] = sectionsOf(shut, { pool: "win1" });
  expect(withoutLogin?.title).toBe("without a login");
  expect(sections).toEqual([
    {
      title: "way in",
      notes: [
        "The API server has a private address, and its load balancer forwards no ssh: name --bastion [GROUP/]NAME, or --jump USER@HOST for a machine that reaches the VNET.",
      ],
      commands: [],
    },
  ]);
  expect(commandsOf({ pool: "win1", jump: "10.0.0.4" }, "win1", shut).shell).toMatch(/^ssh -J/);
});

it.each([
  [["--jump", "a b"], "--jump a b: write [USER@]HOST[:PORT]."],
  [["--bastion", "a/b/c"], "--bastion a/b/c: write [GROUP/]NAME."],
  [
    ["--jump", "a", "--bastion", "b"],
    "error: option '--jump <HOST>' cannot be used with option '--bastion <NAME>'",
  ],
])("%j is refused", (args, message) => {
  expect(() => readArguments(["--stack", "dev", ...args])).toThrow(new UsageError(message));
});

describe("the command for logs", () => {
  const dir = temporaryFolder();
  const standIn = (name: string, script: string): void => {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };

  it("opens the tunnel, saves the archive, and closes the tunnel", () => {
    // Like a tunnel, it runs until it is killed; its sleep is replaced, so the test does not wait.
    standIn(
      "az",
      'echo "$@" > az.txt; trap "echo ended >> az.txt; exit" TERM; while :; do /bin/sleep 0.05; done',
    );
    standIn("sleep", "/bin/sleep 0.3");
    standIn("ssh", 'echo "$@" > ssh.txt; cat > /dev/null; echo archive');
    const { logs = "" } = commandsOf({ pool: "linux1", bastion: "b" }, "linux1");
    writeFileSync(join(dir, "collect.sh"), "exit\n");
    const line = logs.replace(/bootstrap\/scripts\/[\w.-]+/, join(dir, "collect.sh"));
    const { status } = spawnSync("bash", ["-c", `${line}; wait; /bin/sleep 0.3`], {
      cwd: dir,
      env: { ...process.env, PATH: `${dir}:${process.env.PATH ?? ""}` },
      timeout: 20_000,
    });
    expect(status).toBe(0);
    expect(readFileSync(join(dir, "az.txt"), "utf8")).toMatch(
      /^network bastion tunnel .*--port 50022\nended\n$/,
    );
    expect(readFileSync(join(dir, "ssh.txt"), "utf8")).toMatch(
      /Port=50022 .*HostKeyAlias=linux1000000 .*capi@localhost/,
    );
    expect(readFileSync(join(dir, "linux1000000-logs.tar.gz"), "utf8")).toBe("archive\n");
  });
});
