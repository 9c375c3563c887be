import { describeOnWindows, runOnWindows, type Answer, type Scene } from "../powershell";

interface Interface {
  readonly InterfaceIndex: number;
  readonly InterfaceAlias: string;
  readonly NlMtu: number;
  readonly CompartmentId: number;
  readonly ConnectionState: string;
}
const adapter = (InterfaceIndex: number, NlMtu: number, change: Partial<Interface> = {}): Interface => ({
  ...{ InterfaceIndex, NlMtu, InterfaceAlias: `vEthernet ${InterfaceIndex}`, CompartmentId: 1 },
  ...{ ConnectionState: "Connected", ...change },
});
const pod = (index: number, mtu: number) => adapter(index, mtu, { CompartmentId: index });
const all = "Get-NetIPInterface -AddressFamily IPv4 -IncludeAllCompartments";
const one = (index: number) =>
  `Get-NetIPInterface -AddressFamily IPv4 -IncludeAllCompartments:$true -InterfaceIndex ${index}`;
const set = (index: number, bytes: number) =>
  `Set-NetIPInterface -NlMtuBytes ${bytes} -AddressFamily IPv4 -IncludeAllCompartments:$true -InterfaceIndex ${index}`;
const routes = "Get-NetRoute -AddressFamily IPv4 -DestinationPrefix 0.0.0.0/0 -ErrorAction SilentlyContinue";
const pause = "Start-Sleep -Seconds 10";
const look = [routes, all];
const began = "2026-11-28T12:00:00Z The host gets an MTU of 1400 bytes, and pods at most 1350.";
const seen = (...interfaces: Interface[]): Answer => ({ out: interfaces });
const takes = (index: number, bytes: number) => ({ [one(index)]: seen(adapter(index, bytes)) });

/** Runs so many looks; a test ends the script in the last pause. */
const told = (looks: number, answers: Scene["answers"]) =>
  runOnWindows("windows-mtu.ps1", {
    args: { HostMtu: "1400", PodMtu: "1350" },
    pauses: looks,
    answers: { "Get-NetRoute": { out: [{ InterfaceIndex: 4 }] }, "Set-NetIPInterface": {}, ...answers },
  });
const ended = "ERROR: the test ends the script";

describeOnWindows("windows-mtu.ps1", () => {
  it("gives the adapter that leads out the MTU of the host, and those of pods theirs", async () => {
    const { calls, output } = await told(1, {
      [all]: seen(adapter(4, 1450), adapter(5, 1450), pod(21, 1450), pod(22, 1400)),
      ...{ ...takes(4, 1400), ...takes(21, 1350), ...takes(22, 1350) },
    });
    expect(calls).toEqual([
      ...look,
      ...[set(4, 1400), one(4)],
      ...[set(21, 1350), one(21)],
      ...[set(22, 1350), one(22)],
      pause,
    ]);
    expect(output).toEqual([
      began,
      "2026-11-28T12:00:00Z vEthernet 4 has an MTU of 1400 bytes; it had 1450.",
      "2026-11-28T12:00:00Z vEthernet 21 has an MTU of 1350 bytes; it had 1450.",
      "2026-11-28T12:00:00Z vEthernet 22 has an MTU of 1350 bytes; it had 1400.",
      ended,
    ]);
  });

  it("raises the host's MTU, too, and acts on whatever comes later", async () => {
    const { calls, output } = await told(3, {
      [all]: [seen(adapter(4, 1400)), seen(adapter(4, 1300)), seen(adapter(4, 1400), pod(21, 1500))],
      ...{ ...takes(4, 1400), ...takes(21, 1350) },
    });
    expect(calls).toEqual([
      ...[...look, pause],
      ...[...look, set(4, 1400), one(4), pause],
      ...[...look, set(21, 1350), one(21), pause],
    ]);
    expect(output.slice(1, -1)).toEqual([
      "2026-11-28T12:00:10Z vEthernet 4 has an MTU of 1400 bytes; it had 1300.",
      "2026-11-28T12:00:20Z vEthernet 21 has an MTU of 1350 bytes; it had 1500.",
    ]);
  });

  it.each<[string, Interface]>([
    ["a host's own adapter that does not lead out", adapter(5, 1450)],
    ["a pod whose CNI gave it less", pod(21, 1300)],
    ["a pod with just its MTU", pod(21, 1350)],
    ["a loopback adapter", pod(1, 4_294_967_295)],
    ["an adapter without a connection", { ...pod(21, 1450), ConnectionState: "Disconnected" }],
  ])("leaves %s alone", async (_what, found) => {
    expect((await told(1, { [all]: seen(found) })).calls).toEqual([...look, pause]);
  });

  it("knows the largest MTU that is none of a loopback adapter", async () => {
    const { calls } = await told(1, { [all]: seen(pod(21, 65_535), pod(22, 65_536)), ...takes(21, 1350) });
    expect(calls).toEqual([...look, set(21, 1350), one(21), pause]);
  });

  it("gives every adapter that leads out the host's MTU, and none where there is no route", async () => {
    const found = seen(adapter(4, 1450), adapter(6, 1450));
    const two = await told(1, {
      "Get-NetRoute": { out: [{ InterfaceIndex: 4 }, { InterfaceIndex: 6 }] },
      [all]: found,
      ...{ ...takes(4, 1400), ...takes(6, 1400) },
    });
    expect(two.calls).toEqual([...look, set(4, 1400), one(4), set(6, 1400), one(6), pause]);
    const none = await told(1, { "Get-NetRoute": { error: "No MSFT_NetRoute objects found" }, [all]: found });
    expect(none.calls).toEqual([...look, pause]);
    expect(none.output).toEqual([began, ended]);
  });

  it("does the others where one is refused, says all that was refused, and looks again", async () => {
    const { calls, output } = await told(2, {
      [all]: [seen(pod(21, 1450), pod(22, 1450), pod(23, 1450)), seen(pod(21, 1350))],
      [set(21, 1350)]: { error: "Element not found." },
      [one(22)]: seen(pod(22, 1450)),
      ...takes(23, 1350),
    });
    expect(calls).toEqual([
      ...look,
      ...[set(21, 1350), set(22, 1350), one(22), set(23, 1350), one(23), pause],
      ...[...look, pause],
    ]);
    expect(output).toEqual([
      began,
      "2026-11-28T12:00:00Z vEthernet 23 has an MTU of 1350 bytes; it had 1450.",
      "2026-11-28T12:00:00Z The look failed: vEthernet 21 does not take an MTU of 1350 bytes: Element not found.; vEthernet 22 does not take an MTU of 1350 bytes: it still has 1450",
      ended,
    ]);
  });

  it("ends after six looks in a row that failed, so that the failure is seen", async () => {
    const { calls, output, code } = await told(100, { [all]: { error: "Access denied" } });
    expect(calls).toEqual(Array.from({ length: 6 }, () => [...look, pause]).flat());
    expect(output).toEqual([
      began,
      ...[0, 10, 20, 30, 40, 50].map(
        (second) => `2026-11-28T12:00:${String(second).padStart(2, "0")}Z The look failed: Access denied`,
      ),
      "2026-11-28T12:01:00Z 6 looks in a row failed.",
    ]);
    expect(code).toBe(1);
  });

  it("counts only looks in a row", async () => {
    const failed = { error: "Access denied" };
    const fine = seen(adapter(4, 1400));
    const { calls } = await told(100, {
      [all]: [...Array.from({ length: 5 }, () => failed), fine, failed],
    });
    expect(calls.filter((call) => call === pause)).toHaveLength(12);
  });
});
