import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import type { StepResult } from "capz-windows-probe/model";
import { adaptersOf, clockDifference, largestPacket, resultsOf } from "capz-windows-probe/results";
import { projectDir } from "../../support/stacks";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** The script for Linux is run by the bash of this machine; that for Windows is parsed. */

const temporary = temporaryFolder();
const folder = join(projectDir, "packages/probe/scripts");
const script = join(folder, "probe.sh");

/** ping of iputils 20240117: one packet to an adapter with this MTU, over a path that loses larger packets. */
const ping = (local: number, path: number): Record<string, string> => ({
  "BASH_FUNC_ping%%": `() {
    local size=0
    while [ $# -gt 0 ]; do [ "$1" = -s ] && size=$(($2 + 28)); shift; done
    echo "PING 192.168.1.5 (192.168.1.5) $((size - 28))($size) bytes of data."
    if [ $size -gt ${local} ]; then
      echo "ping: local error: message too long, mtu=${local}" >&2
      printf '\\n--- 192.168.1.5 ping statistics ---\\n1 packets transmitted, 0 received, +1 errors, 100%% packet loss, time 0ms\\n'
      return 1
    fi
    if [ $size -gt ${path} ]; then
      printf '\\n--- 192.168.1.5 ping statistics ---\\n1 packets transmitted, 0 received, 100%% packet loss, time 0ms\\n'
      return 1
    fi
    echo "$((size - 20)) bytes from 192.168.1.5: icmp_seq=1 ttl=126 time=1.02 ms"
  }`,
});

