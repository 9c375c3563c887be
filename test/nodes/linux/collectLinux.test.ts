import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { hiddenOnLinux, runOnLinux, type LinuxTold } from "../bash";
import { anySecret, credentialLine, hiddenLog, log, longKey } from "../secrets";

const folder = temporaryFolder();
const numbered = Array.from({ length: 20_002 }, (_, index) => `line ${index + 1}`);
const files: Readonly<Record<string, string>> = {
  "/var/log/cloud-init.log": `${log.join("\n")}\n`,
  "/var/log/cloud-init-output.log": `before the key\n${longKey}`,
  "/var/log/waagent.log": `${numbered.join("\n")}\n`,
  "/etc/os-release": "ID=ubuntu\n",
  "/etc/resolv.conf": "nameserver 168.63.129.16\n",
  "/etc/netplan/50-cloud-init.yaml": "mtu: 1350\n",
  "/etc/cni/net.d/10-calico.conflist": "{}\n",
  "/var/log/calico/cni/cni.log": "calico says hello\n",
  "/var/log/pods/kube-system_etcd_1/etcd/0.log": "etcd says hello\n",
  "/var/log/pods/calico-system_node_1/calico/0.log": "node says hello\n",
  "/var/log/pods/tigera-operator_op_1/op/0.log": "operator says hello\n",
  "/var/lib/kubelet/kubeadm-flags.env": "KUBELET_KUBEADM_ARGS=\n",
};
/** They are on the node, and never taken. */
const kept: Readonly<Record<string, string>> = {
  "/var/log/pods/default_app_1/app/0.log": "a log of a user\n",
  "/etc/kubernetes/azure.json": '{"aadClientSecret": "hunter2"}',
  "/etc/kubernetes/admin.conf": "client-key-data: hunter2",
  "/var/lib/cloud/instance/user-data.txt": "hunter2",
};
const commands: Readonly<Record<string, string>> = {
  "journal-kubelet.txt": "journalctl --no-pager --since=-24h --unit=kubelet",
  "journal-containerd.txt": "journalctl --no-pager --since=-24h --unit=containerd",
  "journal-kernel.txt": "journalctl --no-pager --since=-24h --dmesg",
  "crictl-ps.txt": "crictl ps --all",
  "crictl-images.txt": "crictl images",
  "crictl-pods.txt": "crictl pods",
  "disk.txt": "df -h",
  "memory.txt": "free -m",
  "network-addresses.txt": "ip address",
  "network-routes.txt": "ip route",
  "network-sockets.txt": "ss -tlnp",
  "clock.txt": "timedatectl",
  "services.txt": "systemctl --no-pager --failed",
  "processes.txt": "ps -eo pid,ppid,%cpu,%mem,etime,comm",
};

const links = [
  "var/log/pods/kube-system_etcd_1/etcd/1.log",
  "var/log/calico/cni/1.log",
  "etc/cni/net.d/1.conflist",
  "etc/netplan/1.yaml",
];

let told: LinuxTold;
let collected: ReadonlyMap<string, string>;

beforeAll(async () => {
  const names = [...new Set(Object.values(commands).map((command) => command.replace(/ .*/, "")))];
  const says = (name: string) => `echo "${name} says: token=hunter2, kept"; echo "and more" >&2; cat`;
  told = await runOnLinux("collect-linux.sh", {
    files: { ...files, ...kept },
    // The script itself is on standard input: a program that reads it would end the script.
    programs: Object.fromEntries(names.filter((name) => name !== "crictl").map((name) => [name, says(name)])),
    env: { LANG: "C.UTF-8" },
    // A container writes its own folder of logs.
    prepare: (root) => {
      const secret = join(root, "var/lib/cloud/instance/user-data.txt");
      for (const link of links) {
        symlinkSync(secret, join(root, link));
      }
    },
  });
  writeFileSync(join(folder, "logs.tar.gz"), told.bytes);
  spawnSync("tar", ["xzf", join(folder, "logs.tar.gz"), "-C", folder]);
  const below = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? below(join(path, entry.name)) : [join(path, entry.name)],
    );
  const root = join(folder, "logs/");
  collected = new Map(below(root).map((path) => [path.slice(root.length), readFileSync(path, "utf8")]));
});

