import { describeOnWindows, runOnWindows, type Scene } from "../powershell";

const adapters = [
  { Name: "Ethernet", RegistryValue: ["1514"] },
  { Name: "Ethernet 2", RegistryValue: ["1514"] },
];
const found = { out: adapters };
const route = { out: [{ InterfaceIndex: 4 }] };

const told = (answers: Scene["answers"] = {}, Mtu = "3900") =>
  runOnWindows("set-jumbo-packet.ps1", {
    args: { Mtu },
    answers: {
      ...{ "Get-NetAdapterAdvancedProperty": found, "Get-NetRoute": route },
      ...{ "Set-NetAdapterAdvancedProperty": {}, ...answers },
    },
  });

const look = "Get-NetAdapterAdvancedProperty -RegistryKeyword *JumboPacket -ErrorAction SilentlyContinue";
const routes = "Get-NetRoute -AddressFamily IPv4 -DestinationPrefix 0.0.0.0/0 -ErrorAction SilentlyContinue";
const set = (name: string, bytes: number) =>
  `Set-NetAdapterAdvancedProperty -Name ${name} -RegistryKeyword *JumboPacket -RegistryValue ${bytes}`;

describeOnWindows("set-jumbo-packet.ps1", () => {
  it("lets each adapter take the frames of the network, and waits for no longer than the network is away", async () => {
    const { calls, output, code } = await told();
    expect(calls).toEqual([look, set("Ethernet", 4088), set("'Ethernet 2'", 4088), routes]);
    expect(output).toEqual([
      "Ethernet takes frames of 4088 bytes; it took 1514.",
      "Ethernet 2 takes frames of 4088 bytes; it took 1514.",
    ]);
    expect(code).toBe(0);
  });

  it("takes the next size of Azure's adapters for more than 3900", async () => {
    expect((await told({}, "3901")).calls).toContain(set("Ethernet", 9014));
  });

  it("does nothing the second time", async () => {
    const { calls, output, code } = await told({
      "Get-NetAdapterAdvancedProperty": { out: [{ Name: "Ethernet", RegistryValue: ["4088"] }] },
    });
    expect([calls, output, code]).toEqual([
      [look, routes],
      ["Ethernet takes frames of 4088 bytes already."],
      0,
    ]);
  });

  it("says which adapter refuses it, goes on, and lets the node join", async () => {
    const { calls, output, code } = await told({
      [set("Ethernet", 4088)]: { error: "No matching keyword value was found." },
    });
    expect([calls.length, output, code]).toEqual([
      4,
      [
        "Ethernet takes frames of 1514 bytes, and not of 4088: No matching keyword value was found.",
        "Ethernet 2 takes frames of 4088 bytes; it took 1514.",
      ],
      0,
    ]);
  });

  it("fails where no route comes back within a minute, and knows adapters without the property", async () => {
    const { calls, output, code } = await told({
      "Get-NetAdapterAdvancedProperty": { error: "No matching keyword value was found." },
      "Get-NetRoute": {},
    });
    expect([calls.filter((call) => call === routes).length, output, code]).toEqual([
      60,
      ["There is no default route after a minute."],
      1,
    ]);
  });
});
