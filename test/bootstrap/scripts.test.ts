import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jinjaOpening } from "../../bootstrap/jinja";
import { filesBelow, readText } from "../architecture/sources";
import { projectDir } from "../support/stacks";

const folder = join(projectDir, "bootstrap");
const scripts = readdirSync(folder).filter((name) => name.endsWith(".ps1"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe.each(scripts)("%s", (name) => {
  const script = read(name);

  it("is plain ASCII, because PowerShell 5.1 reads a file without a byte order mark in the machine's code page", () => {
    expect(script).toMatch(/^[\t\n\x20-\x7e]*\n$/);
  });

  it("needs no base64: it has no Jinja template and no indented first line", () => {
    expect(jinjaOpening(script)).toBeUndefined();
    expect(script).toMatch(/^\S/);
  });

  it("prints what it does to cloudbase-init's log", () => {
    expect(script).toMatch(/^# \S/);
    expect(script).toContain("Write-Output");
  });
});

describe.each(["addons", "older"].flatMap(filesBelow).filter((path) => path.endsWith(".ps1")))(
  "%s of the add-ons",
  (path) => {
    const script = readText(path);

    it("is plain ASCII, and has a comment on its purpose", () => {
      expect(script).toMatch(/^# \S[\t\n\x20-\x7e]*\n$/);
    });
  },
);

describe("restart-kubelet.ps1", () => {
  const script = read("restart-kubelet.ps1");
  const branches = script.split(/^\} elseif|^\} else \{/m);

  it("prefers the image's own script, and retries it until kubelet runs", () => {
    expect(script).toContain("$native = Join-Path $folder 'RestartKubelet.ps1'");
    expect(branches[0]).toContain("if (Test-Path -LiteralPath $native) {");
    expect(branches[0]).toContain("& $native");
  });

  it("sets kubelet to start automatically if nssm runs it", () => {
    expect(script).toContain("$nssm = Join-Path $folder 'nssm.exe'");
    expect(branches[1]).toContain("(Test-Path -LiteralPath $nssm)");
    expect(branches[1]).toContain("& $nssm set kubelet start SERVICE_AUTO_START");
    expect(branches[1]).not.toContain("$native");
  });

  it("lets Windows start a native kubelet again that has ended, after the last time that its service is made", () => {
    const native = branches[0] ?? "";
    expect(native).toMatch(
      /^ {4}& sc\.exe failure kubelet reset= 3600 actions= restart\/10000\n {4}& sc\.exe failureflag kubelet 1\n$/m,
    );
    expect(native.indexOf("sc.exe failure")).toBeGreaterThan(native.lastIndexOf("& $native"));
  });

  it("fails if kubelet does not run in the end", () => {
    expect(script).toMatch(/exit 1\n\}\n$/);
  });
});

it("defender-exclude-calico.ps1 excludes both plugins", () => {
  const script = read("defender-exclude-calico.ps1");
  expect(script).toContain("'C:\\opt\\cni\\bin\\calico.exe', 'C:\\opt\\cni\\bin\\calico-ipam.exe'");
});

it("set-proxy.ps1 says that Windows uses the proxy only if netsh has set it", () => {
  expect(read("set-proxy.ps1")).toMatch(
    /^netsh winhttp set proxy .*\nif \(\$LASTEXITCODE -ne 0\) \{ throw "[^"]+" \}\nWrite-Output /m,
  );
});