it("takes the logs of cloud-init, of the agent and of the system's Pods, and what programs say, and nothing else", () => {
  expect([told.code, told.err]).toEqual([0, ""]);
  expect([...collected.keys()].sort()).toEqual(
    [...Object.keys(files).map((path) => `files${path}`), ...Object.keys(commands)].sort(),
  );
});

// What a container does between two looks at its log.
it.each(["realpath", "readlink", "awk"])(
  "reads the file whose place it has asked, before and after %s",
  async (name) => {
    const own = "/var/log/pods/kube-system_etcd_1/etcd/0.log";
    const { bytes } = await runOnLinux("collect-linux.sh", {
      files: { [own]: "etcd says hello\n", "/etc/kubernetes/azure.json": "a word\n" },
      programs: {
        [name]: `ln -sf "$ROOT/etc/kubernetes/azure.json" "$ROOT${own}.new"
        PATH="\${PATH#*:}" ${name} "$@"
        mv "$ROOT${own}.new" "$ROOT${own}"`,
      },
    });
    const { stdout } = spawnSync("tar", ["xzO"], { input: bytes, encoding: "utf8", maxBuffer: 2 ** 26 });
    expect(stdout).not.toContain("a word");
    expect(stdout).toContain("is not installed");
  },
);

it("asks these programs, in this order, and says which is not installed", () => {
  expect(told.calls).toEqual(Object.values(commands).filter((command) => !command.startsWith("crictl")));
  for (const [name, command] of Object.entries(commands)) {
    const program = command.replace(/ .*/, "");
    expect(collected.get(name)).toBe(
      program === "crictl" ? "crictl is not installed\n" : `${program} says: token=REDACTED\nand more\n`,
    );
  }
});

it("hides each secret, and loses no line without one", () => {
  expect(collected.get("files/var/log/cloud-init.log")).toBe(`${hiddenLog.join("\n")}\n`);
  expect([...collected.values()].join("\n")).not.toMatch(anySecret);
});

it("hides any password in every form that logs have", async () => {
  const given = fc
    .sample(credentialLine, 2_000)
    .filter(({ form, one }) => !form("").includes(one))
    .map(({ form, one }) => ({ line: form(one), one }));
  const hidden = (await hiddenOnLinux(`${given.map(({ line }) => line).join("\n")}\n`)).join("\n");
  expect(given.filter(({ one }) => hidden.includes(one))).toEqual([]);
  expect(hidden.split("\n").length).toBeGreaterThan(0.9 * given.length);
});

it("keeps the last 20,000 lines, and hides secrets before it cuts", () => {
  expect(collected.get("files/var/log/waagent.log")?.split("\n").slice(0, -1)).toEqual(numbered.slice(2));
  expect(collected.get("files/var/log/cloud-init-output.log")).toBe(
    "before the key\nREDACTED-KEY\nafter the key\n",
  );
});

it("joins eight lines of those that end with a name, and remembers the key that begins in them", async () => {
  const ends = Array.from({ length: 12 }, (_, index) => `----- n${index + 1} token:\n`).join("");
  expect(await hiddenOnLinux(`${ends}hunter2\nkept\n`)).toEqual([
    "REDACTED ----- n10 token: REDACTED",
    "kept",
    "",
  ]);
  const key = `-----BEGIN PRIVATE KEY----- token:\n${ends}hunter2\nhunter2\n-----END PRIVATE KEY-----\nkept\n`;
  expect(await hiddenOnLinux(`a token:\n${key}`)).toEqual(["REDACTED-KEY", "kept", ""]);
});

it("leaves nothing on the node", async () => {
  const { bytes, file } = await runOnLinux("collect-linux.sh", {
    programs: { mktemp: 'mkdir -p "$ROOT/work" && echo "$ROOT/work"' },
    files: { "/etc/os-release": "x" },
  });
  expect(bytes.length).toBeGreaterThan(0);
  expect(() => file("work/logs/disk.txt")).toThrow("ENOENT");
});
