import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { formatSections, sectionsOf } from "capz-windows-doctor/access/commands";
import { run } from "capz-windows-doctor/access/cli/main";
import { clusterKubeconfigText } from "capz-windows-kit/clusterKubeconfig";
import { kubeconfigCommand } from "capz-windows-platform/cluster/access";
import { hostProcessBaseImage } from "capz-windows-platform/workloads/hostProcess";
import { readArguments } from "capz-windows-doctor/access/cli/arguments";
import { natRulesOf, reachableOf } from "capz-windows-doctor/access/model";
import type { RunCommand } from "capz-windows-doctor/cluster/stack";
import { patient, recordedDir } from "../patient";
import { said } from "capz-windows-test-kit/said";

const host = "sick-2e748e36.westeurope.cloudapp.azure.com";
const machine = "sick-control-plane-942cq";

/** The healthy cluster with a second machine of the control plane, addresses, and an instance that has not joined. */
function grown() {
  const p = patient();
  const first = p.get("AzureMachine", machine);
  p.add("management", {
    ...structuredClone(first),
    metadata: { ...first.metadata, name: "sick-control-plane-aaaaa" },
  });
  p.node("win1").status.addresses = [{ type: "InternalIP", address: "10.10.128.5" }];
  const instance = p.get("AzureMachinePoolMachine", "win1");
  p.add("management", {
    ...structuredClone(instance),
    metadata: { ...instance.metadata, name: "win1-11" },
    spec: { ...instance.spec, instanceID: "11" },
    status: { provisioningState: "Succeeded" },
  });
  return p.snapshot();
}

/** NAT rules as `az` prints them, after a rollout, so that no machine has port 22. */
const rules = [
  { name: machine, frontendPort: 2202, protocol: "Tcp" },
  { name: "sick-control-plane-aaaaa", frontendPort: 2201, protocol: "Tcp" },
];

const reachable = reachableOf(grown(), natRulesOf(rules));
const commandsOf = (title: string): Record<string, string> =>
  Object.fromEntries(
    (
      sectionsOf(reachable, { pool: "win1" }).find((section) => section.title.startsWith(title))?.commands ??
      []
    ).map(({ what, command }) => [what, command]),
  );

describe("the kubeconfig of the Secret, which others write, keeps only lines that run nothing and read no file:", () => {
  const filter = kubeconfigCommand("prod", "prod").split("base64 -d | ")[1] ?? "";
  const filtered = (text: string): string =>
    spawnSync("bash", ["-c", filter], { input: text, encoding: "utf8" }).stdout;
  const whole = clusterKubeconfigText(
    JSON.stringify({
      ...{ apiVersion: "v1", kind: "Config", "current-context": "prod-admin@prod" },
      clusters: [
        {
          name: "prod",
          cluster: {
            server: "https://[fd00::1]:6443",
            "certificate-authority-data": Buffer.from("-----BEGIN C").toString("base64"),
          },
        },
      ],
      contexts: [{ name: "prod-admin@prod", context: { cluster: "prod", user: "prod-admin" } }],
      users: [
        {
          name: "prod-admin",
          user: {
            "client-certificate-data": Buffer.from("-----BEGIN C").toString("base64"),
            "client-key-data": Buffer.from("-----BEGIN K").toString("base64"),
          },
        },
      ],
    }),
  );

  it("what Cluster API writes is all kept", () => {
    expect(filtered(whole)).toBe(whole);
  });

  it.each([
    "    exec:\n      command: /tmp/evil\n      args:\n      - a\n",
    "  user: {exec: {command: /tmp/evil}}\n",
    "    tokenFile: /etc/passwd\n",
    "    client-certificate: /etc/passwd\n",
    "    auth-provider:\n",
    "    proxy-url: http://evil\n",
    "    insecure-skip-tls-verify: true\n",
    "  user: &a\n  user: *a\n  user: !!map\n  user: |\n  <<: *a\n",
    '    "exec":\n    ? exec\n    token: "x\n',
    "---\n",
  ])("%j is not", (lines) => {
    expect(filtered(`${whole}${lines}`)).toBe(whole);
  });
});

