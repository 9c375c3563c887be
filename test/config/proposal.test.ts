import { minimal, reportWith, settingsWith } from "../support/stacks";

/** Messages for settings that Cluster API's proposal for Windows nodes excludes or leaves to the platform. */

const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

describe("a password", () => {
  it.each(["adminPassword", "password", "windowsPasswd", "AdminPassword"])("is rejected as %s", (key) => {
    const report = reportWith({ windowsPools: { win1: { [key]: "PLANTED" } } });
    expect(report).toBe(
      block(
        `  windowsPools.win1.${key}`,
        "    problem  passwords are not supported: cloudbase-init sets a random one on each node, which is not stored anywhere and not needed",
        "    allowed  access.sshPublicKey, for logging in to Windows and Linux nodes",
        `    write    remove ${key} # for RDP, set a password over SSH (docs/operations.md)`,
      ),
    );
  });

  it("is never shown", () => {
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
  ])("in the command %s is rejected: %s", (command, refused) => {
    const change = { windowsPools: { win1: { files: [{ path: "C:/x.ps1", content: command }] } } };
    if (refused) {
      expect(reportWith(change)).toContain(
        "windowsPools.win1.files[0].content\n    problem  this sets a password in the bootstrap data, which stays readable on the node and in Azure",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });
});

describe("a machine that is not a Windows worker", () => {
  it.each([
    ["management", { kind: "aks", osType: "Windows" }, "osType"],
    ["management", { kind: "aks", windowsServer: "2022" }, "windowsServer"],
    ["controlPlane", { osType: "Windows" }, "osType"],
  ])("%s %j runs Linux, with the reason", (group, value, key) => {
    expect(reportWith({ [group]: value })).toBe(
      block(
        `  ${group}.${key}`,
        "    problem  these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
        "    allowed  Windows nodes in windowsPools",
        `    write    remove ${key}`,
      ),
    );
  });

  it("runs Linux on the management cluster, too", () => {
    expect(reportWith({ management: { kind: "aks", os: "windows" } })).toBe(
      block(
        "  management.os",
        "    value    windows",
        "    problem  not an allowed value",
        "    allowed  linux: the images of Cluster API's controllers are for Linux",
        "    write    os: <an allowed value>",
      ),
    );
    expect(settingsWith({ management: { kind: "aks", os: "linux" } })).toBeDefined();
  });
});

describe("an in-place upgrade", () => {
  it.each(["inPlace", "in_place_upgrade", "upgradeStrategy"])("has no key %s", (key) => {
    expect(reportWith({ linuxPools: { linux1: { [key]: true } } })).toBe(
      block(
        `  linuxPools.linux1.${key}`,
        "    problem  nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
        "    allowed  kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
        `    write    remove ${key}`,
      ),
    );
  });

  it.each([
    ["kubeadm upgrade node", true],
    ["C:/k/kubeadm.exe upgrade node", true],
    ["echo kubeadm upgrades nothing", false],
  ])("in the command %s is rejected: %s", (command, refused) => {
    const change = { linuxPools: { linux1: { postKubeadmCommands: ["true", command] } } };
    if (refused) {
      expect(reportWith(change)).toBe(
        block(
          "  linuxPools.linux1.postKubeadmCommands[1]",
          "    problem  this upgrades a node in place: Cluster API treats machines as immutable, and a replacement would have the old version",
          "    allowed  kubernetesVersion of the pool, whose rollout replaces the nodes",
        ),
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });
});

describe("the name of a Windows node", () => {
  it.each([
    ["powershell Rename-Computer -NewName web1", true],
    ["netdom renamecomputer %COMPUTERNAME% /newname:web1", true],
    ["powershell hostname", false],
  ])("cannot be changed by a command: %s is rejected: %s", (command, refused) => {
    const change = { windowsPools: { win1: { preKubeadmCommands: [command.replaceAll("%", "%%")] } } };
    if (refused) {
      expect(reportWith(change)).toContain(
        "this renames the machine: the cloud provider finds a node by its computer name in Azure, which CAPZ keeps within the 15 characters of NetBIOS",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });
});
