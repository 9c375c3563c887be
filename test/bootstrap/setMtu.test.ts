import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { scriptContent } from "../../bootstrap/files";
import { temporaryFolder } from "../support/temporaryFolder";

/** set-mtu.sh with its absolute paths moved to a temporary folder, and with stubs of netplan and ip. */
const root = temporaryFolder();
const device = (name: string) => join(root, "sys", "class", "net", name);

function tool(name: string, text: string): void {
  const path = join(root, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

beforeEach(() => {
  rmSync(root, { recursive: true });
  const drivers = { eth0: "hv_netvsc", enP1s1: "mlx5_core" };
  mkdirSync(join(root, "etc", "netplan"), { recursive: true });
  mkdirSync(join(root, "bin"));
  for (const [name, driver] of Object.entries(drivers)) {
    mkdirSync(join(root, "drivers", driver), { recursive: true });
    mkdirSync(join(device(name), "device"), { recursive: true });
    symlinkSync(join(root, "drivers", driver), join(device(name), "device", "driver"));
    // The second interface of accelerated networking has the same address.
    writeFileSync(join(device(name), "address"), "00:0d:3a:aa:bb:cc\n");
    writeFileSync(join(device(name), "mtu"), "1500\n");
  }
  tool("netplan", `echo "$@" >>"${root}/netplan.log"`);
  tool("ip", `[ "$1 $2 $3 $5" = "link set dev mtu" ] && echo "$6" >"${root}/sys/class/net/$4/mtu"`);
});

const run = (mtu: string) => {
  const text = scriptContent("set-mtu.sh")
    .replaceAll("/sys/class/net", join(root, "sys/class/net"))
    .replaceAll("/etc/netplan", join(root, "etc/netplan"));
  const { status, stdout, stderr } = spawnSync("sh", ["-s", mtu], {
    input: text,
    encoding: "utf8",
    env: { PATH: `${join(root, "bin")}:${process.env.PATH ?? ""}` },
  });
  return { status, stdout, stderr };
};

const mtuOf = (name: string): string => readFileSync(join(device(name), "mtu"), "utf8").trim();

it("sets eth0 now and for the next boot, and does not match a second interface with the same MAC address", () => {
  expect(run("1400")).toEqual({
    status: 0,
    stdout: "eth0 (hv_netvsc, 00:0d:3a:aa:bb:cc) has an MTU of 1400 bytes\n",
    stderr: "",
  });
  expect([mtuOf("eth0"), mtuOf("enP1s1")]).toEqual(["1400", "1500"]);
  expect(parse(readFileSync(join(root, "etc/netplan/90-eth0-mtu.yaml"), "utf8"))).toEqual({
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
  expect(readFileSync(join(root, "netplan.log"), "utf8")).toBe("generate\n");
});

it("is idempotent", () => {
  run("1400");
  const before = readFileSync(join(root, "etc/netplan/90-eth0-mtu.yaml"), "utf8");
  expect(run("1400").status).toBe(0);
  expect(readFileSync(join(root, "etc/netplan/90-eth0-mtu.yaml"), "utf8")).toBe(before);
});

it("fails with a message if eth0 has another MTU afterwards", () => {
  tool("ip", "true");
  expect(run("1400")).toEqual({
    status: 1,
    stdout: "",
    stderr: "eth0 has an MTU of 1500 bytes instead of 1400: larger packets to Windows nodes would be lost\n",
  });
});

it.each(["netplan", "ip"])("fails if %s fails", (name) => {
  tool(name, "exit 7");
  expect(run("1400").status).toBe(7);
});
