import { describeOnWindows, runOnWindows, type Scene } from "../powershell";

const call = { out: [{ Call: "" }] };
const told = (answers: Scene["answers"] = {}) =>
  runOnWindows("schedule-mtu.ps1", {
    args: { HostMtu: "1400", PodMtu: "1350" },
    answers: {
      "New-ScheduledTaskAction": call,
      "New-ScheduledTaskTrigger": call,
      "New-ScheduledTaskSettingsSet": call,
      "Register-ScheduledTask": { out: ["a task"] },
      "Start-ScheduledTask": {},
      ...answers,
    },
  });
const action =
  "New-ScheduledTaskAction -Execute powershell.exe -Argument '-NoProfile -ExecutionPolicy Bypass -File C:\\windows-mtu.ps1 -HostMtu 1400 -PodMtu 1350'";
const trigger = "New-ScheduledTaskTrigger -Once -At 2026-11-28T12:00:00 -RepetitionInterval 00:01:00";
const settings = "New-ScheduledTaskSettingsSet -ExecutionTimeLimit 00:00:00 -MultipleInstances IgnoreNew";

describeOnWindows("schedule-mtu.ps1", () => {
  it("lets Windows run windows-mtu.ps1 now and every minute, without an end, as SYSTEM; also the second time", async () => {
    expect(await told()).toMatchObject({
      code: 0,
      calls: [
        ...[action, trigger, settings],
        `Register-ScheduledTask -Force -Action (${action}) -Settings (${settings}) -TaskName windows-mtu -Trigger (${trigger}) -User 'NT AUTHORITY\\SYSTEM'`,
        "Start-ScheduledTask -TaskName windows-mtu",
      ],
      output: ["The task windows-mtu gives the host an MTU of 1400 bytes, and pods 1350."],
    });
  });

  it.each(["Register-ScheduledTask", "Start-ScheduledTask"])(
    "fails where Windows refuses %s",
    async (name) => {
      const { calls, output, code } = await told({ [name]: { error: "Access is denied." } });
      expect([calls.at(-1)?.split(" ")[0], output, code]).toEqual([name, ["ERROR: Access is denied."], 1]);
    },
  );

  it("takes no size that is no number", async () => {
    const { code, calls } = await runOnWindows("schedule-mtu.ps1", {
      args: { HostMtu: "-1", PodMtu: "1350" },
    });
    expect([code, calls]).toEqual([1, []]);
  });
});
