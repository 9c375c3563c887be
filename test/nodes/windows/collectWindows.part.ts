import { describeOnWindows, runOnWindows, type Answer, type Told } from "../powershell";
import { anySecret, hiddenLog, log, longKey } from "../secrets";

const numbered = Array.from({ length: 20_002 }, (_, index) => `line ${index + 1}`);
const files: Readonly<Record<string, string>> = {
  "Program Files/Cloudbase Solutions/Cloudbase-Init/log/cloudbase-init.log": `${log.join("\n")}\n`,
  "var/log/kubelet/kubelet.err.log": `${numbered.join("\r\n")}\r\n`,
  "var/log/containerd/containerd.log": `before the key\n${longKey}`,
  "var/log/calico/cni/cni.log": "calico says hello\n",
  "var/log/pods/kube-system_proxy_1/proxy/0.log": "kube-proxy says hello\n",
  "var/log/pods/calico-system_node_1/felix/0.log": "felix says hello\n",
  "cni.log": "cni says hello\n",
  "k/StartKubelet.log": "kubelet begins\n",
  "run/cluster-api/bootstrap.log": "bootstrap says hello\n",
  "WindowsAzure/Logs/WaAppAgent.log": "agent says hello\n",
  "Windows/Panther/setupact.log": "setup says hello\n",
};
/** They are on the node, and never taken. */
const left: Readonly<Record<string, string>> = {
  "var/log/pods/default_app_1/app/0.log": "a log of a user\n",
  "k/azure.json": '{"aadClientSecret": "hunter2"}',
  "etc/kubernetes/kubelet.conf": "client-key-data: hunter2",
  "AzureData/CustomData.bin": "hunter2",
  "AzureData/1.log": "hunter2",
};
/** A container makes them in folders of the node that it mounts. */
const links: Readonly<Record<string, string>> = {
  "k/CustomData.log": "AzureData/CustomData.bin",
  "var/log/pods/kube-system_proxy_1/proxy/1.log": "etc/kubernetes/kubelet.conf",
  "var/log/pods/kube-system_proxy_1/data": "AzureData",
  "var/log/pods/kube-system_user": "var/log/pods/default_app_1",
};
const says = (name: string): Answer => ({ out: [`${name} says: token=hunter2, kept`, "", "x".repeat(5000)] });
const saidBy = (name: string) => `${name} says: token=REDACTED\n\n${"x".repeat(5000)}\n`;
const event = (Message: string) => ({
  ...{
    TimeCreated: "2026-11-28T11:00:00",
    Id: 6008,
    LevelDisplayName: "Error",
    ProviderName: "EventLog",
    Message,
  },
});
const far = `${"far ".repeat(1200)}sig=x password=hunter2 https://x/?sig=hunter2\nsecond line token=hunter2 kept`;
const object = (Name: string) => ({
  out: [{ Name, Status: "Running", Note: `${"n".repeat(600)} apikey=hunter2` }],
});

/** Each file of the archive besides copies of logs, and the call that fills it. */
const calls: Readonly<Record<string, string>> = {
  "services.txt": "Get-Service",
  "processes.txt": "Get-Process",
  "disk.txt": "Get-PSDrive -PSProvider FileSystem",
  "memory.txt": "Get-CimInstance -ClassName Win32_OperatingSystem",
  "pagefile.txt": "Get-CimInstance Win32_PageFileUsage",
  "clock.txt": "w32tm /query /status",
  "updates.txt": "Get-HotFix",
  "network-addresses.txt": "ipconfig /allcompartments /all",
  "network-interfaces.txt": "Get-NetIPInterface -IncludeAllCompartments",
  "network-routes.txt": "Get-NetRoute",
  "hns.txt": "hnsdiag list all -d",
  "hcs.txt": "hcsdiag list",
  "containers.txt": "ctr.exe -n k8s.io containers list",
  "tasks.txt": "ctr.exe -n k8s.io tasks list",
  "images.txt": "ctr.exe -n k8s.io images list",
  "crash-dumps.txt": "Get-ChildItem C:/localdumps",
  "events-reboots.txt":
    "Get-WinEvent -FilterHashtable @{Id = 1074,1076,2004,6005,6006,6008; LogName = System} -MaxEvents 100",
  "events-services.txt":
    "Get-WinEvent -FilterHashtable @{LogName = System; ProviderName = 'Service Control Manager'} -MaxEvents 300",
  "events-containers.txt":
    "Get-WinEvent -FilterHashtable @{LogName = Microsoft-Windows-Hyper-V-Compute-Operational} -MaxEvents 300",
  "events-hns.txt":
    "Get-WinEvent -FilterHashtable @{LogName = Microsoft-Windows-Host-Network-Service-Admin} -MaxEvents 300",
};
const archive = "node-logs.zip";