it("each machine of the control plane has the port of its NAT rule, and the first port is the jump host", () => {
  const shells = sectionsOf(reachable)
    .filter(({ title }) => title.endsWith("(control plane)"))
    .map(({ commands }) => commands[0]?.command);
  expect(shells).toEqual([`ssh -p 2201 capi@${host}`, `ssh -p 2202 capi@${host}`]);
  expect(sectionsOf(reachable, { node: machine })[2]?.commands[1]?.command).toBe(
    `ssh -o Port=2202 capi@${host} 'sudo bash -s' < bootstrap/scripts/collect-linux.sh > ${machine}-logs.tar.gz`,
  );
});

it("a Windows node has commands for a shell, RDP and logs, all through the jump host", () => {
  const jump = `capi@${host}:2201`;
  expect(commandsOf("win1000000")).toEqual({
    shell: `ssh -J ${jump} capi@10.10.128.5  # a password for RDP: net user capi *`,
    RDP: `ssh -N -L 5555:10.10.128.5:3389 -p 2201 capi@${host}  # then RDP to localhost:5555 as capi`,
    logs:
      `scp -J ${jump} bootstrap/scripts/collect-windows.ps1 capi@10.10.128.5:collect-windows.ps1 && ` +
      `ssh -J ${jump} capi@10.10.128.5 powershell.exe -NoProfile -ExecutionPolicy Bypass -File collect-windows.ps1 && ` +
      `scp -J ${jump} capi@10.10.128.5:node-logs.zip win1000000-logs.zip`,
  });
});

it("logs and a shell come first without a login: one node of each operating system, and none that has not joined", () => {
  const kubectl = "kubectl --kubeconfig workload.kubeconfig";
  const titles = sectionsOf(reachable).map(({ title }) => title);
  expect(titles.slice(0, 3)).toEqual(["kubeconfig", "without a login", "way in"]);
  expect(commandsOf("without a login")).toEqual({
    "windows logs": `${kubectl} get --raw "/api/v1/nodes/win1000000/proxy/logs/?query=kubelet"`,
    "windows file": `${kubectl} get --raw "/api/v1/nodes/win1000000/proxy/logs/kubelet/kubelet.log"`,
    "windows shell":
      `${kubectl} run debug-win1000000 -n kube-system -it --rm --restart=Never --image=${hostProcessBaseImage} ` +
      `--overrides='{"spec":{"nodeName":"win1000000","hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true,` +
      `"runAsUserName":"NT AUTHORITY\\\\system"}},"tolerations":[{"operator":"Exists"}]}}' --command -- powershell.exe`,
  });
  expect(
    sectionsOf(reachable)[1]?.commands.map(
      ({ command }) => /win1000000|linux1000000|sick-/.exec(command)?.[0],
    ),
  ).toEqual(["win1000000", "win1000000", "win1000000", "linux1000000", "linux1000000"]);
  const linux = sectionsOf(reachable, { node: "linux1000000" })[0]?.commands;
  expect(linux).toEqual([
    {
      what: "linux logs",
      command: `${kubectl} get --raw "/api/v1/nodes/linux1000000/proxy/logs/?query=kubelet"`,
    },
    {
      what: "linux shell",
      command: `${kubectl} debug node/linux1000000 -n kube-system -it --profile=sysadmin --image=busybox -- chroot /host bash`,
    },
  ]);
  expect(sectionsOf(reachable, { node: "win100000b" }).map(({ title }) => title)).toEqual([
    "way in",
    "win100000b (pool win1, windows, not a node yet)",
  ]);
});

it("an instance that is no node yet is reached by its computer name", () => {
  expect(commandsOf("win100000b (pool win1, windows, not a node yet)").shell).toBe(
    `ssh -J capi@${host}:2201 capi@win100000b  # a password for RDP: net user capi *`,
  );
});

