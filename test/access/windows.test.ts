import { readFileSync } from "node:fs";
import { join } from "node:path";
import { powershell, python } from "../bootstrap/readers";
import { projectDir } from "../support/stacks";

describe("the script for Windows nodes", () => {
  const script = readFileSync(join(projectDir, "access/scripts/collect-windows.ps1"), "utf8");

  (python === undefined ? it.skip : it)("is PowerShell (needs CAPZ_WINDOWS_PYTHON)", () => {
    expect(powershell([script])).toEqual([[]]);
  });

  it("is ASCII, because Windows PowerShell reads files without a byte order mark as ANSI", () => {
    expect(/[^\x00-\x7f]/.test(script)).toBe(false);
  });

  it("reads what CAPZ's collector reads, and nothing with secrets", () => {
    for (const what of [
      "Cloudbase-Init\\log",
      "var\\log\\kubelet",
      "var\\log\\containerd",
      "calico\\cni",
      "hnsdiag list all -d",
      "1074, 1076, 2004, 6005, 6006, 6008",
      "Hyper-V-Compute-Operational",
      "localdumps",
    ]) {
      expect(script).toContain(what);
    }
    const files = script.slice(
      script.indexOf("@(\n  'Program Files"),
      script.indexOf("ForEach-Object { Save-File"),
    );
    expect(files).not.toMatch(/azure\.json|kubeconfig|CustomData|\.conf\b|\\etc\\kubernetes/i);
  });

  it("hides the same as the script for Linux: its patterns, in JavaScript's words", () => {
    const patterns = [...script.matchAll(/^ {2}@\('(.+)', '(.+)'\),?$/gm)].map(
      ([, pattern = "", by = ""]) => {
        const flags = /^\(\?([a-z])\)/.exec(pattern)?.[1] ?? "";
        return [
          new RegExp(pattern.replace(/^\(\?[a-z]\)/, "").replace(String.raw`\z`, "$"), `g${flags}`),
          by.replaceAll("${1}", "$1"),
        ] as const;
      },
    );
    expect(patterns).toHaveLength(6);
    const text =
      "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\nabcdef.0123456789abcdef password=hunter2 &sig=hunter2 eyJhbGciOiJS.eyJz.c2ln kept";
    const hidden = patterns.reduce((left, [pattern, by]) => left.replace(pattern, by), text);
    expect(hidden).not.toMatch(/hunter2|0123456789abcdef|eyJ/);
    expect(hidden).toContain("kept");
  });
});
