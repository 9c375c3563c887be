import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeScript } from "capz-windows-probe/objects";
import { checks } from "capz-windows-probe/checks";
import type { StepResult } from "capz-windows-probe/model";
import { adaptersOf, clockDifference, largestPacket, resultsOf } from "capz-windows-probe/results";
import {
  describeOnWindows,
  pwsh,
  pwshEnvironment,
  runOnWindows,
  times,
  type Answer,
  type Scene,
} from "../powershell";

const script = "probe.ps1";
const told = async (STEPS: string, change: Scene = {}) => {
  const { calls, output, console, code, files } = await runOnWindows(script, { env: { STEPS }, ...change });
  expect([output, code]).toEqual([[], 0]);
  return { calls, results: resultsOf(console), console, files };
};
const one = async (step: string, change: Scene = {}): Promise<StepResult> =>
  (await told(step, change)).results[0]!;
const curl = (...answers: Answer[]): Scene => ({ answers: { "curl.exe": answers } });

describeOnWindows("probe.ps1", () => {
  it("lists the adapters with their addresses, after as many seconds as it is told", async () => {
    const answers = {
      "Get-NetIPAddress": {
        out: [
          { InterfaceIndex: 4, IPAddress: "10.10.0.5" },
          { InterfaceIndex: 4, IPAddress: "10.10.0.6" },
          { InterfaceIndex: 1, IPAddress: "127.0.0.1" },
        ],
      },
      "Get-NetIPInterface": {
        out: [
          { InterfaceIndex: 4, InterfaceAlias: "Ethernet", NlMtu: 1400, ConnectionState: "Connected" },
          {
            InterfaceIndex: 1,
            InterfaceAlias: "Loopback",
            NlMtu: 4_294_967_295,
            ConnectionState: "Connected",
          },
          { InterfaceIndex: 9, InterfaceAlias: "Unplugged", NlMtu: 1500, ConnectionState: "Disconnected" },
        ],
      },
    };
    const { calls, results } = await told("adapters 7", { answers });
    const look = [
      "Get-NetIPAddress -AddressFamily IPv4 -ErrorAction SilentlyContinue",
      "Get-NetIPInterface -AddressFamily IPv4",
    ];
    expect(calls).toEqual(["Start-Sleep -Seconds 7", ...look]);
    expect(results[0]).toMatchObject({ step: "adapters", argument: "7" });
    expect(adaptersOf(results[0]!)).toEqual([
      { name: "Ethernet", mtu: 1400, addresses: ["10.10.0.5", "10.10.0.6"] },
      { name: "Loopback", mtu: 4_294_967_295, addresses: ["127.0.0.1"] },
    ]);
    const none = await told("adapters", { answers: { ...answers, "Get-NetIPAddress": { error: "none" } } });
    expect(none.calls).toEqual(look);
    expect(adaptersOf(none.results[0]!).map(({ addresses }) => addresses)).toEqual([[], []]);
  });

  it("resolves names, and says why not", async () => {
    expect(await one("names localhost")).toEqual({
      step: "names",
      argument: "localhost",
      addresses: "127.0.0.1",
    });
    expect(await one("names no.such.invalid")).toMatchObject({
      step: "names",
      error: expect.any(String) as string,
    });
  });

  it("finds open ports", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve((server.address() as { port: number }).port);
      });
    });
    expect(await one(`refused 127.0.0.1:${port}`)).toMatchObject({ open: true });
    server.close();
    expect(await one("refused 127.0.0.1:1")).toEqual({
      step: "refused",
      argument: "127.0.0.1:1",
      open: false,
    });
  });

  describe("packets", () => {
    const ping = (bytes: number) => `Ping 192.168.1.5 2000 ${bytes} ttl 64 whole`;
    /** A path that carries packets up to a size, with the headers of IP and ICMP. */
    const path = (largest: number, above: string): Record<string, Answer> =>
      Object.fromEntries(
        Array.from({ length: 1501 }, (_, size) => size)
          .filter((size) => size > largest && size >= 576)
          .map((size) => [`Ping ${size - 28}`, { out: [above] }]),
      );

    it.each([
      [1350, "PacketTooBig"],
      [1500, ""],
      [576, "TimedOut"],
      [1433, "TimedOut"],
    ])("of %i bytes are the largest, those above are %p", async (largest, above) => {
      const { calls, results } = await told("packets 192.168.1.5", { answers: path(largest, above) });
      expect(largestPacket(results[0]!)).toMatchObject({ bytes: largest, above });
      expect(calls[0]).toBe(ping(576 - 28));
      // A packet that is lost is sent three times.
      const lost = calls.filter((call) => call === ping(largest + 1 - 28));
      expect(lost).toHaveLength(above === "TimedOut" ? 3 : above === "" ? 0 : 1);
    });

    it("that are not answered say nothing about sizes", async () => {
      const { calls, results } = await told("packets 192.168.1.5", {
        answers: { Ping: { out: ["TimedOut"] } },
      });
      expect(calls).toEqual(times(3, ping(548)));
      expect(largestPacket(results[0]!)).toMatchObject({
        why: "pings of 576 bytes are not answered: TimedOut",
      });
      expect(await one("packets 192.168.1.5", { answers: { Ping: { error: "no route" } } })).toMatchObject({
        error: expect.stringContaining("no route") as string,
      });
    });
  });

  it("sends a megabyte and asks for one", async () => {
    const scene = curl({ out: ["1048576"], code: 0 }, { out: [" 1048576 "], code: 0 });
    const { calls, results, files } = await told("transfer http://192.168.1.5:8080", {
      ...scene,
      files: { "Temp/x": "" },
    });
    expect(calls).toEqual([
      "curl.exe -sS --stderr - -m 60 -H Expect: -H 'Content-Type: application/octet-stream' --data-binary @C:/Temp/probe-megabyte.bin http://192.168.1.5:8080",
      "curl.exe -sS --stderr - -m 60 -o NUL -w %{size_download} http://192.168.1.5:8080/megabyte",
    ]);
    expect(results[0]).toMatchObject({ step: "transfer", sent: "1048576", received: "1048576", ms: 0 });
    expect(files["Temp/probe-megabyte.bin"]).toHaveLength(1_048_576);
  });

  it("asks a Service up to five times, and passes on what curl says", async () => {
    const ask = "curl.exe -sS --stderr - -m 10 http://10.0.0.1/";
    const pause = "Start-Sleep -Seconds 3";
    const refused = { out: ["curl: (7) Failed to connect"], code: 7 };
    const { calls, results } = await told(
      "service http://10.0.0.1/",
      curl(refused, refused, { out: ["hello"], code: 0 }),
    );
    expect(calls).toEqual([ask, pause, ask, pause, ask]);
    expect(results[0]).toMatchObject({ answer: "hello" });
    const never = await told("service http://10.0.0.1/", curl(refused));
    expect(never.calls).toEqual(times(5, ask, pause));
    expect(never.results[0]).toMatchObject({ answer: "curl: (7) Failed to connect" });
  });

  it("reads the clock of a server between two looks at its own", async () => {
    const scene = curl({
      out: ["HTTP/1.1 200 OK", "Server: x", "Date: Sat, 28 Nov 2026 12:00:07 GMT", "date: other"],
    });
    const { calls, results } = await told("clock https://10.0.0.1:6443/", scene);
    expect(calls).toEqual(["curl.exe -sk -m 20 -o NUL --dump-header - https://10.0.0.1:6443/"]);
    const now = Date.UTC(2026, 10, 28, 12);
    expect(results[0]).toMatchObject({ before: now, after: now, date: "Sat, 28 Nov 2026 12:00:07 GMT" });
    expect(Math.abs(clockDifference(results[0]!) ?? 0)).toBe(7000);
  });

  it("writes to the disk and reads it back, restarts the node, and says which steps do not exist", async () => {
    const files = { "data/x": "" };
    const text = (all: string) => all.replaceAll("C:\\data\\probe.txt", join(folder, "probe.txt"));
    const folder = mkdtempSync(join(tmpdir(), "capz-windows-data-"));
    expect(probeScript(script).split("'C:\\data\\probe.txt'")).toHaveLength(4);
    const written = await told("write a b;read_back c", { files, text });
    expect(written.results).toEqual([
      { step: "write", argument: "a b", text: "a b" },
      { step: "read_back", argument: "c", text: "a b" },
    ]);
    rmSync(folder, { recursive: true });
    expect(await one("read_back", { text })).toMatchObject({
      argument: "",
      error: expect.any(String) as string,
    });
    const restart = await told("restart; nonsense x ", { answers: { "shutdown.exe": { code: 5 } } });
    expect(restart.calls).toEqual(["shutdown.exe /r /t 30"]);
    expect(restart.results).toEqual([
      { step: "restart", argument: "", code: 5 },
      { step: "nonsense", argument: "x", error: "this step does not exist on Windows" },
    ]);
  });

  it("goes on after a step that failed", async () => {
    const { results } = await told("adapters;refused 127.0.0.1:1", {
      answers: { "Get-NetIPAddress": {}, "Get-NetIPInterface": { error: "Access denied" } },
    });
    expect(results).toEqual([
      { step: "adapters", argument: "", error: "Access denied" },
      { step: "refused", argument: "127.0.0.1:1", open: false },
    ]);
  });

  it("answers on its port: a text, a megabyte, and how many bytes it was sent", async () => {
    const free = createServer();
    const port = await new Promise<number>((resolve) => {
      free.listen(0, () => {
        resolve((free.address() as { port: number }).port);
        free.close();
      });
    });
    const text = probeScript(script);
    expect(text.split("'http://+:8080/'")).toHaveLength(2);
    const folder = mkdtempSync(join(tmpdir(), "capz-windows-probe-"));
    const file = join(folder, "probe.ps1");
    writeFileSync(file, text.replace("+:8080", `+:${port}`));
    const child = spawn(pwsh ?? "", ["-NoProfile", "-File", file], {
      env: { ...pwshEnvironment, STEPS: "serve hello" },
    });
    try {
      const line = await new Promise<string>((resolve) =>
        child.stdout.once("data", (chunk: Buffer) => {
          resolve(chunk.toString());
        }),
      );
      expect(resultsOf(line)).toEqual([{ step: "serve", argument: "hello", ready: true }]);
      const url = `http://127.0.0.1:${port}`;
      const body = async (path: string, init?: RequestInit) =>
        (await fetch(`${url}${path}`, init)).arrayBuffer();
      expect(Buffer.from(await body("/")).toString()).toBe("hello");
      expect(Buffer.from(await body("/", { method: "POST", body: Buffer.alloc(200_000) })).toString()).toBe(
        "200000",
      );
      const megabyte = Buffer.from(await body("/megabyte"));
      expect([megabyte.length, megabyte.every((byte) => byte === 0)]).toEqual([2 ** 20, true]);
    } finally {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    }
  });

  it("has every step of the checks, and so has probe.sh", () => {
    const steps = [...new Set(checks.map(({ step }) => step)), "serve", "write", "read_back"];
    const windows = probeScript(script);
    expect(steps.filter((step) => !windows.includes(`      '${step}' {`))).toEqual([]);
    const linux = probeScript("probe.sh");
    expect((/^ {4}(adapters \|.*)\)$/m.exec(linux)?.[1] ?? "").split(" | ").sort()).toEqual(
      [...steps].sort(),
    );
  });
});
