import { reportWith, settingsWith } from "../support/stacks";

describe("files and commands of a pool", () => {
  it("are refused all at once, at the places where the user wrote them", () => {
    const report = reportWith({
      windowsPools: {
        win1: {
          files: [
            { path: "C:/a", content: "x" },
            { path: "c:/A", content: "y".repeat(20_000) },
          ],
          postKubeadmCommands: ["echo 100%", "foo.cmd", "echo {{ x }}"],
        },
      },
    });
    expect(report).toMatch(/^Pulumi\.test\.yaml: 5 problems\n/);
    for (const part of [
      "windowsPools.win1.files[1] (c:/A)\n    problem  files[0] (C:/a) writes the same file",
      "windowsPools.win1.files[1] (c:/A).content\n    problem  it has 26,668 characters",
      "windowsPools.win1.postKubeadmCommands[0]\n    problem  a single % is not printed",
      "windowsPools.win1.postKubeadmCommands[1]\n    problem  a batch file that is not called ends the batch",
      "windowsPools.win1.postKubeadmCommands[2], line 1\n    problem  {{ opens a jinja template",
    ]) {
      expect(report).toContain(part);
    }
  });

  it("may not write what every Windows node has already", () => {
    expect(
      reportWith({ windowsPools: { win1: { files: [{ path: "C:\\restart-kubelet.ps1", content: "x" }] } } }),
    ).toContain("writes the same file");
  });

  it("are free on Linux to have what only cmd.exe minds, and jinja in contents", () => {
    const pool = {
      files: [{ path: "/etc/motd", content: "{{ x }} 100%" }],
      preKubeadmCommands: ["echo 100%"],
    };
    expect(settingsWith({ linuxPools: { linux1: pool } }).linuxPools.linux1!.preKubeadmCommands).toEqual([
      "echo 100%",
    ]);
  });
});