it("a host name that a node gives as its address leads no login there", () => {
  const snapshot = grown();
  const node = snapshot.workload.objects.find(
    ({ kind, status }) => kind === "Node" && JSON.stringify(status).includes("10.10.128.5"),
  );
  Object.assign(node?.status as object, { addresses: [{ type: "InternalIP", address: "host.example" }] });
  const found = JSON.stringify(reachableOf(snapshot, natRulesOf(rules)));
  expect(found).not.toContain("host.example");
  expect(found).toContain(`"address":"${node?.metadata.name ?? "?"}"`);
});

it("port 22 is left out of the command, and without ports the report has the command that asks for them", () => {
  const first = reachableOf(grown(), natRulesOf([{ name: machine, frontendPort: 22 }]));
  expect(sectionsOf(first, { node: "linux1000000" })[2]?.commands[0]?.command).toBe(
    `ssh -J capi@${host} capi@linux1000000`,
  );
  const unknown = reachableOf(grown(), new Map());
  const text = formatSections(sectionsOf(unknown), unknown);
  expect(text).toMatch(/^kubeconfig\n/);
  expect(text).toContain(
    "One node of each pool is shown, of 3 in all: add --pool NAME or --node NAME for others.",
  );
  expect(text).toContain(
    "az network lb inbound-nat-rule list --resource-group sick --lb-name sick-public-lb",
  );
  expect(text).toContain(`ssh -p PORT capi@${host}`);
});

it.each([
  [{ pool: "win2" }, "--pool win2: there is no such pool; there are linux1, win1."],
  [
    { node: "win9" },
    `--node win9: there is no such node; there are sick-control-plane-aaaaa, ${machine}, linux1000000, win1000000, win100000b.`,
  ],
  [
    { pool: "win1", node: "linux1000000" },
    /^--node linux1000000: there is no such node; there are .*win1000000, win100000b\.$/,
  ],
])("%j", (target, message) => {
  expect(() => sectionsOf(reachable, target)).toThrow(message);
});

it("a machine of the control plane can be chosen by its name", () => {
  expect(
    sectionsOf(reachable, { node: machine }).map(({ title, commands }) => [title, commands.length]),
  ).toEqual([
    ["without a login", 1],
    ["way in", 0],
    [`${machine} (control plane)`, 2],
  ]);
});

describe("the command", () => {
  const output = async (
    ...argv: readonly string[]
  ): Promise<[code: number, stdout: string, stderr: string]> => {
    const asked: string[] = [];
    const az: RunCommand = (command, args) => {
      asked.push([command, ...args].join(" "));
      const output = JSON.stringify([{ name: machine, frontendPort: 2203 }]);
      return Promise.resolve({ ok: true, output, error: "" });
    };
    const { code, out, err } = await said(() => run(argv, { run: az }));
    return [code, out + asked.join("\n"), err];
  };
  const healthy = join(recordedDir, "healthy.json");

  it("asks az for the NAT rules of the load balancer", async () => {
    const [code, stdout] = await output("--from", healthy);
    expect(code).toBe(0);
    expect(stdout).toContain(`ssh -p 2203 capi@${host}`);
    expect(stdout).toContain(
      "az network lb inbound-nat-rule list --resource-group sick --lb-name sick-public-lb -o json",
    );
  });

  it("prints JSON", async () => {
    const [, stdout] = await output("--from", healthy, "--json");
    expect(JSON.parse(stdout.slice(0, stdout.lastIndexOf("}") + 1))).toMatchObject({
      version: 1,
      loadBalancer: "sick-public-lb",
    });
  });

  it("prints the doctor's cause if there is no cluster", async () => {
    const [code, , stderr] = await output("--from", healthy, "--cluster", "other");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The management cluster has no Cluster other\/other: .*\n {2}proof: .*\n {2}do: /,
    );
  });

  it("refuses unknown pools and wrong arguments", async () => {
    expect(await output("--from", healthy, "--pool", "x")).toMatchObject([
      1,
      expect.any(String),
      expect.stringContaining("--pool x"),
    ] as never);
    expect((await output("--pool"))[0]).toBe(64);
    expect(() => readArguments([], { npm_config_node: "n" })).toThrow("npm run access -- --node n");
  });
});