describeOnWindows("collect-windows.ps1", () => {
  let told: Told;
  const saved = (name: string): string | undefined => told.files[`${archive}.unpacked/${name}`];
  beforeAll(async () => {
    told = await runOnWindows("collect-windows.ps1", {
      args: { Root: "C:/", Archive: `C:/${archive}` },
      env: { TMPDIR: "C:/Temp" },
      files: { ...files, ...left, [archive]: "of an earlier run", "Temp/x": "" },
      links,
      answers: {
        "Get-Service": { out: [{ Name: "z", Status: "Stopped" }, ...object("kubelet").out] },
        "Get-Process": {
          out: [10, 30, 20].map((WorkingSet) => ({
            Id: WorkingSet,
            ProcessName: "p",
            CPU: 1,
            WorkingSet,
            Path: "hidden",
          })),
        },
        "Get-CimInstance -ClassName": {
          out: [
            {
              Version: "10.0.20348",
              FreePhysicalMemory: 5,
              TotalVisibleMemorySize: 8,
              LastBootUpTime: "today",
              Caption: "not asked for",
            },
          ],
        },
        ...{ "Get-CimInstance Win32_PageFileUsage": object("C:\\pagefile.sys"), "Get-PSDrive": object("C") },
        ...{
          "Get-HotFix": object("KB1"),
          "Get-NetIPInterface": object("vEthernet"),
          "Get-NetRoute": object("0.0.0.0/0"),
        },
        ...{
          w32tm: says("w32tm"),
          ipconfig: says("ipconfig"),
          hnsdiag: says("hnsdiag"),
          hcsdiag: says("hcsdiag"),
        },
        "ctr.exe": says("ctr.exe"),
        "ctr.exe -n k8s.io tasks": { out: ["a task"], error: "ctr: token=hunter2 refused" },
        "Get-ChildItem": { throw: "Cannot find path: token=hunter2" },
        "Get-WinEvent": { out: [event(far), event("short")] },
        [calls["events-hns.txt"] ?? ""]: { error: "No events were found" },
        ...{ "Compress-Archive": { archive: true }, "Remove-Item": { real: true } },
      },
    });
  });

  it("takes the logs that say why a node does not work, what commands say, and nothing else", () => {
    expect([told.code, told.output]).toEqual([0, [`written: C:/${archive}`]]);
    const root = `${archive}.unpacked/`;
    const names = Object.keys(told.files).filter((name) => name.startsWith(root));
    expect(names.map((name) => name.slice(root.length)).sort()).toEqual(
      [...Object.keys(files).map((name) => `files/${name}`), ...Object.keys(calls)].sort(),
    );
  });

  it("asks Windows this, in this order, replaces an earlier archive, and leaves nothing else on the node", () => {
    const work = told.calls.map((call) => call.replace(/node-logs-[0-9a-f]{32}/, "WORK"));
    expect(work).toEqual([
      ...Object.values(calls),
      `Remove-Item C:/${archive} -Force`,
      `Compress-Archive -Path C:/Temp/WORK/logs -DestinationPath C:/${archive}`,
      "Remove-Item C:/Temp/WORK -Recurse -Force",
    ]);
    expect(Object.keys(told.files).filter((name) => name.startsWith("Temp/"))).toEqual(["Temp/x"]);
  });

  it("hides each secret, and loses no line without one", () => {
    expect(saved("files/Program Files/Cloudbase Solutions/Cloudbase-Init/log/cloudbase-init.log")).toBe(
      `${hiddenLog.join("\n")}\n`,
    );
    const all = Object.keys(told.files).filter((name) => name.includes(".unpacked/"));
    expect(all.map((name) => told.files[name]).join("\n")).not.toMatch(anySecret);
  });

  it("keeps the last 20,000 lines, and no rest of a key", () => {
    expect(saved("files/var/log/kubelet/kubelet.err.log")).toBe(`${numbered.slice(2).join("\n")}\n`);
    expect(saved("files/var/log/containerd/containerd.log")).toBe("REDACTED-KEY\nafter the key\n");
    expect(saved("files/cni.log")).toBe("cni says hello\n");
  });

  it("cuts no line of a program, and nothing of an object or an event", () => {
    expect(saved("hns.txt")).toBe(saidBy("hnsdiag"));
    expect(saved("images.txt")).toBe(saidBy("ctr.exe"));
    expect(saved("services.txt")).toContain(`${"n".repeat(600)} apikey=REDACTED\n`);
    expect(saved("network-routes.txt")).toContain(`${"n".repeat(600)} apikey=REDACTED\n`);
    expect(saved("events-reboots.txt")).toBe(
      `2026-11-28T11:00:00 6008 Error EventLog: ${"far ".repeat(1200)}sig=REDACTED\n` +
        "second line token=REDACTED\n2026-11-28T11:00:00 6008 Error EventLog: short\n",
    );
  });

  it("sorts services by their state and processes by their memory, and shows what is asked for", () => {
    expect(saved("services.txt")?.indexOf("Running")).toBeLessThan(
      saved("services.txt")?.indexOf("Stopped") ?? 0,
    );
    const rows = (saved("processes.txt") ?? "").split("\n").filter((row) => row.trim() !== "");
    expect(rows.map((row) => row.trim().split(/ +/))).toEqual([
      ["Id", "ProcessName", "CPU", "WorkingSet"],
      ["--", "-----------", "---", "----------"],
      ...[30, 20, 10].map((id) => [String(id), "p", "1", String(id)]),
    ]);
    expect(saved("memory.txt")?.replace(/ +/g, " ").trim()).toBe(
      "Version : 10.0.20348\nFreePhysicalMemory : 5\nTotalVisibleMemorySize : 8\nLastBootUpTime : today",
    );
  });

  it("says what a command refused, beside what it said", () => {
    expect(saved("tasks.txt")).toBe("a task\nctr: token=REDACTED\n");
    expect(saved("crash-dumps.txt")).toBe("failed: Cannot find path: token=REDACTED\n");
    expect(saved("events-hns.txt")).toBe("No events were found\n");
  });
});
