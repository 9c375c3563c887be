import { describeOnWindows, runOnWindows, times, type Answer, type Scene } from "../powershell";

const network = { out: [{ Name: "nat" }, { Name: "External" }] };
const otherNetwork = { out: [{ Name: "nat" }] };
const route = (...indexes: number[]): Answer => ({
  out: indexes.map((InterfaceIndex, place) => ({
    InterfaceIndex,
    RouteMetric: 10 * (indexes.length - place),
  })),
});
const adapter = (Name: string): Answer => ({ out: [{ Name }] });
const noRoute = { error: "No MSFT_NetRoute objects found" };
const told = (answers: Scene["answers"]) =>
  runOnWindows("create-external-network.ps1", {
    files: { "k/hns.txt": "" },
    answers: {
      ...{ "Import-Module": {}, "Get-HnsNetwork": otherNetwork, "New-HnsNetwork": {} },
      ...{ "Get-NetRoute": route(7), "Set-Content": { real: true } },
      ...answers,
    },
  });

const began = ["Import-Module C:/k/debug/hns.psm1", "Get-HnsNetwork"];
const look = "Get-NetRoute -DestinationPrefix 0.0.0.0/0 -ErrorAction SilentlyContinue";
const found = (index: number) => [
  look,
  `Get-NetAdapter -InterfaceIndex ${index} -ErrorAction SilentlyContinue`,
];
const pause = "Start-Sleep -Seconds 1";
const made = (name: string) => [
  `Set-Content -Path C:/k/network-adapter.txt -Value ${name}`,
  `New-HnsNetwork -Type Overlay -AddressPrefix 192.168.255.0/30 -Gateway 192.168.255.1 -Name External -AdapterName ${name} -SubnetPolicies @{Type = VSID; VSID = 9999}`,
];

describeOnWindows("create-external-network.ps1", () => {
  it("makes the overlay network on the adapter that leads out, writes its name, and waits for the new one", async () => {
    const { calls, output, code, files } = await told({
      "Get-NetRoute": route(5, 7),
      "Get-NetAdapter": [adapter("Ethernet 3"), adapter("Ethernet 3"), {}, adapter("vEthernet (Ethernet 3)")],
    });
    expect(calls).toEqual([
      ...began,
      ...found(7),
      ...made("'Ethernet 3'"),
      ...[...found(7), pause, ...found(7), pause, ...found(7)],
    ]);
    expect([output, code]).toEqual([[], 0]);
    expect(files["k/network-adapter.txt"]?.trim()).toBe("Ethernet 3");
  });

  it("changes nothing the second time", async () => {
    expect(await told({ "Get-HnsNetwork": network })).toMatchObject({
      code: 0,
      calls: began,
      output: ["The overlay network External is there already."],
    });
  });

  it("waits for a default route, and for its adapter", async () => {
    const { calls, code } = await told({
      "Get-NetRoute": [noRoute, noRoute, route(7)],
      "Get-NetAdapter": [
        { error: "No MSFT_NetAdapter objects found" },
        adapter("Ethernet"),
        adapter("vEthernet (Ethernet)"),
      ],
    });
    expect(calls).toEqual([
      ...began,
      ...[look, pause, look, pause, ...found(7), pause, ...found(7)],
      ...[...made("Ethernet"), ...found(7)],
    ]);
    expect(code).toBe(0);
  });

  it("makes no network without an adapter, says so after a minute, and fails", async () => {
    const { calls, output, code, files } = await told({ "Get-NetRoute": noRoute });
    expect(calls).toEqual([...began, look, ...times(60, pause, look)]);
    expect(output).toEqual([
      "For a minute no adapter of the host had a default route, so the overlay network is not made; see Get-NetRoute.",
    ]);
    expect([code, files["k/network-adapter.txt"]]).toEqual([1, undefined]);
  });

  it("fails a minute after it has made a network that does not carry the host", async () => {
    const { calls, output, code } = await told({ "Get-NetAdapter": adapter("Ethernet") });
    expect(calls).toEqual([...began, ...found(7), ...made("Ethernet"), ...times(60, ...found(7), pause)]);
    expect(output).toEqual([
      "A minute after the overlay network was made the host has no network through it; see Get-HnsNetwork.",
    ]);
    expect(code).toBe(1);
  });

  it("waits as long for a host that has no adapter any more", async () => {
    const { code, calls } = await told({
      "Get-NetRoute": [route(7), noRoute],
      "Get-NetAdapter": adapter("Ethernet"),
    });
    expect(calls.filter((call) => call === pause)).toHaveLength(60);
    expect(code).toBe(1);
  });
});
