import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plantedWith } from "./planted";
import { projectDir } from "../support/stacks";

describe("the script for Windows nodes", () => {
  const script = readFileSync(join(projectDir, "commands/access/scripts/collect-windows.ps1"), "utf8");

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

  it("hides the same secrets as the script for Linux: its patterns are run as those of JavaScript", () => {
    const patterns = [...script.matchAll(/^ {2}@\('(.+)', '(.+)'\),?$/gm)].map(
      ([, pattern = "", by = ""]) => {
        const flags = /^\(\?([a-z])\)/.exec(pattern)?.[1] ?? "";
        const plain = pattern
          .replace(/^\(\?[a-z]\)/, "")
          .replace(String.raw`\z`, "$")
          .replace(String.raw`\A`, "^");
        return [new RegExp(plain, `g${flags}`), by.replaceAll("${1}", "$1")] as const;
      },
    );
    expect(patterns).toHaveLength(11);
    const text = [
      // The end of a key that begins before the lines that are collected.
      "hunter2\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----",
      "abcdef.0123456789abcdef eyJhbGciOiJS.eyJz.c2ln",
      ...plantedWith("hunter2"),
      "kept",
    ].join("\n");
    const hidden = patterns.reduce((left, [pattern, by]) => left.replace(pattern, by), text);
    expect(hidden).not.toMatch(/hunter2|0123456789abcdef|eyJ/);
    expect(hidden).toContain("kept");
  });
});
