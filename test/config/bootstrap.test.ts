import { reportWith, settingsWith } from "../support/stacks";

describe("files and commands of a pool", () => {
  it("are rejected together, with the paths in the stack file", () => {
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
      "windowsPools.win1.files[1].path\n    value    c:/A\n    problem  files[0] (C:/a) writes the same file",
      "windowsPools.win1.files[1].content\n    problem  has 26,668 characters",
      "windowsPools.win1.postKubeadmCommands[0]\n    problem  cmd.exe drops a single %",
      "windowsPools.win1.postKubeadmCommands[1]\n    problem  a batch file that runs without call ends the batch",
      "windowsPools.win1.postKubeadmCommands[2]\n    problem  {{ opens a Jinja template",
    ]) {
      expect(report).toContain(part);
    }
  });

  it("must not overwrite a built-in file of every Windows node", () => {
    expect(
      reportWith({ windowsPools: { win1: { files: [{ path: "C:\\restart-kubelet.ps1", content: "x" }] } } }),
    ).toContain("writes the same file");
  });

  it("may contain on Linux what only cmd.exe misreads, and Jinja in file contents", () => {
    const pool = {
      files: [{ path: "/etc/motd", content: "{{ x }} 100%" }],
      preKubeadmCommands: ["echo 100%"],
    };
    expect(settingsWith({ linuxPools: { linux1: pool } }).linuxPools.linux1!.preKubeadmCommands).toEqual([
      "echo 100%",
    ]);
  });

  it("are rejected if the user data is larger than Azure allows, and accepted below that", () => {
    const files = (last: number) => [
      ...[1, 2, 3, 4, 5].map((index) => ({
        path: `C:/own/${index}.txt`,
        content: `${"x".repeat(10_000)}\n`,
      })),
      { path: "C:/own/last.txt", content: `${"x".repeat(last)}\n` },
    ];
    const pool = (last: number) => ({ windowsPools: { win1: { files: files(last) } } });
    expect(() => settingsWith(pool(100))).not.toThrow();
    expect(reportWith(pool(9_000)).replaceAll(/6\d,\d{3} bytes;/g, "6N,NNN bytes;")).toBe(
      [
        "Pulumi.test.yaml: 1 problem",
        "",
        "  windowsPools.win1",
        "    problem  the user data has 6N,NNN bytes; the largest file is C:/own/1.txt with 10,001 bytes",
        "    allowed  up to 60,000 bytes (Azure allows 65,535 before base64; secrets are added later)",
        "    write    a smaller C:/own/1.txt, or a command that downloads it",
      ].join("\n"),
    );
  });
});
