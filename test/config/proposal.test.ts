import { loadSettings } from "../../config/load";
import { minimal, reportWith, settingsWith } from "../support/stacks";

/** What Cluster API's proposal for Windows nodes leaves out or leaves to the platform, as answers to a stack file. */

const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

describe("a password", () => {
  it.each(["adminPassword", "password", "windowsPasswd", "AdminPassword"])("cannot be given as %s", (key) => {
    const report = reportWith({ windowsPools: { win1: { [key]: "PLANTED" } } });
    expect(report).toBe(
      block(
        `  windowsPools.win1.${key}`,
        "    problem  there is no password to give: cloudbase-init makes a random one on each node, nobody knows it and nothing needs it",
        "    allowed  access.sshPublicKey, whose owner logs in to Windows and Linux nodes",
        "    write    take it out; for RDP set one by ssh, as the README says",
      ),
    );
  });

  it("is not shown, wherever it stands", () => {
    for (const change of [
      { adminPassword: "PLANTED" },
      { access: { ...(minimal().access as object), adminPassword: "PLANTED" } },
      { windowsPools: { win1: { postKubeadmCommands: ["net user capi PLANTED"] } } },
    ]) {
      expect(reportWith(change)).not.toContain("PLANTED");
    }
  });

  it.each([
    ["net user capi Pa55word!", true],
    ['net.exe user "capi" Pa55word!', true],
    ["net user capi *", false],
    ["net user capi /active:yes", false],
    ["net user", false],
    ['$p = ConvertTo-SecureString "x" -AsPlainText -Force', true],
    ["$p = Read-Host -AsSecureString", false],
  ])("in a command: %s is refused: %s", (command, refused) => {
    const change = { windowsPools: { win1: { files: [{ path: "C:/x.ps1", content: command }] } } };
    if (refused) {
      expect(reportWith(change)).toContain(
        "windowsPools.win1.files[0] (C:/x.ps1).content\n    problem  it sets a password that stands in the bootstrap data",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });
});

describe("a machine that is no Windows worker", () => {
  it.each([
    ["management", { kind: "aks", osType: "Windows" }, "osType"],
    ["management", { kind: "aks", windowsServer: "2022" }, "windowsServer"],
    ["controlPlane", { osType: "Windows" }, "osType"],
  ])("%s %j runs Linux, for a reason", (group, value, key) => {
    expect(reportWith({ [group]: value })).toBe(
      block(
        `  ${group}.${key}`,
        "    problem  these machines run Linux: Kubernetes has no control plane for Windows, and Cluster API's controllers have no images for it",
        "    allowed  Windows nodes in windowsPools",
        "    write    take it out",
      ),
    );
  });

  it("says so for management.os, too", () => {
    expect(reportWith({ management: { kind: "aks", os: "windows" } })).toBe(
      block(
        "  management.os",
        "    value    windows",
        "    problem  it is none of the allowed values",
        "    allowed  linux: the images of Cluster API's controllers are for Linux",
        "    write    os: linux",
      ),
    );
    expect(settingsWith({ management: { kind: "aks", os: "linux" } })).toBeDefined();
  });
});

describe("an upgrade", () => {
  it.each(["inPlace", "in_place_upgrade", "upgradeStrategy"])("is no key of a pool: %s", (key) => {
    expect(reportWith({ linuxPools: { linux1: { [key]: true } } })).toBe(
      block(
        `  linuxPools.linux1.${key}`,
        "    problem  nodes are never upgraded in place: Cluster API takes machines for immutable and replaces them",
        "    allowed  kubernetesVersion or image for what is new, and rollout for how many nodes go at once",
        "    write    take it out",
      ),
    );
  });

  it.each([
    ["kubeadm upgrade node", true],
    ["C:/k/kubeadm.exe upgrade node", true],
    ["echo kubeadm upgrades nothing", false],
  ])("is no command: %s is refused: %s", (command, refused) => {
    const change = { linuxPools: { linux1: { postKubeadmCommands: ["true", command] } } };
    if (refused) {
      expect(reportWith(change)).toBe(
        block(
          "  linuxPools.linux1.postKubeadmCommands[1]",
          "    problem  it upgrades a node in place: Cluster API takes machines for immutable, and a replaced one would be old again",
          "    allowed  replacement of nodes by the pool's rollout",
          "    write    kubernetesVersion: the new version",
        ),
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });
});

describe("the name of a Windows node", () => {
  const warningsWith = (windowsPools: object) =>
    loadSettings({ ...minimal(), windowsPools }, "test").warnings.filter(({ path }) =>
      path.startsWith("windowsPools."),
    );

  it("is told where CAPZ shortens it for NetBIOS", () => {
    expect(warningsWith({ frontends: {} })).toEqual([]);
    expect(warningsWith({ frontendss: {} })).toEqual([
      {
        path: "windowsPools.frontendss",
        message:
          "a computer name has 15 characters (NetBIOS), 6 of them Azure's: the nodes will be called win-endss000000 and so on; names of up to 9 characters stay as they are",
      },
    ]);
  });

  it.each([
    ["powershell Rename-Computer -NewName web1", true],
    ["netdom renamecomputer %COMPUTERNAME% /newname:web1", true],
    ["powershell hostname", false],
  ])("is not changed: %s is refused: %s", (command, refused) => {
    const change = { windowsPools: { win1: { preKubeadmCommands: [command.replaceAll("%", "%%")] } } };
    if (refused) {
      expect(reportWith(change)).toContain(
        "it renames the machine: the cloud provider looks for a node by the name",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });

  it("resolves by Azure's DNS suffix, of which a command that sets the list is told", () => {
    const command = 'powershell Set-DnsClientGlobalSetting -SuffixSearchList @("corp.example")';
    expect(warningsWith({ win1: { preKubeadmCommands: [command] } })).toEqual([
      {
        path: "windowsPools.win1",
        message:
          "its commands or files set the DNS suffix search list: keep Azure's suffix in it, for the names of nodes resolve by that",
      },
    ]);
    expect(warningsWith({ win1: { preKubeadmCommands: ["powershell Get-DnsClient"] } })).toEqual([]);
  });
});
