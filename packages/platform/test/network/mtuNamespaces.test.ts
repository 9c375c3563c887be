import { spawnSync } from "node:child_process";
import type { Cni } from "capz-windows-platform/cluster/platform";
import { expectedMtus } from "capz-windows-platform/network/mtu";

/**
 * The sizes of docs/mtu.md with Linux's own VXLAN: two network namespaces are hosts, and a bridge between them is the VNET. HNS
 * exists on Windows only, so it has no part in it.
 */

const inside = (script: string) =>
  spawnSync("unshare", ["--net", "--map-root-user", "sh", "-ec", script], {
    encoding: "utf8",
    timeout: 120_000,
  });

const tried = inside("ip link add wire type bridge && ip link add pods type vxlan id 4096 dstport 4789");
const reason = tried.error?.message ?? tried.stderr.trim();
const itInNamespaces = tried.status === 0 ? it : it.skip;

const node = process.execPath;
const listen = `const s = require("dgram").createSocket("udp4"); s.on("message", (m) => { console.log("arrived", m.length); process.exit(); }); s.bind(4000);`;
/** Once every 200 ms, because the listener may not be there yet; at most 2 s. */
const send = (size: number): string =>
  `const s = require("dgram").createSocket("udp4"); let n = 0; const t = setInterval(() => { s.send(Buffer.alloc(${size}), 4000, "192.168.0.2"); if (++n === 10) { clearInterval(t); s.close(); } }, 200);`;

interface Sizes {
  /** MTU of the VNET, of the adapter of both hosts, and of the VXLAN interface, in bytes. */
  readonly carried: number;
  readonly host: number;
  readonly pod: number;
}

/** Sends UDP packets that fill the MTU of a pod: what arrives, in bytes, and how many fragments the host made of them. */
function sent({ carried, host, pod }: Sizes): { arrived: number | undefined; fragments: number } {
  const side = (own: number) => `
unshare --net sleep 100 & p${own}=$!
until [ "$(readlink /proc/$p${own}/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
ip link add side${own} type veth peer name eth0 netns $p${own}
ip link set side${own} master wire up mtu ${carried}
in${own}="nsenter --net=/proc/$p${own}/ns/net"
$in${own} ip link set eth0 mtu ${host} up
$in${own} ip address add 10.10.0.${own}/24 dev eth0
$in${own} ip link add pods mtu ${pod} type vxlan id 4096 dstport 4789 local 10.10.0.${own} remote 10.10.0.${3 - own} dev eth0
$in${own} ip address add 192.168.0.${own}/24 dev pods
$in${own} ip link set pods up`;
  const { stdout, stderr, status } = inside(`
trap 'kill $p1 $p2' EXIT
ip link add wire type bridge
ip link set wire up mtu ${carried}
${side(1)}
${side(2)}
$in2 ${node} -e '${listen}' & listener=$!
$in1 ${node} -e '${send(pod - 28)}'
kill $listener 2>/dev/null || true
$in1 grep ^Ip: /proc/net/snmp`);
  if (status !== 0) {
    throw new Error(stderr);
  }
  const [names = [], counts = []] = [...stdout.matchAll(/^Ip: (.*)$/gm)].map(([, line = ""]) =>
    line.split(" "),
  );
  const arrived = /^arrived (\d+)$/m.exec(stdout)?.[1];
  return {
    arrived: arrived === undefined ? undefined : Number(arrived) + 28,
    fragments: Number(counts[names.indexOf("FragCreates")]),
  };
}

describe("between two hosts with a VXLAN network", () => {
  itInNamespaces.each<[Cni, number, number]>([
    ["calico", 1400, 1400],
    ["calico", 1450, 1450],
    ["calico", 3900, 3900],
    ["none", 3900, 3900],
    ["flannel", 1400, 1400],
    ["calico", 9000, 9000],
  ])(
    "packets of pods with %s and network.mtu %d arrive unfragmented where so much is carried",
    (cni, mtu, carried) => {
      const { host, pod } = expectedMtus(cni, mtu).linux;
      const sizes = { carried, host: host.bytes, pod: pod.bytes };
      expect(sent(sizes)).toEqual({ arrived: mtu - 50, fragments: 0 });
    },
  );

  itInNamespaces("a host that keeps Azure's 1500 fragments them", () => {
    const { fragments } = sent({ carried: 3900, host: 1500, pod: 3850 });
    expect(fragments).toBeGreaterThan(0);
  });

  itInNamespaces(
    "those of a CNI that takes Azure's 1500 for granted are lost where 1400 are carried whole",
    () => {
      const granted = { carried: 1400, host: 1500, pod: 1450 };
      expect([sent(granted).arrived, sent({ ...granted, pod: 1350 }).arrived]).toEqual([undefined, 1350]);
    },
  );
});

if (tried.status !== 0) {
  it.skip(`skipped: this machine gives no network namespace with a bridge and VXLAN (unshare --net --map-root-user): ${reason}`, () =>
    undefined);
}
