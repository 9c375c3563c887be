import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { runOnLinux, type LinuxScene } from "../bash";

const devices: Readonly<Record<string, string>> = { eth0: "hv_netvsc", enP1s1: "mlx5_core" };
const netplan = "/etc/netplan/90-eth0-mtu.yaml";

/** The second interface of accelerated networking has the same address. */
function prepare(root: string): void {
  mkdirSync(join(root, "etc/netplan"), { recursive: true });
  for (const [name, driver] of Object.entries(devices)) {
    const device = join(root, "sys/class/net", name);
    mkdirSync(join(root, "drivers", driver), { recursive: true });
    mkdirSync(join(device, "device"), { recursive: true });
    symlinkSync(join(root, "drivers", driver), join(device, "device/driver"));
    writeFileSync(join(device, "address"), "00:0d:3a:aa:bb:cc\n");
    writeFileSync(join(device, "mtu"), "1500\n");
  }
}

const told = (programs: LinuxScene["programs"] = {}, files: LinuxScene["files"] = {}) =>
  runOnLinux("set-mtu.sh", {
    ...{ args: ["1400"], shell: "sh", moved: ["/sys/class/net", "/etc/netplan"], prepare, files },
    programs: {
      netplan: "",
      ip: '[ "$1 $2 $3 $5" = "link set dev mtu" ] && echo "$6" >"$ROOT/sys/class/net/$4/mtu"',
      ...programs,
    },
  });
const done = ["netplan generate", "ip link set dev eth0 mtu 1400"];

it("sets eth0 for the next boot and now, and does not match a second interface with the same MAC address", async () => {
  const { calls, out, err, code, file } = await told();
  expect([out, err, code]).toEqual(["eth0 (hv_netvsc, 00:0d:3a:aa:bb:cc) has an MTU of 1400 bytes\n", "", 0]);
  expect(calls).toEqual(done);
  expect(Object.keys(devices).map((name) => file(`/sys/class/net/${name}/mtu`))).toEqual([
    "1400\n",
    "1500\n",
  ]);
  expect(parse(file(netplan))).toEqual({
    network: {
      version: 2,
      ethernets: {
        eth0: {
          match: { macaddress: "00:0d:3a:aa:bb:cc", driver: "hv_netvsc" },
          "set-name": "eth0",
          dhcp4: true,
          mtu: 1400,
        },
      },
    },
  });
});

it("keeps the file from others, as netplan asks for", async () => {
  const mode = 'stat -c %a "$ROOT/etc/netplan/90-eth0-mtu.yaml" >>"$ROOT/mode"';
  expect((await told({ netplan: mode })).file("mode")).toBe("600\n");
});

it("writes the file anew the second time", async () => {
  const { calls, code, file } = await told({}, { [netplan]: "network: {}\nolder: much longer\n" });
  expect([calls, code]).toEqual([done, 0]);
  expect(file(netplan)).not.toContain("older");
});

it("fails with a message if eth0 has another MTU afterwards", async () => {
  expect(await told({ ip: "true" })).toMatchObject({
    code: 1,
    out: "",
    err: "eth0 has an MTU of 1500 bytes instead of 1400: larger packets to Windows nodes would be lost\n",
  });
});

it.each([
  ["netplan", 1],
  ["ip", 2],
])("fails and goes no further if %s fails", async (name, count) => {
  const { code, calls, out } = await told({ [name]: "exit 7" });
  expect([code, calls, out]).toEqual([7, done.slice(0, count), ""]);
});

it("needs an MTU", async () => {
  const { code, calls } = await runOnLinux("set-mtu.sh", {
    shell: "sh",
    programs: { ip: "", netplan: "" },
  });
  expect([code === 0, calls]).toEqual([false, []]);
});
