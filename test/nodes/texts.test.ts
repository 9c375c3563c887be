import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mentions, powershellIn, powershellTexts, type ScriptText } from "./texts";
import { describeOnWindows, parserErrors, powershell51, pwsh, pwshEnvironment } from "./powershell";

/** Every PowerShell text that the program delivers or prints, read by PowerShell. */

if (pwsh === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_PWSH names no PowerShell 7 (pwsh)", () => undefined);
}

it("finds the commands of PowerShell in every remedy and document that names one", () => {
  expect(mentions().filter(({ text }) => powershellIn(text) === undefined)).toEqual([]);
});

it("no remedy restarts containerd without the kubelet that depends on it, which Windows refuses", () => {
  const restarts = mentions().filter(({ text }) =>
    /(?:Restart|Stop)-Service (?:-Name )?containerd/.test(text),
  );
  expect(restarts.length).toBeGreaterThan(5);
  expect(restarts.filter(({ text }) => !/-Service (?:-Name )?containerd -Force/.test(text))).toEqual([]);
});

describeOnWindows("PowerShell", () => {
  let texts: readonly ScriptText[] = [];
  beforeAll(async () => {
    texts = await powershellTexts();
  });

  it("gets scripts, commands of nodes and containers, run-commands, remedies and documents", () => {
    const places = texts.map(({ where }) => where);
    const expected = [
      "bootstrap/scripts/",
      "runcmd",
      "DaemonSet",
      "sample",
      "probe, host",
      "doctor, ",
      "docs/mtu.md",
      "docs/workloads/",
    ];
    expect(expected.filter((place) => !places.some((where) => where.includes(place)))).toEqual([]);
    expect(texts.length).toBeGreaterThan(60);
  });

  it("parses each", async () => {
    const errors = await parserErrors(texts.map(({ text }) => text));
    expect(
      texts.flatMap(({ where }, index) => (errors[index] ?? []).map((one) => `${where}: ${one}`)),
    ).toEqual([]);
  });

  it("does not parse what is no PowerShell", async () => {
    expect(await parserErrors(["if ($a) { 'x' }", "if ($a) { 'x'", '"neither $a nor $b: only $c"'])).toEqual([
      [],
      ["1: Missing closing '}' in statement block or type definition."],
      [expect.stringContaining("1: Variable reference is not valid. ':' was not followed by")],
    ]);
  });

  /**
   * Of modules that come with a feature of Windows Server, from the PowerShell Gallery, or with an image (hns.psm1 of
   * sig-windows-tools); the texts say so.
   */
  const ofModules = ["New-CredentialSpec", "New-ADServiceAccount", "Remove-HnsPolicyList"];

  const findings = (given: readonly ScriptText[]): string[] => {
    const folder = mkdtempSync(join(tmpdir(), "capz-windows-texts-"));
    try {
      const files = given.map(({ text }, index) => {
        const file = join(folder, `${index}.ps1`);
        writeFileSync(file, `${text}\n`);
        return file;
      });
      const script = join(powershell51 ?? "", "check51.ps1");
      const { stdout, stderr, status } = spawnSync(pwsh ?? "", ["-NoProfile", "-File", script, ...files], {
        ...{ encoding: "utf8", env: pwshEnvironment },
      });
      expect([stderr, status === 0 || status === 1]).toEqual(["", true]);
      return stdout
        .split("\n")
        .filter((line) => line !== "" && !ofModules.some((name) => line.endsWith(`no command ${name}`)))
        .map((line) =>
          line.replace(/^.*\/(\d+)\.ps1:/, (_, index: string) => `${given[Number(index)]?.where}: `),
        );
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  const with51 = powershell51 === undefined ? it.skip : it;
  with51(
    "with CAPZ_WINDOWS_POWERSHELL_51: Windows PowerShell 5.1 has all that they use, and not what came later",
    () => {
      const later = [
        "$a ?? 'b'",
        "Invoke-RestMethod -NoProxy http://x/",
        "[Math]::Clamp(1, 2, 3)",
        "Get-Uptime",
      ];
      expect(findings([...texts, ...later.map((text) => ({ where: "later", text }))])).toEqual([
        "later: 1: 5.1 has no operator ??",
        "later: 1: in 5.1 Invoke-RestMethod has no parameter -NoProxy",
        "later: 1: in .NET Framework System.Math has no static Clamp",
        "later: 1: 5.1 has no command Get-Uptime",
      ]);
    },
  );
});