const ran = (steps: string, env: Record<string, string> = {}): StepResult[] => {
  const { stdout, stderr } = spawnSync("bash", [script], {
    env: { STEPS: steps, ...env },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return resultsOf(stdout);
};

/** Without blocking the servers of this process. */
const ranBeside = (steps: string): Promise<StepResult[]> =>
  new Promise((resolve) => {
    const child = spawn("bash", [script], { env: { STEPS: steps } });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.once("close", () => {
      resolve(resultsOf(text));
    });
  });

describe("probe.sh", () => {
  it("is bash", () => {
    expect(spawnSync("bash", ["-n", script], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("finds the largest packet of any path, and says what happens to larger ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 576, max: 1600 }), fc.integer({ min: 500, max: 1600 }), (local, path) => {
        const [result] = ran("packets 192.168.1.5", ping(local, path));
        const most = Math.min(local, path, 1500);
        expect(largestPacket(result!)).toMatchObject(
          most < 576
            ? { why: "pings of 576 bytes are not answered: TimedOut" }
            : { bytes: most, above: most === 1500 ? "" : local <= path ? "PacketTooBig" : "TimedOut" },
        );
      }),
      {
        numRuns: 12,
        examples: [
          [1350, 1500],
          [1450, 1350],
          [1500, 1500],
          [1500, 500],
        ],
      },
    );
  });

  it("reports what a router and a shell say", () => {
    const answers = (text: string) =>
      largestPacket(
        ran("packets 192.168.1.5", { "BASH_FUNC_ping%%": `() { echo "${text}"; return 1; }` })[0]!,
      );
    expect(answers("From 10.10.128.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)")).toMatchObject({
      why: "pings of 576 bytes are not answered: PacketTooBig",
    });
    expect(answers("bash: line 1: ping: command not found")).toMatchObject({
      why: "pings of 576 bytes are not answered: bash: line 1: ping: command not found",
    });
  });

  it("sends a lost packet again, up to three times", () => {
    const calls = join(temporary, "pings");
    const lost = (answered: string): Record<string, string> => ({
      CALLS: calls,
      "BASH_FUNC_ping%%": `() {
        echo >>"$CALLS"
        ${answered} && return
        echo "1 packets transmitted, 0 received, 100% packet loss, time 0ms"
        return 1
      }`,
    });
    const count = () => readFileSync(calls, "utf8").length;
    const every3rd = '[ $(($(wc -l <"$CALLS") % 3)) -eq 0 ]';
    expect(largestPacket(ran("packets 192.168.1.5", lost(every3rd))[0]!)).toMatchObject({
      ...{ bytes: 1500, above: "" },
    });
    writeFileSync(calls, "");
    expect(largestPacket(ran("packets 192.168.1.5", lost("false"))[0]!)).toMatchObject({
      why: "pings of 576 bytes are not answered: TimedOut",
    });
    expect(count()).toBe(3);
  });

  it("asks a Service up to five times, with pauses, until it answers", () => {
    const calls = join(temporary, "service");
    const asked = (answered: number) => {
      writeFileSync(calls, "");
      const [result] = ran("service http://x/", {
        CALLS: calls,
        "BASH_FUNC_sleep%%": '() { echo "sleep $1" >>"$CALLS"; }',
        "BASH_FUNC_curl%%": `() { echo curl >>"$CALLS"; [ "$(grep -c curl "$CALLS")" -ge ${answered} ] && echo hello; }`,
      });
      return [(result as { answer?: string }).answer, readFileSync(calls, "utf8").split("\n").slice(0, -1)];
    };
    const pause = ["curl", "sleep 3"];
    expect(asked(1)).toEqual(["hello", ["curl"]]);
    expect(asked(3)).toEqual(["hello", [...pause, ...pause, "curl"]]);
    expect(asked(6)).toEqual(["", Array.from({ length: 5 }, () => pause).flat()]);
  });

  it("reads the adapters of a node", () => {
    const address =
      '[{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP","LOWER_UP"],"mtu":65536,"qdisc":"noqueue","operstate":"UNKNOWN","link_type":"loopback","addr_info":[{"family":"inet","local":"127.0.0.1","prefixlen":8,"scope":"host","label":"lo"}]},{"ifindex":2,"ifname":"eth0","mtu":1500,"qdisc":"mq","operstate":"UP","link_type":"ether","addr_info":[{"family":"inet","local":"10.10.128.4","prefixlen":17,"broadcast":"10.10.255.255","scope":"global","dynamic":true,"label":"eth0"},{"family":"inet6","local":"fe80::6245:bdff:fe8d:1","prefixlen":64,"scope":"link"}]},{"ifindex":3,"ifname":"enP12345s1","mtu":1500,"operstate":"UP","master":"eth0","addr_info":[]},{"ifindex":4,"ifname":"docker0","mtu":1500,"operstate":"DOWN","addr_info":[{"family":"inet","local":"172.17.0.1"}]},{"ifindex":7,"ifname":"vxlan.calico","mtu":1350,"operstate":"UNKNOWN","addr_info":[{"family":"inet","local":"192.168.10.64","prefixlen":32,"scope":"global"}]}]';
    const [result] = ran("adapters", { "BASH_FUNC_ip%%": `() { echo '${address}'; }` });
    expect(adaptersOf(result!).map(({ name, mtu, addresses }) => [name, mtu, ...addresses])).toEqual([
      ["lo", 65536, "127.0.0.1"],
      ["eth0", 1500, "10.10.128.4"],
      ["enP12345s1", 1500],
      ["vxlan.calico", 1350, "192.168.10.64"],
    ]);
  });

  it("keeps JSON whatever a program says", () => {
    const [result] = ran("service http://x/", {
      "BASH_FUNC_curl%%": `() { printf 'a "quoted" \\\\ text\\n\\tof two lines'; }`,
    });
    expect(result).toEqual({
      step: "service",
      argument: "http://x/",
      answer: 'a "quoted" \\ text of two lines',
    });
  });

  it("gives curl these limits", () => {
    const says = { "BASH_FUNC_curl%%": '() { echo "date: $*"; }' };
    const [transfer, service, clock] = ran("transfer http://x;service http://x/;clock http://x/", says);
    expect(transfer).toMatchObject({
      sent: "date: -sS -m 60 -H Expect: -H Content-Type: application/octet-stream --data-binary @- http://x",
      received: "date: -sS -m 60 -o /dev/null -w %{size_download} http://x/megabyte",
    });
    expect(service).toMatchObject({ answer: "date: -sS -m 10 http://x/" });
    expect(clock).toMatchObject({ date: "-sk -m 20 -D - -o /dev/null http://x/" });
  });

  it("says that a step does not exist", () => {
    expect(ran("restart now")).toEqual([
      { step: "restart", argument: "now", error: "this step does not exist on Linux" },
    ]);
  });

  describe("against a server", () => {
    class Probed extends HttpStandIn {
      protected respond({ method, url = "" }: IncomingMessage, response: ServerResponse, body: string): void {
        const answer = url.endsWith("/megabyte") ? Buffer.alloc(2 ** 20) : "capz-windows-probe";
        response.end(method === "POST" ? String(body.length) : answer);
      }
    }
    const server = new Probed();
    afterAll(() => {
      server.close();
    });

    it("sends and receives a megabyte, asks a Service, compares clocks and finds open ports", async () => {
      const url = await server.listen();
      const { port } = new URL(url);
      const results = await ranBeside(
        `transfer ${url};service ${url}/;clock ${url}/;refused 127.0.0.1:${port};refused 127.0.0.1:1;names localhost`,
      );
      const of = (index: number) => results[index]!;
      expect(of(0)).toMatchObject({ sent: "1048576", received: "1048576" });
      expect(of(1)).toMatchObject({ answer: "capz-windows-probe" });
      expect(clockDifference(of(2))).toBe(0);
      expect([of(3).open, of(4).open]).toEqual([true, false]);
      expect(of(5)).toMatchObject({ addresses: "127.0.0.1" });
    });
  });
});
