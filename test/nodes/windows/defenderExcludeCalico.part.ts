import { describeOnWindows, runOnWindows } from "../powershell";

const script = "defender-exclude-calico.ps1";

describeOnWindows("defender-exclude-calico.ps1", () => {
  it("keeps Defender from the files that both plugins open", async () => {
    expect(await runOnWindows(script, { answers: { "Add-MpPreference": {} } })).toMatchObject({
      code: 0,
      calls: [
        "Add-MpPreference -ExclusionProcess C:\\opt\\cni\\bin\\calico.exe,C:\\opt\\cni\\bin\\calico-ipam.exe",
      ],
      output: ["Defender does not scan the files that the Calico CNI plugins open."],
    });
  });

  it("does nothing on an image without Defender", async () => {
    expect(await runOnWindows(script)).toMatchObject({
      code: 0,
      calls: [],
      output: ["Defender is not installed: nothing to exclude."],
    });
  });
});
