import { problemsOfText, stackText } from "../support/advice";
import { minimal } from "../support/stacks";

/** Mistakes of people who had read no rule: the whole answer to each, which keeps what they wrote. */

const problemsOf = (change: object) =>
  problemsOfText(stackText({ ...minimal(), ...change })).map(({ path, problem, allowed, write }) => [
    path,
    problem,
    allowed,
    write,
  ]);

const disk = (value: object) => ({
  windowsPools: { win1: { dataDisks: [{ name: "data", letter: "F", ...value }] } },
});
const diskPath = "windowsPools.win1.dataDisks[0]";
const network = "an IPv4 network without host bits, such as 10.10.0.0/16";
const pools = "pools are two mappings from the name of a pool to its keys";
const twoPools = "linuxPools and windowsPools, such as windowsPools: {win1: {replicas: 2}}";

describe("a mistake at first sight", () => {
  it.each([
    ["203.0.113.0-203.0.113.255", "203.0.113.0/24"],
    ["203.0.113.64 to 203.0.113.127", "203.0.113.64/26"],
    ["203.0.113.0/255.255.255.0", "203.0.113.0/24"],
    ["203.0.113.9/255.255.255.248", "203.0.113.8/29"],
    ["203.0.113.0\\24", "203.0.113.0/24"],
  ])("is a network in the notation %s", (text, cidr) => {
    const { access } = minimal() as { access: object };
    expect(problemsOf({ access: { ...access, allowedCidrs: [text] } })).toEqual([
      ["access.allowedCidrs[0]", "invalid format", network, `allowedCidrs: [${cidr}]`],
    ]);
  });

  it.each([
    [
      "windowsPools",
      "win1, win2",
      "a mapping of names to values",
      "capz-windows:windowsPools: {win1: {}, win2: {}}",
    ],
  ])("is text for a mapping of pools", (path, text, allowed, write) => {
    expect(problemsOf({ [path]: text })).toEqual([[path, "expected a mapping, found text", allowed, write]]);
  });

  it("is no number of machines below zero", () => {
    expect(problemsOf({ windowsPools: { win1: -1 } }).map(([path, , , write]) => [path, write])).toEqual([
      ["windowsPools.win1", "win1: <an allowed value>"],
    ]);
  });

  it("is a number of machines for the control plane", () => {
    expect(problemsOf({ controlPlane: 5 }).map(([path, problem, , write]) => [path, problem, write])).toEqual(
      [["controlPlane", "expected a mapping, found a number", "capz-windows:controlPlane: {replicas: 5}"]],
    );
  });

  it("is a switch for a choice", () => {
    expect(problemsOf({ addons: { cni: false } })).toEqual([
      ["addons.cni", "not an allowed value", "calico, none", "cni: none"],
    ]);
    expect(problemsOf({ wait: "all" })).toEqual([
      ["wait", "not an allowed value", "nodes, controlPlane, none", "capz-windows:wait: nodes"],
    ]);
  });

  const win1 = (pool: unknown) => ({ windowsPools: { win1: pool } });
  const at = "windowsPools.win1";
  it.each<[string, object, string[]]>([
    [
      "a range of nodes as text",
      win1({ autoscale: "1-5" }),
      [
        `${at}.autoscale`,
        "expected a mapping, found text",
        "a mapping with the keys min, max",
        "autoscale: {min: 1, max: 5}",
      ],
    ],
    [
      "a range of nodes as a list",
      win1({ autoscale: [1, 5] }),
      [
        `${at}.autoscale`,
        "expected a mapping, found a list",
        "a mapping with the keys min, max",
        "autoscale: {min: 1, max: 5}",
      ],
    ],
    [
      "another word in autoscale",
      win1({ autoscale: { min: 1, maximum: 5 } }),
      [
        `${at}.autoscale.maximum`,
        "unknown key; write the largest number of nodes as max",
        "a whole number from 1 to 1000",
        "rename maximum to max",
      ],
    ],
    [
      "taints as a mapping",
      win1({ taints: { dedicated: "iis:NoExecute" } }),
      [
        `${at}.taints`,
        "expected a list, found a mapping",
        "a list of {key, value, effect}, each key with each effect once",
        "taints: [{key: dedicated, value: iis, effect: NoExecute}]",
      ],
    ],
    [
      "files as a mapping",
      win1({ files: { "C:/k/a.txt": "hello" } }),
      [
        `${at}.files`,
        "expected a list, found a mapping",
        "a list of {path, content or contentFrom, permissions}",
        "files: [{path: C:/k/a.txt, content: hello}]",
      ],
    ],
    [
      "a part of a CPU as a number",
      win1({ kubelet: { reserved: { cpu: 0.25 } } }),
      [
        `${at}.kubelet.reserved.cpu`,
        "expected text, found a number",
        "CPUs such as 1, or thousandths of a CPU such as 500m",
        "cpu: 250m",
      ],
    ],
    [
      "a network for the networks",
      { network: "10.30.0.0/16" },
      [
        "network",
        "expected a mapping, found text",
        "a mapping with the keys vnetCidr, controlPlaneSubnetCidr, nodeSubnetCidr, poolSubnets, existing, outbound, peerings, dnsServers, bastion, podCidr, serviceCidr, mtu, apiServer",
        "capz-windows:network: {vnetCidr: 10.30.0.0/16}",
      ],
    ],
    [
      "a VNET with its range",
      { network: { vnet: { cidr: "10.30.0.0/16" } } },
      [
        "network.vnet",
        "unknown key; write the range of the VNET as vnetCidr",
        network,
        "remove vnet; vnetCidr: 10.30.0.0/16",
      ],
    ],
    [
      "a switch as text",
      { addons: { azureDisk: "disabled" } },
      [
        "addons.azureDisk",
        "expected a mapping, found text",
        "a mapping with the keys enabled, version",
        "azureDisk: {enabled: false}",
      ],
    ],
    [
      "the number of masters",
      { masters: 5 },
      [
        "masters",
        "unknown key; write the number of machines as controlPlane.replicas",
        "1, 3, 5 or 7",
        "remove capz-windows:masters; replicas: 5 # in controlPlane",
      ],
    ],
    [
      "a word for all pools",
      { defaults: { vmSize: "Standard_D8s_v5" } },
      [
        "defaults",
        "unknown key; write the keys of all pools as poolDefaults",
        expect.stringMatching(/^a mapping with the keys replicas, vmSize, /) as string,
        "rename capz-windows:defaults to capz-windows:poolDefaults",
      ],
    ],
    [
      "the beginning of a day",
      { management: { kind: "aks", maintenanceWindow: { dayOfWeek: "sun", startTime: "03:00" } } },
      [
        "management.maintenanceWindow.dayOfWeek",
        "not an allowed value",
        "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
        "dayOfWeek: Sunday",
      ],
    ],
  ])("is %s", (_, change, expected) => {
    expect(problemsOf(change)).toEqual([expected]);
  });

  it("is the size of etcd's disk below etcd", () => {
    expect(problemsOf({ controlPlane: { etcd: { diskSizeGB: 512 } } })).toEqual([
      [
        "controlPlane.etcd",
        "unknown key; write the size of etcd's disk as etcdDiskGB",
        "a whole number from 4 to 4096",
        "remove etcd; etcdDiskGB: 512",
      ],
    ]);
  });

  it("is Azure's type of a licence", () => {
    expect(problemsOf({ windowsPools: { win1: { licenseType: "Windows_Server" } } })).toEqual([
      [
        "windowsPools.win1.licenseType",
        "unknown key; write the Azure Hybrid Benefit as hybridBenefit",
        "true or false",
        "remove licenseType; hybridBenefit: true",
      ],
    ]);
  });

  it.each([
    [
      "diskSizeGB",
      512,
      "the size of the disk as sizeGB",
      "a whole number from 4 to 32767",
      "rename diskSizeGB to sizeGB",
    ],
    [
      "size",
      "512Gi",
      "the size of the disk as sizeGB",
      "a whole number from 4 to 32767",
      "remove size; sizeGB: 512",
    ],
    [
      "managedDisk",
      { storageAccountType: "Premium_ZRS" },
      "the type of the disk as type",
      "Premium_LRS, Premium_ZRS, StandardSSD_LRS, StandardSSD_ZRS, Standard_LRS",
      "remove managedDisk; type: Premium_ZRS",
    ],
  ])("is the key %s of a data disk", (key, value, subject, allowed, write) => {
    expect(problemsOf(disk({ [key]: value }))).toEqual([
      [`${diskPath}.${key}`, `unknown key; write ${subject}`, allowed, write],
    ]);
  });

  it("is the letter of a drive under another name", () => {
    expect(
      problemsOf({ windowsPools: { win1: { dataDisks: [{ name: "data", driveLetter: "g:" }] } } }),
    ).toEqual([
      [
        `${diskPath}.driveLetter`,
        "unknown key; write the letter of the drive as letter",
        "one letter from F to Z; Windows and Azure use the letters before",
        "remove driveLetter; letter: G",
      ],
    ]);
  });

  it("is a list of groups of machines as kops and eksctl have it", () => {
    const instanceGroups = [
      { name: "linux7", minSize: 1, maxSize: 3 },
      { name: "win7", role: "Node", image: "windows-2022", replicas: 2 },
    ];
    expect(problemsOf({ instanceGroups })).toEqual([
      [
        "instanceGroups",
        pools,
        twoPools,
        'remove capz-windows:instanceGroups; linux7: {autoscale: {min: 1, max: 3}} # in linuxPools; win7: {replicas: 2, windowsServer: "2022"} # in windowsPools',
      ],
    ]);
  });
});
