import { describeOnWindows, runOnWindows, times, type Scene } from "../powershell";

const drive = (Index: number, SCSILogicalUnit: number, change = {}) => ({
  ...{ Index, SCSILogicalUnit, SCSIPort: 1, InterfaceType: "SCSI" },
  ...change,
});
const system = drive(0, 0, { SCSIPort: 0 });
const temporary = drive(1, 0, { InterfaceType: "IDE" });
const fresh = { IsOffline: true, IsReadOnly: true, PartitionStyle: "RAW" };
const ready = { IsOffline: false, IsReadOnly: false, PartitionStyle: "GPT" };
const find = "Get-CimInstance Win32_DiskDrive";
const told = (Disks: string, answers: Scene["answers"]) =>
  runOnWindows("initialize-data-disks.ps1", {
    args: { Disks },
    answers: {
      "Get-CimInstance": { out: [system, temporary, drive(2, 0), drive(3, 1)] },
      "Get-Disk": { out: [fresh] },
      "Get-Partition": { error: "No MSFT_Partition objects found" },
      "New-Partition": { out: [{ DriveLetter: "", Type: "Basic" }] },
      "Get-Volume": { out: [{ FileSystem: "" }] },
      "Format-Volume": { out: ["a volume"] },
      ...{ "Set-Disk": {}, "Initialize-Disk": {}, "Set-Partition": {} },
      ...answers,
    },
  });
const looked = (number: number) => [find, `Get-Disk -Number ${number}`];
const partitions = (number: number) => `Get-Partition -DiskNumber ${number} -ErrorAction SilentlyContinue`;
const made = (number: number, letter: string, label: string) => [
  ...looked(number),
  `Set-Disk -Number ${number} -IsOffline $false`,
  `Set-Disk -Number ${number} -IsReadOnly $false`,
  `Initialize-Disk -Number ${number} -PartitionStyle GPT`,
  partitions(number),
  `New-Partition -DiskNumber ${number} -UseMaximumSize`,
  `Set-Partition -InputObject {"DriveLetter":"","Type":"Basic"} -NewDriveLetter ${letter}`,
  `Get-Volume -DriveLetter ${letter}`,
  `Format-Volume -DriveLetter ${letter} -FileSystem NTFS -NewFileSystemLabel ${label} -Confirm:$false`,
];

describeOnWindows("initialize-data-disks.ps1", () => {
  it("gives fresh disks their letters by their LUN, and never takes the disks of the system", async () => {
    expect(await told("0=F=data,1=L=logs", {})).toMatchObject({
      code: 0,
      calls: [...made(2, "F", "data"), ...made(3, "L", "logs")],
      output: ["The disk at LUN 0 is F:", "The disk at LUN 1 is L:"],
    });
  });

  it("changes nothing the second time", async () => {
    const { calls, output, code } = await told("0=F=data", {
      "Get-Disk": { out: [ready] },
      "Get-Partition": {
        out: [
          { DriveLetter: "", Type: "Reserved" },
          { DriveLetter: "F", Type: "Basic" },
        ],
      },
      "Get-Volume": { out: [{ FileSystem: "NTFS" }] },
    });
    expect(calls).toEqual([...looked(2), partitions(2), "Get-Volume -DriveLetter F"]);
    expect([output, code]).toEqual([["The disk at LUN 0 is F:"], 0]);
  });

  it("gives a disk with a volume its letter again, and keeps the volume", async () => {
    const { calls } = await told("0=F=data", {
      "Get-Disk": { out: [ready] },
      "Get-Partition": { out: [{ DriveLetter: "E", Type: "Basic" }] },
      "Get-Volume": { out: [{ FileSystem: "ReFS" }] },
    });
    expect(calls).toEqual([
      ...looked(2),
      partitions(2),
      'Set-Partition -InputObject {"DriveLetter":"E","Type":"Basic"} -NewDriveLetter F',
      "Get-Volume -DriveLetter F",
    ]);
  });

  it("makes a partition beside the reserved one, and formats a volume that is raw", async () => {
    const { calls } = await told("0=F=data", {
      "Get-Disk": { out: [{ ...ready, IsOffline: true }] },
      "Get-Partition": { out: [{ DriveLetter: "", Type: "Reserved" }] },
      "New-Partition": { out: [{ DriveLetter: "F", Type: "Basic" }] },
      "Get-Volume": { out: [{ FileSystem: "RAW" }] },
    });
    expect(calls).toEqual([
      ...looked(2),
      "Set-Disk -Number 2 -IsOffline $false",
      partitions(2),
      "New-Partition -DiskNumber 2 -UseMaximumSize",
      "Get-Volume -DriveLetter F",
      "Format-Volume -DriveLetter F -FileSystem NTFS -NewFileSystemLabel data -Confirm:$false",
    ]);
  });

  it("waits for a disk that comes later", async () => {
    const { calls, code } = await told("1=L=logs", {
      "Get-CimInstance": [{ out: [system, drive(2, 0)] }, { out: [] }, { out: [system, drive(3, 1)] }],
    });
    expect(calls.slice(0, 5)).toEqual([...times(2, find, "Start-Sleep -Seconds 2"), find]);
    expect(code).toBe(0);
  });

  it("says which disk has not come after two minutes, does the others, and fails", async () => {
    const { calls, output, code } = await told("4=E=none,0=F=data", {});
    expect(calls).toEqual([...times(60, find, "Start-Sleep -Seconds 2"), ...made(2, "F", "data")]);
    expect(output).toEqual([
      "The disk at LUN 4 has not got the letter E: no data disk at LUN 4 after two minutes",
      "The disk at LUN 0 is F:",
    ]);
    expect(code).toBe(1);
  });

  it.each([
    "Get-Disk",
    "Set-Disk",
    "Initialize-Disk",
    "New-Partition",
    "Set-Partition",
    "Get-Volume",
    "Format-Volume",
  ])("says why where Windows refuses %s, goes no further with this disk, and fails", async (name) => {
    const { calls, output, code } = await told("0=F=data", { [name]: { error: "Access denied" } });
    expect(output).toEqual(["The disk at LUN 0 has not got the letter F: Access denied"]);
    expect([calls.at(-1)?.split(" ")[0], code]).toEqual([name, 1]);
  });
});
